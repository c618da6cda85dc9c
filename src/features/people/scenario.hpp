// The people of a scenario, drawn from its seed.
#pragma once

#include <vector>

#include "scenario/scenario.hpp"
#include "simulator/walker.hpp"

namespace outrider {

/// Where the people of the scenario walk, in the team's frame, on the floor around the first robot, by the walls of the
/// start. Throws Error where there is no room for them.
std::vector<Walker> draw_walkers(const Scenario& s);

}  // namespace outrider
