#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "live/rosbridge/ros_messages.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_ranges = 100'000;
constexpr std::size_t most_poses = 1000;
constexpr double farthest_m = 1e6;  // of an odometry
constexpr double fastest = 1000;    // metres or radians per second

const Json& part_of(const Json& whole, std::string_view key) {
    const Json* part = whole.find(key);
    if (!part) fail("expected a field \"{}\"", key);
    return *part;
}

double number_of(const Json& whole, std::string_view key) {
    const double* number = part_of(whole, key).number();
    if (!number || !std::isfinite(*number)) fail("{}: expected a number", key);
    return *number;
}

/// Of fields that ROS fills with infinity, or not at all: these come as null.
double number_or(const Json& whole, std::string_view key, double otherwise) {
    const Json& part = part_of(whole, key);
    return std::holds_alternative<std::nullptr_t>(part.value) ? otherwise : number_of(whole, key);
}

struct RosTime {
    double seconds;
    RosDialect dialect;
};

RosTime time_of(const Json& time) {
    const bool is_ros2 = time.find("sec") != nullptr;
    const double seconds = number_of(time, is_ros2 ? "sec" : "secs"),
                 ns = number_of(time, is_ros2 ? "nanosec" : "nsecs");
    if (seconds < 0 || seconds > std::numeric_limits<std::uint32_t>::max() || ns < 0 || ns >= 1e9)
        fail("a time of {} s and {} ns", seconds, ns);
    return {seconds + ns * 1e-9, is_ros2 ? RosDialect::ros2 : RosDialect::ros1};
}

RosTime stamp_of(const Json& message) { return time_of(part_of(part_of(message, "header"), "stamp")); }

double yaw_of(const Json& rotation) {
    const double x = number_of(rotation, "x"), y = number_of(rotation, "y"), z = number_of(rotation, "z"),
                 w = number_of(rotation, "w"), size = x * x + y * y + z * z + w * w;
    if (!(size > 0.1 && size < 10)) fail("orientation: a quaternion of length {:.3g}, expected 1", std::sqrt(size));
    return atan2(2 * (w * z + x * y), w * w + x * x - y * y - z * z);
}

/// A name that may be missing; ROS 1 once began those of frames with a slash.
std::string frame_in(const Json& whole, std::string_view key) {
    const Json* name = whole.find(key);
    if (!name || !name->text()) return "";
    return name->text()->starts_with('/') ? name->text()->substr(1) : *name->text();
}

/// Whether nobody set this orientation.
bool is_unset(const Json& rotation) {
    for (const char* key : {"x", "y", "z", "w"})
        if (number_of(rotation, key) != 0) return false;
    return true;
}

Pose pose_of(const Json& place, bool with_yaw = true) {
    const Json &position = part_of(place, "position"), &rotation = part_of(place, "orientation");
    const double yaw = with_yaw || !is_unset(rotation) ? yaw_of(rotation) : 0;
    const Pose pose{number_of(position, "x"), number_of(position, "y"), yaw};
    if (std::abs(pose.x) > farthest_m || std::abs(pose.y) > farthest_m)
        fail("position: ({:.6g}, {:.6g}) m is too far away", pose.x, pose.y);
    return pose;
}

/// Refuses fields that are not among these.
void expect_fields(const Json& json, std::string_view name, std::initializer_list<std::string_view> known) {
    if (!json.object()) fail("{}: expected an object", name);
    for (const auto& [key, value] : *json.object())
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            const bool stamped = key == "twist";  // of a TwistStamped
            fail("{}: there is no field \"{}\"{}", name, shortened(key),
                 stamped ? " (expected geometry_msgs/Twist)" : "");
        }
}

struct TwistVector {
    double x = 0, y = 0, z = 0;
};

/// A part of a twist; what is missing is 0.
TwistVector twist_vector(const Json& twist, std::string_view name) {
    const Json* json = twist.find(name);
    if (!json) return {};
    expect_fields(*json, name, {"x", "y", "z"});
    const auto one = [&](std::string_view key) {
        const Json* number = json->find(key);
        if (!number) return 0.0;
        if (!number->number() || !(std::abs(*number->number()) <= fastest))
            fail("{}.{}: expected a number up to {}", name, key, fastest);
        return *number->number();
    };
    return {one("x"), one("y"), one("z")};
}

}  // namespace

