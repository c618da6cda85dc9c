#include "live/rosbridge/cbor.hpp"

#include <array>
#include <cmath>
#include <cstring>

namespace outrider {

std::string cbor_head(CborKind kind, std::uint64_t n) {
    const auto first = static_cast<std::uint8_t>(static_cast<unsigned>(kind) << 5U);
    const int more = n < 24 ? 0 : n < 0x100 ? 1 : n < 0x10000 ? 2 : n < 0x100000000 ? 4 : 8;
    constexpr std::array<unsigned, 9> codes{0, 24, 25, 0, 26, 0, 0, 0, 27};
    const unsigned low = more == 0 ? static_cast<unsigned>(n) : codes[static_cast<std::size_t>(more)];
    std::string out(1, static_cast<char>(first | low));
    for (int k = more - 1; k >= 0; --k) out += static_cast<char>((n >> (8 * k)) & 0xFF);
    return out;
}

std::string cbor_text(const std::string& value) { return cbor_head(CborKind::text, value.size()) + value; }

std::string cbor_number(double value) {
    if (value == std::floor(value) && std::abs(value) < 0x1p53)
        return value >= 0 ? cbor_head(CborKind::positive, static_cast<std::uint64_t>(value))
                          : cbor_head(CborKind::negative, static_cast<std::uint64_t>(-1 - value));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    std::string out(1, '\xFB');  // a number of 64 bits
    for (int k = 7; k >= 0; --k) out += static_cast<char>((bits >> (8 * k)) & 0xFF);
    return out;
}

}  // namespace outrider
