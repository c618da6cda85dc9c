#include "view/snapshot_sink.hpp"

#include <algorithm>
#include <utility>

namespace outrider::view {

void SnapshotSink::publish(const StepView& view) { feed_.publish(maker_.make(view, poses_, truth_.bytes_heard())); }

void SnapshotSink::on_step(const StepView& view) {
    StepRow row = truth_.row();
    poses_ = std::exchange(after_, row.poses);
    if (poses_.empty())
        for (const Robot& robot : view.team) poses_.push_back(robot.belief().briefing().start);
    const SimDriver& driver = truth_.driver();
    const bool again = view.step < feed_.end();  // the run went back: this is known
    for (const LogEvent& e : events_.find(view, row.metrics, driver.traffic().component, &driver))
        if (!again) feed_.add_event({e.step, std::string(e.kind), Index<Robot>::of(e.robot, view.team.size()), e.json});
    if (!again) feed_.add_row(std::move(row));
    maker_.note_history(view, true);
    health_.on_step(view);
    feed_.health().note(view.step, health_.robots());
    feed_.update([&](Progress& p) { p.last = std::max(p.last, view.step); });
    if (feed_.wanted() || gate_.would_pause(view.step)) publish(view);
}

bool SnapshotSink::wait(const StepView& last) {
    for (;;) switch (gate_.wait(last.step)) {
            case Gate::Turn::closed:
                return false;
            case Gate::Turn::go:
                return true;
            case Gate::Turn::poked:
                // Publishes a step that was not drawn if the run is going to pause after it.
                publish(last);
        }
}

void SnapshotSink::stay(const StepView& last) {
    gate_.play(false);
    publish(last);
    for (;;) switch (gate_.wait(last.step)) {
            case Gate::Turn::closed:
                return;
            case Gate::Turn::poked:
                publish(last);
                break;
            case Gate::Turn::go:
                gate_.play(false);
                break;
        }
}

}  // namespace outrider::view
