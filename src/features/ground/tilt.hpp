// A scanner on a floor that is not level: how far it is tilted, and what its beams meet then.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "outrider/briefing.hpp"
#include "world/relief.hpp"
#include "world/wall_field.hpp"

namespace outrider {

/// Walls are so high above the floor before them, in metres.
inline constexpr double wall_height_m = 1;

/// Rise per metre of a plane that lies at this angle, and the angle of a rise, in radians: by functions of our own,
/// whose last bit is that of every machine.
inline double rise_of(double angle) {
    const auto [s, c] = sin_cos(angle);
    return s / c;
}
inline double angle_of(double rise) { return atan2(rise, 1); }

/// The plane in which a body or a scanner lies: by how much it rises per metre, ahead and to its left.
struct Tilt {
    double ahead = 0, left = 0;
    bool operator==(const Tilt&) const = default;
    /// Rise per metre in a direction of the body's frame.
    double along(Point direction) const { return ahead * direction.x + left * direction.y; }
    double pitch() const { return -angle_of(ahead); }  ///< radians; nose down: above zero
    double roll() const { return angle_of(left); }     ///< radians; left side up: above zero
};
Tilt tilt_of(const Relief& relief, const Pose& body, double radius_m);

/// What remains of the tilt of a body when a joint that reaches 20 degrees turned a scanner back by that of a step
/// before, with an error of these slopes.
Tilt levelled(const Tilt& now, const Tilt& before, const Tilt& error);

/// The lengths, in cells along the beams, at which the beams of a scanner that lies in the plane `tilt` end: at a wall
/// that is high enough, at the edge of the world, or at the floor; infinity: beyond max_length. origin: in cells;
/// directions: unit vectors on the map; body_directions: the same in the frame of the body; base_m: height of the
/// scanner. That a tilted beam also turns a little to the side is left out: at 20 degrees it is at most 1.8 degrees.
void cast_tilted(const WallField& walls, const Relief& relief, Point origin, std::span<const Point> directions,
                 std::span<const Point> body_directions, const Tilt& tilt, double base_m, double max_length,
                 std::span<double> lengths);

}  // namespace outrider
