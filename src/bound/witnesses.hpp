// Witnesses: parts of the map that are seen only from near, so that somebody has to go to each.
#pragma once

#include "bound/least_tour.hpp"
#include "bound/sight.hpp"

namespace outrider {

/// Parts of which no two are seen from one block, chosen greedily among the blocks that are not `taken`: the best
/// hidden first, then what else is seen from the same blocks and at most `growth` further ones. Ways are in cells,
/// areas in cells that count. Blocks of the parts are taken then.
Visits find_witnesses(const BoundTask& task, const Blocks& blocks, const std::vector<BitBox>& sights, int growth,
                      std::vector<bool>& taken);

/// The least total way, in cells, in which a team comes to know all but `spare` cells: sets of witnesses share no
/// blocks, so that what is spared in one cannot be spared in another.
double least_length(const BoundTask& task, const Blocks& blocks, const std::vector<BitBox>& sights, std::int64_t spare);

}  // namespace outrider
