#include "scene/fan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace outrider::scene {
namespace {

constexpr double near_points = 13, pitch_points = 17;
constexpr std::size_t most_marks = 64;  // of more nobody could tell which is which

/// Spreads one group of places.
void spread(std::span<const Point> places, const std::vector<bool>& held, const std::vector<std::size_t>& group,
            double pitch, std::vector<Point>& spots) {
    std::vector<std::size_t> moved, still;
    for (const std::size_t i : group) (held[i] ? still : moved).push_back(i);
    if (group.size() < 2 || moved.empty()) return;
    Point middle;
    const std::vector<std::size_t>& from = still.empty() ? moved : still;
    for (const std::size_t i : from) middle = middle + places[i] * (1 / static_cast<double>(from.size()));
    const auto angle = [&](std::size_t i) { return std::atan2(places[i].y - middle.y, places[i].x - middle.x); };
    std::stable_sort(moved.begin(), moved.end(), [&](std::size_t a, std::size_t b) { return angle(a) < angle(b); });
    const double turn = 2 * std::numbers::pi, count = static_cast<double>(moved.size()), first = angle(moved[0]);
    const double radius = std::max(pitch * (still.empty() ? 0.6 : 1), pitch * count / turn);
    for (std::size_t k = 0; k < moved.size(); ++k) {
        const double a = first + turn * static_cast<double>(k) / count;
        spots[moved[k]] = middle + Point{std::cos(a), std::sin(a)} * radius;
    }
}

}  // namespace

std::vector<Point> fan_out(std::span<const Point> places, const std::vector<bool>& held, double unit) {
    std::vector<std::size_t> group(places.size());  // by mark: the first of its group
    std::iota(group.begin(), group.end(), std::size_t{0});
    std::vector<Point> spots(places.begin(), places.end());
    for (bool again = places.size() <= most_marks; again;) {
        again = false;
        for (std::size_t i = 0; i < places.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                if (group[i] == group[j] || distance(spots[i], spots[j]) >= near_points * unit) continue;
                std::replace(group.begin(), group.end(), std::max(group[i], group[j]), std::min(group[i], group[j]));
                again = true;
            }
        if (!again) break;
        spots.assign(places.begin(), places.end());
        for (std::size_t one = 0; one < places.size(); ++one) {
            std::vector<std::size_t> members;
            for (std::size_t i = 0; i < places.size(); ++i)
                if (group[i] == one) members.push_back(i);
            spread(places, held, members, pitch_points * unit, spots);
        }
    }
    return spots;
}

}  // namespace outrider::scene
