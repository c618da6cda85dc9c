// A map that knows everything about a grid: for planning without exploring.
#pragma once

#include "grid/grid.hpp"
#include "outrider/detail/known_map.hpp"

namespace outrider {

/// walls: nonzero cells are occupied, the others free; cells of the grid's frame.
KnownMap known_grid(const Grid<std::uint8_t>& walls);

}  // namespace outrider
