#include "wire/usarsim_readings.hpp"

namespace outrider {
namespace {

/// What half a unit of a text's last decimal is not above; 0 with an exponent, which USARSim does not write.
double precision(std::string_view text) {
    const auto point = text.find('.');
    if (text.find_first_of("eE") != std::string_view::npos) return 0;
    return point == std::string_view::npos ? 1 : std::pow(10, -static_cast<double>(text.size() - point - 1));
}

/// "Location x,y,z" and "Orientation roll,pitch,yaw".
UsarsimMount mount_of(const UsarsimLine& line) {
    const auto at = usarsim_numbers<3>(line, "Location", "where the sensor is"),
               turn = usarsim_numbers<3>(line, "Orientation", "how the sensor is turned");
    const bool backward = std::cos(turn[1]) < 0;  // pitched over
    return {{},
            pose_of_usarsim(at[0], at[1], std::remainder(turn[2], 2 * pi) + (backward ? pi : 0)),
            std::cos(turn[0]) * std::cos(turn[1]) < 0};
}

}  // namespace

std::optional<double> usarsim_stamp(const UsarsimLine& line) {
    if (!line.find("Time")) return {};
    return usarsim_numbers<1>(line, "Time", "a time stamp")[0];
}

Pose pose_of_usarsim(double x, double y, double yaw) { return {x, -y, wrap_angle(std::remainder(-yaw, 2 * pi))}; }

Pose usarsim_pose(const UsarsimLine& line) {
    if (same_word(line.word("Type"), "Odometry")) {
        const auto pose = usarsim_numbers<3>(line, "Pose", "odometry");
        return pose_of_usarsim(pose[0], pose[1], pose[2]);
    }
    const auto at = usarsim_numbers<3>(line, "Location", "a position"),
               turn = usarsim_numbers<3>(line, "Orientation", "roll, pitch and yaw");
    return pose_of_usarsim(at[0], at[1], turn[2]);
}

UsarsimScan usarsim_scan(const UsarsimLine& line) {
    UsarsimScan scan;
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

std::vector<UsarsimMount> usarsim_mounts(const UsarsimLine& line) {
    std::vector<UsarsimMount> mounts;
    for (const UsarsimLine::Segment& s : line.segments) {
        if (!same_word(s.key, "Name")) continue;
        Words words(s.value, ' ');
        const std::string name(words.word().value_or(""));
        UsarsimLine inside;
        while (const auto key = words.word()) inside.segments.push_back({*key, words.word().value_or("")});
        mounts.push_back(mount_of(inside.find("Location") ? inside : line));
        mounts.back().name = name;
    }
    return mounts;
}

}  // namespace outrider
