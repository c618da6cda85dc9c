// Places where robots could stand to hold a network together, and what they would see from there.
#pragma once

#include <vector>

#include "outrider/chain.hpp"

namespace outrider {

/// The farthest that any sensor of this robot sees, in cells; 1 without a sensor.
double sight_cells(const Belief& belief);

/// Goals of frontiers, and of the other cells that this robot can reach one in each square of `spacing` cells, the
/// nearest one to its middle; where that gives more than `most`, squares are doubled until it does not, and frontiers
/// beyond `most` are left out. Each cell once, sorted.
std::vector<Cell> standing_places(const Belief& belief, int spacing_cells, std::size_t most);

/// The unknown area, in cells, in sight of a place: along 64 rays that pass what is free or unknown.
double unseen_area(const KnownMap& map, Cell from, double range_cells);

/// Whether two robots at these places should hear each other with a margin: in dB with path loss, otherwise a tenth of
/// the range.
bool should_hear_well(const Belief& belief, RobotId a, Cell at_a, RobotId b, Cell at_b, double margin_db);

}  // namespace outrider
