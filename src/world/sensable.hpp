// What can be sensed at all: the denominator of every coverage figure.
#pragma once

#include <vector>

#include "world/world.hpp"

namespace outrider {

/// A point-like robot can sense exactly the cells connected with its start: a ray is a chain of 4-connected free
/// cells. A disc also sees through gaps that it cannot pass; a cell then counts when it lies beside one that counts,
/// and its centre sees a reachable cell within range.
Reach find_reach(const Terrain& terrain, const Explorer& explorer);

/// Nonzero: a free cell that some explorer can sense from somewhere that it can reach. In the frame of the terrain.
std::shared_ptr<const Grid<std::uint8_t>> sensable_cells(std::shared_ptr<const Terrain> terrain,
                                                         const std::vector<Explorer>& explorers);
Grid<std::uint8_t> sensable_cells(const Grid<std::uint8_t>& walls, const std::vector<Explorer>& explorers);

}  // namespace outrider
