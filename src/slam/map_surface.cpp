// The walls of a map of counts finer than its cells: means of the hits in a cell, and lines through them.
#include <algorithm>
#include <cmath>

#include "slam/counted_patch.hpp"

namespace outrider {

/// Takes a hit, in cells, into the mean of its cell; what was hit long ago weighs less.
void CountedMap::average(Point hit) {
    constexpr int limit = 16;
    const Cell c{static_cast<int>(std::floor(hit.x)), static_cast<int>(std::floor(hit.y))};
    Patch& patch = writable(patch_of(c.x), patch_of(c.y));
    const std::size_t k = cell_in_patch(c);
    if (!patch.means) patch.means = std::make_unique<Patch::Means>();
    Patch::Means& means = *patch.means;
    std::uint8_t& n = means.averaged[k];
    if (n < limit) ++n;
    const auto take = [&](std::uint8_t& mean, double at) {
        const double now = mean + (256 * at - mean) / n;
        mean = static_cast<std::uint8_t>(std::clamp(now + 0.5, 0.0, 255.0));
    };
    take(means.x[k], hit.x - c.x);
    take(means.y[k], hit.y - c.y);
}

CountedMap::Surface CountedMap::surface_near(Point p) const {
    const Cell here = lattice_.cell_of(p);
    const std::uint16_t index = near(here);
    if (index == 0) return {};
    const Cell wall = here + shape_->offsets[index];
    struct Sums {
        double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    } narrow, wide;
    Point own;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            const Cell c = wall + Cell{dx, dy};
            const Patch* patch = find(patch_of(c.x), patch_of(c.y));
            if (!patch || !patch->means) continue;
            const Patch::Means& means = *patch->means;
            const std::size_t k = cell_in_patch(c);
            if (shape_->squared[patch->near[k]] != 0 || means.averaged[k] == 0) continue;
            const double w = means.averaged[k], x = dx + means.x[k] / 256.0, y = dy + means.y[k] / 256.0;
            const auto add = [&](Sums& s) {
                s.n += w;
                s.x += w * x;
                s.y += w * y;
                s.xx += w * x * x;
                s.xy += w * x * y;
                s.yy += w * y * y;
            };
            add(wide);
            if (std::max(std::abs(dx), std::abs(dy)) <= 1) add(narrow);
            if (dx == 0 && dy == 0) own = {x, y};
        }
    const auto metres = [&](double x, double y) {
        return Point{(wall.x + x) * lattice_.cell_m, (wall.y + y) * lattice_.cell_m};
    };
    // Thin and long: less than a third of a cell across (rms), three times as long as thick.
    constexpr double thickest = 0.12, longest_to_thickest = 9;
    for (const Sums* s : {&wide, &narrow}) {
        if (s->n == 0) break;
        const double x = s->x / s->n, y = s->y / s->n, xx = s->xx / s->n - x * x, xy = s->xy / s->n - x * y,
                     yy = s->yy / s->n - y * y, half = 0.5 * (xx + yy),
                     root = std::sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy), across = half - root,
                     along = half + root;
        if (across > thickest || along < 0.3 || along < longest_to_thickest * across) continue;
        // The eigenvector of the smaller eigenvalue, from the row that loses fewer digits.
        Point normal = xx < yy ? Point{yy - across, -xy} : Point{-xy, xx - across};
        const double length = norm(normal);
        if (!(length > 0)) continue;
        return {Surface::Kind::line, metres(x, y), normal * (1 / length)};
    }
    return {Surface::Kind::point, metres(own.x, own.y), {}};
}

}  // namespace outrider
