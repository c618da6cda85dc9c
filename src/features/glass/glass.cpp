#include "features/glass/glass.hpp"

#include <cmath>
#include <limits>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

/// Cosine of the angle between a beam and the perpendicular of the side of a cell at which it ends: a vertical one
/// where x is whole.
double straightness(Point end, Point direction) {
    const auto off_edge = [](double v) { return std::abs(v - std::round(v)); };
    return std::abs(off_edge(end.x) < off_edge(end.y) ? direction.x : direction.y);
}

}  // namespace

void pass_glass(const Glass& glass, const WallField& walls, Point origin, std::span<const Point> directions,
                double max_length, std::span<double> lengths) {
    const double least = sin_cos(glass.seen_rad).cos;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] > max_length || straightness(origin + directions[i] * lengths[i], directions[i]) >= least)
            continue;
        double end = std::numeric_limits<double>::infinity();
        walk_ray(Ray(origin, directions[i]), max_length, [&](Cell c, double t) {
            if (!walls.wall(c) || glass.panes.get(c, 0)) return true;
            end = t;
            return false;
        });
        lengths[i] = end;
    }
}

}  // namespace outrider
