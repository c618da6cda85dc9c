// Lines of USARSim as robots and controllers say them to each other.
#include <cmath>

#include "fuzz/fuzz.hpp"
#include "live/usarsim/usar_lines.hpp"
#include "outrider/error.hpp"

namespace outrider::fuzz {
namespace {

const Briefing& robot() {
    static const Briefing briefing = [] {
        Briefing b;
        auto members = std::make_shared<std::vector<TeamMember>>(1);
        members->front().speed_mps = 1;
        b.members = members;
        SensorSpec sensor;
        sensor.mount = {0.1, 0, 0.2};
        sensor.first_angle = -1;
        sensor.step_angle = 0.25;
        sensor.beams = 9;
        sensor.max_range_m = 20;
        b.sensors = {sensor};
        return b;
    }();
    return briefing;
}

void see(const UsarsimLine& line, const UsarScanner& scanner) {
    const SensorSpec& sensor = robot().sensors[0];
    std::string complaint;
    Scan scan;
    scan.ranges = usar_sweep(usarsim_scan(line), scanner, sensor, complaint);
    std::string text = usar_scan_line(1, "S", sensor, scan);
    text.resize(text.size() - 2);
    expect(usar_sweep(usarsim_scan(parse_usarsim_line(text)), expected_usar_scanner(sensor), sensor, complaint) ==
               scan.ranges,
           "what was read is written, and read again");
}

void read_line(std::string_view text, UsarScanner& scanner) {
    const UsarsimLine line = parse_usarsim_line(text);
    usarsim_stamp(line);
    if (line.type == "DRIVE") {
        const LiveSection options;
        const auto velocity = read_usar_drive(line, robot(), options);
        expect(!velocity || (std::abs(velocity->forward_mps) <= robot().me().speed_mps &&
                             std::abs(velocity->turn_radps) <= radians(options.turn_deg_s)),
               "a robot drives no faster than it can");
    } else if (line.type == "GEO") {
        for (const UsarsimMount& mount : usarsim_mounts(line)) scanner.mount = mount;
    } else if (line.type == "CONF") {
        scanner.reach_m = usarsim_numbers<1>(line, "MaxRange", "a reach")[0];
    } else if (line.find("Range")) {
        see(line, scanner);
    } else {
        usarsim_pose(line);
    }
}

/// As at the end of a connection: an odd line is told, and the next one is read.
void read_lines_of_robots(std::string_view bytes) {
    UsarScanner scanner = expected_usar_scanner(robot().sensors[0]);
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        try {
            read_line(bytes.substr(0, end), scanner);
        } catch (const Error&) {
        }
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
}

}  // namespace

std::vector<Target> usarsim_targets() {
    return {{"usarsim_lines", "lines of robots and controllers of USARSim (read_usar_drive, usar_sweep)",
             read_lines_of_robots, 2048}};
}

}  // namespace outrider::fuzz
