#include "view/snapshot_sink.hpp"

#include <algorithm>
#include <utility>

namespace outrider::view {

void SnapshotSink::publish(const StepView& view) {
    telemetry_.publish(maker_.make(view, poses_, truth_.bytes_received()));
}

void SnapshotSink::on_step(const StepView& view) {
    StepRow row = truth_.row();
    poses_ = std::exchange(after_, row.poses);
    if (poses_.empty())
        for (const Robot& robot : view.team) poses_.push_back(robot.belief().briefing().start);
    const SimDriver& driver = truth_.driver();
    const bool again = view.step < telemetry_.end();  // the run went back: this is known
    for (const LogEvent& e : events_.find(view, row.metrics, driver.traffic().component, &driver))
        if (!again)
            telemetry_.add_event({e.step, std::string(e.kind), Index<Robot>::of(e.robot, view.team.size()), e.json});
    if (!again) telemetry_.add_row(std::move(row));
    maker_.note_history(view, true);
    health_.on_step(view);
    telemetry_.health().note(view.step, health_.robots());
    telemetry_.remarks().note(view);
    telemetry_.update([&](Progress& p) { p.last = std::max(p.last, view.step); });
    if (telemetry_.wanted() || control_.would_pause(view.step)) publish(view);
}

bool SnapshotSink::wait(const StepView& last) {
    for (;;) switch (control_.wait(last.step)) {
            case StepControl::Turn::closed:
                return false;
            case StepControl::Turn::go:
                return true;
            case StepControl::Turn::poked:
                // Publishes a step that was not drawn if the run is going to pause after it.
                publish(last);
        }
}

void SnapshotSink::stay(const StepView& last) {
    control_.play(false);
    publish(last);
    for (;;) switch (control_.wait(last.step)) {
            case StepControl::Turn::closed:
                return;
            case StepControl::Turn::poked:
                publish(last);
                break;
            case StepControl::Turn::go:
                control_.play(false);
                break;
        }
}

}  // namespace outrider::view
