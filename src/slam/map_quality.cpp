#include "slam/map_quality.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "outrider/geometry.hpp"

namespace outrider {
namespace {

constexpr std::size_t bins = 90;
/// Gradients up to this share of the largest do not count as walls.
constexpr double weak = 0.25;

}  // namespace

MapQuality map_quality(const CountedMap& map) {
    const std::vector<std::pair<Cell, double>> hit = map.hit_cells();
    MapQuality quality;
    const double seen = static_cast<double>(map.seen_cells());
    if (seen == 0) return quality;
    double sum = seen - static_cast<double>(hit.size());  // cells that were never hit
    for (const auto& [c, p] : hit) sum += (2 * p - 1) * (2 * p - 1);
    quality.contrast = sum / seen;

    // Sobel, spread from the cells that are not zero. A margin keeps the neighbours inside.
    const auto [low, high] = map.extent();
    const auto w = static_cast<std::size_t>(high.x - low.x + 2);
    std::vector<std::array<float, 2>> field(w * static_cast<std::size_t>(high.y - low.y + 2));
    std::vector<std::size_t> touched;
    for (const auto& [c, p] : hit)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const auto k =
                    static_cast<std::size_t>(c.y + dy + 1 - low.y) * w + static_cast<std::size_t>(c.x + dx + 1 - low.x);
                if (field[k][0] == 0 && field[k][1] == 0) touched.push_back(k);
                field[k][0] -= static_cast<float>(p * dx * (2 - std::abs(dy)));
                field[k][1] -= static_cast<float>(p * dy * (2 - std::abs(dx)));
            }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    std::vector<Point> gradients;
    double largest = 0;
    for (const std::size_t k : touched) {
        gradients.push_back({static_cast<double>(field[k][0]), static_cast<double>(field[k][1])});
        largest = std::max(largest, gradients.back().x * gradients.back().x + gradients.back().y * gradients.back().y);
    }
    std::array<double, bins> histogram{};
    double total = 0;
    for (const Point g : gradients) {
        const double size2 = g.x * g.x + g.y * g.y;
        if (size2 <= weak * weak * largest) continue;
        double angle = degrees(atan2(g.y, g.x)) + 360;
        angle -= 90 * std::floor(angle / 90);
        histogram[std::min(bins - 1, static_cast<std::size_t>(angle))] += std::sqrt(size2);
        total += std::sqrt(size2);
    }
    if (total == 0) return quality;
    double entropy = 0;
    for (const double h : histogram)
        if (h > 0) entropy -= h / total * log(h / total);
    quality.order = 1 - entropy / log(static_cast<double>(bins));
    return quality;
}

}  // namespace outrider
