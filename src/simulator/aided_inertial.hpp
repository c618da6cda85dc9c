// An inertial system that is aided by positions from satellites: its own way from moment to moment, held by the
// positions over time. A Kalman filter of the position alone; the heading is that of the inertial system.
#pragma once

#include "outrider/geometry.hpp"

namespace outrider {

class AidedInertial {
  public:
    /// Known to be there.
    explicit AidedInertial(const Pose& start, double variance = 0) : pose_(start), variance_(variance) {}

    /// The inertial system says that the body moved so, in its own frame; `variance` of each of x and y, m2.
    void move(const Pose& delta, double variance) {
        pose_ = compose(pose_, delta);
        variance_ += variance;
    }
    /// Satellites say that it is there, with this variance. What that adds to the variance of the way.
    double correct(Point position, double variance) {
        if (variance_ == 0) return 0;
        const double sum = variance_ + variance, gain = variance_ / sum;
        pose_.x += gain * (position.x - pose_.x);
        pose_.y += gain * (position.y - pose_.y);
        variance_ *= 1 - gain;
        return gain * gain * sum;
    }
    const Pose& pose() const { return pose_; }

  private:
    Pose pose_;
    double variance_;
};

}  // namespace outrider
