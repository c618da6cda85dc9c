// What happens to the world of a scenario: reading [[change]], checking the options of what makes a mission hard, and
// the changes that follow from the seed.
#pragma once

#include <vector>

#include "base/config.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// [[change]]. Throws Error.
void read_changes(ConfigTable& config, Scenario& s);

/// [[smoke]]. Throws Error.
void read_smoke(ConfigTable& config, Scenario& s);

/// Once the map and the team are there: noise, fading, batteries, rectangles. Throws Error with what was expected.
void check_world(const Scenario& s);

/// The doors of a map, in the order of their first cells: the free cells across each place that is narrow between two
/// wider ones, at most `door_m` wide, in the space around `start`. Cells that belong to an earlier door are not
/// another one.
std::vector<std::vector<Cell>> find_doors(const Grid<std::uint8_t>& walls, Cell start, double door_m);

}  // namespace outrider
