// The cells of a [[change]]: a rectangle, a polygon, a mask, or runs of cells.
#pragma once

#include <string>
#include <vector>

#include "base/image.hpp"
#include "features/changes/options.hpp"
#include "grid/grid.hpp"

namespace outrider {

/// Throws Error unless the entry names cells in exactly one way, and its polygon and runs can be read.
void check_shape(const ChangeEntry& change);

/// The cells of the map whose middles lie in the rectangle or polygon, or that the runs name; in the map's frame, by
/// row. Those outside of the map are left out.
std::vector<Cell> cells_of(const ChangeEntry& change, const Grid<std::uint8_t>& walls);

/// The dark pixels of an image as large as the map (below half of the brightness) as runs: "column row length, ...",
/// counted from the lower left. Throws Error.
std::string runs_of_mask(const std::string& path, Channels channels, const Grid<std::uint8_t>& walls);

}  // namespace outrider
