// Frontiers as regions: everything that is seen to be free but not sure to be, with MRESim's goals (frontier.kind =
// regions). Source: MRESim 2.2, described in docs/model.md; outlines by Chang, Chen & Lu 2004.
#pragma once

#include <vector>

#include "plan/frontiers/frontier_finder.hpp"

namespace outrider {

/// Whether a cell belongs to a region: free, and not sure to be, or with an unknown 8-neighbour.
bool in_region(const KnownMap& map, Cell c);

/// The outlines of the regions that touch the unknown, in the order of their first cells, from the upper left, by rows.
/// Each is traced clockwise from its first cell, with diagonal steps only between free cells; holes have outlines, too.
std::vector<std::vector<Cell>> region_outlines(const KnownMap& map, const NavMap& nav);

/// A frontier for each outline. area: half the sum of the shoelace formula, plus the outline's length; at least 3.
/// goal: the centroid, which the added length draws towards options.image_corner; where that lies outside of the
/// outline, its cell number options.pick modulo the number of cells. Where the goal is unknown, the nearest reached
/// cell of the outline. Left out when the goal is a wall or cannot be reached. size: cells of the outline; look: the
/// goal.
std::vector<Frontier> find_regions(const KnownMap& map, const NavMap& nav, const FrontierOptions& options);

}  // namespace outrider
