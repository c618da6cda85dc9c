// Roles and positions by priority (CAMBADA; Lau, Lopes, Corrente & Filipe, "Roles, positionings and set plays to
// coordinate a RoboCup MSL team", 2009): the important ones are filled first, also when robots fail.
#pragma once

#include <span>
#include <vector>

#include "outrider/briefing.hpp"

namespace outrider {

/// For each position, in the order of their priority, the nearest robot of those left (equal ones: the lower row), or
/// -1. costs[robot][position]; infinity: the robot cannot take it. O(robots * positions).
std::vector<int> assign_by_priority(const std::vector<std::vector<double>>& costs, std::size_t positions);

/// Whether a robot may take, or keep, a role that only one may hold: nobody with a lower number is heard to hold it.
bool may_hold(RobotId self, std::span<const RobotId> holders);

}  // namespace outrider
