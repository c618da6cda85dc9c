// Turns in portions: scans that follow each other must see something in common, or they cannot be matched.
#pragma once

#include "messages/decision.hpp"
#include "outrider/briefing.hpp"

namespace outrider {

/// Half of the widest field of view; more than pi: every turn will do.
double largest_turn(const Briefing& briefing);

/// The same way for one step, with a heading at its end that is at most `largest_turn` off the present one: a holonomic
/// body goes on and turns later, another one turns first and goes on later.
Command overlapping(Command command, const Briefing& briefing);

}  // namespace outrider
