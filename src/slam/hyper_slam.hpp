// A filter of filters: each is a complete particle filter with a map of its own, and assumes its own odometry error.
// Every hundred scans or five metres those whose maps are broken are dropped, and the others copied. Where scans leave
// the pose open, and odometry is wrong all along, a single filter has no other pose to choose; here some filter has
// one.
#pragma once

#include <vector>

#include "slam/map_quality.hpp"
#include "slam/pose_tree.hpp"
#include "slam/shared_filter.hpp"

namespace outrider {

class HyperSlam final : public Slam {
  public:
    HyperSlam(const SlamOptions& options, const Pose& start, std::uint64_t seed, const PatchGraph* before = nullptr);
    /// Of the filter that believes odometry, as long as its map is not broken; then of the one with the tidiest map.
    Pose pose() const override { return compose(best().pose(), best().calibration.applied(since_update_)); }
    Matrix3 covariance() const override { return best().covariance(); }
    const CountedMap& map() const override { return best().map(); }
    std::vector<Pose> path() const override { return paths_.path(last_[best_]); }
    /// The poses of all filters alike.
    std::vector<WeighedPose> guesses() const override;

  private:
    bool take(Point sensor, std::span<const Point> ends) override;
    const SharedFilter& best() const { return filters_[best_]; }
    std::vector<double> compare() const;
    void resample();

    std::uint64_t seed_;
    std::vector<SharedFilter> filters_;
    std::vector<PoseTree::Node> last_;  // of each filter
    PoseTree paths_;
    std::size_t best_ = 0;
    bool odometry_holds_ = true;  // the first filter, which believes it, is still there
    std::uint64_t compared_ = 0;  // the number of updates then
    double travelled_m_ = 0;      // since then
};

}  // namespace outrider
