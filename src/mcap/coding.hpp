// How messages become bytes: as JSON with Foxglove's schemas (foxglove.dev), or in CDR with the definitions of ROS 2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mcap/messages.hpp"

namespace outrider {

struct SchemaText {
    std::string name, text;
};

struct MessageCoding {
    std::string_view profile;           ///< of an MCAP file with such messages
    std::string_view message_encoding;  ///< well-known names of MCAP
    std::string_view schema_encoding;
    SchemaText (*schema)(MessageKind kind);
    /// `time_ns`: of the message, nanoseconds from 0.
    std::string (*encode)(const ToolMessage& message, std::uint64_t time_ns);
};

/// foxglove.LaserScan, PoseInFrame, Grid, FrameTransforms, SceneUpdate and Log. JSON knows no infinity: a beam that saw
/// nothing has the scanner's range and the intensity 0 instead of 1; without information both are 0. A grid has a grey
/// value and an opacity for each cell: unknown cells are transparent.
const MessageCoding& foxglove_coding();
/// sensor_msgs/msg/LaserScan, nav_msgs/msg/Odometry, nav_msgs/msg/OccupancyGrid, tf2_msgs/msg/TFMessage,
/// visualization_msgs/msg/MarkerArray and rcl_interfaces/msg/Log, as ROS 2 Humble and later define them; little endian.
const MessageCoding& ros2_coding();

}  // namespace outrider
