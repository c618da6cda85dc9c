// The directions of the surfaces that a scan saw, from the scan alone.
#pragma once

#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// Of each end, in the order of the beams, the direction across the surface that its neighbours lie on; zero where they
/// make no line. Where a wall was seen from afar its hits are cells that stand alone, and only the scan says how it
/// runs.
std::vector<Point> scan_normals(std::span<const Point> ends);

/// The ends that a scan is matched by, with their normals. Left out are those that stand alone, unless most do: which
/// points of a far wall are hit changes with the robot's pose, and the hits of the last scan would hold it back. The
/// last end of a wall before beams that saw nothing has the wall's normal: the wall goes on, and only the scanner does
/// not see it.
struct MatchedEnds {
    std::vector<Point> points, normals;
};
MatchedEnds matched_ends(std::span<const Point> ends);

}  // namespace outrider
