// What a text log of USARSim holds as a whole, and which of it is read: one robot, one scanner, one sensor for poses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/geometry.hpp"
#include "sensor_log/text_lines.hpp"
#include "slam/slam_options.hpp"
#include "wire/usarsim_readings.hpp"

namespace outrider {

struct UsarsimChoice {
    std::string robot;    ///< of lines that name theirs; empty: of those that do not
    std::string scanner;  ///< its name
    std::string_view pose_type;
    std::string pose_name;  ///< of the sensor that tells poses
    /// Where the scanner sits on the body; its beams turn the other way if it hangs upside down.
    Pose mount;
    bool upside_down = false;
    std::optional<double> first_stamp;  ///< nothing: no line has one
    std::vector<std::string> notes;
};

/// The robot is the only one there is or the one asked for, the scanner that with the most readings or the one asked
/// for, poses those of Odometry, else INS, else GroundTruth, or with slam.seed = ins those of INS. Throws Error where
/// there are several robots, or not what was asked for.
UsarsimChoice choose_in_usarsim(std::string_view text, const std::string& where, SlamSeed seed, std::string_view robot,
                                std::string_view scanner);

}  // namespace outrider
