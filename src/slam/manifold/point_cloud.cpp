#include "slam/manifold/point_cloud.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

/// Standard deviations of a beam: its direction, and its range.
constexpr double beam_rad = 0.002, beam_m = 0.01;
/// Neighbouring ends belong to one surface when it turns by less than this.
constexpr double surface_turn = pi / 4;
/// The spread of a surface between two beams weighs so many times.
constexpr double surface_weight = 10;

double sine(double angle) { return sin_cos(angle).sin; }

}  // namespace

void PointCloud::add(std::span<const Point> ends, Point sensor, const Pose& at) {
    const std::size_t n = ends.size();
    for (std::size_t k = 0; k < n; ++k) {
        const Point beam = ends[k] - sensor;
        const double range = std::max(1e-3, norm(beam));
        const Point ahead{beam.x / range, beam.y / range}, side = left(ahead);
        Spread spread = along(side, range * range * beam_rad * beam_rad) + along(ahead, beam_m * beam_m);
        // Where between two beams the surface was hit is not known: uniform along it.
        const Point before = k > 0 ? ends[k] - ends[k - 1] : Point{},
                    after = k + 1 < n ? ends[k + 1] - ends[k] : Point{};
        const double a = norm(before), b = norm(after);
        const double turn = a > 0 && b > 0 ? std::abs(atan2(cross(before, after), dot(before, after))) : pi;
        const double spacing = std::max(
            1e-4,
            k + 1 < n ? std::abs(atan2(cross(beam, ends[k + 1] - sensor), dot(beam, ends[k + 1] - sensor))) : 0.0);
        const auto variance = [&](double incidence) {
            const double across = range * sine(spacing), near = across / sine(incidence + spacing),
                         far = across / std::max(0.01, sine(incidence - spacing));
            return surface_weight * (near * near * near + far * far * far) / (3 * (near + far));
        };
        if (turn < surface_turn) {
            const Point whole = ends[k + 1] - ends[k - 1];
            const double length = norm(whole);
            const Point surface{whole.x / length, whole.y / length};
            const double incidence =
                std::max(spacing, atan2(std::abs(cross(ahead, surface)), std::abs(dot(ahead, surface))));
            spread = spread + along(surface, std::min(1.0, variance(incidence)));
        } else {
            const double v = std::min(1.0, variance(surface_turn));
            spread = spread + Spread{v, 0, v};
        }
        tree_.add(transform(at, ends[k]));
        spreads_.push_back(rotated(spread, at.yaw));
    }
}

}  // namespace outrider
