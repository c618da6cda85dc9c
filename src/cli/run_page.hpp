// The run of a log as a page for the browser: read from a full log, run again from any other.
#pragma once

#include <string>

#include "cli/batch/reference_flags.hpp"
#include "cli/logged.hpp"
#include "player/page.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// The run of a log.
class LoggedPage {
  public:
    /// Reads the log. `command`: what shows the run again, if no rerun does. Throws Error.
    explicit LoggedPage(const std::string& file, const std::string& command = "");
    /// Records the run; the exit code, 130 when it was interrupted: then it ends there.
    int record();
    /// Times beside those of a plan that knows the map, where they are asked for. Throws as kept_plan().
    void add_reference(const ReferenceFlags& flags);
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

}  // namespace outrider
