// Writes the log of a run while it goes on. What is committed can be read even if the program is killed.
#pragma once

#include <array>
#include <string_view>

#include "base/sqlite.hpp"
#include "run/log_format.hpp"
#include "run/metrics.hpp"
#include "run/scenario.hpp"

namespace outrider {

enum class LogLevel { none, metrics, poses };
inline constexpr std::array<std::string_view, 3> log_level_names{"none", "metrics", "poses"};

class LogWriter final : public Observer {
  public:
    /// Creates the file and commits its header. `metrics` is updated before this observer. Throws Error.
    LogWriter(const std::string& path, LogLevel level, const Scenario& scenario, const std::vector<Briefing>& briefings,
              const SimDriver& driver, const Metrics& metrics);
    /// Adds the step; commits step 0 at once, then a chunk at a time. Throws RunFailure when the disk is full.
    void on_step(const StepView& view) override;
    /// Writes what is left, the summary and the timing, and leaves one closed file.
    void finish(EndReason reason, const Run& run, const std::vector<SummaryValue>& summary);
    const std::string& path() const { return db_.path(); }

  private:
    void write_header(const Scenario& scenario, const std::vector<Briefing>& briefings);
    void note_events(const StepView& view);
    void write_chunk();

    Database db_;
    LogLevel level_;
    const SimDriver& driver_;
    const Metrics& metrics_;
    int first_ = 0, next_ = 0;  // steps of the chunk in the making
    std::vector<Hash128> hashes_;
    std::vector<std::uint32_t> robot_hashes_;  // by step, then robot: enough to tell which one diverged
    std::vector<Pose> poses_;                  // by step, then robot
    struct Event {
        int step;
        std::string_view kind;
        RobotId robot;
        std::string json;
    };
    std::vector<Event> events_;
    std::vector<std::uint8_t> alive_, connected_;
    std::size_t milestones_team_ = 0, milestones_base_ = 0;
};

}  // namespace outrider
