// Fire and floods of a scenario: [[hazard]].
#pragma once

#include <memory>

#include "features/hazards/field.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// Whether fire leaves debris, which is wall.
bool fire_leaves_walls(const Scenario& s);
/// What burns and what is flooded, in the map's frame; nullptr: nothing ever.
std::shared_ptr<const HazardField> hazard_field(const Scenario& s);
/// The same in the team's frame.
std::shared_ptr<const HazardField> placed_hazards(const Scenario& s);

}  // namespace outrider
