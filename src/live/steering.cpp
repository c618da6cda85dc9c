#include "live/steering.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace outrider {
namespace {

/// Distance of p from the segment from the origin to `end`.
double distance_off(Point p, Point end) {
    const double length2 = end.x * end.x + end.y * end.y;
    const double t = length2 > 0 ? std::clamp((p.x * end.x + p.y * end.y) / length2, 0.0, 1.0) : 0;
    return distance(p, {t * end.x, t * end.y});
}

/// The farthest point of the path, up to `reach_m` along it, to which a straight line keeps near it; (0, 0): the path
/// ends here.
Point target(std::span<const Point> path, double reach_m, double off_path_m) {
    constexpr double here_m = 1e-3;
    Point at, best;
    double left = reach_m;
    for (std::size_t i = 0; i < path.size() && left > 0; ++i) {
        const double leg = distance(at, path[i]);
        const double share = leg > left ? left / leg : 1;
        const Point end{at.x + share * (path[i].x - at.x), at.y + share * (path[i].y - at.y)};
        const bool near = std::all_of(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i),
                                      [&](Point corner) { return distance_off(corner, end) <= off_path_m; });
        if (!near && distance({}, best) > here_m) break;
        if (distance({}, end) > here_m) best = end;
        left -= leg;
        at = path[i];
    }
    return best;
}

/// How far the arc that begins along x and ends at `to` lies beside the straight line.
double bulge(double length, double angle) { return length / 2 * std::tan(std::abs(angle) / 2); }

}  // namespace

Velocity steer(const Command& command, const SteeringLimits& limits) {
    const auto turn = [&](double angle) {
        return Velocity{0, std::clamp(angle / limits.step_s, -limits.turn_radps, limits.turn_radps)};
    };
    const Point to = target(command.path_body, command.speed_mps * limits.step_s, limits.off_path_m);
    const double length = distance({}, to);
    if (length == 0) return turn(wrap_angle(command.final_heading.value_or(0)));
    const double angle = std::atan2(to.y, to.x);
    if (std::abs(angle) > std::numbers::pi / 3 || bulge(length, angle) > limits.off_path_m) return turn(angle);
    // The arc turns by twice the angle to its end.
    const double arc = angle == 0 ? length : length * angle / std::sin(angle);
    const double seconds = std::max({limits.step_s, arc / command.speed_mps, 2 * std::abs(angle) / limits.turn_radps});
    return {arc / seconds, 2 * angle / seconds};
}

}  // namespace outrider
