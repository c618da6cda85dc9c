// Parts that the commands about a log share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "log/log_reader.hpp"
#include "log/log_writer.hpp"
#include "simulation/rerun.hpp"

namespace outrider {

/// A log and what it states of its run.
struct Logged {
    LogReader log;
    LogSteps steps;
    Scenario scenario;
    std::vector<OperatorOrder> orders;  ///< given by an operator during the run
    Provenance decided_by;              ///< empty in logs of earlier versions

    /// Notes what is damaged or missing at the end. Throws Error.
    explicit Logged(const std::string& file);
    bool finished() const { return log.meta().contains("end_reason"); }
    bool full() const { return log.level() == LogLevel::full; }
    /// Throws Error when the decisions are those of an open loop: running the log again would give another run.
    void expect_closed_loop() const;
    int length() const { return steps.steps.empty() ? 0 : steps.steps.back() + 1; }
    /// In the frame of the map: metres from its lower left corner.
    Point on_map(Point team) const;
    /// By name or number. Throws Error.
    RobotId robot(const std::string& name) const;
    /// The walls in the team's frame.
    Grid<std::uint8_t> walls() const;
};

/// How far a log is that is run again, on the terminal.
class StepCount final : public Observer {
  public:
    explicit StepCount(int steps) : steps_(steps), work_(terminal_text("running the log again")) {}
    void on_step(const StepView& view) override {
        work_.at(static_cast<std::size_t>(view.step + 1), static_cast<std::size_t>(steps_), "steps");
    }

  private:
    int steps_;
    Work work_;
};

/// The log named by an argument. Throws an Error that shows the command's usage when there is none.
const std::string& expect_log(const std::optional<std::string>& file, const char* command);
/// The level of a log by one of log_level_names.
LogLevel log_level(std::string_view name);
/// Says whether the run was the same; the exit code.
int report(const HashCheck& check, const Logged& logged);

}  // namespace outrider
