// The robots that a command is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace outrider {

/// The numbers of the robots named in a list "r1,r2"; none: all that can drive. `bases`: whether base stations, and
/// robots that cannot drive, may be named. Throws Error.
std::vector<RobotId> robots_named(const Scenario& scenario, const std::optional<std::string>& list, bool bases);
/// "r1, r2".
std::string names_of(const Scenario& scenario, const std::vector<RobotId>& robots);

}  // namespace outrider
