// Driving a robot with a gamepad: from its sticks to commands.
#pragma once

#include <cstdint>
#include <optional>

#include "outrider/percept.hpp"

namespace outrider::view {

/// How far the sticks are from their middle, -1 to 1; y down, as gamepads say it.
struct Sticks {
    double left_x = 0, left_y = 0, right_x = 0, right_y = 0;
};

inline constexpr double dead_zone = 0.15;  ///< deflection of a stick below which it counts as centred
inline constexpr double most_turn = 1.0;   ///< radians a second, with the stick fully to its side

/// The command for a robot of this speed: up and down of the left stick drive, backwards at half the speed; left and
/// right of either stick turn. Nothing when both are centred. `careful`: drives only over cells that the robot knows to
/// be free.
std::optional<OperatorCommand> drive_command(const Sticks& sticks, double speed_mps, bool careful);
/// The same from keys: -1, 0 or 1 forward and to the left.
OperatorCommand drive_command(int forward, int left, double speed_mps, bool careful);

}  // namespace outrider::view
