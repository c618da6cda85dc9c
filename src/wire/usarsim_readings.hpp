// What lines of USARSim say of a robot: numbers, poses, scans, and where its scanners sit.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/error.hpp"
#include "outrider/geometry.hpp"
#include "wire/usarsim_line.hpp"
#include "wire/words.hpp"

namespace outrider {

/// The first numbers of a segment, between commas, all of them finite. Throws Error.
template <std::size_t n>
std::array<double, n> usarsim_numbers(const UsarsimLine& line, std::string_view key, const char* what) {
    const auto value = line.find(key);
    if (!value) fail("expected {{{} ...}}: {}", key, what);
    Words words(*value, ',');
    std::array<double, n> out{};
    for (double& v : out)
        if (!std::isfinite(v = words.number(what))) fail("expected {}, found {}", what, v);
    return out;
}

/// {Time t} of a line, in seconds, finite; nothing: it has none. Throws Error.
std::optional<double> usarsim_stamp(const UsarsimLine& line);

/// In this program's frame: USARSim's y points to the right, and its yaw is clockwise. Likewise the other way round.
Pose pose_of_usarsim(double x, double y, double yaw);

/// {Pose x,y,yaw} of a line of the type Odometry, or else {Location x,y,z} {Orientation roll,pitch,yaw}, in this
/// program's frame. Throws Error.
Pose usarsim_pose(const UsarsimLine& line);

/// {Resolution rad} {FOV rad} {Range r,r,...} of a RangeScanner that is the right way up. Beams go from right to left:
/// the first one looks along first_angle, and the middle of all is straight ahead of the scanner.
struct UsarsimScan {
    double first_angle = 0, step_angle = 0;
    std::vector<float> ranges;  ///< metres
};
/// Throws Error. The resolution is rounded, or even cut, to few decimals, so where the field of view fits it, that says
/// more exactly how the beams lie.
UsarsimScan usarsim_scan(const UsarsimLine& line);

/// Where a sensor sits on the body; the beams of a scanner that hangs upside down go from left to right.
struct UsarsimMount {
    std::string name;
    Pose pose;  ///< body_from_sensor
    bool upside_down = false;
};
/// Of each sensor of a line GEO {Type T} {Name N Location x,y,z Orientation r,p,y Mount M} {Name ...}; Location and
/// Orientation may have braces of their own. Throws Error.
std::vector<UsarsimMount> usarsim_mounts(const UsarsimLine& line);

}  // namespace outrider
