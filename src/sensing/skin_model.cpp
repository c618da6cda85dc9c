#include "sensing/skin_model.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <sstream>

#include <fmt/format.h>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::string_view first_line = "outrider skin model 1";
constexpr std::uint64_t most_pixels = std::uint64_t{1} << 48;  // in all: sums stay exact

/// So many whole numbers separated by single blanks.
template <std::size_t count>
bool read_numbers(std::string_view line, std::array<std::uint64_t, count>& out) {
    const char* at = line.data();
    const char* const end = at + line.size();
    for (std::size_t k = 0; k < count; ++k) {
        if (k > 0 && (at == end || *at++ != ' ')) return false;
        const auto [next, error] = std::from_chars(at, end, out[k]);
        if (error != std::errc()) return false;
        at = next;
    }
    return at == end;
}

}  // namespace

std::vector<bool> skin_of(const GreyImage& mask) {
    constexpr std::uint16_t half = 1 << 15;
    std::vector<bool> skin;
    skin.reserve(mask.values.size());
    for (const std::uint16_t v : mask.values) skin.push_back(v >= half);
    return skin;
}

void expect_same_size(const Raster& image, const GreyImage& mask, const std::string& name) {
    if (image.width != mask.width || image.height != mask.height)
        fail("{}: {} x {} pixels, but its mask has {} x {}", name, image.width, image.height, mask.width, mask.height);
}

std::size_t SkinModel::bin(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
    return static_cast<std::size_t>((red / bin_width * bins + green / bin_width) * bins + blue / bin_width);
}

void SkinModel::train(const Raster& image, const GreyImage& mask, const std::string& name) {
    expect_same_size(image, mask, name);
    const std::vector<bool> skin = skin_of(mask);
    const std::uint8_t* p = image.values.data();
    for (std::size_t i = 0; i < skin.size(); ++i, p += 3) {
        ++(skin[i] ? skin_ : other_)[bin(p[0], p[1], p[2])];
        ++(skin[i] ? skin_total_ : other_total_);
    }
}

double SkinModel::likelihood_ratio(std::uint8_t red, std::uint8_t green, std::uint8_t blue) const {
    const std::size_t i = bin(red, green, blue);
    if (skin_[i] == 0 || skin_total_ == 0) return 0;
    if (other_[i] == 0 || other_total_ == 0) return std::numeric_limits<double>::infinity();
    return (static_cast<double>(skin_[i]) / static_cast<double>(skin_total_)) /
           (static_cast<double>(other_[i]) / static_cast<double>(other_total_));
}

std::vector<double> SkinModel::likelihood_ratios(const Raster& image) const {
    std::vector<double> out;
    out.reserve(image.values.size() / 3);
    for (std::size_t i = 0; i + 2 < image.values.size(); i += 3)
        out.push_back(likelihood_ratio(image.values[i], image.values[i + 1], image.values[i + 2]));
    return out;
}

std::string SkinModel::text() const {
    std::string text =
        fmt::format("{}\n# bin (32 per channel: red * 1024 + green * 32 + blue), skin, other\n", first_line);
    for (std::size_t i = 0; i < all_bins; ++i)
        if (skin_[i] > 0 || other_[i] > 0) text += fmt::format("{} {} {}\n", i, skin_[i], other_[i]);
    return text;
}

SkinModel SkinModel::parse(const std::string& text, const std::string& path) {
    SkinModel model;
    std::istringstream lines(text);
    std::string line;
    if (!std::getline(lines, line) || line != first_line)
        fail("{}: line 1: expected '{}': this is no model of outrider victims train", path, first_line);
    std::uint64_t next = 0;  // bins come in order, each once
    for (int number = 2; std::getline(lines, line); ++number) {
        if (line.empty() || line.starts_with('#')) continue;
        std::array<std::uint64_t, 3> values{};
        if (!read_numbers(line, values) || values[0] < next || values[0] >= all_bins)
            fail("{}: line {}: expected a bin of {} to {} and two counts", path, number, next, all_bins - 1);
        const auto [i, skin, other] = values;
        if (skin > most_pixels - model.skin_total_ || other > most_pixels - model.other_total_)
            fail("{}: line {}: more pixels than can be counted", path, number);
        model.skin_[i] = skin;
        model.other_[i] = other;
        model.skin_total_ += skin;
        model.other_total_ += other;
        next = i + 1;
    }
    if (model.skin_total_ == 0 || model.other_total_ == 0)
        fail("{}: the model has {} pixels of skin and {} of other things; it needs both", path, model.skin_total_,
             model.other_total_);
    return model;
}

Roc roc(const std::vector<double>& ratios, const std::vector<bool>& skin) {
    OUTRIDER_CHECK(ratios.size(), ==, skin.size());
    const auto positive = static_cast<double>(std::count(skin.begin(), skin.end(), true));
    const auto negative = static_cast<double>(skin.size()) - positive;
    if (positive == 0 || negative == 0)
        fail("{} of {} pixels are skin; a curve of hits and false alarms needs both kinds", positive, skin.size());
    std::vector<std::size_t> order(ratios.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ratios[a] > ratios[b]; });
    Roc out;
    double hits = 0, alarms = 0;
    for (std::size_t k = 0; k < order.size();) {
        const double at = ratios[order[k]], hits_before = hits, alarms_before = alarms;
        for (; k < order.size() && ratios[order[k]] == at; ++k) ++(skin[order[k]] ? hits : alarms);
        // Equal ratios cannot be ordered: between their two points the curve is straight.
        out.area += (alarms - alarms_before) / negative * (hits + hits_before) / 2 / positive;
        out.points.push_back({at, hits / positive, alarms / negative});
    }
    return out;
}

}  // namespace outrider
