// Something notable that happened in a run, as logs keep it.
#pragma once

#include <string>

#include "outrider/briefing.hpp"

namespace outrider {

struct RunEvent {
    int step = 0;
    std::string kind;
    RobotId robot = -1;  ///< -1: the team
    std::string json;    ///< what is known of it
};

}  // namespace outrider
