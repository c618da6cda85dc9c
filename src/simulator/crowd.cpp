#include "simulator/crowd.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/error.hpp"

namespace outrider {

Walker::Walker(std::vector<Point> way, double speed_mps) : way_(std::move(way)), speed_mps_(speed_mps) {
    OUTRIDER_CHECK(way_.empty(), ==, false);
    reached_m_.push_back(0);
    for (std::size_t i = 1; i < way_.size(); ++i)
        reached_m_.push_back(reached_m_.back() + distance(way_[i - 1], way_[i]));
}

Point Walker::at(double time_s) const {
    const double all = reached_m_.back();
    if (all == 0) return way_.front();
    double along = std::fmod(speed_mps_ * time_s, 2 * all);
    if (along > all) along = 2 * all - along;
    const auto next = std::upper_bound(reached_m_.begin(), reached_m_.end(), along);
    if (next == reached_m_.end()) return way_.back();
    const auto i = static_cast<std::size_t>(next - reached_m_.begin());
    const double share = (along - reached_m_[i - 1]) / (reached_m_[i] - reached_m_[i - 1]);
    return way_[i - 1] + (way_[i] - way_[i - 1]) * share;
}

double Walker::away_m(Point p) const {
    double least = distance(p, way_.front());
    for (std::size_t i = 1; i < way_.size(); ++i) {
        const Point along = way_[i] - way_[i - 1], to = p - way_[i - 1];
        const double squared = along.x * along.x + along.y * along.y;
        const double share = squared > 0 ? std::clamp((to.x * along.x + to.y * along.y) / squared, 0.0, 1.0) : 0;
        least = std::min(least, distance(p, way_[i - 1] + along * share));
    }
    return least;
}

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

bool meets(const Disc& disc, Point from, std::span<const Point> way, double length_m, double gap_m) {
    for (const Point& corner : way) {
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
