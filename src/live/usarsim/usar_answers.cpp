#include "live/usarsim/usar_answers.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "live/usarsim/usar_lines.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double full_battery_s = 1200;  // USARSim says in seconds how long it lasts
constexpr const char* bumper = "Bumper";

/// What robots have besides range scanners, all at their centres.
constexpr std::array<std::string_view, 3> centred_sensors{"Odometry", "INS", "Touch"};

}  // namespace

std::string usar_start_poses(const std::vector<Briefing>& briefings, const std::vector<RobotId>& served) {
    const auto name_of = [&](RobotId r) { return briefings[static_cast<std::size_t>(r)].me().name; };
    if (served.empty()) return "NFO {StartPoses 0}\r\n";
    std::string poses;
    for (const RobotId r : served) {
        const Pose& start = briefings[static_cast<std::size_t>(r)].start;
        if (r != served[0]) poses += " " + name_of(r) + " ";
        poses += usar_location(start) + " " + usar_rotation(start);
    }
    return usarsim_text("NFO", {{"StartPoses", std::to_string(served.size())}, {name_of(served[0]), poses}});
}

std::string usar_geometry(const UsarsimLine& line, const Briefing& briefing, const LiveSection& options) {
    const std::string_view type = line.word("Type");
    if (same_word(type, "Robot")) {
        const double across = 2 * briefing.radius_m;
        return usarsim_text("GEO", {{"Type", "GroundVehicle"},
                                    {"Name", briefing.me().name},
                                    {"Dimensions", fmt::format("{0:.4f},{0:.4f},0.0", across)},
                                    {"COG", "0.0,0.0,0.0"},
                                    {"WheelRadius", usar_number(options.wheel_radius_m)},
                                    {"WheelSeparation", usar_number(options.wheel_track_m)},
                                    {"WheelBase", usar_number(options.wheel_track_m)}});
    }
    if (same_word(type, "RangeScanner")) {
        std::string text = "GEO {Type RangeScanner}";
        for (std::size_t k = 0; k < briefing.sensors.size(); ++k) {
            const Pose& mount = expected_usar_scanner(briefing.sensors[k]).mount.pose;
            text += fmt::format(" {{Name {} Location {} Orientation {} Mount HARD}}", usar_scanner_name(options, k),
                                usar_location(mount), usar_rotation(mount));
        }
        return text + "\r\n";
    }
    for (const std::string_view sensor : centred_sensors)
        if (same_word(type, sensor))
            return fmt::format(
                "GEO {{Type {0}}} {{Name {1} Location 0.0,0.0,0.0 Orientation 0.0,0.0,0.0 Mount HARD}}\r\n", sensor,
                sensor == "Touch" ? bumper : sensor);
    fail("there is no {}", type.substr(0, 40));
}

std::string usar_configuration(const UsarsimLine& line, const Briefing& briefing, const LiveSection& options) {
    const std::string_view type = line.word("Type");
    if (same_word(type, "Robot"))
        return usarsim_text("CONF", {{"Type", "GroundVehicle"},
                                     {"Name", briefing.me().name},
                                     {"SteeringType", "SkidSteered"},
                                     {"MaxSpeed", usar_number(briefing.me().speed_mps)}});
    if (!same_word(type, "RangeScanner")) fail("there is no configuration of {}", type.substr(0, 40));
    std::string text;
    for (std::size_t k = 0; k < briefing.sensors.size(); ++k) {
        const SensorSpec& sensor = briefing.sensors[k];
        const double step = std::abs(sensor.step_angle);
        text += usarsim_text("CONF", {{"Type", "RangeScanner"},
                                      {"Name", usar_scanner_name(options, k)},
                                      {"MaxRange", fmt::format("{:.9f}", sensor.max_range_m)},
                                      {"Resolution", fmt::format("{:.9f}", step)},
                                      {"FOV", fmt::format("{:.9f}", step * (sensor.beams - 1))}});
    }
    if (text.empty()) fail("there is no RangeScanner");
    return text;
}

std::string usar_step_lines(const ServedStep& step, const Briefing& briefing, const LiveSection& options) {
    const auto robot = static_cast<std::size_t>(briefing.self);
    const Percept& percept = step.percepts[robot];
    const std::string time = usar_number(step.time_s);
    std::string text;
    if (percept.alive) {
        for (const Scan& scan : percept.scans) {
            const auto sensor = static_cast<std::size_t>(scan.sensor);
            text += usar_scan_line(step.time_s - scan.age_s, usar_scanner_name(options, sensor),
                                   briefing.sensors[sensor], scan);
        }
        const Pose& odometry = step.odometry[robot];
        const Pose theirs = pose_of_usarsim(odometry.x, odometry.y, odometry.yaw);
        text += usarsim_text("SEN", {{"Time", time},
                                     {"Type", "Odometry"},
                                     {"Name", "Odometry"},
                                     {"Pose", fmt::format("{:.9f},{:.9f},{:.9f}", theirs.x, theirs.y, theirs.yaw)}});
        const auto located = [&](const char* sensor, const Pose& pose) {
            return usarsim_text("SEN", {{"Time", time},
                                        {"Type", sensor},
                                        {"Name", sensor},
                                        {"Location", usar_location(pose)},
                                        {"Orientation", usar_rotation(pose, percept.roll, percept.pitch)}});
        };
        text += located("INS", compose(briefing.start, odometry));
        if (options.usar_truth) text += located("GroundTruth", step.poses[robot]);
        if (percept.bumped)
            text += usarsim_text("SEN",
                                 {{"Time", time}, {"Type", "Touch"}, {"Name", fmt::format("{} Touch True", bumper)}});
    }
    const double battery_s = percept.alive ? full_battery_s * percept.battery : 0;
    return text + usarsim_text("STA", {{"Type", "GroundVehicle"},
                                       {"Time", time},
                                       {"FrontSteer", "0.0"},
                                       {"RearSteer", "0.0"},
                                       {"LightToggle", "False"},
                                       {"LightIntensity", "0"},
                                       {"Battery", usar_number(battery_s)}});
}

}  // namespace outrider
