// Sectors around a point: the division of open ground among robots.
#pragma once

#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// n + 1 growing directions in radians; sector i lies between the i-th and the next one, the last one is the first one
/// plus 2 pi. With the corners of a region the sectors have the same area of it (within a quarter of a degree),
/// otherwise the same angle; the first direction is -pi.
std::vector<double> sector_bounds(Point apex, const std::vector<Point>& region, int n);

/// The sector in which a point lies, for bounds from sector_bounds.
int sector_of(const std::vector<double>& bounds, Point apex, Point p);

}  // namespace outrider
