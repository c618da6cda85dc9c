// Rays that look only at points a cell's length apart, as those of MRESim do.
#pragma once

#include <span>

#include "outrider/geometry.hpp"
#include "world/wall_field.hpp"

namespace outrider {

/// Turns lengths of exact rays (cast_rays) into those of rays that look for walls at 1, 2, 3 ... cells from `origin`
/// (cell units) along directions[i]: a wall cell between two such points is missed, as is a corner between two cells.
/// lengths[i] is then where the ray enters the wall cell that was found, at most one cell before the point; infinity
/// when none is found up to max_length. A ray never gets shorter. MRESim counts from the corner of the robot's pixel
/// and reports the whole length; the reading here says which cell was found.
void sample_rays(const WallField& walls, Point origin, std::span<const Point> directions, double max_length,
                 std::span<double> lengths);

}  // namespace outrider
