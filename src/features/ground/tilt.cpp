#include "features/ground/tilt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "outrider/ray.hpp"

namespace outrider {

namespace {

/// Whether the world ends there: nothing is seen beyond, however high a beam is.
bool outside(const WallField& walls, Cell c) {
    const Cell ring = walls.origin();  // of wall around the grid
    return c.x <= ring.x || c.y <= ring.y || c.x >= ring.x + walls.width() - 1 || c.y >= ring.y + walls.height() - 1;
}

}  // namespace

Tilt tilt_of(const Relief& relief, const Pose& body, double radius_m) {
    const Point rise = relief.gradient(body.position(), radius_m);
    const auto [s, c] = sin_cos(body.yaw);
    return {c * rise.x + s * rise.y, c * rise.y - s * rise.x};
}

Tilt levelled(const Tilt& now, const Tilt& before, const Tilt& error) {
    const double most = rise_of(radians(20));
    return {now.ahead - std::clamp(before.ahead, -most, most) + error.ahead,
            now.left - std::clamp(before.left, -most, most) + error.left};
}

void cast_tilted(const WallField& walls, const Relief& relief, Point origin, std::span<const Point> directions,
                 std::span<const Point> body_directions, const Tilt& tilt, double base_m, double max_length,
                 std::span<double> lengths) {
    const double cell_m = relief.lattice().cell_m;
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const double rise = tilt.along(body_directions[i]), stretch = std::sqrt(1 + rise * rise);
        const auto height = [&](double cells) { return base_m + rise * cells * cell_m; };
        double end = std::numeric_limits<double>::infinity(), floor_m = 0;
        bool over = false;  // a cell whose floor the beam may meet before it leaves it
        double entered = 0;
        walk_ray(Ray(origin, directions[i]), max_length / stretch, [&](Cell c, double t) {
            if (over && height(t) < floor_m) {  // on the way down, in the cell before
                end = std::clamp((floor_m - base_m) / (rise * cell_m), entered, t);
                return false;
            }
            if (walls.wall(c)) {
                const bool meets = height(t) < floor_m + wall_height_m || outside(walls, c);
                if (meets) end = t;
                over = false;
                return !meets;
            }
            floor_m = relief.at(c);
            if (height(t) < floor_m) {  // a step up
                end = t;
                return false;
            }
            over = rise < 0;
            entered = t;
            return true;
        });
        if (over && std::isinf(end) && height(max_length / stretch) < floor_m)
            end = std::max(entered, (floor_m - base_m) / (rise * cell_m));
        lengths[i] = end * stretch;
    }
}

}  // namespace outrider
