#include "sensor_log/sensor_log_driver.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

constexpr double unknown_range_m = 80;  // of a scanner whose range is given neither by the log nor by its readings

SensorSpec spec_of(const RecordedScan& scan) {
    const double range_m = scan.max_range_m > 0 ? scan.max_range_m : unknown_range_m;
    // As fine as 16 bits allow, a millimetre at best.
    return {scan.mount,
            scan.first_angle,
            scan.step_angle,
            static_cast<int>(scan.ranges.size()),
            std::max(0.001, std::ceil(range_m / 65.0) * 0.001),
            range_m};
}

std::uint16_t reading(float metres, const SensorSpec& sensor) {
    const double r = static_cast<double>(metres);
    if (!(r > 0)) return Scan::no_information;  // not positive, or not a number
    if (r >= sensor.max_range_m)                // also infinite ones
        return sensor.max_range_m > farthest_free_m ? Scan::no_information : Scan::nothing;
    return static_cast<std::uint16_t>(std::clamp(std::floor(r / sensor.range_unit_m + 0.5), 1.0, 65534.0));
}

}  // namespace

SensorLogDriver::SensorLogDriver(const SensorLog& log) : log_(log) {
    for (const RecordedScan& scan : log.scans) {
        const SensorSpec spec = spec_of(scan);
        const auto at = std::find(sensors_.begin(), sensors_.end(), spec);
        sensor_of_.push_back(static_cast<int>(at - sensors_.begin()));
        if (at == sensors_.end()) sensors_.push_back(spec);
    }
    const double span = log.entries.back().time_s - log.entries.front().time_s;
    if (span > 0) step_s_ = span / static_cast<double>(log.scans.size());
    first_ = last_ = log.entries.front().odometry;
}

Briefing SensorLogDriver::briefing(double cell_m) const {
    Briefing b;
    TeamMember me;
    me.name = "robot";
    me.speed_mps = 1;
    b.members = std::make_shared<const std::vector<TeamMember>>(1, me);
    b.kinematics = Kinematics::diff_drive;
    b.turn_radps = 1;
    b.sensors = sensors_;
    b.lattice = {cell_m};
    b.step_s = step_s_;
    b.mission_steps = static_cast<int>(log_.scans.size());
    return b;
}

bool SensorLogDriver::sense(std::span<Percept> percepts) {
    OUTRIDER_CHECK(percepts.size(), ==, 1u);
    while (next_ < log_.entries.size() && log_.entries[next_].scan < 0) ++next_;
    if (next_ == log_.entries.size()) return false;
    const LogEntry& entry = log_.entries[next_++];
    const auto index = static_cast<std::size_t>(entry.scan);
    Percept& p = percepts[0];
    p = {};
    p.step = step_++;
    p.motion.delta = compose(inverse(last_), entry.odometry);
    last_ = entry.odometry;
    Scan scan;
    scan.sensor = sensor_of_[index];
    for (const float r : log_.scans[index].ranges)
        scan.ranges.push_back(reading(r, sensors_[static_cast<std::size_t>(scan.sensor)]));
    p.scans.push_back(std::move(scan));
    return true;
}

}  // namespace outrider
