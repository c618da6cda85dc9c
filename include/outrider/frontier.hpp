// Frontiers: where the space that a robot can reach borders on the unknown.
//
//     for (const Frontier& f : belief.frontiers())
//         if (!f.leftover) goals.push_back(f.goal);
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "outrider/map.hpp"

namespace outrider {

/// A cluster of frontier cells (8-connected), and how to see what lies behind it.
struct Frontier {
    Cell goal;                                 ///< where to stand: near the centroid, away from walls if possible
    Cell look;                                 ///< an unknown cell that can be seen from there
    Point centroid;                            ///< in cells
    int size = 0;                              ///< cells
    double area = 0;                           ///< size; kind unsafe: plus cells on the rim
    bool leftover = false, uncleared = false;  ///< uncleared: known to be free, and no camera has cleared it
    bool region = false;  ///< frontier.kind = regions: nothing is looked at from the goal, which is there to be reached
};

/// A part of a cluster as a frontier of its own: these reached frontier cells, by row, then column. None when no
/// unknown cell can be seen from any of them. Area is the number of cells; not marked as a leftover.
std::optional<Frontier> describe_part(const MapView& map, const NavView& nav, std::span<const Cell> cells);

}  // namespace outrider
