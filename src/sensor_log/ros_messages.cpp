#include "sensor_log/ros_messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include "outrider/error.hpp"

namespace outrider {

/// Reads the values of a message in order. Each is aligned to its size, counted from the end of the four header bytes,
/// which give the byte order.
class RosBag::Cdr {
  public:
    explicit Cdr(std::string_view bytes) : bytes_(bytes) {
        if (bytes_.size() < 4) fail("a message without a head");
        if (bytes_[0] != 0 || (bytes_[1] != 0 && bytes_[1] != 1))
            fail("expected plain CDR, found representation {:#x}{:02x}", bytes_[0], bytes_[1]);
        big_ = bytes_[1] == 0;
        bytes_.remove_prefix(4);
    }
    template <class T>
    T value() {
        at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        if (at_ > bytes_.size() || bytes_.size() - at_ < sizeof(T)) fail("a message that ends too early");
        char raw[sizeof(T)];
        std::memcpy(raw, bytes_.data() + at_, sizeof(T));
        if (big_) std::reverse(raw, raw + sizeof(T));
        at_ += sizeof(T);
        T v;
        std::memcpy(&v, raw, sizeof(T));
        return v;
    }
    /// Without the zero at its end.
    std::string text() {
        const auto n = value<std::uint32_t>();
        if (n > bytes_.size() - at_) fail("a text that is longer than its message");
        std::string out(bytes_.substr(at_, n));
        at_ += n;
        while (!out.empty() && out.back() == '\0') out.pop_back();
        return out;
    }
    struct Header {
        double time_s;
        std::string frame;
    };
    Header header() {
        const auto seconds = value<std::int32_t>();
        const auto nanoseconds = value<std::uint32_t>();
        return {seconds + nanoseconds * 1e-9, frame()};
    }
    /// Older programs begin the names of frames with a slash.
    std::string frame() {
        std::string name = text();
        return name.starts_with('/') ? name.substr(1) : name;
    }
    Transform3 transform() {
        Transform3 t;
        for (double* v : {&t.x, &t.y, &t.z, &t.qx, &t.qy, &t.qz, &t.qw}) *v = value<double>();
        return t;
    }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    bool big_ = false;
};

Transform3 compose(const Transform3& a, const Transform3& b) {
    const auto cross = [](double ax, double ay, double az, double bx, double by, double bz) {
        return std::array{ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx};
    };
    const auto t = cross(a.qx, a.qy, a.qz, b.x, b.y, b.z);  // v + 2 w (q x v) + 2 q x (q x v)
    const auto tt = cross(a.qx, a.qy, a.qz, t[0], t[1], t[2]), q = cross(a.qx, a.qy, a.qz, b.qx, b.qy, b.qz);
    return {a.x + b.x + 2 * (a.qw * t[0] + tt[0]),
            a.y + b.y + 2 * (a.qw * t[1] + tt[1]),
            a.z + b.z + 2 * (a.qw * t[2] + tt[2]),
            a.qw * b.qx + b.qw * a.qx + q[0],
            a.qw * b.qy + b.qw * a.qy + q[1],
            a.qw * b.qz + b.qw * a.qz + q[2],
            a.qw * b.qw - a.qx * b.qx - a.qy * b.qy - a.qz * b.qz};
}

namespace {

bool finite(const Transform3& t) {
    for (const double v : {t.x, t.y, t.z, t.qx, t.qy, t.qz, t.qw})
        if (!std::isfinite(v)) return false;
    return true;
}

/// Yaw of the x axis, seen from above.
double yaw_of(const Transform3& t) {
    return atan2(2 * (t.qw * t.qz + t.qx * t.qy), 1 - 2 * (t.qy * t.qy + t.qz * t.qz));
}

/// Whether its z axis points down.
bool upside_down(const Transform3& t) { return 1 - 2 * (t.qx * t.qx + t.qy * t.qy) < 0; }

}  // namespace

void RosBag::take_scan(Cdr& cdr) {
    const Cdr::Header header = cdr.header();
    RecordedScan scan;
    scan.first_angle = static_cast<double>(cdr.value<float>());
    cdr.value<float>();  // angle_max
    scan.step_angle = static_cast<double>(cdr.value<float>());
    cdr.value<float>();  // time_increment
    cdr.value<float>();  // scan_time
    const float least = cdr.value<float>(), most = cdr.value<float>();
    scan.max_range_m = static_cast<double>(most);
    const auto n = cdr.value<std::uint32_t>();
    if (n > 1'000'000) fail("a scan of {} beams", n);
    for (std::uint32_t i = 0; i < n; ++i) {
        float r = cdr.value<float>();
        if (r < least) r = 0;
        if (r > 0 && std::isinf(r)) r = most;  // REP 117: nothing within the range
        scan.ranges.push_back(r);
    }
    if (log_.scan(header.time_s, std::move(scan))) scan_frames_.push_back(header.frame);
}

void RosBag::take_odometry(Cdr& cdr) {
    const Cdr::Header header = cdr.header();
    const std::string child = cdr.frame();
    const Transform3 pose = cdr.transform();
    if (body_.empty()) body_ = child;
    log_.odometry(header.time_s, {pose.x, pose.y, yaw_of(pose)});
}

void RosBag::take_transforms(Cdr& cdr) {
    const auto n = cdr.value<std::uint32_t>();
    if (n > 100'000) fail("a message of {} transforms", n);
    for (std::uint32_t i = 0; i < n; ++i) {
        const Cdr::Header header = cdr.header();
        const std::string child = cdr.frame();
        const Transform3 t = cdr.transform();
        if (!finite(t)) fail("a transform that is not a number");
        edges_[child] = {header.frame, t};
    }
}

bool RosBag::is_other_odometry(std::string_view topic) {
    if (odometry_topic_.empty()) odometry_topic_ = topic;
    if (topic == odometry_topic_) return false;
    ++other_odometry_[std::string(topic)];
    return true;
}

bool RosBag::understands(std::string_view type) {
    return type == "sensor_msgs/msg/LaserScan" || type == "nav_msgs/msg/Odometry" || type == "tf2_msgs/msg/TFMessage";
}

void RosBag::take(std::string_view topic, std::string_view type, std::string_view bytes, std::size_t number) {
    try {
        if (!understands(type)) return log_.ignored();
        if (type == "nav_msgs/msg/Odometry" && is_other_odometry(topic)) return log_.ignored();
        Cdr cdr(bytes);
        if (type == "sensor_msgs/msg/LaserScan")
            take_scan(cdr);
        else if (type == "nav_msgs/msg/Odometry")
            take_odometry(cdr);
        else
            take_transforms(cdr);
        log_.kind(std::string(type.substr(type.rfind('/') + 1)));
    } catch (const TooMuchMemory&) {
        throw;
    } catch (const Error& e) {
        log_.odd(number, e.what());
    }
}

bool RosBag::find_mount(const std::string& frame, Transform3& mount) const {
    mount = {};
    std::string at = frame;
    for (std::size_t steps = 0; steps <= edges_.size(); ++steps) {  // a longer chain would be a loop of frames
        if (at == body_) return true;
        const auto edge = edges_.find(at);
        if (edge == edges_.end()) return false;
        mount = compose(edge->second.parent_from_child, mount);
        at = edge->second.parent;
    }
    return false;
}

SensorLog RosBag::finish() {
    for (const auto& [topic, messages] : other_odometry_)
        log_.note(
            fmt::format("odometry is that of {}; {} messages of {} are left out", odometry_topic_, messages, topic));
    SensorLog log = log_.finish();
    std::set<std::string> unplaced;
    for (std::size_t i = 0; i < log.scans.size(); ++i) {
        Transform3 mount;
        if (body_.empty()) continue;
        if (!find_mount(scan_frames_.at(i), mount)) {
            if (unplaced.insert(scan_frames_[i]).second)
                log.notes.push_back(fmt::format("no transform says where {} is on {}: it is taken to sit at its centre",
                                                scan_frames_[i], body_));
            continue;
        }
        RecordedScan& scan = log.scans[i];
        const Pose placed{mount.x, mount.y, yaw_of(mount)};
        if (!is_on_robot(placed)) fail("{}: the transforms put {} nowhere near {}", log.path, scan_frames_[i], body_);
        scan.mount = placed;
        if (!upside_down(mount)) continue;  // an upside-down scanner's beams turn the other way
        scan.first_angle = -(scan.first_angle + scan.step_angle * (static_cast<double>(scan.ranges.size()) - 1));
        std::reverse(scan.ranges.begin(), scan.ranges.end());
    }
    return log;
}

}  // namespace outrider
