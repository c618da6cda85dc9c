#include "sensor_log/ros_messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include "outrider/error.hpp"
#include "sensor_log/beam_order.hpp"

namespace outrider {

/// Reads the values of a message in order. Each is aligned to its size, counted from the end of the four header bytes,
/// which give the byte order. Messages of ROS 1 have no such head, and nothing is aligned.
class RosBag::Cdr {
  public:
    explicit Cdr(std::string_view bytes, bool ros1 = false) : bytes_(bytes), ros1_(ros1) {
        if (ros1) return;
        if (bytes_.size() < 4) fail("a message without a head");
        if (bytes_[0] != 0 || (bytes_[1] != 0 && bytes_[1] != 1))
            fail("expected plain CDR, found representation {:#x}{:02x}", bytes_[0], bytes_[1]);
        big_ = bytes_[1] == 0;
        bytes_.remove_prefix(4);
    }
    template <class T>
    T value() {
        if (!ros1_) at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
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
        if (ros1_) value<std::uint32_t>();  // its number
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
    bool big_ = false, ros1_ = false;
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

bool is_finite(const Transform3& t) {
    for (const double v : {t.x, t.y, t.z, t.qx, t.qy, t.qz, t.qw})
        if (!std::isfinite(v)) return false;
    return true;
}

double yaw_of(const Transform3& t) {
    return atan2(2 * (t.qw * t.qz + t.qx * t.qy), 1 - 2 * (t.qy * t.qy + t.qz * t.qz));
}

namespace {

/// Whether its z axis points down.
bool upside_down(const Transform3& t) { return 1 - 2 * (t.qx * t.qx + t.qy * t.qy) < 0; }

/// How well a frame serves as that in which odometry is told, by its name (REP 105, with or without a robot's name
/// before it); 0: not at all.
int rank_of_fixed(std::string_view frame) {
    frame.remove_prefix(frame.rfind('/') + 1);  // all, where there is none: npos + 1 is 0
    if (frame.find("odom") != std::string_view::npos) return 2;
    return frame == "map" || frame == "world" ? 1 : 0;
}

}  // namespace

RosBag::RosBag(const std::string& path, std::string_view robot) : log_(path), robot_(robot) {
    while (robot_.starts_with('/')) robot_.erase(0, 1);
    while (robot_.ends_with('/')) robot_.pop_back();
}

void RosBag::keep_scan(double time_s, RecordedScan scan, const std::string& frame, const Transform3& mount) {
    if (!log_.scan(time_s, std::move(scan))) return;
    scan_frames_.push_back(frame);
    scan_mounts_.push_back(mount);
}

void RosBag::keep_transform(std::string_view topic, std::optional<double> time_s, const std::string& parent,
                            const std::string& child, const Transform3& t) {
    if (!is_finite(t)) fail("a transform that is not a number");
    edges_[child] = {parent, t};
    if (!odometry_topic_.empty() || !time_s || rank_of_fixed(parent) == 0 || rank_of_fixed(child) > 0) return;
    Moving& moving = moving_[child];
    const int rank = rank_of_fixed(parent), best = rank_of_fixed(moving.parent);
    if (rank < best || topic.ends_with("tf_static")) return;
    if (rank > best) moving = {parent, {}, false};
    if (parent != moving.parent) return;
    const LogEntry entry{*time_s, {t.x, t.y, yaw_of(t)}, -1};
    log_.take_memory(2 * sizeof(LogEntry), "its transforms");  // twice: while the list grows
    moving.moves = moving.moves || (!moving.poses.empty() && moving.poses.front().odometry != entry.odometry);
    moving.poses.push_back(entry);
}

void RosBag::ZeroHabit::look_at(const std::vector<float>& ranges, float least, float most) {
    const auto is_reading = [&](float r) { return r > 0 && r >= least && r < most; };
    for (std::size_t i = 0; i < ranges.size() && !otherwise; ++i) {
        otherwise = ranges[i] != 0 && !is_reading(ranges[i]);
        if (i == 0 || (ranges[i] == 0) == (ranges[i - 1] == 0)) continue;
        ++sides;
        far_sides += std::max(ranges[i], ranges[i - 1]) >= 0.8f * most;
    }
}

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
    for (std::uint32_t i = 0; i < n; ++i) scan.ranges.push_back(cdr.value<float>());
    zeros_[header.frame].look_at(scan.ranges, least, most);
    for (float& r : scan.ranges) {
        if (r < least) r = 0;
        if (r > 0 && std::isinf(r)) r = most;  // REP 117: nothing within the range
    }
    keep_scan(header.time_s, std::move(scan), header.frame, {});
}

void RosBag::take_odometry(Cdr& cdr) {
    const Cdr::Header header = cdr.header();
    const std::string child = cdr.frame();
    const Transform3 pose = cdr.transform();
    if (body_.empty()) body_ = child;
    log_.odometry(header.time_s, {pose.x, pose.y, yaw_of(pose)});
}

void RosBag::take_transforms(std::string_view topic, Cdr& cdr) {
    const auto n = cdr.value<std::uint32_t>();
    if (n > 100'000) fail("a message of {} transforms", n);
    for (std::uint32_t i = 0; i < n; ++i) {
        const Cdr::Header header = cdr.header();
        const std::string child = cdr.frame();
        keep_transform(topic, header.time_s, header.frame, child, cdr.transform());
    }
}

bool RosBag::is_other_odometry(std::string_view topic) {
    if (odometry_topic_.empty()) {
        odometry_topic_ = topic;
        moving_.clear();
    }
    if (topic == odometry_topic_) return false;
    ++other_odometry_[std::string(topic)];
    return true;
}

namespace {

/// What a type of messages tells.
enum class Reports { nothing, scan, odometry, transforms };
struct KnownType {
    std::string_view type, encoding;
    Reports reports;
};
constexpr KnownType known_types[] = {
    {"sensor_msgs/msg/LaserScan", "cdr", Reports::scan},    {"nav_msgs/msg/Odometry", "cdr", Reports::odometry},
    {"tf2_msgs/msg/TFMessage", "cdr", Reports::transforms}, {"foxglove.LaserScan", "json", Reports::scan},
    {"foxglove.PoseInFrame", "json", Reports::odometry},    {"foxglove.FrameTransforms", "json", Reports::transforms},
    {"sensor_msgs/LaserScan", "ros1", Reports::scan},       {"nav_msgs/Odometry", "ros1", Reports::odometry},
    {"tf2_msgs/TFMessage", "ros1", Reports::transforms},    {"tf/tfMessage", "ros1", Reports::transforms},
};

const KnownType* find_type(std::string_view type) {
    for (const KnownType& known : known_types)
        if (known.type == type) return &known;
    return nullptr;
}

/// The namespace of a topic: r1 of /r1/scan; empty: none.
std::string_view namespace_of(std::string_view topic) {
    if (topic.starts_with('/')) topic.remove_prefix(1);
    const std::size_t slash = topic.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : topic.substr(0, slash);
}

/// Whether a namespace is that one, or in it.
bool is_within(std::string_view inner, std::string_view outer) {
    return outer.empty() || inner == outer ||
           (inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '/');
}

template <class Names>
std::string listed(const Names& names) {
    constexpr std::size_t most = 20;
    std::string out;
    std::size_t n = 0;
    for (const auto& name : names) {
        if (n++ == most) return out + ", ...";
        (out += out.empty() ? "" : ", ") += name;
    }
    return out;
}

}  // namespace

bool RosBag::understands(std::string_view type, std::string_view encoding) {
    const KnownType* const known = find_type(type);
    return known && known->encoding == encoding;
}

bool RosBag::is_chosen(std::string_view topic) const { return is_within(namespace_of(topic), robot_); }

bool RosBag::wants(std::string_view topic, std::string_view type) {
    const KnownType* const known = find_type(type);
    if (!known) return false;
    constexpr std::size_t most_topics = 100'000;
    auto& topics = known->reports == Reports::scan       ? scan_topics_
                   : known->reports == Reports::odometry ? odometry_topics_
                                                         : transform_topics_;
    if (topics.size() < most_topics) topics.emplace(topic);
    if (known->reports == Reports::transforms && namespace_of(topic).empty()) return true;  // /tf is that of all robots
    return is_chosen(topic);
}

/// Throws Error where scans belong to different robots: each to that whose namespace, with odometry in it, it is in.
void RosBag::expect_one_robot() const {
    if (!robot_.empty()) {
        const auto chosen = [&](const std::string& topic) { return is_chosen(topic); };
        if (std::any_of(scan_topics_.begin(), scan_topics_.end(), chosen)) return;
        std::set<std::string, std::less<>> names;
        for (const std::string& topic : scan_topics_) names.emplace(namespace_of(topic));
        names.erase("");
        log_.refuse(fmt::format("no scans of {}{}", robot_,
                                names.empty() ? " or of any other robot" : "; there are those of " + listed(names)));
    }
    std::set<std::string, std::less<>> robots;
    const auto& reports = odometry_topics_.empty() ? transform_topics_ : odometry_topics_;
    for (const std::string& scan : scan_topics_) {
        const std::string* of = nullptr;
        for (const std::string& odometry : reports)
            if (is_within(namespace_of(scan), namespace_of(odometry)) &&
                (!of || namespace_of(odometry).size() > namespace_of(*of).size()))
                of = &odometry;
        if (of) robots.emplace(namespace_of(*of));
    }
    if (robots.size() > 1)
        log_.refuse(fmt::format("scans of several robots: {}; outrider slam --robot NAME takes one", listed(robots)));
}

void RosBag::pass_over(std::string_view topic, std::string_view type) {
    constexpr std::size_t most_kinds = 1000, most_letters = 200;
    log_.ignored();
    const std::string kind = fmt::format("{} on {}", type.substr(0, most_letters), topic.substr(0, most_letters));
    if (const auto known = others_.find(kind); known != others_.end())
        ++known->second;
    else if (others_.size() < most_kinds)
        others_.emplace(kind, 1);
}

void RosBag::expect_scans() const {
    if (!scan_topics_.empty()) return;  // what is wrong with them is said elsewhere
    std::vector<std::string> held;
    for (const std::string& topic : odometry_topics_) held.push_back("odometry on " + topic);
    for (const std::string& topic : transform_topics_) held.push_back("transforms on " + topic);
    for (const auto& [kind, messages] : others_) held.push_back(fmt::format("{} {}", messages, kind));
    std::string what = "no scans of a laser (sensor_msgs/msg/LaserScan) in it";
    what += held.empty() ? ", nor anything else" : "; it holds " + listed(held);
    for (const auto& [kind, messages] : others_)
        if (kind.find("PointCloud") != std::string::npos) {
            what += "; of clouds of points pointcloud_to_laserscan makes scans";
            break;
        }
    log_.refuse(what);
}

void RosBag::take(std::string_view topic, std::string_view type, std::string_view bytes, std::size_t number) {
    try {
        const KnownType* const known = find_type(type);
        if (!known) return pass_over(topic, type);
        if (!wants(topic, type)) return log_.ignored();
        if (known->reports == Reports::odometry && is_other_odometry(topic)) return log_.ignored();
        if (known->encoding == "json") {
            take_foxglove(topic, type, bytes);
        } else {
            Cdr cdr(bytes, known->encoding == "ros1");
            if (known->reports == Reports::scan)
                take_scan(cdr);
            else if (known->reports == Reports::odometry)
                take_odometry(cdr);
            else
                take_transforms(topic, cdr);
        }
        log_.kind(std::string(type.substr(type.find_last_of("/.") + 1)));
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

/// The body whose pose is told without its name is the only child of the frame in which that is told.
void RosBag::find_body() {
    if (!body_.empty() || pose_frame_.empty()) return;
    for (const auto& [child, edge] : edges_) {
        if (edge.parent != pose_frame_) continue;
        if (!body_.empty()) {
            body_.clear();
            return;
        }
        body_ = child;
    }
}

/// The frame whose motion is told, which carries this one; nullptr: none does.
const std::pair<const std::string, RosBag::Moving>* RosBag::moving_body(std::string frame) const {
    for (std::size_t steps = 0; steps <= edges_.size(); ++steps) {
        if (const auto at = moving_.find(frame); at != moving_.end()) return &*at;
        const auto edge = edges_.find(frame);
        if (edge == edges_.end()) return nullptr;
        frame = edge->second.parent;
    }
    return nullptr;
}

void RosBag::take_moving() {
    std::erase_if(moving_, [](const auto& item) { return !item.second.moves; });
    if (!odometry_topic_.empty() || moving_.empty() || scan_frames_.empty()) return;
    std::set<const std::pair<const std::string, Moving>*> bodies;
    std::set<std::string> looked, names;
    for (const std::string& frame : scan_frames_)
        if (looked.insert(frame).second)
            if (const auto* body = moving_body(frame); body && bodies.insert(body).second) names.insert(body->first);
    if (bodies.empty() && moving_.size() == 1) bodies.insert(&*moving_.begin());  // nobody says where the scanner sits
    if (bodies.empty()) {
        for (const auto& [child, moving] : moving_) names.insert(child);
        log_.note(fmt::format("several frames move ({}), and no transform says which of them carries the scanner",
                              listed(names)));
        return;
    }
    if (bodies.size() > 1)
        log_.refuse(
            fmt::format("scanners on several bodies that move: {}; outrider slam --robot NAME takes the scans "
                        "of one",
                        listed(names)));
    const auto& [child, moving] = **bodies.begin();
    body_ = child;
    log_.odometry(moving.poses);
    log_.note(fmt::format("odometry is the transform from {} to {}, {} times; no message tells it", moving.parent,
                          child, moving.poses.size()));
}

/// Readings of 0 become the range where they mean that nothing was seen.
void RosBag::read_zeros(SensorLog& log) const {
    std::size_t scans = 0;
    for (std::size_t i = 0; i < log.scans.size(); ++i) {
        RecordedScan& scan = log.scans[i];
        const auto habit = zeros_.find(scan_frames_.at(i));
        if (!(scan.max_range_m > 0) || habit == zeros_.end() || !habit->second.is_there()) continue;
        std::replace(scan.ranges.begin(), scan.ranges.end(), 0.0f,
                     std::nextafter(static_cast<float>(scan.max_range_m), HUGE_VALF));
        ++scans;
    }
    if (scans > 0)
        log.notes.push_back(
            fmt::format("readings of 0 are taken to mean that nothing was seen, in {} scans: beside them "
                        "walls are as far as the scanner sees",
                        scans));
}

SensorLog RosBag::finish() {
    expect_scans();
    expect_one_robot();
    take_moving();
    find_body();
    for (const auto& [topic, messages] : other_odometry_)
        log_.note(
            fmt::format("odometry is that of {}; {} messages of {} are left out", odometry_topic_, messages, topic));
    SensorLog log = log_.finish();
    read_zeros(log);
    std::set<std::string> unplaced;
    for (std::size_t i = 0; i < log.scans.size(); ++i) {
        Transform3 mount;
        if (!body_.empty() && !find_mount(scan_frames_.at(i), mount)) {
            mount = {};
            if (unplaced.insert(scan_frames_[i]).second)
                log.notes.push_back(fmt::format("no transform says where {} is on {}: it is taken to sit at its centre",
                                                scan_frames_[i], body_));
        }
        mount = compose(mount, scan_mounts_.at(i));
        RecordedScan& scan = log.scans[i];
        const Pose placed{mount.x, mount.y, yaw_of(mount)};
        if (!is_on_robot(placed)) fail("{}: the transforms put {} nowhere near {}", log.path, scan_frames_[i], body_);
        scan.mount = placed;
        if (upside_down(mount)) mirror(scan);
    }
    return log;
}

}  // namespace outrider
