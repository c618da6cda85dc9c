// A run that Foxglove watches as it goes.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "live/foxglove_server.hpp"
#include "log/events.hpp"
#include "log/viewers/run_messages.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

struct FoxgloveOptions {
    std::string address = "127.0.0.1";  ///< to listen at
    int port = 8765;                    ///< 0: any that is free
    double speed = 10;                  ///< times simulated time; 0: as fast as possible
};

/// Sends what a run shows to viewers, and holds the run to a speed. It changes nothing of the run.
class FoxgloveObserver final : public Observer {
  public:
    /// The simulation outlives this. Throws Error when the address or port cannot be used.
    FoxgloveObserver(const Simulation& sim, const FoxgloveOptions& options);

    /// "ws://127.0.0.1:8765"
    std::string url() const;
    /// Waits until somebody looks on; false: interrupted before.
    bool wait_for_viewer(const std::atomic<bool>& interrupted);
    void on_step(const StepView& view) override;
    /// After the last step: sends the last maps.
    void finish();
    std::vector<std::string> take_complaints() { return server_.take_complaints(); }

  private:
    using Clock = std::chrono::steady_clock;

    const Simulation& sim_;
    FoxgloveOptions options_;
    FoxgloveServer server_;
    RunMessages messages_;
    EventFinder events_;
    Clock::time_point next_;  // the earliest time of the next step
};

}  // namespace outrider
