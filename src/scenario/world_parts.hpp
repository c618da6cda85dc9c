// The parts of the world that a scenario has.
#pragma once

#include "scenario/scenario.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

/// In the order in which they are called in each phase of a step. world: with its ground laid.
WorldParts make_world_parts(const Scenario& s, const World& world);

}  // namespace outrider
