// Is a map good enough to drive by? Paths planned on it, tried in the true world, and vice versa.
#pragma once

#include "outrider/detail/known_map.hpp"
#include "world/world.hpp"

namespace outrider {

struct PathShares {
    double succeed = 0;  ///< share of the paths planned on the map that can be driven in truth
    double found = 0;    ///< share of the paths in truth that can be driven on the map
};

/// Shortest paths in one of the two (map, truth) between pairs of places connected with the body there, drawn by fixed
/// random numbers. A path can be driven in the other when free cells there within `within_cells` of the path connect
/// both ends. 0 where there is no path.
PathShares compare_paths(const KnownMap& map, const World& world, Cell body, int within_cells);

}  // namespace outrider
