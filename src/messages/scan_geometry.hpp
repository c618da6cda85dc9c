// The beams of a range finder as rays. Casting and mapping both go through here, so they follow the same lines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/briefing.hpp"
#include "outrider/percept.hpp"
#include "outrider/ray.hpp"

namespace outrider {

/// Where a beam of this length ends: origin and unit vector in one frame, the length in its unit.
inline Point beam_end(Point origin, Point direction, double length) { return origin + direction * length; }

/// A measured range in metres; beams that met nothing are as long as the sensor reaches. Not of Scan::no_information.
inline double beam_length_m(const SensorSpec& sensor, std::uint16_t range) {
    return range == Scan::nothing ? sensor.max_range_m : range * sensor.range_unit_m;
}

class ScanGeometry {
  public:
    explicit ScanGeometry(const SensorSpec& spec);

    const SensorSpec& spec() const { return spec_; }
    int beams() const { return static_cast<int>(body_.size()); }
    /// The sensor's position, for the body at `body` (frame_from_body).
    Point origin(const Pose& body) const { return transform(body, spec_.mount.position()); }
    /// Unit vectors of the beams, rotated by the heading of the body.
    void directions(double yaw, std::vector<Point>& out) const;

  private:
    SensorSpec spec_;
    std::vector<Point> body_;  // unit vectors in the frame of the body
};

}  // namespace outrider
