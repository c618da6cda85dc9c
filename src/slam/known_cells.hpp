// What a map of counts says of each cell.
#pragma once

#include "grid/grid.hpp"
#include "slam/counted_map.hpp"

namespace outrider {

/// Cells by what is known of them, in the rectangle that holds all seen cells: 0 free, 1 wall, 2 unknown. A map in
/// which nothing was seen is one unknown cell. Throws Error when it is too large for a grid: a thousand million cells.
/// `swept`: what beams that met nothing crossed (CountedMap::insert_free): free where nothing else was seen, or where
/// it was crossed so often that the wall is gone; nullptr: nothing.
Grid<std::uint8_t> known_cells(const CountedMap& map, const CountedMap* swept = nullptr);

}  // namespace outrider
