// Definitions of the messages of ROS 2 that are written.
#pragma once

#include "mcap/coding.hpp"

namespace outrider {

/// Its type, such as nav_msgs/msg/Odometry, and its definition, followed by those of all types that it is made of, as
/// rosbag2 writes them.
SchemaText ros2_schema(MessageKind kind);
/// Constants and fields of a type such as nav_msgs/Odometry, one a line; empty: it is none of those that are written.
std::string_view ros2_fields(std::string_view type);

}  // namespace outrider
