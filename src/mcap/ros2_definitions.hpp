// Definitions of the messages of ROS 2 that are written.
#pragma once

#include "mcap/coding.hpp"

namespace outrider {

/// Its type, such as nav_msgs/msg/Odometry, and its definition, followed by those of all types that it is made of, as
/// rosbag2 writes them.
SchemaText ros2_schema(MessageKind kind);

}  // namespace outrider
