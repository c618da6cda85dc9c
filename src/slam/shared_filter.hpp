// The particle filter on one map: many poses, weighed by how occupied the cells are in which their beams end; the mean
// of the best twentieth is the pose, and the scan is drawn there (after the TDP of UvA Rescue; the weights and the
// order of the steps are theirs). Scan matching moves all of them alike; noise spreads them as far as the match leaves
// the pose open. Spread by what odometry leaves open, as theirs, they wander more than the match does.
#pragma once

#include <vector>

#include "slam/find_pose.hpp"

namespace outrider {

/// The odometry error that a filter assumes: factors of the distance and the turn, and a turn for each metre.
struct Calibration {
    double travelled = 1, turn = 1, turn_per_m = 0;
    Pose applied(const Pose& motion) const;
};

class SharedFilter {
  public:
    /// `stream`: of its random numbers; different ones for filters of the same seed.
    SharedFilter(const SlamOptions& options, int particles, const Pose& start, std::uint64_t seed, int stream,
                 const PatchGraph* before);
    SharedFilter(SharedFilter&&) noexcept = default;
    SharedFilter& operator=(SharedFilter&&) noexcept = default;
    /// A copy that goes on with random numbers of another stream.
    SharedFilter fork(int stream);

    /// A scan, `motion` after the one before. The first one is drawn where the robot stands. `number` counts the scans.
    void update(const Pose& motion, const Travelled& travelled, Point sensor, std::span<const Point> ends,
                std::uint64_t number);

    /// Frees memory that only updates need.
    void rest() { map_.rest(); }

    const Pose& pose() const { return pose_; }
    const Matrix3& covariance() const { return covariance_; }
    const CountedMap& map() const { return map_; }
    /// The particles, `since` farther on; their weights add up to `share`.
    void add_guesses(const Pose& since, double share, std::vector<WeighedPose>& out) const;
    const Found& found() const { return found_; }
    bool rejected() const { return rejected_in_a_row_ > 0; }
    /// Whether the last scan was drawn.
    bool drawn() const { return drawn_; }
    /// Scans that were not where odometry predicted: their pose was found by the wide search, or not at all.
    int surprises() const { return surprises_; }
    Calibration calibration;

  private:
    SharedFilter(const SharedFilter& other, CountedMap map);
    void drift(const Pose& motion, bool matched, std::uint64_t number);
    void measure(std::span<const Point> ends);
    void resample(std::uint64_t number);

    const SlamOptions* options_;
    std::uint64_t seed_;
    int stream_;
    CountedMap map_;
    std::vector<Pose> particles_;
    std::vector<double> weights_;
    Pose pose_;
    Matrix3 covariance_{};
    Found found_;
    int rejected_in_a_row_ = 0, surprises_ = 0;
    bool empty_, drawn_ = false;
    std::vector<Point> thin_, world_;
};

class SharedSlam final : public Slam {
  public:
    SharedSlam(const SlamOptions& options, const Pose& start, std::uint64_t seed, const PatchGraph* before = nullptr)
        : Slam(options), filter_(options_, options.shared_particles, start, seed, -2, before) {
        if (before) begin_nearby();
    }
    Pose pose() const override { return compose(filter_.pose(), since_update_); }
    Matrix3 covariance() const override { return filter_.covariance(); }
    const CountedMap& map() const override { return filter_.map(); }
    std::vector<WeighedPose> guesses() const override {
        std::vector<WeighedPose> out;
        filter_.add_guesses(since_update_, 1, out);
        return out;
    }

  private:
    bool take(Point sensor, std::span<const Point> ends) override;
    void between_updates(std::span<const Point> ends) override { follow(filter_.map(), filter_.pose(), ends); }

    SharedFilter filter_;
};

}  // namespace outrider
