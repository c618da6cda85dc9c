#include "features/people/discs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace outrider {

double length_to_discs(std::span<const Disc> discs, Point origin, Point direction, double length_m) {
    for (const Disc& disc : discs) {
        const Point to = disc.middle - origin;
        const double along = to.x * direction.x + to.y * direction.y, across = to.x * direction.y - to.y * direction.x,
                     half_squared = disc.radius_m * disc.radius_m - across * across;
        if (along <= 0 || half_squared <= 0) continue;
        const double first = along - std::sqrt(half_squared);
        if (first > 0) length_m = std::min(length_m, first);
    }
    return length_m;
}

void shorten_to_discs(std::span<const Disc> discs, Point origin, std::span<const Point> directions, double range_m,
                      double cell_m, std::span<double> lengths) {
    thread_local std::vector<Disc> near;
    near.clear();
    for (const Disc& disc : discs)
        if (distance(disc.middle, origin) < range_m + disc.radius_m) near.push_back(disc);
    if (near.empty()) return;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const double reach_m = std::min(lengths[i] * cell_m, range_m),
                     free_m = length_to_discs(near, origin, directions[i], reach_m);
        if (free_m < reach_m) lengths[i] = free_m / cell_m;
    }
}

bool meets(const Disc& disc, Point from, std::span<const Point> path, double length_m, double gap_m) {
    for (const Point& corner : path) {
        const double leg_m = distance(from, corner), drives_m = std::min(leg_m, length_m);
        if (leg_m > 0) {
            const Point direction = (corner - from) * (1 / leg_m), to = disc.middle - from;
            const double along = std::clamp(to.x * direction.x + to.y * direction.y, 0.0, drives_m);
            if (distance(from + direction * along, disc.middle) < disc.radius_m + gap_m) return true;
        }
        length_m -= drives_m;
        if (length_m <= 0) return false;
        from = corner;
    }
    return false;
}

}  // namespace outrider
