// All that a robot learns in a step.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "outrider/team.hpp"

namespace outrider {

/// One sweep of a range finder. Ranges are in units of the sensor's range_unit_m; what the sensor sends is what the log
/// stores.
struct Scan {
    static constexpr std::uint16_t no_information = 0;  ///< drop-out, smoke
    static constexpr std::uint16_t nothing = 0xffff;    ///< free up to max_range_m

    int sensor = 0;  ///< index into Briefing::sensors
    std::vector<std::uint16_t> ranges;
    Pose now_from_then;  ///< pose of the body when this was taken, seen from its present one; identity: not moved
    double age_s = 0;    ///< how long ago
    bool operator==(const Scan&) const = default;
};

/// A measured range in metres; beams that hit nothing are as long as the sensor reaches. Not for Scan::no_information.
inline double beam_length_m(const SensorSpec& sensor, std::uint16_t range) {
    return range == Scan::nothing ? sensor.max_range_m : range * sensor.range_unit_m;
}

/// Odometry since the last percept: last_from_now in the frame of the body, with its covariance (x, y, yaw).
struct Motion {
    Pose delta;
    std::array<double, 9> covariance{};
    bool operator==(const Motion&) const = default;
};

struct LinkReport {
    RobotId robot = 0;
    double signal_dbm = 0;
    bool operator==(const LinkReport&) const = default;
};

/// A team-mate or a victim in view, relative to the body.
struct Sighting {
    enum class Kind : std::uint8_t { team_mate, victim, victim_status } kind = Kind::team_mate;
    std::int32_t id = 0;  ///< its number, -1: not recognised; or the status of the victim
    Pose body_from_other;
    bool operator==(const Sighting&) const = default;
};

/// An order of an operator (docs/operator.md); what a robot was ordered takes precedence over its strategy.
struct OperatorCommand {
    std::string behaviour;
    std::vector<Point> waypoints;  ///< in the frame of who perceives the order
    double forward = 0, turn = 0;  ///< tele-operation: metres per second, radians per second
    RobotId to = -1;               ///< to whom a base station passes it on; -1: it is for who perceives it
    bool operator==(const OperatorCommand&) const = default;
};

/// An empty list: no such sensor, or nothing to report.
struct Percept {
    int step = 0;
    bool alive = true;  ///< false: this robot is out of service for good; its core is not called
    Motion motion;
    std::vector<Scan> scans;
    std::vector<LinkReport> links;  ///< direct neighbours by number
    std::vector<Sighting> sightings;
    std::vector<Point> rough, steps;          ///< middles of cells in sight, from the body: slow ground, too high steps
    bool bumped = false;                      ///< the last command ended at a wall
    double battery = 1, pitch = 0, roll = 0;  ///< share left; radians, above zero: nose down, left side up
    std::vector<Received> inbox;              ///< by sender
    std::vector<const JoinedMessages*> joined;  ///< many of its messages as one, and perhaps what this robot said
    std::vector<TeamRecord> received_far;  ///< over the second channel: senders of themselves, with words that fitted
    std::vector<OperatorCommand> commands;
};

}  // namespace outrider
