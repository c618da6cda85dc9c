// An operator's order, and when it is given.
#pragma once

#include "outrider/percept.hpp"

namespace outrider {

/// What an operator commands a robot in a step.
struct OperatorOrder {
    int step = 0;
    RobotId robot = 0;
    OperatorCommand command;
};

}  // namespace outrider
