// Who starts where: checks given starts, chooses those that are missing.
#pragma once

#include "scenario/scenario.hpp"

namespace outrider {

/// Gives every robot a start in the middle of a free cell, and applies jitter and random headings. What was chosen goes
/// into the notes. Throws Error for a start in a wall, outside, or shared.
void place_team(Scenario& scenario, Notes& notes);

/// Cells in which the body of robot i cannot stand, in the frame of the map.
Grid<std::uint8_t> obstacles_of(const Scenario& scenario, std::size_t robot);

}  // namespace outrider
