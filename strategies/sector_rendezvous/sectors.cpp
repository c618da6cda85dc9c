#include "sector_rendezvous/sectors.hpp"

#include <algorithm>
#include <functional>

namespace outrider {
namespace {

constexpr int directions = 1440;

double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

/// Area of a narrow wedge of the region around a ray, up to a common factor: the squares of the distances at which the
/// ray leaves the region minus those at which it enters it.
double wedge(Point apex, const std::vector<Point>& region, double direction) {
    const auto [s, c] = sin_cos(direction);
    const Point ray{c, s};
    std::vector<double> crossings;
    for (std::size_t i = 0; i < region.size(); ++i) {
        const Point a = region[i] - apex, edge = region[(i + 1) % region.size()] - region[i];
        const double across = cross(ray, edge);
        if (across == 0) continue;
        const double along = cross(a, edge) / across, on_edge = cross(a, ray) / across;
        if (along > 0 && on_edge >= 0 && on_edge < 1) crossings.push_back(along);
    }
    std::sort(crossings.begin(), crossings.end(), std::greater<>());
    double sum = 0, sign = 1;  // starts outside of everything at the far end
    for (const double t : crossings) {
        sum += sign * t * t;
        sign = -sign;
    }
    return std::max(0.0, sum);
}

}  // namespace

std::vector<double> sector_bounds(Point apex, const std::vector<Point>& region, int n) {
    std::vector<double> so_far{0};  // area up to each direction
    for (int k = 0; k < directions; ++k)
        so_far.push_back(so_far.back() + wedge(apex, region, -pi + 2 * pi * (k + 0.5) / directions));
    std::vector<double> bounds{-pi};
    for (int i = 1; i < n; ++i) {
        double share = static_cast<double>(i) / n;
        if (so_far.back() > 0) {
            const double wanted = so_far.back() * share;
            const auto at = std::lower_bound(so_far.begin() + 1, so_far.end(), wanted);
            const double part = *at > at[-1] ? (wanted - at[-1]) / (*at - at[-1]) : 0;
            share = (static_cast<double>(at - so_far.begin()) - 1 + part) / directions;
        }
        bounds.push_back(-pi + 2 * pi * share);
    }
    bounds.push_back(pi);
    return bounds;
}

int sector_of(const std::vector<double>& bounds, Point apex, Point p) {
    const auto above = std::upper_bound(bounds.begin(), bounds.end(), bearing(apex, p));
    const auto i = static_cast<int>(above - bounds.begin()) - 1;
    return std::clamp(i, 0, static_cast<int>(bounds.size()) - 2);
}

}  // namespace outrider
