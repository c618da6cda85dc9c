// Walls of glass: beams pass through them unless they meet them nearly straight on.
#pragma once

#include <memory>
#include <span>

#include "grid/grid.hpp"
#include "outrider/geometry.hpp"
#include "world/wall_field.hpp"

namespace outrider {

struct Glass {
    Grid<std::uint8_t> panes;  ///< in the world's frame; a wall whose cell is not zero is of glass
    double seen_rad = 0;       ///< a beam that is off the perpendicular by more than this passes
};

/// Makes the beams longer that end at glass and pass through it: they end at the next wall that is none. Lengths in
/// cells, see cast_rays(); directions: unit vectors.
void pass_glass(const Glass& glass, const WallField& walls, Point origin, std::span<const Point> directions,
                double max_length, std::span<double> lengths);

}  // namespace outrider
