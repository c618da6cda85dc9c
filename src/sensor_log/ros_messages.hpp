// Messages of ROS 2 in CDR (OMG DDS-XTypes); three types are understood.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sensor_log/sensor_log.hpp"

namespace outrider {

/// A rigid motion in space: a unit quaternion and a translation in metres.
struct Transform3 {
    double x = 0, y = 0, z = 0;
    double qx = 0, qy = 0, qz = 0, qw = 1;
};
/// a_from_c, composed of a_from_b and b_from_c.
Transform3 compose(const Transform3& a, const Transform3& b);

/// Puts the messages of a bag together.
class RosBag {
  public:
    explicit RosBag(const std::string& path) : log_(path) {}
    /// Takes in sensor_msgs/msg/LaserScan, nav_msgs/msg/Odometry and tf2_msgs/msg/TFMessage. Counts other types as
    /// ignored and messages that make no sense as odd; `number` of the message in its file. Odometry is taken from the
    /// topic that comes first: other topics report the same motion in frames of their own.
    void take(std::string_view topic, std::string_view type, std::string_view bytes, std::size_t number);
    /// Whether take() reads messages of this type.
    static bool understands(std::string_view type);
    void note(std::string text) { log_.note(std::move(text)); }
    /// The log, with the scanners where the transforms put them on the body (the frame whose motion is odometry). A
    /// scanner that the transforms do not connect with the body is taken to sit at its centre. Throws Error without a
    /// scan.
    SensorLog finish();

  private:
    class Cdr;
    void take_scan(Cdr& cdr);
    void take_odometry(Cdr& cdr);
    bool is_other_odometry(std::string_view topic);
    void take_transforms(Cdr& cdr);
    /// body_from_sensor; false: no chain of transforms connects the two.
    bool find_mount(const std::string& frame, Transform3& mount) const;

    struct Edge {
        std::string parent;
        Transform3 parent_from_child;
    };
    SensorLogBuilder log_;
    std::map<std::string, Edge> edges_;     // by child; the newest of each
    std::vector<std::string> scan_frames_;  // of each scan
    std::string body_;                      // the frame whose motion is odometry; empty: not given
    std::string odometry_topic_;
    std::map<std::string, std::size_t, std::less<>> other_odometry_;  // messages by topic
};

/// A bag with MCAP storage (mcap.dev). Throws Error.
SensorLog read_mcap(const std::string& path);

}  // namespace outrider
