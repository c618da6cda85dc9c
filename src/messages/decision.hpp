// All that a robot does in a step.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/decision.hpp"
#include "outrider/intent.hpp"

namespace outrider {

/// Where to drive: a poly-line in the body frame at the time of the percept, beginning at the body. The simulator walks
/// it up to speed * step_s and stops before walls; a live robot turns it into velocities.
struct Command {
    std::vector<Point> path_body;         ///< way points after the body's own position; empty: stay
    std::optional<double> final_heading;  ///< relative to the present heading; none: keep that of the last leg
    double speed_mps = 0;
    double valid_s = 1;  ///< a live robot stops when no newer command came for so long
    bool operator==(const Command&) const = default;
};

/// The pose estimate of a robot that matches scans: for replaying a log without matching again. Recorded, never hashed.
struct PoseEstimate {
    Pose pose;                               ///< at the end of the percept, in the robot's map frame
    std::array<double, 9> covariance{};      ///< of x, y, yaw
    std::vector<std::optional<Pose>> scans;  ///< of the body at each scan of the percept; none: not drawn
    /// Where the body was at all scans drawn in earlier steps, in their order, when this estimate moved them (a loop
    /// was closed): the map is drawn anew. Empty: as before.
    std::vector<Pose> moved = {};
    bool lost = false;  ///< scan after scan did not fit where it should be: the pose is a guess
    bool operator==(const PoseEstimate&) const = default;
};

struct Decision {
    Command command;
    std::vector<std::shared_ptr<const Message>> outbox;
    bool done = false;  ///< nothing is left to do, as far as this robot knows
    std::vector<Overlay> overlays;
    std::vector<StrategyEvent> strategy_events;
    std::optional<PoseEstimate> pose_estimate;  ///< none: odometry is believed
};

}  // namespace outrider
