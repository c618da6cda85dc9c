#include "view/snapshot_sink.hpp"

namespace outrider::view {

void SnapshotSink::publish(const StepView& view) { feed_.publish(maker_.make(view, poses_, truth_.bytes_heard())); }

void SnapshotSink::on_step(const StepView& view) {
    StepRow row = truth_.row();
    if (poses_.empty())
        for (const Robot& robot : view.team) poses_.push_back(robot.belief().briefing().start);
    std::vector<Pose> after = row.poses;
    for (const LogEvent& e : events_.find(view, row.metrics, truth_.components()))
        feed_.add_event({e.step, std::string(e.kind), e.robot, e.json});
    feed_.add_row(std::move(row));
    maker_.note_history(view, true);
    feed_.update([&](Progress& p) { p.last = view.step; });
    if (feed_.wanted() || gate_.would_pause(view.step)) publish(view);
    for (;;) {
        // A step that was not drawn is published when the run is going to pause after it.
        const Gate::Turn turn = gate_.wait(view.step);
        if (turn == Gate::Turn::closed) return;
        if (turn == Gate::Turn::go) break;
        publish(view);
    }
    poses_ = std::move(after);
    if (before_step) before_step(view.step + 1);
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
