#include "live/usarsim/usar_lines.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double absurd = 1e6;  // metres or radians per second

/// A hit at the very end of the reach is said to be so much nearer, or it would be taken for nothing.
constexpr double edge_units = 0.25;

/// A number of a command; `otherwise`: where it says none.
double command_number(const UsarsimLine& line, std::string_view key, double otherwise) {
    if (!line.find(key)) return otherwise;
    const double value = usarsim_numbers<1>(line, key, "a number")[0];
    if (std::abs(value) > absurd) fail("expected a velocity, found {{{} {}}}", key, value);
    return value;
}

/// So many decimals that an eighth of a unit shows.
int decimals_of(const SensorSpec& sensor) {
    return std::clamp(static_cast<int>(std::ceil(-std::log10(sensor.range_unit_m / 8))), 1, 9);
}

/// The beam of the scan that looks nearest to an angle, seen from the scanner; nothing: none does.
std::optional<std::size_t> nearest_beam(const UsarsimScan& scan, double angle) {
    const double n = static_cast<double>(scan.ranges.size()), near = std::max(scan.step_angle / 2, 0.005);
    for (const double turn : {0.0, 2 * pi, -2 * pi}) {
        const double offset = angle + turn - scan.first_angle;
        const double beam = std::clamp(scan.step_angle > 0 ? std::round(offset / scan.step_angle) : 0.0, 0.0, n - 1);
        if (std::abs(offset - beam * scan.step_angle) <= near * (1 + 1e-6)) return static_cast<std::size_t>(beam);
    }
    return {};
}

std::uint16_t units_of(float metres, const UsarScanner& scanner, const SensorSpec& sensor) {
    const double range_m = static_cast<double>(metres), reach_m = std::min(scanner.reach_m, sensor.max_range_m);
    if (!(range_m > 0)) return Scan::no_information;   // not a number, too
    if (range_m >= reach_m - sensor.range_unit_m / 8)  // what a shorter scanner does not see may be beyond its reach
        return scanner.reach_m < sensor.max_range_m - sensor.range_unit_m / 8 ? Scan::no_information : Scan::nothing;
    const double units = std::round(range_m / sensor.range_unit_m);
    return static_cast<std::uint16_t>(std::clamp(units, 1.0, static_cast<double>(Scan::nothing - 1)));
}

}  // namespace

std::string usar_number(double value) { return fmt::format("{:.6f}", value); }

std::string usar_location(const Pose& pose) {
    const Pose theirs = pose_of_usarsim(pose.x, pose.y, pose.yaw);
    return fmt::format("{:.9f},{:.9f},0.0", theirs.x, theirs.y);
}

std::string usar_rotation(const Pose& pose, double roll, double pitch) {
    // With z down, a pitch above zero means nose up; a roll above zero still means left side up.
    return fmt::format("{:.6f},{:.6f},{:.9f}", roll, -pitch, pose_of_usarsim(pose.x, pose.y, pose.yaw).yaw);
}

std::string usar_scanner_name(const LiveSection& options, std::size_t sensor) {
    if (sensor == 0) return options.usar_scanner;
    std::string stem = options.usar_scanner;
    int number = 1;
    if (!stem.empty() && stem.back() >= '0' && stem.back() <= '9') {
        number = stem.back() - '0';
        stem.pop_back();
    }
    return stem + std::to_string(number + static_cast<int>(sensor));
}

Velocity usar_limited(const Velocity& velocity, const Briefing& briefing, const LiveSection& options) {
    const auto within = [](double value, double most) {
        return std::isfinite(value) ? std::clamp(value, -most, most) : 0;
    };
    return {within(velocity.forward_mps, briefing.me().speed_mps),
            within(velocity.turn_radps, radians(options.turn_deg_s))};
}

std::string usar_drive(const Velocity& velocity, const LiveSection& options) {
    const double across_mps = velocity.turn_radps * options.wheel_track_m / 2;  // the right wheels lead in a left turn
    return usarsim_text(
        "DRIVE", {{"Left", fmt::format("{:.9f}", (velocity.forward_mps - across_mps) / options.wheel_radius_m)},
                  {"Right", fmt::format("{:.9f}", (velocity.forward_mps + across_mps) / options.wheel_radius_m)}});
}

