// What differs from place to place, and stays as it is: magnetic fields, roofs over satellites.
#pragma once

#include <cmath>
#include <cstdint>

#include "outrider/geometry.hpp"
#include "outrider/rng.hpp"

namespace outrider {

/// The random numbers of a point of a lattice; `stream` from 1 on tells what they are for.
inline Rng place_rng(std::uint64_t seed, double column, double row, std::uint32_t stream) {
    return {seed, static_cast<std::int64_t>(column), Purpose::odometry, static_cast<std::int64_t>(row), stream};
}

/// Uniform in [0, 1), the same everywhere in a square of this side.
inline double square_chance(std::uint64_t seed, Point at, double side_m, std::uint32_t stream) {
    return place_rng(seed, std::floor(at.x / side_m), std::floor(at.y / side_m), stream).uniform();
}

/// Standard normal at the points of a lattice of this side, and between them a weighted mean.
inline double smooth_normal(std::uint64_t seed, Point at, double side_m, std::uint32_t stream) {
    const double x = std::floor(at.x / side_m), y = std::floor(at.y / side_m);
    const auto corner = [&](double dx, double dy) { return place_rng(seed, x + dx, y + dy, stream).normal(); };
    const double u = at.x / side_m - x, v = at.y / side_m - y;
    return (corner(0, 0) * (1 - u) + corner(1, 0) * u) * (1 - v) + (corner(0, 1) * (1 - u) + corner(1, 1) * u) * v;
}

}  // namespace outrider
