// Places in an order in which those that follow each other are mostly near each other.
#pragma once

#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// The numbers of the points along a Z-order curve (Morton 1966) over squares of `side`; in the same square, by number.
std::vector<int> morton_order(std::span<const Point> points, double side);

}  // namespace outrider
