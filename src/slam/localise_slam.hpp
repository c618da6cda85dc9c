// Localisation in a given map, which is not changed: one pose is tracked by matching, or several, as long as scans do
// not show which of them is right. At first, or when nothing fits any more, the pose is searched in all of the map.
#pragma once

#include <vector>

#include "slam/find_pose.hpp"

namespace outrider {

/// A pose that the robot may be at.
struct PoseGuess {
    Pose pose;
    Matrix3 covariance{};
    double log_weight = 0;
    int rejected_in_a_row = 0, doubtful_in_a_row = 0;
};

/// Poses at free cells of a map from which a scan fits: places a quarter of a metre and headings five degrees apart,
/// the best of their surroundings, matched. Best first; empty when nothing fits, or the scan has too few ends.
std::vector<PoseGuess> search_everywhere(const CountedMap& map, std::span<const Point> ends);

class LocaliseSlam final : public Slam {
  public:
    LocaliseSlam(const SlamOptions& options, const Pose& start, const Grid<std::uint8_t>& given);
    Pose pose() const override { return compose(guesses_.front().pose, since_update_); }
    Matrix3 covariance() const override { return guesses_.front().covariance; }
    const CountedMap& map() const override { return map_; }
    std::vector<WeighedPose> guesses() const override;
    /// The share of the likeliest pose: near 1 when there is no doubt where the robot is.
    double certainty() const;
    /// Whether there is no doubt of it, and it fitted the last ten scans.
    bool sure() const;

  private:
    bool take(Point sensor, std::span<const Point> ends) override;
    void follow(std::span<const Point> ends);
    void search(std::span<const Point> ends);

    CountedMap map_;
    std::vector<PoseGuess> guesses_;  // never empty; the likeliest first
    bool known_;                      // whether there ever was a pose to believe
    int fitted_ = 0;                  // scans in a row
    bool searching_;                  // nothing fits, or nothing was known at first
};

}  // namespace outrider
