// From a command, a path to drive, to the velocities of a robot.
#pragma once

#include "live/vehicle.hpp"
#include "messages/decision.hpp"

namespace outrider {

struct SteeringLimits {
    double step_s = 0.2;        ///< velocities are kept for so long
    double turn_radps = 1;      ///< fastest turn
    double off_path_m = 0.025;  ///< how far beside the path a robot may drive
};

/// Velocities that, kept for a step, lead to a point of the command's path as far along it as the step reaches, on an
/// arc that stays near the path; where none does, it turns in place first. At the end of the path it turns to the final
/// heading.
Velocity steer(const Command& command, const SteeringLimits& limits);

}  // namespace outrider
