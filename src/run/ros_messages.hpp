// Messages of ROS 2 in CDR (OMG DDS-XTypes), of which two types are understood.
#pragma once

#include <string_view>

#include "run/sensor_log.hpp"

namespace outrider {

/// Takes in sensor_msgs/msg/LaserScan and nav_msgs/msg/Odometry, counts others as ignored, and those that make no sense
/// as odd; `number` of the message in its file.
void take_ros_message(std::string_view type, std::string_view bytes, std::size_t number, SensorLogBuilder& log);

/// A bag with MCAP storage (mcap.dev), whose chunks are not compressed. Throws Error.
SensorLog read_mcap(const std::string& path);

}  // namespace outrider
