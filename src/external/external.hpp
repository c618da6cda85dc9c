// A strategy in another program: what the robot knows goes out as lines of JSON, what it wants to do comes back.
#pragma once

#include "outrider/strategy.hpp"

namespace outrider {

/// For the registry. The one strategy that is not in strategies/: it starts a program, which those may not.
StrategyInfo external_strategy();

}  // namespace outrider
