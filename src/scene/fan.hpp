// Marks that would cover each other, such as robots on one place, fan out.
#pragma once

#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider::scene {

/// Where to draw marks that belong at `places`, in pixels. Groups of marks nearer than 13 `unit` are spread on rings,
/// in the order in which they stand around the group's middle; a ring that comes near other marks takes them in.
/// `held`, by mark: it stays (bases), and others of its group stand around it. More than 64 marks stay where they are.
/// `unit`: pixels of a point of the screen. The page has the same rule (src/player/web/labels.js).
std::vector<Point> fan_out(std::span<const Point> places, const std::vector<bool>& held, double unit = 1);

}  // namespace outrider::scene
