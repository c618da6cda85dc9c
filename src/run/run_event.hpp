// Something notable that happened in a run, as logs keep it.
#pragma once

#include <optional>
#include <string>

#include "base/foreign/index.hpp"
#include "outrider/briefing.hpp"

namespace outrider {

class Robot;

struct RunEvent {
    int step = 0;
    std::string kind;
    std::optional<Index<Robot>> robot;  ///< none: the team
    std::string json;                   ///< what is known of it
    RobotId robot_id() const { return robot ? robot->number() : -1; }
};

}  // namespace outrider
