// The people to be found of a scenario.
#pragma once

#include <vector>

#include "features/victims/sensor.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// Those of [[victim]], then those at random places that the first robot can reach, 0.5 m from walls, in the team's
/// frame; those follow from the map and the seed. Throws Error where there is no such place.
std::vector<Victim> draw_victims(const Scenario& s);
/// Warm things that are nobody: places drawn in the same way.
std::vector<Point> draw_decoys(const Scenario& s);

}  // namespace outrider
