#include "sensing/cones.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {

int rays_of_beam(const SensorSpec& sensor, double cell_m) {
    return sensor.cone <= 0 ? 1 : 2 + static_cast<int>(std::ceil(sensor.cone * sensor.max_range_m / cell_m));
}

void spread_rays(const SensorSpec& sensor, int rays, std::span<const Point> directions, std::vector<Point>& out) {
    out.clear();
    for (const Point& d : directions)
        for (int k = 0; k < rays; ++k) {
            const auto [s, c] = sin_cos(sensor.cone * (static_cast<double>(k) / (rays - 1) - 0.5));
            out.push_back({c * d.x - s * d.y, s * d.x + c * d.y});
        }
}

void nearest_echoes(int rays, std::span<const double> ray_lengths, std::span<double> lengths) {
    const auto n = static_cast<std::size_t>(rays);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const std::span<const double> beam = ray_lengths.subspan(i * n, n);
        lengths[i] = *std::min_element(beam.begin(), beam.end());
    }
}

}  // namespace outrider
