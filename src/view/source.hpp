// Source of the window's snapshots: a live run, or the log of one. It depends on neither drivers nor worlds.
#pragma once

#include <memory>

#include "live/relay.hpp"
#include "log/log_writer.hpp"
#include "scenario/scenario.hpp"
#include "view/step_control.hpp"
#include "view/telemetry.hpp"

namespace outrider::view {

/// What stays the same in a run.
struct RunInfo {
    bool live = true;
    bool seekable = true;  ///< it pauses, goes back and on as the user wants
    bool measured = true;  ///< it is known how much there is to explore
    Scenario scenario;
    Grid<std::uint8_t> walls;  ///< in the team's frame
    Point map_offset;          ///< map = team + offset: metres from the lower left corner of the map
    std::vector<std::uint8_t> is_base;
    std::string file;   ///< of the scenario or log
    std::string level;  ///< of the log
    std::vector<std::string> notes;
    std::string again;  ///< the command that makes this run again

    std::size_t robots() const { return scenario.robots.size(); }
    const std::string& name(RobotId robot) const { return scenario.robots[static_cast<std::size_t>(robot)].name; }
    Point on_map(Point team) const { return team + map_offset; }
};
RunInfo run_info(Scenario scenario, bool live);

class Source {
  public:
    virtual ~Source() = default;
    const RunInfo& info() const { return info_; }
    Telemetry& telemetry() { return telemetry_; }
    StepControl& control() { return control_; }

    /// Goes to a step and pauses there. A live run continues up to it, or starts again when it is already past it.
    virtual void seek(int step) = 0;
    /// Continues after the last known step, if a log grew.
    virtual void look_again() {}
    virtual bool can_command() const { return false; }
    /// Sends a robot a command; the robot receives it in the next step.
    virtual void command(RobotId, OperatorCommand) {}
    /// Sends a robot the same command in each step from now on; nothing: stops that. One robot at a time.
    virtual void hold(RobotId, std::optional<OperatorCommand>) {}
    /// Makes the present snapshot again, after the wants changed.
    virtual void refresh() { control_.poke(); }
    /// Ends the run and waits for it. A log that is written is finished.
    virtual void stop() = 0;

  protected:
    RunInfo info_;
    Telemetry telemetry_;
    StepControl control_;
};

struct LiveOptions {
    int threads = 0;
    std::string log_path;
    LogLevel log_level = LogLevel::full;
    std::string again;  ///< the command that opens the same run
};
/// Runs a scenario in a thread of its own; paused before the second step.
std::unique_ptr<Source> make_live(Scenario scenario, const LiveOptions& options, std::vector<std::string> notes);
/// Looks over its relay at what the first base station of a live team knows; the scenario is the one that all
/// processes of the team read. Throws Error.
std::unique_ptr<Source> make_connected(Scenario scenario, const RelayAccess& relay, std::vector<std::string> notes);
/// Reads a log. One below the level full is run again first, and compared. Throws Error.
std::unique_ptr<Source> make_replay(const std::string& log);

}  // namespace outrider::view
