#include "log/scan_codec.hpp"

#include <array>
#include <cmath>

#include "outrider/error.hpp"

namespace outrider {
namespace {

// Symbols: three small differences in a row (27), one difference, a special range, a jump.
constexpr int triples = 27, most_difference = 110, nothing = 248, no_information = 249, jump = 250;

int zigzag(int v) { return v >= 0 ? 2 * v : -2 * v - 1; }
int unzigzag(int z) { return z & 1 ? -(z + 1) / 2 : z / 2; }

/// Predicts the next range from the last two; 0 stands for "not known".
class Prediction {
  public:
    explicit Prediction(double curve) : curve_(curve) {}
    /// Only + - * / on doubles: every reader gets the same result.
    int next() const {
        if (last_ == 0 || before_ == 0) return last_;
        const double below = curve_ * before_ - last_;
        if (below <= 0) return last_;
        const double range = static_cast<double>(last_) * before_ / below;
        return range < 65535 ? static_cast<int>(range + 0.5) : last_;
    }
    void add(int range) {
        before_ = last_;
        last_ = range;
    }
    void jump_to(int range) {  // another wall: earlier ranges predict nothing
        before_ = 0;
        last_ = range;
    }

  private:
    double curve_;
    int last_ = 0, before_ = 0;
};

std::uint8_t take(std::string_view& bytes) {
    if (bytes.empty()) fail("a chunk of the log ends too early");
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    return byte;
}

}  // namespace

void ScanCodec::write(std::span<const std::uint16_t> ranges, std::string& symbols, std::string& jumps) const {
    Prediction prediction(curve_);
    const std::size_t before = symbols.size();
    symbols.resize(before + ranges.size());  // at most one for each beam
    char* out = symbols.data() + before;
    std::array<int, 3> small;  // differences that wait for their triple
    std::size_t waiting = 0;
    const auto put = [&](int symbol) {
        for (std::size_t i = 0; i < waiting; ++i) *out++ = static_cast<char>(triples + small[i]);
        waiting = 0;
        *out++ = static_cast<char>(symbol);
    };
    for (const std::uint16_t range : ranges) {
        if (range == Scan::nothing || range == Scan::no_information) {
            put(range == Scan::nothing ? nothing : no_information);
            prediction.jump_to(0);
            continue;
        }
        const int difference = range - prediction.next();
        if (std::abs(difference) > most_difference) {
            put(jump);
            jumps += static_cast<char>(range & 255);
            jumps += static_cast<char>(range >> 8);
            prediction.jump_to(range);
            continue;
        }
        prediction.add(range);
        if (const int z = zigzag(difference); z > 2) {
            put(triples + z);
        } else if (waiting < 2) {
            small[waiting++] = z;
        } else {
            waiting = 0;
            put((small[0] * 3 + small[1]) * 3 + z);
        }
    }
    for (std::size_t i = 0; i < waiting; ++i) *out++ = static_cast<char>(triples + small[i]);
    symbols.resize(static_cast<std::size_t>(out - symbols.data()));
}

void ScanCodec::read(std::string_view& symbols, std::string_view& jumps, std::span<std::uint16_t> ranges) const {
    Prediction prediction(curve_);
    for (std::size_t i = 0; i < ranges.size();) {
        const auto add = [&](int z) {
            ranges[i] = static_cast<std::uint16_t>(prediction.next() + unzigzag(z));
            prediction.add(ranges[i++]);
        };
        const int symbol = take(symbols);
        if (symbol < triples) {
            if (ranges.size() - i < 3) fail("a chunk of the log holds more beams than a scan has");
            add(symbol / 9);
            add(symbol / 3 % 3);
            add(symbol % 3);
        } else if (symbol == nothing || symbol == no_information) {
            ranges[i++] = symbol == nothing ? Scan::nothing : Scan::no_information;
            prediction.jump_to(0);
        } else if (symbol == jump) {
            const int low = take(jumps);
            ranges[i] = static_cast<std::uint16_t>(low | take(jumps) << 8);
            prediction.jump_to(ranges[i++]);
        } else {
            add(symbol - triples);
        }
    }
}

}  // namespace outrider
