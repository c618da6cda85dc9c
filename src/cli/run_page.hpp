// A run as a page for the browser: recorded while it runs, read from a full log, or run again from any other.
#pragma once

#include <string>

#include "cli/logged.hpp"
#include "player/page.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// Records a run in progress, which then shows its reasons (SimulationOptions::overlays).
class PageObserver final : public Observer {
  public:
    /// `find_events`: whether the events are found here; otherwise they come from a log.
    PageObserver(const Simulation& sim, PlayerRecorder& recorder, bool find_events);
    void on_step(const StepView& view) override;

  private:
    const Simulation& sim_;
    PlayerRecorder& recorder_;
    std::optional<EventFinder> events_;
};

/// The run of a log.
class LoggedPage {
  public:
    /// Reads the log. Throws Error.
    explicit LoggedPage(const std::string& file);
    /// Records the run; the exit code, 130 when it was interrupted: then it ends there.
    int record();
    /// After record().
    PlayedRun played() const { return {recorder_, caption_}; }

  private:
    int read();
    int run_again();

    Logged logged_;
    Grid<std::uint8_t> walls_;
    PlayerRecorder recorder_;
    PlayerCaption caption_;
};

/// What a page says of a finished run. `again`: the command that makes it again.
PlayerCaption page_caption(const Simulation& sim, EndReason reason, std::string again);

}  // namespace outrider
