#include "sensor_log/recording_formats.hpp"

#include <array>

namespace outrider {
namespace {

constexpr std::array<FileFormat, 9> formats{{
    {"CARMEN, also compressed by gzip", "a text of no other kind",
     "`FLASER`, `RLASER`, `ROBOTLASER1` ..., `RAWLASER1` ...; `ODOM`; `PARAM` of where lasers sit",
     "other lines, which are counted"},
    {"`.gfs` of GMapping", "lines `LASER_READING`", "these and `ODOM`", "other lines"},
    {"CSV", "lines `odom,`, `scan,`, `ins,`, `gps,`", "all four", "other lines"},
    {"rosbag2: `.db3`, `.mcap` (also of zstd and lz4 chunks), a folder with its `metadata.yaml`",
     "an SQLite with `messages` and `topics`; the first bytes of MCAP",
     "`sensor_msgs/msg/LaserScan`; `nav_msgs/msg/Odometry`, else `/tf`; where scanners sit, from `/tf_static`",
     "other messages, which are named; clouds of points; bags compressed as a whole"},
    {"bags of ROS 1, version 2.0", "`#ROSBAG V2.0`", "`sensor_msgs/LaserScan`; `nav_msgs/Odometry`, else `/tf`",
     "other messages; chunks of bz2; versions before 2.0"},
    {"MCAP of Foxglove, in JSON", "the first bytes of MCAP",
     "`foxglove.LaserScan`, `foxglove.PoseInFrame`, `foxglove.FrameTransforms`", "other messages; protobuf"},
    {"USARSim", "lines `SEN {` and `STA {`", "`RangeScanner`; `Odometry`, `INS` or `GroundTruth`; `GEO`",
     "other sensors, which are named"},
    {"a folder with a file for each sensor", "rows of a time and 100 readings or more",
     "scans, and rows of time, x, y, yaw", "sonar, images"},
    {"rows of numbers: Matlab; CoreSLAM's and BreezySLAM's `.dat`", "98 readings or more in each row",
     "x, y, yaw or two wheels, and readings", "other columns"},
}};

}  // namespace

std::span<const FileFormat> recording_formats() { return formats; }

}  // namespace outrider
