#include "simulator/walker.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/error.hpp"

namespace outrider {

Walker::Walker(std::vector<Point> path, double speed_mps) : path_(std::move(path)), speed_mps_(speed_mps) {
    OUTRIDER_CHECK(path_.empty(), ==, false);
    reached_m_.push_back(0);
    for (std::size_t i = 1; i < path_.size(); ++i)
        reached_m_.push_back(reached_m_.back() + distance(path_[i - 1], path_[i]));
}

Point Walker::at(double time_s) const {
    const double all = reached_m_.back();
    if (all == 0) return path_.front();
    double along = std::fmod(speed_mps_ * time_s, 2 * all);
    if (along > all) along = 2 * all - along;
    const auto next = std::upper_bound(reached_m_.begin(), reached_m_.end(), along);
    if (next == reached_m_.end()) return path_.back();
    const auto i = static_cast<std::size_t>(next - reached_m_.begin());
    const double share = (along - reached_m_[i - 1]) / (reached_m_[i] - reached_m_[i - 1]);
    return path_[i - 1] + (path_[i] - path_[i - 1]) * share;
}

double Walker::away_m(Point p) const {
    double least = distance(p, path_.front());
    for (std::size_t i = 1; i < path_.size(); ++i) {
        const Point along = path_[i] - path_[i - 1], to = p - path_[i - 1];
        const double squared = along.x * along.x + along.y * along.y;
        const double share = squared > 0 ? std::clamp((to.x * along.x + to.y * along.y) / squared, 0.0, 1.0) : 0;
        least = std::min(least, distance(p, path_[i - 1] + along * share));
    }
    return least;
}

}  // namespace outrider
