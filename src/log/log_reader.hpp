// Reads the log of a run. (docs/log.md)
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/foreign/index.hpp"
#include "base/sqlite.hpp"
#include "log/log_level.hpp"
#include "messages/order_words.hpp"
#include "metrics/step_metrics.hpp"
#include "outrider/detail/hash.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/geometry.hpp"
#include "run/run_event.hpp"

namespace outrider {

class Robot;
struct Provenance;
struct Scenario;

/// The steps of a log that could be read. What its level holds is there for each of them and for each robot.
struct LogSteps {
    std::vector<int> steps;  ///< their numbers; the other lists go with it
    std::vector<Hash128> hashes;
    std::vector<std::vector<std::uint32_t>> robot_hashes;  ///< by step, then robot
    std::vector<StepMetrics> metrics;                      ///< no shares when the sensable area is not in the log
    std::vector<std::vector<Pose>> poses;                  ///< by step, then robot; empty below the level poses
    std::vector<std::vector<std::vector<Point>>> paths;    ///< corners before each pose; only at the full level
    std::vector<std::string> damaged;                      ///< chunks that could not be read: "steps 64-127: ..."
};

class LogReader {
  public:
    /// Throws Error when the file is missing, no log of this program, or of a newer version.
    explicit LogReader(const std::string& path);

    const std::map<std::string, std::string>& meta() const {
        return meta_;
    }  ///< without map, briefings, script, layers
    /// A number of the metadata; none: not in the log. Throws Error when it is damaged or not in low..high.
    std::optional<double> number(const std::string& key, double low = 0, double high = 1e15) const;
    const std::string& path() const { return db_.path(); }
    int layout_version() const { return layout_version_; }  ///< log_format.hpp
    LogLevel level() const { return level_; }
    std::size_t robots() const { return robots_; }
    LogSteps steps();
    /// The scenario with its map, as it was run. Throws Error when this program reads another one from it.
    /// `over`: settings laid over it, as --set does.
    Scenario scenario(const std::vector<Setting>& over = {});
    /// What decided in the run; empty in logs of earlier versions.
    Provenance provenance();
    using Event = RunEvent;
    /// Throws Error where one names a step or a robot that cannot be; so do the next two.
    std::vector<Event> events();
    /// The commands that an operator sent to the robots; a rerun sends them again.
    std::vector<OperatorOrder> orders();
    struct SummaryRow {
        std::string name;
        std::optional<Index<Robot>> robot;  ///< none: the team
        std::optional<double> value;
    };
    /// What was measured of the whole run, in the order in which it was written.
    std::vector<SummaryRow> summary();
    /// Canonical hash of all tables but timing: the same run gives the same digest on any machine with any thread
    /// count. Throws Error when a part of the log is damaged.
    Hash128 digest();
    /// The damaged parts of the percepts and messages in a full log: which steps, and how.
    std::vector<std::string> damaged_parts();
    /// An entry of the table meta that is packed (see packed_keys), unpacked; none when it is missing. Throws Error
    /// when it is damaged.
    std::optional<std::string> unpacked(const std::string& key);
    Database& database() { return db_; }

  private:
    std::optional<Index<Robot>> robot_of(const Statement& row, int column, std::string_view table) const;
    int step_of(const Statement& row, int column) const;

    Database db_;
    std::map<std::string, std::string> meta_;
    int layout_version_ = 0;
    LogLevel level_ = LogLevel::none;
    std::size_t robots_ = 0;
};

}  // namespace outrider
