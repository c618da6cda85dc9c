#include "live/foxglove_observer.hpp"

namespace outrider {

FoxgloveObserver::FoxgloveObserver(const Simulation& sim, const FoxgloveOptions& options)
    : sim_(sim),
      options_(options),
      server_(options.address, options.port, "Outrider: " + sim.scenario().name),
      messages_(sim.scenario(), server_),
      events_(sim.scenario().robots.size()) {}

std::string FoxgloveObserver::url() const { return fmt::format("ws://{}:{}", options_.address, server_.port()); }

bool FoxgloveObserver::wait_for_viewer(const std::atomic<bool>& interrupted) {
    while (server_.viewers() == 0 && !interrupted) server_.serve(std::chrono::milliseconds(50));
    next_ = Clock::now();
    return !interrupted;
}

void FoxgloveObserver::on_step(const StepView& view) {
    const SimDriver& driver = sim_.driver();
    for (LogEvent& e : events_.find(view, sim_.metrics().steps().back(), driver.traffic().component, &driver))
        messages_.add_event({e.step, std::string(e.kind), e.robot, std::move(e.json)});
    std::vector<Pose> poses;
    for (const Body& body : driver.world().bodies()) poses.push_back(body.pose);
    messages_.add(view, poses);
    server_.wait_for_readers();
    if (options_.speed <= 0) return;
    next_ += std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(sim_.scenario().run.step_s / options_.speed));
    for (auto now = Clock::now(); now < next_; now = Clock::now())
        server_.serve(std::chrono::ceil<std::chrono::milliseconds>(next_ - now));
}

void FoxgloveObserver::finish() { messages_.finish(sim_.team()); }

}  // namespace outrider
