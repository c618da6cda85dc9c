// A simulated world behind a protocol of robots: controllers of others perceive through it what our robots perceive,
// and drive them.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "live/vehicle.hpp"
#include "outrider/percept.hpp"
#include "radio/links.hpp"

namespace outrider {

/// What a protocol can say of the world in a step.
struct ServedStep {
    int step = 0;
    double time_s = 0;                  ///< step * step_s
    std::span<const Percept> percepts;  ///< by robot
    std::span<const Pose>
        odometry;                 ///< by robot: as measured so far, in a frame that begins with its start at (0, 0, 0)
    std::span<const Pose> poses;  ///< by robot: the true ones, in the team's frame
    std::span<const Link> links;  ///< who hears whom
    std::span<const Velocity> velocities;  ///< by robot: of the last step
    /// By robot: what its core here knew at the end of the last step; empty: nothing is shown of that. They outlive the
    /// gateway's last call of serve().
    std::span<const Belief* const> beliefs = {};
};

/// What somebody said who drives a robot.
struct Controller {
    bool there = false;                ///< somebody drives it at present
    bool listened = false;             ///< somebody listens to its scans
    std::optional<Velocity> velocity;  ///< the newest command since it was taken last
};

/// Belongs to one thread; clients are served while it calls serve().
class Gateway {
  public:
    virtual ~Gateway() = default;
    /// Where it listens, for people: "ws://127.0.0.1:9090 (rosbridge)".
    virtual std::string place() const = 0;
    /// Tells all clients what their robots perceive; what says the time comes last.
    virtual void publish(const ServedStep& step) = 0;
    /// Takes in what clients say, and waits for that up to `wait`.
    virtual void serve(std::chrono::milliseconds wait) = 0;
    /// By robot. The caller takes commands out.
    virtual std::span<Controller> controllers() = 0;
    /// Tells those who listen to a robot's scans how to drive it.
    virtual void remind(RobotId) {}
    /// What clients did wrong since the last call, and who came and left, with the step's words for a log.
    virtual std::vector<std::string> take_complaints() = 0;
};

}  // namespace outrider
