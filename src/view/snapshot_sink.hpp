// The observer of a live run: passes snapshots to the window, and waits at the control between two steps. It does not
// change the run.
#pragma once

#include <functional>

#include "log/events.hpp"
#include "metrics/health.hpp"
#include "view/snapshot_maker.hpp"
#include "view/step_control.hpp"

namespace outrider::view {

/// What only the world knows, for display alone; each function is called once a step.
struct TruthTap {
    std::function<StepRow()> row;
    std::function<std::span<const std::vector<std::uint64_t>>()> bytes_received;
    std::function<const SimDriver&()> driver;
};

class SnapshotSink final : public Observer {
  public:
    SnapshotSink(Telemetry& telemetry, StepControl& control, TruthTap truth, const RunInfo& info)
        : telemetry_(telemetry),
          control_(control),
          truth_(std::move(truth)),
          events_(info.robots()),
          maker_(telemetry, info) {}

    void on_step(const StepView& view) override;
    /// After the step `last`: waits until the next one may begin; false when the control was closed.
    bool wait(const StepView& last);
    /// After the end of the run: keeps serving the window's requests until the control is closed.
    void stay(const StepView& last);

  private:
    void publish(const StepView& view);

    Telemetry& telemetry_;
    StepControl& control_;
    TruthTap truth_;
    EventFinder events_;
    Health health_;
    SnapshotMaker maker_;
    std::vector<Pose> poses_;  // true ones when the robots perceived: before they moved in this step
    std::vector<Pose> after_;  // true poses after the step
};

}  // namespace outrider::view
