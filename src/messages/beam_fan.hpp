// The beams of a range finder as rays. Casting and mapping both go through here, so they follow the same lines.
#pragma once

#include <span>
#include <vector>

#include "outrider/briefing.hpp"
#include "outrider/ray.hpp"

namespace outrider {

class BeamFan {
  public:
    explicit BeamFan(const SensorSpec& spec);

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
