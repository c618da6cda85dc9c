// Does a map have the shape of the world? Compares the skeletons of both.
#pragma once

#include "outrider/detail/known_map.hpp"
#include "world/world.hpp"

namespace outrider {

struct SkeletonShares {
    double true_share = 0;   ///< share of the cells of the map's skeleton close to the true one
    double found_share = 0;  ///< share of the cells of the true skeleton close to that of the map
};

/// Of what the body at `body` can reach, in truth and on the map; close: within so many rows and columns. 0 where there
/// is no skeleton.
SkeletonShares compare_skeletons(const KnownMap& map, const World& world, Cell body, int within_cells);

}  // namespace outrider
