// What crossed the waist in a chunk of steps, as bytes (docs/log.md). One description serves for writing and reading.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "log/message_columns.hpp"
#include "log/robot_step.hpp"

namespace outrider {

/// Follows one robot from step to step: what it did last, and where odometry puts it.
struct WaistTrack {
    RobotStep last;
    Pose reckoned;
    std::vector<ScanCodec> sensors;
};

/// What the columns hold beside what they always do.
struct WaistLayout {
    bool open_loop = false;  ///< decisions lead nowhere: what was said then, too
    bool localised = false;  ///< robots match scans: where they found themselves to be
};

class WaistWriter {
  public:
    WaistWriter(const std::vector<Briefing>& briefings, const WaistLayout& layout);
    WaistWriter(const WaistWriter&) = delete;
    WaistWriter& operator=(const WaistWriter&) = delete;
    /// Begins a chunk that can be read by itself; the robots stand at these poses, as far as they know.
    void begin(std::span<const Pose> poses);
    /// One entry per robot, alive or not. `said_then`: with an open loop, RobotStep::said_then of each.
    void add(std::span<const Percept> percepts, std::span<const Decision> decisions,
             std::span<const std::vector<std::uint64_t>> bytes, std::span<const std::optional<Said>> said_then = {});
    /// What was added since begin(); begin() comes next.
    WaistColumns take_columns() { return std::exchange(columns_, {}); }

  private:
    WaistColumns columns_;
    ColumnWriter out_{columns_};
    std::vector<WaistTrack> tracks_;
    std::vector<RobotStep> now_;
    Lattice lattice_;
    WaistLayout layout_;
};

class WaistReader {
  public:
    /// A chunk whose first step is `first`.
    WaistReader(const std::vector<Briefing>& briefings, WaistColumns columns, std::span<const Pose> poses, int first,
                const WaistLayout& layout);
    WaistReader(const WaistReader&) = delete;
    WaistReader& operator=(const WaistReader&) = delete;
    /// The next step, by robot. Throws Error when the chunk is damaged.
    const std::vector<RobotStep>& next();

  private:
    WaistColumns columns_;
    ColumnReader in_;
    std::vector<WaistTrack> tracks_;
    std::vector<RobotStep> now_;
    int step_;
    Lattice lattice_;
    WaistLayout layout_;
};

}  // namespace outrider
