// Places where robots could stand to hold a network together.
#pragma once

#include <vector>

#include "shared/chain.hpp"

namespace outrider {

/// Goals of these frontiers, and of the other cells that this robot can reach one in each square of `spacing` cells,
/// the nearest one to its middle; where that gives more than `most`, squares are doubled until it does not, and
/// frontiers beyond `most` are left out. Each cell once, sorted.
std::vector<Cell> standing_places(const Belief& belief, const std::vector<Frontier>& frontiers, int spacing_cells,
                                  std::size_t most);

/// Squares for relay places, in cells: half of the sensor's or the radio's range, whichever is less, so that some
/// neighbouring places are within radio reach of each other.
int relay_spacing(const Belief& belief);

/// Whether two robots at these places should be within radio reach with a margin: in dB with path loss, otherwise a
/// tenth of the range.
bool should_hear_well(const Belief& belief, RobotId a, Cell at_a, RobotId b, Cell at_b, double margin_db);

}  // namespace outrider
