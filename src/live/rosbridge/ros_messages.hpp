// Messages of ROS as JSON: written and read by both sides of rosbridge. ROS 1 and ROS 2 differ in the names of types
// ("sensor_msgs/LaserScan", "sensor_msgs/msg/LaserScan") and in how they write a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "live/vehicle.hpp"
#include "mcap/messages.hpp"
#include "outrider/percept.hpp"

namespace outrider {

enum class RosDialect : std::uint8_t { ros1, ros2 };

namespace ros_type {
inline constexpr std::string_view scan = "sensor_msgs/LaserScan", odometry = "nav_msgs/Odometry",
                                  twist = "geometry_msgs/Twist", clock = "rosgraph_msgs/Clock",
                                  transforms = "tf2_msgs/TFMessage", grid = "nav_msgs/OccupancyGrid",
                                  path = "nav_msgs/Path", markers = "visualization_msgs/MarkerArray",
                                  range = "sensor_msgs/Range", battery = "sensor_msgs/BatteryState",
                                  poses = "geometry_msgs/PoseArray", pose = "geometry_msgs/PoseStamped";
}

/// The dialect of a type's name; nothing: it is no such name.
std::optional<RosDialect> dialect_of(std::string_view type);
/// The name in ROS 1, and in the dialect.
std::string plain_type(std::string_view type);
std::string type_name(std::string_view plain, RosDialect dialect);

/// The topic of a robot: {} stands for its name (mcap/topics.hpp: as ROS wants it). It begins with "/".
std::string ros_topic(const std::string& pattern, const std::string& robot);
/// The topic of its sensors: pattern, pattern2, pattern3, ...
std::string ros_scan_topic(const std::string& pattern, const std::string& robot, std::size_t sensor);
/// The name of the frame of a map: "map"; that of a robot which does not know where it is among the others is its own.
std::string ros_map_frame(const FrameId& frame, const std::string& robot);
std::string ros_odometry_frame(const std::string& robot);
std::string ros_body_frame(const std::string& robot);
std::string ros_sensor_frame(const std::string& robot, std::size_t sensor);

// Written. All fields of each type are there, with one exception: of a marker in ROS 2 those that Foxy does not have.

struct RosHeader {
    double time_s = 0;
    std::string frame;
    RosDialect dialect = RosDialect::ros1;
};

/// A time, or a span of time.
std::string time_json(double seconds, RosDialect dialect);
/// Scan::no_information becomes 0, Scan::nothing a range beyond the scanner's (range_max + 1).
std::string scan_json(const RosHeader& header, const SensorSpec& sensor, std::span<const std::uint16_t> ranges,
                      double scan_time_s);
std::string odometry_json(const RosHeader& header, const std::string& body_frame, const Pose& pose,
                          const Velocity& velocity);
std::string twist_json(const Velocity& velocity);
std::string clock_json(double time_s, RosDialect dialect);
std::string transforms_json(double time_s, RosDialect dialect, std::span<const TransformsMessage::Link> links);
std::string grid_json(const RosHeader& header, const GridMessage& grid);
/// Each place looks along the leg to the next one; the last one as the one before.
std::string path_json(const RosHeader& header, std::span<const Point> corners);
/// The drawings replace all that the topic showed before.
std::string markers_json(const RosHeader& header, std::span<const SceneMessage> drawings);

// Read. These throw Error, with the field that is missing or wrong; what is not used is not looked at.

struct RosScan {
    RosDialect dialect = RosDialect::ros1;
    double time_s = 0, angle_min = 0, angle_increment = 0, range_min = 0, range_max = 0;
    std::vector<double> ranges;  ///< not a number: null in the message
};
RosScan read_scan(const Json& message);

struct RosOdometry {
    RosDialect dialect = RosDialect::ros1;
    double time_s = 0;
    std::string frame, body_frame;  ///< names; empty: not said
    Pose pose;
};
RosOdometry read_odometry(const Json& message);

struct RosTwist {
    Velocity velocity;
    bool sideways = false;  ///< it also asks for what a robot on a floor with two wheels cannot do
};
/// Fields that are missing are 0; ones that a Twist does not have are wrong.
RosTwist read_twist(const Json& message);

double read_clock(const Json& message);

/// Of an echo sounder.
struct RosRange {
    double time_s = 0, field_of_view = 0, min_range = 0, max_range = 0;
    double range = 0;  ///< not a number: null in the message
};
RosRange read_range(const Json& message);

struct RosBattery {
    double time_s = 0;  ///< 0: not said
    double share = 0;   ///< left of a full one: percentage, or charge / capacity where that is null
};
RosBattery read_battery(const Json& message);

/// Places of others: a PoseArray, or a PoseStamped as an array of one.
struct RosPoses {
    double time_s = 0;
    std::string frame;
    std::vector<Pose> poses;  ///< in a PoseArray: yaw 0 where the orientation is all 0, as detectors leave it
};
RosPoses read_poses(const Json& message);
RosPoses read_stamped_pose(const Json& message);

/// A text as JSON, where Python may have written NaN or Infinity instead of null.
Json parse_ros_json(const std::string& text);

/// At most so many bytes of a text that came from elsewhere, cut between characters.
std::string shortened(const std::string& text, std::size_t bytes = 80);

}  // namespace outrider
