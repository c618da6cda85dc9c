// Is a map good enough to drive by? Ways planned on it, tried in the true world, and the other way round.
#pragma once

#include "outrider/known_map.hpp"
#include "world/world.hpp"

namespace outrider {

struct PathShares {
    double succeed = 0;  ///< of ways planned on the map: those that can be driven in truth
    double found = 0;    ///< of ways that there are in truth: those that can be driven on the map
};

/// Shortest ways between pairs of places that one of the two connects with where the body stands, drawn by fixed random
/// numbers; a way can be driven in the other one when its free cells within so many cells of it connect both ends.
/// 0 where there is no way.
PathShares compare_paths(const KnownMap& map, const World& world, Cell body, int within_cells);

}  // namespace outrider
