// Marks that a robot sets in its map by what it perceives: slow ground, places where somebody lies, floor that its
// camera has cleared.
#pragma once

#include <span>
#include <vector>

#include "outrider/detail/known_map.hpp"
#include "outrider/percept.hpp"

namespace outrider {

/// A camera ahead that shows whether anybody lies on the floor.
struct ClearingCamera {
    static constexpr double range_m = 3, half_angle = 0.39269908169872414;  // 22.5 degrees
};

/// Cells of slow ground that came in sight. rough: in the body's frame.
void mark_rough(KnownMap& map, const Pose& pose, std::span<const Point> rough);
/// The cells in which a robot would drive over somebody in view, as rough: paths lead around them where there is room.
void mark_people(KnownMap& map, const Pose& pose, std::span<const Sighting> sightings, double radius_m);
/// The free cells in view of the camera, and those under the robot, as cleared.
void mark_cleared(KnownMap& map, const Pose& pose, double radius_m);

}  // namespace outrider
