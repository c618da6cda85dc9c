// The changes of a scenario's walls, those that follow from its seed as well.
#pragma once

#include <vector>

#include "features/changes/changing_walls.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// All that can become of the walls, in the map's frame: [[change]], doors, debris, what fire leaves.
std::vector<Change> changes_of(const Scenario& s);

/// The doors of a map, in the order of their first cells: the free cells across each place that is narrow between two
/// wider ones, at most `door_m` wide, in the space around `start`. Cells that belong to an earlier door are not
/// another one.
std::vector<std::vector<Cell>> find_doors(const Grid<std::uint8_t>& walls, Cell start, double door_m);

}  // namespace outrider
