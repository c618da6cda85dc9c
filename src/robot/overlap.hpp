// Splits large turns: successive scans must overlap, or they cannot be matched.
#pragma once

#include "messages/decision.hpp"
#include "outrider/briefing.hpp"

namespace outrider {

/// Half of the widest field of view; more than pi: no turn is too large.
double largest_turn(const Briefing& briefing);

/// The same path for one step, with a heading at its end that is at most `largest_turn` off the present one: a
/// holonomic body goes on and turns later, another one turns first and goes on later.
Command overlapping(Command command, const Briefing& briefing);

}  // namespace outrider
