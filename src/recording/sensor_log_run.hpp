// The recording of a real robot as the log of a run: what the robot measured, where matching scans finds it to have
// been, the map that it draws, and what a strategy would want at every scan. Whatever shows a log then shows a
// recording.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/output.hpp"
#include "log/log_writer.hpp"
#include "outrider/detail/settings.hpp"
#include "run/run.hpp"
#include "sensor_log/sensor_log_driver.hpp"

namespace outrider {

inline constexpr double recorded_cell_m = 0.1;

/// Who decides at every scan, and how the robot is localised.
struct RecordedOptions {
    std::string strategy = "stay";
    std::uint64_t seed = 1;
    std::vector<Setting> slam{};  ///< "slam.method" and the like, over scan_match
};
/// Those of the robot, by these options. Throws Error.
RobotOptions robot_options(const RecordedOptions& options);

/// A recording that a robot goes through, step by step, and the log of it.
class SensorLogRun {
  public:
    /// `log_path`: a database that is new; empty: there is no log. The log's world is an empty rectangle about all that
    /// the robot comes to know, which takes a first pass to find out. `recording` outlives this. Throws Error.
    SensorLogRun(const SensorLog& recording, const RecordedOptions& options, const std::string& log_path,
                 const std::atomic<bool>& interrupted);
    ~SensorLogRun();
    SensorLogRun(const SensorLogRun&) = delete;
    SensorLogRun& operator=(const SensorLogRun&) = delete;

    /// One scan; false after the last.
    bool step();
    /// Finishes the log.
    void finish();
    const Run& progress() const;
    const Robot& robot() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// A file that can be read as a log: the file itself if it is one, or a temporary log of a recording, which is removed
/// with this object. `notes` get what was doubtful in the recording. Throws Error, also when it is interrupted.
class WatchableLog {
  public:
    WatchableLog(const std::string& file, std::vector<std::string>& notes, const std::atomic<bool>& interrupted);
    ~WatchableLog();
    WatchableLog(const WatchableLog&) = delete;
    WatchableLog& operator=(const WatchableLog&) = delete;
    const std::string& path() const { return temporary_ ? temporary_->path() : file_; }
    bool is_recording() const { return temporary_.has_value(); }

  private:
    std::string file_;
    std::optional<TakenName> temporary_;
};

}  // namespace outrider
