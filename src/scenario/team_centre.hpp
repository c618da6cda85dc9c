// Where a team begins when nobody says so.
#pragma once

#include "scenario/scenario.hpp"
#include "world/components.hpp"

namespace outrider {

/// Cells in which nobody is placed, since they are not to be explored (region.without); in the frame of the walls.
CellBits left_out_cells(const Scenario& s);

/// The middle of the largest connected area of cells that do not block a body (nonzero: they do), of a building the
/// largest one inside: of its cells the one nearest to their mean that has the most room. Some cell is free. Notes when
/// the area around a building was passed over.
Cell team_centre(const Scenario& s, const Grid<std::uint8_t>& blocked, Notes& notes);

}  // namespace outrider
