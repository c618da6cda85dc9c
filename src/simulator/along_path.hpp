// The poses at which a body takes scans along the path of a step.
#pragma once

#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// A scan is due after this distance or this turn; shares of both add up. 0: that one does not count.
struct ScanSpacing {
    double travelled_m = 0, turn_rad = 0;
    bool along_path() const { return travelled_m > 0 || turn_rad > 0; }
};

/// Poses on the path from `from` along `corners` (the last one is where `to` is), in equal parts that are at most as
/// long as the spacing says; the last pose is `to`, whatever the spacing. The body turns in place at the corners, looks
/// ahead between them, and turns to the heading of `to` at the end.
std::vector<Pose> poses_along(const Pose& from, std::span<const Point> corners, const Pose& to,
                              const ScanSpacing& spacing);

}  // namespace outrider
