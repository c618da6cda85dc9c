// Text logs of USARSim: what its server sent to the controller of a robot, line by line.
#include <algorithm>
#include <utility>

#include "sensor_log/beam_order.hpp"
#include "sensor_log/usarsim_survey.hpp"

namespace outrider {
namespace {

RecordedScan scan_of(const UsarsimLine& line) {
    UsarsimScan scan = usarsim_scan(line);
    return {{}, scan.first_angle, scan.step_angle, 0, std::move(scan.ranges)};
}

/// The time of lines that do not say it: of the last STA, or, where no line says any, as many seconds as there were
/// scans.
struct Clock {
    double last_s = 0;
    bool counts = false;  // scans
    double of(const UsarsimLine& line) const { return usarsim_stamp(line).value_or(last_s); }
};

void read_sensor(const UsarsimLine& line, SensorLogBuilder& log, const UsarsimChoice& choice, Clock& clock) {
    const std::string_view type = line.word("Type"), name = line.word("Name");
    if (type.empty()) fail("expected {{Type ...}} in a line SEN");
    if (line.word("Robot") != choice.robot) return log.ignored();
    if (same_word(type, "RangeScanner") && name == choice.scanner) {
        RecordedScan scan = scan_of(line);
        scan.mount = choice.mount;
        if (choice.upside_down) mirror(scan);
        if (!log.scan(clock.of(line), std::move(scan))) return;
        if (clock.counts) ++clock.last_s;
        log.kind("RangeScanner");
    } else if (!choice.pose_type.empty() && same_word(type, choice.pose_type) && name == choice.pose_name) {
        const Pose pose = usarsim_pose(line);
        log.odometry(clock.of(line), pose);
        log.kind(std::string(choice.pose_type));
    } else {
        log.ignored();
    }
}

void read_line(std::string_view text, SensorLogBuilder& log, const UsarsimChoice& choice, Clock& clock) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.starts_with('#')) return;
    const std::string_view type = usarsim_type(text);
    if (!is_usarsim_type(type)) fail("expected SEN, STA or another line of USARSim, found '{}'", text.substr(0, 40));
    if (type != "SEN" && type != "STA") return log.ignored();
    const UsarsimLine line = parse_usarsim_line(text);
    if (type == "SEN") return read_sensor(line, log, choice, clock);
    if (const std::string_view robot = line.word("Robot"); robot.empty() || robot == choice.robot)
        clock.last_s = clock.of(line);
    log.ignored();
}

}  // namespace

SensorLog parse_usarsim(std::string_view text, const std::string& where, SlamSeed seed, std::string_view robot,
                        std::string_view scanner) {
    const UsarsimChoice choice = choose_in_usarsim(text, where, seed, robot, scanner);
    SensorLogBuilder log(where);
    for (const std::string& note : choice.notes) log.note(note);
    if (!choice.first_stamp) log.note("no line says a time: a second is taken to lie between two scans");
    Clock clock{choice.first_stamp.value_or(0), !choice.first_stamp};
    read_lines(text, log, [&](std::string_view line, SensorLogBuilder& out) { read_line(line, out, choice, clock); });
    return log.finish();
}

}  // namespace outrider
