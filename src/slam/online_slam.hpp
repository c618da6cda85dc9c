// Online SLAM by scan matching: each scan is fitted into the map drawn from those before it, then drawn.
#pragma once

#include <vector>

#include "slam/find_pose.hpp"

namespace outrider {

class OnlineSlam final : public Slam {
  public:
    OnlineSlam(const SlamOptions& options, const Pose& start);
    Pose pose() const override { return pose_; }
    Matrix3 covariance() const override { return covariance_; }
    const CountedMap& map() const override { return map_; }

  private:
    bool take(const Motion& motion, Point sensor, std::span<const Point> ends) override;
    CountedMap map_;
    Pose pose_;
    Matrix3 covariance_{};
    Travelled travelled_;  // since the last update
    Pose since_update_;    // likewise, as a motion
    int rejected_in_a_row_ = 0;
    bool empty_ = true;
    std::vector<Point> world_, usable_;
};

}  // namespace outrider