RosScan read_scan(const Json& message) {
    RosScan out;
    const RosTime time = stamp_of(message);
    out.dialect = time.dialect;
    out.time_s = time.seconds;
    out.angle_min = number_of(message, "angle_min");
    out.angle_increment = number_of(message, "angle_increment");
    out.range_min = number_or(message, "range_min", 0);
    out.range_max = number_or(message, "range_max", std::numeric_limits<double>::infinity());
    const Json::Array* ranges = part_of(message, "ranges").array();
    if (!ranges) fail("ranges: expected a list");
    if (ranges->empty() || ranges->size() > most_ranges)
        fail("ranges: {} of them, expected 1 to {}", ranges->size(), most_ranges);
    if (std::abs(out.angle_min) > 100 || std::abs(out.angle_increment) > 7 ||
        (ranges->size() > 1 && std::abs(out.angle_increment) < 1e-6))
        fail("{} beams from angle {:.6g} on, {:.6g} from one to the next", ranges->size(), out.angle_min,
             out.angle_increment);
    for (const Json& range : *ranges) {
        const double* number = range.number();
        if (!number && !std::holds_alternative<std::nullptr_t>(range.value)) fail("ranges: expected numbers");
        out.ranges.push_back(number ? *number : std::numeric_limits<double>::quiet_NaN());
    }
    return out;
}

RosOdometry read_odometry(const Json& message) {
    const RosTime time = stamp_of(message);
    return {time.dialect, time.seconds, frame_in(part_of(message, "header"), "frame_id"),
            frame_in(message, "child_frame_id"), pose_of(part_of(part_of(message, "pose"), "pose"))};
}

RosTwist read_twist(const Json& message) {
    expect_fields(message, "Twist", {"linear", "angular"});
    const TwistVector linear = twist_vector(message, "linear"), angular = twist_vector(message, "angular");
    return {{linear.x, angular.z}, linear.y != 0 || linear.z != 0 || angular.x != 0 || angular.y != 0};
}

double read_clock(const Json& message) { return time_of(part_of(message, "clock")).seconds; }

RosRange read_range(const Json& message) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    RosRange out;
    out.time_s = stamp_of(message).seconds;
    out.field_of_view = number_of(message, "field_of_view");
    out.min_range = number_of(message, "min_range");
    out.max_range = number_of(message, "max_range");
    out.range = number_or(message, "range", unknown);
    if (!(out.min_range >= 0 && out.max_range > out.min_range))
        fail("min_range: {:.6g} m, max_range: {:.6g} m, expected 0 or more, and more than that", out.min_range,
             out.max_range);
    if (out.range < 0) fail("range: {:.6g} m, expected 0 or more", out.range);
    return out;
}

RosBattery read_battery(const Json& message) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    RosBattery out{stamp_of(message).seconds, number_or(message, "percentage", unknown)};
    const char* name = "percentage";
    if (std::isnan(out.share)) {
        const double charge = number_or(message, "charge", unknown), capacity = number_or(message, "capacity", unknown);
        if (!(capacity > 0) || std::isnan(charge)) fail("percentage: expected a number from 0 to 1");
        out.share = charge / capacity;
        name = "charge / capacity";
    }
    if (!(out.share >= 0 && out.share <= 1)) fail("{}: {:.6g}, expected 0 to 1", name, out.share);
    return out;
}

RosPoses read_poses(const Json& message) {
    RosPoses out{stamp_of(message).seconds, frame_in(part_of(message, "header"), "frame_id"), {}};
    const Json::Array* poses = part_of(message, "poses").array();
    if (!poses) fail("poses: expected a list");
    if (poses->size() > most_poses) fail("poses: {} of them, expected at most {}", poses->size(), most_poses);
    for (const Json& pose : *poses) out.poses.push_back(pose_of(pose, false));
    return out;
}

RosPoses read_stamped_pose(const Json& message) {
    return {stamp_of(message).seconds,
            frame_in(part_of(message, "header"), "frame_id"),
            {pose_of(part_of(message, "pose"))}};
}

Json parse_ros_json(const std::string& text) {
    if (text.find("NaN") == text.npos && text.find("Infinity") == text.npos) return parse_json(text);
    std::string out;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t length = quoted && text[i] == '\\' ? 2 : 1;
        if (text[i] == '"') quoted = !quoted;
        std::string_view token;
        for (const std::string_view word : {"NaN", "-Infinity", "Infinity"})
            if (!quoted && text.compare(i, word.size(), word) == 0) token = word;
        if (!token.empty()) length = token.size();
        out += token.empty() ? text.substr(i, length) : "null";
        i += length;
    }
    return parse_json(out);
}

std::string shortened(const std::string& text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    std::size_t end = bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // within a character of UTF-8
    return text.substr(0, end) + "...";
}

}  // namespace outrider
