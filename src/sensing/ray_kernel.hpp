// The same casting for eight beams at a time, where the CPU has AVX-512. Bit-equal to the portable path: the same
// multiplications, additions and divisions of doubles, in the same order.
#pragma once

#include <span>

#include "world/wall_field.hpp"

namespace outrider {

bool ray_kernel_available();
void ray_kernel(const WallField& walls, Point origin, std::span<const Point> directions, double max_length,
                std::span<double> lengths);

}  // namespace outrider
