// Text logs of USARSim: what its server sent to the controller of a robot, line by line.
#include <algorithm>
#include <cmath>

#include "sensor_log/beam_order.hpp"
#include "sensor_log/usarsim_survey.hpp"

namespace outrider {
namespace {

/// What half a unit of a text's last decimal is not above; 0 with an exponent, which USARSim does not write.
double precision(std::string_view text) {
    const auto point = text.find('.');
    if (text.find_first_of("eE") != std::string_view::npos) return 0;
    return point == std::string_view::npos ? 1 : std::pow(10, -static_cast<double>(text.size() - point - 1));
}

/// {Resolution rad} {FOV rad} {Range r,r,...}: from right to left. The resolution is rounded, or even cut, to few
/// decimals, so where the field of view fits it, that says more exactly how the beams lie.
RecordedScan scan_of(const UsarsimLine& line) {
    RecordedScan scan;
    Words words(line.find("Range").value_or(""), ',');
    while (!words.empty()) {
        if (scan.ranges.size() == static_cast<std::size_t>(most_numbers))
            fail("a scan of more than {} readings", most_numbers);
        scan.ranges.push_back(static_cast<float>(words.number("a range")));
    }
    if (scan.ranges.empty()) fail("expected {{Range r,r,...}}, found no reading");
    const double gaps = static_cast<double>(scan.ranges.size()) - 1;
    const bool has_step = line.find("Resolution").has_value(), has_view = line.find("FOV").has_value();
    if (!has_step && !has_view) fail("expected {{Resolution rad}} and {{FOV rad}}");
    double step = has_step ? usarsim_numbers<1>(line, "Resolution", "the angle between beams")[0] : 0;
    double view = has_view ? usarsim_numbers<1>(line, "FOV", "the field of view")[0] : step * gaps;
    if (!has_step || (gaps > 0 && std::abs(view / gaps - step) <= precision(line.word("Resolution"))))
        step = gaps > 0 ? view / gaps : 0;
    if (!(step >= 0) || !(view >= 0) || step * gaps > 2 * pi + step)
        fail("expected angles of one turn at most, found {} readings {} rad apart", scan.ranges.size(), step);
    scan.first_angle = -view / 2;
    scan.step_angle = step;
    return scan;
}

Pose pose_of(const UsarsimLine& line, std::string_view type) {
    if (type == "Odometry") {
        const auto pose = usarsim_numbers<3>(line, "Pose", "odometry");
        return pose_of_usarsim(pose[0], pose[1], pose[2]);
    }
    const auto at = usarsim_numbers<3>(line, "Location", "a position"),
               turn = usarsim_numbers<3>(line, "Orientation", "roll, pitch and yaw");
    return pose_of_usarsim(at[0], at[1], turn[2]);
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
        const Pose pose = pose_of(line, choice.pose_type);
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
