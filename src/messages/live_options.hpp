// How a robot that is not simulated here is reached: the table [live] of a scenario.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "outrider/options.hpp"

namespace outrider {

/// Who says when a step begins.
enum class TickClock { own, robot };
inline constexpr std::array<std::string_view, 2> tick_clock_names{"own", "robot"};
/// What a scanner means by a beam without a number.
enum class NullRange { nothing, no_information };
inline constexpr std::array<std::string_view, 2> null_range_names{"nothing", "no_information"};

/// In topics, {} stands for the robot's name.
struct LiveSection {
    TickClock clock = TickClock::own;
    double valid_s = 1;
    double turn_deg_s = 90;
    std::string scan = "/{}/scan", odom = "/{}/odom", command = "/{}/cmd_vel";
    std::string map = "/{}/belief", path = "/{}/path", markers = "/{}/markers";
    std::string sonar, battery, victims, mates;
    std::string time = "/clock";
    NullRange null_range = NullRange::nothing;
    std::string usar_class = "USARBot.P3AT", usar_scanner = "Scanner1";
    double wheel_radius_m = 0.1275, wheel_track_m = 0.41;
    bool usar_truth = false;

    void fields(Fields& f) {
        f("clock", clock, tick_clock_names,
          "a step begins by this machine's clock, or when the robot's own says that the next one has come (lock-step)");
        f("valid_s", valid_s, 0.01, 3600, "a robot stops when no newer command came for so long");
        f("turn_deg_s", turn_deg_s, 1, 3600, "fastest turn that is commanded");
        f("scan", scan, "topic of the scans (sensor_msgs/LaserScan); {} is the robot's name");
        f("odom", odom, "topic of the odometry (nav_msgs/Odometry)");
        f("sonar", sonar,
          "topics of echo sounders (sensor_msgs/Range): {beam} is the number of the beam, from 1 on, over all sensors "
          "with cone_deg; empty: these are read as scans");
        f("battery", battery, "topic of the battery (sensor_msgs/BatteryState); empty: nothing is known of it");
        f("victims", victims,
          "topic of people found (geometry_msgs/PoseArray, in the frame of the body or of the odometry): robots report "
          "them; empty: none");
        f("mates", mates,
          "topic of team-mates in sight (geometry_msgs/PoseArray), or with {mate} in it one for each by name "
          "(geometry_msgs/PoseStamped): they are no walls; empty: none");
        f("command", command, "topic of the velocities that are sent (geometry_msgs/Twist)");
        f("map", map, "topic on which the robot's map is shown (nav_msgs/OccupancyGrid); empty: none");
        f("path", path, "topic on which its path is shown (nav_msgs/Path); empty: none");
        f("markers", markers,
          "topic on which goal and frontiers are shown (visualization_msgs/MarkerArray); empty: none");
        f("time", time, "topic of the time (rosgraph_msgs/Clock) for clock = \"robot\"");
        f("null_range", null_range, null_range_names, "what a beam without a number says");
        f("usar_class", usar_class, "USARSim: class of the robot");
        f("usar_scanner", usar_scanner, "USARSim: name of the range scanner");
        f("wheel_radius_m", wheel_radius_m, 0.001, 10, "USARSim: radius of the wheels");
        f("wheel_track_m", wheel_track_m, 0.001, 10, "USARSim: distance of the wheels, left to right");
        f("usar_truth", usar_truth, "USARSim: controllers of others get true poses (GroundTruth)");
    }
};

}  // namespace outrider
