// The path to a robot's goal, for the window, pages and drawings.
#pragma once

#include <vector>

#include "outrider/belief.hpp"

namespace outrider {

/// The corners of a robot's path to its goal over its own map, beginning where it stands, in the frame of its map.
/// Empty: there is none, or it takes too long to find.
std::vector<Point> corners_to(const Belief& belief, Point goal);

}  // namespace outrider
