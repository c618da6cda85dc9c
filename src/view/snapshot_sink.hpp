// The observer of a live run: hands snapshots to the window, and waits at its gate between two steps. It changes
// nothing of the run.
#pragma once

#include <functional>

#include "log/events.hpp"
#include "view/gate.hpp"
#include "view/snapshot_maker.hpp"

namespace outrider::view {

/// What only the truth side can tell, for display alone; each function is asked once a step.
struct TruthTap {
    std::function<StepRow()> row;
    std::function<std::span<const std::vector<std::uint64_t>>()> bytes_heard;
    std::function<const std::vector<int>&()> components;
};

class SnapshotSink final : public Observer {
  public:
    SnapshotSink(Feed& feed, Gate& gate, TruthTap truth, const RunInfo& info)
        : feed_(feed), gate_(gate), truth_(std::move(truth)), events_(info.robots()), maker_(feed, info) {}

    void on_step(const StepView& view) override;
    /// After the step `last`: waits until the next one may begin; false when the gate was closed.
    bool wait(const StepView& last);
    /// The run is over: goes on to answer until the gate is closed.
    void stay(const StepView& last);

  private:
    void publish(const StepView& view);

    Feed& feed_;
    Gate& gate_;
    TruthTap truth_;
    EventFinder events_;
    SnapshotMaker maker_;
    std::vector<Pose> poses_;  // true ones when the robots perceived: before they moved in this step
    std::vector<Pose> after_;  // and behind it
};

}  // namespace outrider::view
