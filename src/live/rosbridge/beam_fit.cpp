#include "live/rosbridge/beam_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace outrider {
namespace {

/// The beam of the message that looks where beam i of the sensor does; nothing: none does. Angles may differ by turns.
std::optional<std::size_t> message_beam(const RosScan& scan, const SensorSpec& sensor, int i) {
    const double step = scan.ranges.size() > 1 ? scan.angle_increment : radians(1),
                 turn = 2 * pi / std::abs(step);  // in beams of the message
    const double at = (sensor.first_angle + i * sensor.step_angle - scan.angle_min) / step;
    const double nearest = std::floor(at - turn * std::floor((at + 0.5) / turn) + 0.5);  // from 0 on
    if (!(nearest >= 0) || !(nearest < static_cast<double>(scan.ranges.size()))) return {};
    return static_cast<std::size_t>(nearest);
}

std::string fan_text(std::size_t beams, double first, double step) {
    const double last = first + static_cast<double>(beams - 1) * step;
    return fmt::format("{} beams from {:.1f} to {:.1f} degrees", beams, degrees(first), degrees(last));
}

}  // namespace

std::vector<std::uint16_t> beams_of(const RosScan& scan, const SensorSpec& sensor, NullRange null_range) {
    // Half a unit more: a range of exactly range_max is one, however it was rounded.
    const double farthest = std::min(scan.range_max, sensor.max_range_m) + sensor.range_unit_m / 2;
    const auto range_of = [&](double metres) -> std::uint16_t {
        if (std::isnan(metres)) return null_range == NullRange::nothing ? Scan::nothing : Scan::no_information;
        if (metres <= 0 || metres < scan.range_min) return Scan::no_information;
        if (metres > farthest) return Scan::nothing;
        return static_cast<std::uint16_t>(std::clamp(std::round(metres / sensor.range_unit_m), 1.0, 65534.0));
    };
    std::vector<std::uint16_t> out;
    for (int i = 0; i < sensor.beams; ++i) {
        const std::optional<std::size_t> beam = message_beam(scan, sensor, i);
        out.push_back(beam ? range_of(scan.ranges[*beam]) : Scan::no_information);
    }
    return out;
}

std::string missing_beams(const RosScan& scan, const SensorSpec& sensor) {
    bool missing = std::ssize(scan.ranges) < sensor.beams;
    for (int i = 0; i < sensor.beams && !missing; ++i) missing = !message_beam(scan, sensor, i);
    if (!missing) return "";
    return fmt::format("a scan of {}, expected {}", fan_text(scan.ranges.size(), scan.angle_min, scan.angle_increment),
                       fan_text(static_cast<std::size_t>(sensor.beams), sensor.first_angle, sensor.step_angle));
}

}  // namespace outrider
