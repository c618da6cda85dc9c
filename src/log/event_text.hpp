// The events of a log in words, for people.
#pragma once

#include <string>
#include <string_view>

#include "scenario/scenario.hpp"

namespace outrider {

/// "r1 lost contact with the base". `detail`: the event's JSON, as the log stores it.
std::string event_text(const Scenario& scenario, std::string_view kind, RobotId robot, const std::string& detail);

}  // namespace outrider
