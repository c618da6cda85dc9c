#include "live/foxglove_observer.hpp"

namespace outrider {

FoxgloveObserver::FoxgloveObserver(const Simulation& sim, FoxgloveServer& server, double speed)
    : sim_(sim),
      server_(server),
      speed_(speed),
      messages_(sim.scenario(), server),
      events_(sim.scenario().robots.size()) {}

bool FoxgloveObserver::wait_for_viewer(const std::atomic<bool>& interrupted) {
    while (server_.viewers() == 0 && !interrupted) server_.serve(std::chrono::milliseconds(50));
    next_ = Clock::now();
    return !interrupted;
}

void FoxgloveObserver::on_step(const StepView& view) {
    const SimDriver& driver = sim_.driver();
    for (LogEvent& e : events_.find(view, sim_.metrics().steps().back(), driver.traffic().component, &driver))
        messages_.add_event(
            {e.step, std::string(e.kind), Index<Robot>::of(e.robot, view.team.size()), std::move(e.json)});
    messages_.add(view, driver.world().poses());
    server_.wait_for_readers();
    if (speed_ <= 0) return;
    next_ +=
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(sim_.scenario().run.step_s / speed_));
    for (auto now = Clock::now(); now < next_; now = Clock::now())
        server_.serve(std::chrono::ceil<std::chrono::milliseconds>(next_ - now));
}

void FoxgloveObserver::finish() { messages_.finish(sim_.team()); }

}  // namespace outrider
