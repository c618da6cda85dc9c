// SLAM on a manifold: scans are matched with a map of what is certain around the robot, kept as patches, and related to
// each other; places that are seen again close loops, and then the past moves.
#pragma once

#include <optional>
#include <vector>

#include "slam/manifold/around_map.hpp"
#include "slam/manifold/loop_closer.hpp"
#include "slam/manifold/point_matcher.hpp"
#include "slam/slam.hpp"

namespace outrider {

class ManifoldSlam final : public Slam {
  public:
    ManifoldSlam(const SlamOptions& options, const Pose& start, const PatchGraph* before = nullptr);
    Pose pose() const override { return compose(pose_, since_update_); }
    Matrix3 covariance() const override { return covariance_; }
    /// Of all patches, where they are now; drawn when it is asked for.
    const CountedMap& map() const override;
    std::vector<Pose> path() const override;
    std::vector<Pose> drawn_at() const override;
    const PatchGraph* graph() const override { return &graph_; }
    const ClosureCounters& closures() const { return closer_.counters(); }

  private:
    bool take(Point sensor, std::span<const Point> ends) override;
    void between_updates(std::span<const Point> ends) override {
        if (options_.matcher == SlamMatcher::field) follow(around_.map(), pose_, ends);
    }
    void note_bare_scan() override { note_drawn(pose()); }
    void note_drawn(const Pose& at);
    bool patch_due() const;
    bool match_with_field(std::span<const Point> ends);
    bool match_with_points(Point sensor, std::span<const Point> ends);
    void gather_points(bool all_anew);
    void keep(Point sensor, std::span<const Point> ends, bool matched);
    void close_loops();
    const Pose& newest() const { return graph_.pose(graph_.count() - 1); }

    PatchGraph graph_;
    LoopCloser closer_;
    AroundMap around_;
    PointCloud points_;  // of the patches that points are matched with, in the frame of the map
    Pose pose_;
    Matrix3 covariance_{};
    Matrix3 matched_{}, guessed_{};  // covariance of the last match, and of the motions since that odometry alone gave
    double travelled_m_ = 0, looked_m_ = 0;
    int reference_ = 0;      // the patch that the next one is related to: the newest one, or the nearest one of before
    double confidence_ = 1;  // of the last match: 1 where all of the scan fits exactly
    int rejected_in_a_row_ = 0;
    bool began_anew_ = false;  // since it is lost
    struct Update {
        int patch;   // the newest one then; -1: there was none
        Pose since;  // as seen from there
    };
    Pose now(const Update& u) const { return u.patch < 0 ? u.since : compose(graph_.pose(u.patch), u.since); }
    std::vector<Update> updates_;
    std::vector<Update> drawn_;  // scans that belong into a map
    mutable std::optional<CountedMap> whole_;
};

}  // namespace outrider
