#include "view/gamepad.hpp"

#include <algorithm>
#include <cmath>

namespace outrider::view {
namespace {

constexpr double key_turn = 0.5;  // radians a second: a key is only on or off

/// Grows from 0 at the edge of the dead zone, so that slow driving is possible.
double beyond(double x) {
    const double size = (std::abs(x) - dead_zone) / (1 - dead_zone);
    return size <= 0 ? 0 : std::copysign(std::min(size, 1.0), x);
}

OperatorCommand drive(double forward, double turn, double speed_mps, bool careful) {
    return {careful ? "drive_carefully" : "drive", {}, forward * speed_mps * (forward < 0 ? 0.5 : 1), turn};
}

}  // namespace

std::optional<OperatorCommand> drive_command(const Sticks& s, double speed_mps, bool careful) {
    const double forward = -beyond(s.left_y), left = -std::clamp(beyond(s.left_x) + beyond(s.right_x), -1.0, 1.0);
    if (forward == 0 && left == 0) return {};
    return drive(forward, left * most_turn, speed_mps, careful);
}

OperatorCommand drive_command(int forward, int left, double speed_mps, bool careful) {
    return drive(forward, left * key_turn, speed_mps, careful);
}

}  // namespace outrider::view
