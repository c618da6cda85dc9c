// Makes snapshots of a team: copies what is small, and of the maps only what changed since the last one.
#pragma once

#include <memory>

#include "metrics/true_view.hpp"
#include "outrider/skeleton.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "run/run.hpp"
#include "scene/stage.hpp"
#include "view/source.hpp"

namespace outrider::view {

/// The robot to which one reports after a step: as its strategy says (Overlay::Meaning::reports_to), or else as the
/// scenario names it; -1: nobody.
RobotId superior(const Briefing& briefing, std::span<const Overlay> overlays);

/// Appends the tiles in which a robot's frontiers changed, of cells that it can reach.
void add_frontier(RobotId robot, const NavMap& nav, ChangeCursor& cursor, std::vector<MarkUpdate>& marks);

class SnapshotMaker {
  public:
    /// `info`: of the run, read from the first snapshot on; both outlive this.
    SnapshotMaker(Telemetry& telemetry, const RunInfo& info) : telemetry_(telemetry), info_(info) {}

    /// Records since when cells are known; once a step. `exact`: the step before was recorded, too.
    void note_history(const StepView& view, bool exact);
    /// `truth`: by robot, or empty; `bytes`: on the air, by robot and message of its inbox, or empty.
    Snapshot make(const StepView& view, std::span<const Pose> truth,
                  std::span<const std::vector<std::uint64_t>> bytes = {});
    /// The robots were built anew: forgets all that was followed.
    void forget();

  private:
    /// What is followed of a robot. The window has its own followers of the robot's map, so that those of its belief
    /// stay as the run left them.
    struct Followed {
        ChangeCursor claims, noted, frontier, cleared;
        std::uint32_t generation = 0;  // of the map
        bool skeleton_known = false;
        std::unique_ptr<Skeleton> skeleton;
    };
    void follow_truth(const StepView& view);
    void add_guesses(const Robot& robot, RobotMoment& moment) const;
    void add_patches(const Robot& robot, RobotMoment& moment) const;
    void add_claims(const Robot& robot, Followed& followed, Snapshot& out) const;
    void add_cleared(const Robot& robot, Followed& followed, Snapshot& out) const;
    void add_skeleton(const Robot& robot, Followed& followed, Snapshot& out) const;

    Telemetry& telemetry_;
    const RunInfo& info_;
    std::optional<TrueView> truth_;
    std::optional<scene::Stage> stage_;
    std::vector<RunEvent> events_;  // so far
    bool claims_known_ = false;
    std::vector<Followed> followed_;
};

}  // namespace outrider::view
