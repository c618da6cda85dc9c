#include "features/smoke/smoke.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace outrider {

double clear_length_m(std::span<const SmokeDisc> smoke, Point origin, Point direction, double length_m) {
    std::vector<std::pair<double, double>> edges;  // where the density changes, and by how much
    for (const SmokeDisc& disc : smoke) {
        const Point to = disc.middle - origin;
        const double along = to.x * direction.x + to.y * direction.y, across = to.x * direction.y - to.y * direction.x;
        const double half_squared = disc.radius_m * disc.radius_m - across * across;
        if (half_squared <= 0) continue;
        const double half = std::sqrt(half_squared);
        if (along + half <= 0 || along - half >= length_m) continue;
        edges.emplace_back(std::max(0.0, along - half), disc.density);
        edges.emplace_back(along + half, -disc.density);
    }
    std::sort(edges.begin(), edges.end());
    double density = 0, at = 0, lost = 0;
    for (const auto& [t, change] : edges) {
        const double here = density * (t - at);
        if (lost + here > smoke_limit_m) return std::min(length_m, at + (smoke_limit_m - lost) / density);
        lost += here;
        at = t;
        density += change;
    }
    return length_m;
}

}  // namespace outrider
