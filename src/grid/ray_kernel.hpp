// Many rays from one origin at a time, with the instructions that the CPU has: the lengths at which they enter the
// first wall, and the cells of measured hits. One source for all (ray_lanes.hpp), compiled for two, four and eight
// doubles at a time. All versions give the same bits as Ray: the same operations on doubles in the same order, nothing
// fused.
#pragma once

#include <cstdint>

#include "outrider/geometry.hpp"

namespace outrider {

enum class RayPath { automatic, portable, avx2, avx512 };

/// Row-major; for each cell the Chebyshev distance to the nearest wall, with a ring of wall around, readable three
/// bytes beyond the end. `origin`: the cell of data[0].
struct WallDistances {
    const std::uint8_t* data = nullptr;
    int width = 0;
    Cell origin;
};

/// Rays in cell units: `count` unit vectors.
struct RayBundle {
    Point origin;
    const Point* directions = nullptr;
    int count = 0;
};

/// For each ray, as in HitCells. candidates[i]: on input whether there is a hit; on output how many cells it can be in,
/// -1 where more than two columns would have to be looked at.
struct HitColumns {
    std::int32_t *candidates = nullptr, *x = nullptr, *y = nullptr, *other_x = nullptr, *other_y = nullptr;
    double* seen = nullptr;
};

struct RayKernel {
    /// lengths[i] := where ray i enters the first wall; infinity beyond max_length. The origin lies inside the grid.
    void (*cast)(const WallDistances& walls, const RayBundle& rays, double max_length, double* lengths);
    /// The hits of measured ranges; see locate_hit.
    void (*locate)(const RayBundle& rays, const double* ranges, double tolerance, const HitColumns& hits);
};

/// Whether this CPU has the instructions.
bool has_path(RayPath path);
/// automatic: the widest that the CPU has. Any other must be available on this CPU.
const RayKernel& ray_kernel(RayPath path = RayPath::automatic);

}  // namespace outrider
