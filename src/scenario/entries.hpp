// What a scenario lists of its robots, with their bodies and sensors.
#pragma once

#include <array>
#include <climits>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/feature_options.hpp"
#include "outrider/briefing.hpp"
#include "outrider/options.hpp"
#include "simulator/noise.hpp"

namespace outrider {

struct BodyOptions {
    double radius_m = 0;
    double speed_mps = 1;
    Kinematics kinematics = Kinematics::holonomic;
    double turn_deg_s = 90;
    double accel_mps2 = 0;
    bool seen = false, blocks = false;
    void fields(Fields& f) {
        f("radius_m", radius_m, 0, 10, "radius of the disc that a robot is; 0: a point");
        f("speed_mps", speed_mps, 0, 100, "top speed");
        f("kinematics", kinematics, kinematics_names, "holonomic bodies turn at no cost, diff_drive ones in place");
        f("turn_deg_s", turn_deg_s, 1, 36000, "diff_drive: rate of turning");
        f("accel_mps2", accel_mps2, 0, 1000, "by how much its speed grows in a second at most; 0: at once");
        f("seen", seen,
          "scans of others see it as a disc of 0.2 m at least; in the range of [sighting] they know who it is");
        f("blocks", blocks,
          "robots with bodies wait for each other, the higher number for the lower one while that moves in its way, "
          "and for people");
    }
};

/// blind: the beam says nothing (Hokuyo). stop: it measures where the smoke gets too thick (SICK). ignore: it does not
/// mind, as sonar.
enum class SmokeEffect { blind, stop, ignore };
inline constexpr std::array<std::string_view, 3> smoke_effect_names{"blind", "stop", "ignore"};

/// always: it is level, whatever the floor is like. none: it is fixed to the body. gravity: a joint keeps it level as
/// well as it can.
enum class Levelling : std::uint8_t { always, none, gravity };
inline constexpr std::array<std::string_view, 3> levelling_names{"always", "none", "gravity"};

/// Of which scanners the beams are left out that may have met the floor, or passed over walls.
enum class TiltFilter : std::uint8_t { fixed, all, none };
inline constexpr std::array<std::string_view, 3> tilt_filter_names{"fixed", "all", "none"};

enum class SensorPreset { standard, lms200, urg04lx, utm30lx, sonar, none };
inline constexpr std::array<std::string_view, 6> sensor_preset_names{"standard", "lms200", "urg04lx",
                                                                     "utm30lx",  "sonar",  "none"};
struct SensorOptions {
    SensorPreset preset = SensorPreset::standard;
    int beams = 181;
    double fov_deg = 180;
    double range_m = 20;
    double range_unit_m = 0.001;
    double mount_x_m = 0, mount_y_m = 0, mount_yaw_deg = 0;
    SmokeEffect smoke = SmokeEffect::blind;
    double cone_deg = 0;
    Levelling level = Levelling::always;
    double height_m = 0.35, sweep_m = 0;
    TiltFilter tilt_filter = TiltFilter::fixed;
    void fields(Fields& f) {
        f("preset", preset, sensor_preset_names,
          "values of a known range finder, which the other options change; none: blind");
        f("beams", beams, 2, 100'000, "beams of a scan");
        f("fov_deg", fov_deg, 0.1, 360, "angle from the first beam to the last");
        f("range_m", range_m, 0.01, 65'534, "farthest wall that is seen");
        f("range_unit_m", range_unit_m, 1e-6, 1, "resolution of a measured range");
        f("mount_x_m", mount_x_m, -10, 10, "of the sensor, ahead of the body's centre");
        f("mount_y_m", mount_y_m, -10, 10, "of the sensor, left of the body's centre");
        f("mount_yaw_deg", mount_yaw_deg, -180, 180, "of the middle beam, against the body's heading");
        f("smoke", smoke, smoke_effect_names,
          "what it makes of [[smoke]]: says nothing, measures where the smoke gets too thick, or does not mind");
        f("cone_deg", cone_deg, 0, 90,
          "width of each beam, as of an echo sounder: it ends at the nearest wall in it, and nobody knows where in it; "
          "0: beams are thin");
        f("level", level, levelling_names,
          "with terrain.height: it is always level, it is fixed to the body and tilts with it, or a joint levels it by "
          "gravity, up to 20 degrees, a step late and 0.5 degrees off");
        f("height_m", height_m, 0.05, 0.95, "how high above the floor it is, where it can tilt; walls are 1 m high");
        f("sweep_m", sweep_m, 0, 1000,
          "with terrain.height or what is drawn instead: every so many metres it looks up and down and finds steps, "
          "which robots take for walls; 0: never");
        f("tilt_filter", tilt_filter, tilt_filter_names,
          "whether robots leave out beams that, by how they lie, may have met the floor or passed over walls: fixed: "
          "with level = none; all: with level = gravity, too; none: never");
    }
    /// Sets all other fields to those of the preset.
    void apply_preset();
    SensorSpec spec() const;
};

struct RobotEntry {
    std::string name;
    double x_m = std::numeric_limits<double>::quiet_NaN(), y_m = x_m;  ///< not a number: placed by load
    double yaw_deg = 0;
    Role role = Role::explorer;
    std::string parent, child;  ///< names; empty: none
    std::string strategy;       ///< empty: that of the team
    double radio_range_m = 0;
    int dies_at_step = -1;
    int think_steps = 0;
    bool has_plan = true;
    BodyOptions body;
    SensorOptions sensor;
    std::vector<SensorOptions> further_sensors = {};  ///< besides that one
    NoiseOptions noise;
    FeatureSections features;  ///< what features ask of it: [robot.battery]
    std::string where;         ///< in which file and line it stands; for messages
    /// Its place before jitter and random headings; redrawn() starts from it again.
    struct Start {
        double x_m, y_m, yaw_deg;
    };
    std::optional<Start> placed;  ///< set when the team is placed
    /// Those that it has; none: it is blind.
    std::vector<SensorOptions> sensors() const;
    std::vector<SensorSpec> sensor_specs() const;
    /// What each of them makes of smoke.
    std::vector<SmokeEffect> smoke_effects() const;
    /// How far the farthest of them reaches, in metres; 0: it is blind.
    double sees_m() const;
    void fields(Fields& f) {
        f("name", name, "unique in the team");
        f("x_m", x_m, -1e6, 1e6, "start, from the left edge of the map, moved to the centre of its cell; none: placed");
        f("y_m", y_m, -1e6, 1e6,
          "start, from the lower edge of the map, moved to the centre of its cell; none: placed");
        f("yaw_deg", yaw_deg, -360, 360, "heading at the start");
        f("role", role, role_names, "at the start");
        f("parent", parent, "name of the robot that it reports to");
        f("child", child, "name of the robot that reports to it");
        f("strategy", strategy, "name or name(option=value, ...); empty: that of the team");
        f("radio_range_m", radio_range_m, 0, 1e6, "reach of its radio in free space");
        f("dies_at_step", dies_at_step, -1, INT32_MAX, "step at which it dies; -1: never");
        f("think_steps", think_steps, 0, 1000, "what its strategy decides is done so many steps later");
        f("has_plan", has_plan, "whether it has the plan of the section [prior], where there is one");
    }
};

}  // namespace outrider
