// Casts beams against the true walls: the exact length at which each enters the first wall (see outrider/ray.hpp).
#pragma once

#include <span>

#include "grid/ray_kernel.hpp"
#include "world/wall_field.hpp"

namespace outrider {

/// lengths[i] := length, in cells, at which the ray from `origin` (cell units, inside the grid) along directions[i]
/// (unit vectors) enters a wall; infinity when that is beyond max_length. Every path gives the same bits.
void cast_rays(const WallField& walls, Point origin, std::span<const Point> directions, double max_length,
               std::span<double> lengths, RayPath path = RayPath::automatic);

}  // namespace outrider
