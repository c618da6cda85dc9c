// A run that Foxglove watches as it goes.
#pragma once

#include <atomic>
#include <chrono>

#include "live/foxglove_server.hpp"
#include "log/events.hpp"
#include "log/viewers/run_messages.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// Sends what a run shows to viewers, and holds the run to a speed. It changes nothing of the run.
class FoxgloveObserver final : public Observer {
  public:
    /// Simulation and server outlive this. `speed`: times simulated time; 0: as fast as viewers read.
    FoxgloveObserver(const Simulation& sim, FoxgloveServer& server, double speed);

    /// Waits until somebody looks on; false: interrupted before.
    bool wait_for_viewer(const std::atomic<bool>& interrupted);
    void on_step(const StepView& view) override;
    /// After the last step: sends the last maps.
    void finish();

  private:
    using Clock = std::chrono::steady_clock;

    const Simulation& sim_;
    FoxgloveServer& server_;
    double speed_;
    RunMessages messages_;
    EventFinder events_;
    Clock::time_point next_;  // the earliest time of the next step
};

}  // namespace outrider
