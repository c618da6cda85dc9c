// Messages of ROS 2 in CDR (OMG DDS-XTypes), and those of Foxglove in JSON that say the same; three types of each are
// understood.
#pragma once

#include <map>
#include <optional>
#include <set>
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
bool is_finite(const Transform3& t);
/// Yaw of the x axis, seen from above.
double yaw_of(const Transform3& t);

/// Puts the messages of a bag together.
class RosBag {
  public:
    /// `robot`: of a bag of several robots, the one whose topics begin with /robot/; empty: all topics are of one.
    explicit RosBag(const std::string& path, std::string_view robot = {});
    /// Takes in sensor_msgs/msg/LaserScan, nav_msgs/msg/Odometry and tf2_msgs/msg/TFMessage in CDR, and in JSON
    /// foxglove.LaserScan, foxglove.PoseInFrame (as odometry) and foxglove.FrameTransforms; also those of ROS 1. Counts
    /// other types as ignored and messages that make no sense as odd; `number` of the message in its file. Odometry is
    /// taken from the topic that comes first: other topics report the same motion in frames of their own. Where no
    /// topic tells it, transforms from a frame odom (else map or world) to the body do.
    void take(std::string_view topic, std::string_view type, std::string_view bytes, std::size_t number);
    /// Whether take() reads messages of this type, and their encoding ("cdr" or "json").
    static bool understands(std::string_view type, std::string_view encoding);
    /// Whether take() reads messages of this topic and type; where not, it counts them.
    bool wants(std::string_view topic, std::string_view type);
    void ignored() { log_.ignored(); }
    /// A message that take() would not read.
    void pass_over(std::string_view topic, std::string_view type);
    /// The range of the scanner of this topic, where its messages do not say it.
    void scans_reach(std::string_view topic, double range_m) { ranges_[std::string(topic)] = range_m; }
    void note(std::string text) { log_.note(std::move(text)); }
    /// The log, with the scanners where the transforms put them on the body (the frame whose motion is odometry). A
    /// scanner that the transforms do not connect with the body is taken to sit at its centre. Throws Error without a
    /// scan, and where scans and odometry are those of several robots of which none was chosen.
    SensorLog finish();

  private:
    class Cdr;
    void take_scan(Cdr& cdr);
    void take_odometry(Cdr& cdr);
    bool is_other_odometry(std::string_view topic);
    void take_transforms(std::string_view topic, Cdr& cdr);
    void take_foxglove(std::string_view topic, std::string_view type, std::string_view text);
    void keep_scan(double time_s, RecordedScan scan, const std::string& frame, const Transform3& frame_from_sensor);
    /// `time_s`: nothing where the message has no stamp.
    void keep_transform(std::string_view topic, std::optional<double> time_s, const std::string& parent,
                        const std::string& child, const Transform3& transform);
    bool is_chosen(std::string_view topic) const;
    void expect_one_robot() const;
    void find_body();
    /// Where no message tells odometry, transforms may: those from a frame odom, map or world to the body.
    void take_moving();
    void read_zeros(SensorLog& log) const;
    /// Throws Error with what there is instead.
    void expect_scans() const;
    /// body_from_sensor; false: no chain of transforms connects the two.
    bool find_mount(const std::string& frame, Transform3& mount) const;

    struct Edge {
        std::string parent;
        Transform3 parent_from_child;
    };
    /// Transforms from a fixed frame that came one after the other, of one child.
    struct Moving {
        std::string parent;
        std::vector<LogEntry> poses;
        bool moves = false;
    };
    /// Whether a scanner reports 0 where it saw nothing, as some drivers do: it never says so otherwise, and beside
    /// many of its gaps lie readings close to its range.
    struct ZeroHabit {
        bool otherwise = false;  // other readings that are none: inf, nan, beyond the range or below the least
        std::size_t sides = 0, far_sides = 0;  // of gaps: readings beside them, and those of them that are far
        void look_at(const std::vector<float>& ranges, float least, float most);
        bool is_there() const { return !otherwise && sides >= 20 && 3 * far_sides >= sides; }
    };
    const std::pair<const std::string, Moving>* moving_body(std::string frame) const;
    SensorLogBuilder log_;
    std::map<std::string, Edge> edges_;       // by child; the newest of each
    std::map<std::string, Moving> moving_;    // by child, until there are messages of odometry
    std::vector<std::string> scan_frames_;    // of each scan
    std::map<std::string, ZeroHabit> zeros_;  // by frame
    std::vector<Transform3> scan_mounts_;     // of each scan: where the sensor is in that frame
    std::string body_;                        // the frame whose motion is odometry; empty: not given
    std::string pose_frame_;                  // in which a pose without such a frame is given
    std::string robot_;
    std::set<std::string, std::less<>> scan_topics_, odometry_topics_, transform_topics_;
    std::map<std::string, double, std::less<>> ranges_;
    std::string odometry_topic_;
    std::map<std::string, std::size_t, std::less<>> others_;          // messages that are not read, by type and topic
    std::map<std::string, std::size_t, std::less<>> other_odometry_;  // messages by topic
};

/// A file in MCAP (mcap.dev), of rosbag2 or for Foxglove. Throws Error.
SensorLog read_mcap(const std::string& path, std::string_view robot = {});
bool is_mcap_file(const std::string& path);
/// Takes in the messages of a file, which may be a part of a bag.
void read_mcap_into(const std::string& path, RosBag& bag);
void read_rosbag2_into(const std::string& path, RosBag& bag);

/// A bag of ROS 1, version 2.0. Throws Error.
SensorLog read_ros1_bag(const std::string& path, std::string_view robot = {});
bool is_ros1_bag(std::string_view beginning);
/// A chunk of a bag, of `size` bytes when unpacked. Throws Error.
std::string unpack_lz4(std::string_view packed, std::size_t size);

/// The names of the files of a rosbag2 in its folder, as its metadata.yaml lists them; where that is missing, all files
/// .db3 and .mcap, by the numbers in their names.
std::vector<std::string> bag_files(const std::string& folder);
/// All of them as one recording.
SensorLog read_bag_folder(const std::string& folder, std::string_view robot = {});

}  // namespace outrider