std::optional<Velocity> read_usar_drive(const UsarsimLine& line, const Briefing& briefing, const LiveSection& options) {
    const bool normalized = same_word(line.word("Normalized"), "true") || line.word("Normalized") == "1";
    const double speed_mps = briefing.me().speed_mps, turn_radps = radians(options.turn_deg_s);
    for (const char* key : {"LateralVelocity", "AltitudeVelocity"})
        if (command_number(line, key, 0) != 0) fail("{} is out of reach of a robot on wheels", key);
    Velocity velocity;
    if (line.find("Left") || line.find("Right")) {
        if (!line.find("Left") || !line.find("Right")) fail("expected both {{Left l}} and {{Right r}}");
        // Per cent of the speed of wheels at which the robot drives as fast as it can.
        const double scale = normalized ? speed_mps / 100 : options.wheel_radius_m;
        const double left_mps = command_number(line, "Left", 0) * scale,
                     right_mps = command_number(line, "Right", 0) * scale;
        velocity = {(left_mps + right_mps) / 2, (right_mps - left_mps) / options.wheel_track_m};
    } else if (line.find("LinearVelocity") || line.find("RotationalVelocity")) {
        velocity = {command_number(line, "LinearVelocity", 0) * (normalized ? speed_mps / 100 : 1),
                    -command_number(line, "RotationalVelocity", 0) * (normalized ? turn_radps / 100 : 1)};
    } else {
        for (const char* key : {"Light", "Flip", "LateralVelocity", "AltitudeVelocity"})
            if (line.find(key)) return {};
        fail("expected {{Left l}} {{Right r}} or {{LinearVelocity v}} {{RotationalVelocity w}}");
    }
    return usar_limited(velocity, briefing, options);
}

double usar_heading(const SensorSpec& sensor) {
    return wrap_angle(sensor.mount.yaw + sensor.first_angle + sensor.step_angle * (sensor.beams - 1) / 2);
}

std::string usar_scan_line(double time_s, const std::string& name, const SensorSpec& sensor, const Scan& scan) {
    const int decimals = decimals_of(sensor);
    std::string ranges;
    const std::size_t n = scan.ranges.size();
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint16_t units = scan.ranges[sensor.step_angle < 0 ? n - 1 - i : i];
        double range_m = beam_length_m(sensor, units);
        if (units != Scan::nothing) range_m = std::min(range_m, sensor.max_range_m - edge_units * sensor.range_unit_m);
        if (units == Scan::no_information) range_m = 0;
        fmt::format_to(std::back_inserter(ranges), "{}{:.{}f}", i > 0 ? "," : "", range_m, decimals);
    }
    const double step = std::abs(sensor.step_angle);
    return usarsim_text("SEN", {{"Time", usar_number(time_s)},
                                {"Type", "RangeScanner"},
                                {"Name", name},
                                {"Resolution", fmt::format("{:.9f}", step)},
                                {"FOV", fmt::format("{:.9f}", step * (sensor.beams - 1))},
                                {"Range", ranges}});
}

UsarScanner expected_usar_scanner(const SensorSpec& sensor) {
    return {{{}, {sensor.mount.x, sensor.mount.y, usar_heading(sensor)}, false}, sensor.max_range_m};
}

std::vector<std::uint16_t> usar_sweep(const UsarsimScan& scan, const UsarScanner& scanner, const SensorSpec& sensor,
                                      std::string& complaint) {
    std::vector<std::uint16_t> out;
    std::size_t blind = 0;
    for (int i = 0; i < sensor.beams; ++i) {
        const double body = sensor.mount.yaw + sensor.first_angle + i * sensor.step_angle,
                     seen = wrap_angle(std::remainder(body - scanner.mount.pose.yaw, 2 * pi));
        const auto beam = nearest_beam(scan, scanner.mount.upside_down ? -seen : seen);
        blind += !beam;
        out.push_back(beam ? units_of(scan.ranges[*beam], scanner, sensor) : Scan::no_information);
    }
    const double away_m = distance(scanner.mount.pose.position(), sensor.mount.position()),
                 step = std::abs(sensor.step_angle);
    if (static_cast<int>(scan.ranges.size()) != sensor.beams || blind > 0 ||
        std::abs(scan.step_angle - step) * sensor.beams > step)
        complaint = fmt::format(
            "a scan of {} beams {:.3f} deg apart, expected {} beams {:.3f} deg apart: {}", scan.ranges.size(),
            degrees(scan.step_angle), sensor.beams, degrees(step),
            blind > 0 ? fmt::format("{} of these look where it has none", blind) : "of each, the nearest one is taken");
    else if (away_m > 0.05)
        complaint = fmt::format("the scanner sits {:.2f} m from where it is expected", away_m);
    else if (scanner.reach_m < sensor.max_range_m - sensor.range_unit_m / 8)
        complaint = fmt::format("the scanner reaches {} m, expected {} m", scanner.reach_m, sensor.max_range_m);
    return out;
}

}  // namespace outrider
