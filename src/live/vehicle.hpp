// The body of one robot that is not simulated here, behind some protocol: what LiveDriver stands on.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/percept.hpp"

namespace outrider {

/// Of a body: x ahead, turning counter-clockwise.
struct Velocity {
    double forward_mps = 0, turn_radps = 0;
    bool operator==(const Velocity&) const = default;
};

/// What the sensors of a body said, in the order in which it arrived. Times are those of the sensors, in seconds.
struct Readings {
    struct Odometry {
        double time_s = 0;
        Pose pose;  ///< of the body in a frame of the odometry's own: x ahead at its origin, y left, yaw
                    ///< counter-clockwise
    };
    struct Sweep {
        int sensor = 0;  ///< index into Briefing::sensors
        double time_s = 0;
        std::vector<std::uint16_t> ranges;  ///< of the sensor's beams, as in Scan
    };
    /// Somebody in view: a victim or a team-mate.
    struct Find {
        Sighting::Kind kind = Sighting::Kind::victim;
        std::int32_t id = -1;  ///< as in Sighting
        double time_s = 0;
        bool in_odometry = false;  ///< the pose is in the frame of the odometry; otherwise in that of the body then
        Pose pose;
        std::size_t source = 0;  ///< which sensor said so: its newest message counts
    };
    std::vector<Odometry> odometry;
    std::vector<Sweep> sweeps;
    std::vector<Find> finds;
    std::optional<double> time_s;   ///< the newest time that the robot's clock said
    std::optional<double> battery;  ///< share left
    bool bumped = false;
};

/// One robot. Everything but drive() is called by one thread.
class Vehicle {
  public:
    virtual ~Vehicle() = default;
    /// Appends what arrived since the last call; waits for something up to `wait`. Connects again by itself.
    virtual void take(std::chrono::milliseconds wait, Readings& readings) = 0;
    /// From any thread. Nothing happens while the link is down.
    virtual void drive(const Velocity& velocity) = 0;
    /// Shows people what the robot knows and wants (map, path, goal), where the protocol has words for that.
    virtual void show(const Belief&, std::span<const Point> /*path, in the map's frame*/) {}
    /// Whether the link stands.
    virtual bool connected() const = 0;
    /// What went wrong since the last call, for people: "the link broke: ...", "a scan of 40 beams, expected 181".
    virtual std::vector<std::string> take_complaints() = 0;
};

}  // namespace outrider
