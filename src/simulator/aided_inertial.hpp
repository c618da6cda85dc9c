// An inertial system aided by satellite positions: dead reckoning in the short term, corrected by the positions over
// time. A Kalman filter of the position alone; the heading is that of the inertial system.
#pragma once

#include "outrider/geometry.hpp"

namespace outrider {

class AidedInertial {
  public:
    /// The start pose, with the variance of its position.
    explicit AidedInertial(const Pose& start, double variance = 0) : pose_(start), variance_(variance) {}

    /// Motion as measured by the inertial system, in the frame of the body; `variance` of each of x and y, m2.
    void move(const Pose& delta, double variance) {
        pose_ = compose(pose_, delta);
        variance_ += variance;
    }
    /// Position from satellites, with this variance. Returns what it adds to the variance of the motion.
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
