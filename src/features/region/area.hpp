// The cells of a region of interest, and its outline.
#pragma once

#include <memory>
#include <vector>

#include "grid/grid.hpp"
#include "messages/region_options.hpp"
#include "outrider/geometry.hpp"
#include "plan/frontiers/search_region.hpp"

namespace outrider {

struct Scenario;

/// Throws Error unless the options name cells in at most one way, as a polygon that does not cross itself or as runs
/// that can be read.
void check_region_shape(const RegionOptions& region);

/// Its corners in metres of the map's frame; none: it is no polygon. A corner that closes it is left out.
std::vector<Point> region_corners(const RegionOptions& region);

/// Nonzero: in the region; in the map's frame. A cell is in a polygon when its middle is. Those off the map are left
/// out.
Grid<std::uint8_t> region_cells(const Scenario& s);

/// The region as robots have it, in the team's frame. Its parts are more than two cells apart; those without a free
/// cell are left out, unless walls can change.
std::shared_ptr<const SearchRegion> search_region(const Scenario& s);

/// Its outline in metres of the team's frame: the ends of lines, two by two.
std::vector<Point> region_outline(const Scenario& s);

}  // namespace outrider
