// What passed between the world and the robots in a chunk of steps, as bytes (docs/log.md). One description serves for
// writing and reading.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "log/robot_step.hpp"
#include "log/step_columns.hpp"

namespace outrider {

struct Scenario;

/// Follows one robot from step to step: its last step, and its pose by odometry.
struct StepTrack {
    RobotStep last;
    Pose reckoned;
    std::vector<ScanCodec> sensors;
    std::vector<double> unit_cells;  ///< of each sensor, the unit of its ranges in cells
    std::vector<std::size_t> beams;  ///< of each sensor
};

inline std::vector<Pose> poses_of(const std::vector<StepTrack>& tracks) {
    std::vector<Pose> out;
    for (const StepTrack& track : tracks) out.push_back(track.reckoned);
    return out;
}

/// Optional content of the columns.
struct StepLayout {
    bool open_loop = false;       ///< decisions have no effect: also what was sent in the original run
    bool pose_estimate = false;   ///< robots match scans: their pose estimates
    bool past_moves = false;      ///< and where scans of earlier steps were taken, when that changes
    bool second_channel = false;  ///< what came over it
    bool ground = false;          ///< the ground differs: the slow cells that came in sight
    bool steps = false;           ///< and those at which sweeps found a step
    bool lost = true;             ///< and whether they were lost; logs before log_version_lost do not say it
    bool live = false;            ///< robots are not simulated: messages of others as they came off the air
    std::size_t robots = 0;       ///< of the team; set by those who read and write
    /// On reading: a robot farther from the origin than so many cells, or a range of twice as many, is refused. A
    /// foreign log could make maps larger than any memory.
    double most_cells = most_cells_away;

    /// What logs of the scenario hold now; the caller says whether they are of an open loop, or live.
    static StepLayout of(const Scenario& scenario);
    /// Of logs of the full level that are written so.
    int version() const;
};

class StepWriter {
  public:
    StepWriter(const std::vector<Briefing>& briefings, const StepLayout& layout);
    StepWriter(const StepWriter&) = delete;
    StepWriter& operator=(const StepWriter&) = delete;
    /// Begins a chunk that can be read by itself; the robots stand at these poses, as far as they know.
    void begin(std::span<const Pose> poses);
    /// One entry per robot, alive or not. `sent_then`: with an open loop, RobotStep::sent_then of each.
    void add(std::span<const Percept> percepts, std::span<const Decision> decisions,
             std::span<const std::vector<std::uint64_t>> bytes,
             std::span<const std::optional<Transmission>> sent_then = {});
    /// The same of live robots: what came off the air for each.
    void add(std::span<const Percept> percepts, std::span<const Decision> decisions,
             std::span<const std::vector<std::string>> frames);
    /// What was added since begin(); begin() comes next.
    StepColumns take_columns() { return std::exchange(columns_, {}); }
    /// Where the robots are by the estimates and the odometry of the steps added.
    std::vector<Pose> reckoned() const { return poses_of(tracks_); }

  private:
    void code();

    StepColumns columns_;
    ColumnWriter out_{columns_};
    std::vector<StepTrack> tracks_;
    std::vector<RobotStep> now_;
    Lattice lattice_;
    StepLayout layout_;
};

class StepReader {
  public:
    /// A chunk whose first step is `first`.
    StepReader(const std::vector<Briefing>& briefings, StepColumns columns, std::span<const Pose> poses, int first,
               const StepLayout& layout);
    StepReader(const StepReader&) = delete;
    StepReader& operator=(const StepReader&) = delete;
    /// The next step, by robot. Throws Error when the chunk is damaged.
    const std::vector<RobotStep>& next();
    std::vector<Pose> reckoned() const { return poses_of(tracks_); }

  private:
    StepColumns columns_;
    ColumnReader in_;
    std::vector<StepTrack> tracks_;
    std::vector<RobotStep> now_;
    int step_;
    Lattice lattice_;
    StepLayout layout_;
};

}  // namespace outrider
