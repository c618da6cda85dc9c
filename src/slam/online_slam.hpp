// Online SLAM by scan matching: each scan is fitted into the map drawn from those before it, then drawn.
#pragma once

#include <optional>
#include <vector>

#include "slam/find_pose.hpp"

namespace outrider {

class OnlineSlam final : public Slam {
  public:
    OnlineSlam(const SlamOptions& options, const Pose& start, const PatchGraph* before = nullptr);
    Pose pose() const override { return compose(pose_, since_update_); }
    Matrix3 covariance() const override { return covariance_; }
    const CountedMap& map() const override { return map_; }

  private:
    bool take(Point sensor, std::span<const Point> ends) override;
    void between_updates(std::span<const Point> ends) override { follow(map_, pose_, ends); }
    bool find_in_sure_map(std::span<const Point> ends);
    CountedMap map_;
    bool empty_;
    std::optional<CountedMap> sure_;  // the map before the first of some odd scans: these can be taken back
    int search_after_ = 0;            // odd scans, for the next search in it
    Pose pose_;
    Matrix3 covariance_{};
    int rejected_in_a_row_ = 0;
    std::vector<Point> world_;
};

}  // namespace outrider
