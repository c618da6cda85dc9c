// The poses in which a body takes scans along the way of a step.
#pragma once

#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// A scan after so much way, or so much of a turn, or as much of either as makes up a whole; 0: that one does not
/// count.
struct ScanSpacing {
    double way_m = 0, turn_rad = 0;
    bool along_way() const { return way_m > 0 || turn_rad > 0; }
};

/// Poses on the way from `from` along `corners` (the last one is where `to` is), in equal parts that are at most as
/// long as the spacing says; the last pose is `to`, whatever the spacing. The body turns in place at the corners, looks
/// ahead between them, and turns to the heading of `to` at the end.
std::vector<Pose> poses_along(const Pose& from, std::span<const Point> corners, const Pose& to,
                              const ScanSpacing& spacing);

}  // namespace outrider
