// Records a run in progress for its page.
#pragma once

#include <optional>
#include <string>

#include "log/events.hpp"
#include "player/recorder.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// Of a run that shows its reasons (SimulationOptions::overlays).
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

/// What a page says of a finished run. `again`: the command that makes it again.
PlayerCaption page_caption(const Simulation& sim, EndReason reason, std::string again);
/// A metric as a page shows it; none: never reached.
std::pair<std::string, std::string> metric_row(std::string_view name, std::optional<double> value);

}  // namespace outrider
