// Messages of Foxglove in JSON: foxglove.LaserScan, foxglove.PoseInFrame, foxglove.FrameTransforms.

#include "base/json.hpp"
#include "outrider/error.hpp"
#include "sensor_log/ros_messages.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_json_bytes = 4 << 20;  // of a message: its values take some 30 times as much

const Json& at(const Json& object, std::string_view key) {
    const Json* const value = object.find(key);
    if (!value) fail("expected the field {}", key);
    return *value;
}

double number_at(const Json& object, std::string_view key) {
    const double* const number = at(object, key).number();
    if (!number) fail("{}: expected a number", key);
    return *number;
}

const Json::Array& list_at(const Json& object, std::string_view key) {
    const Json::Array* const list = at(object, key).array();
    if (!list) fail("{}: expected a list", key);
    return *list;
}

/// Programs of before began the names of frames with a slash.
std::string frame_at(const Json& object, std::string_view key) {
    const std::string* const text = at(object, key).text();
    if (!text) fail("{}: expected a text", key);
    return text->starts_with('/') ? text->substr(1) : *text;
}

double time_of(const Json& message) {
    const Json& time = at(message, "timestamp");
    return number_at(time, "sec") + number_at(time, "nsec") * 1e-9;
}

Transform3 transform_of(const Json& place, const Json& turn) {
    return {number_at(place, "x"), number_at(place, "y"), number_at(place, "z"), number_at(turn, "x"),
            number_at(turn, "y"),  number_at(turn, "z"),  number_at(turn, "w")};
}

Transform3 pose_of(const Json& message) {
    const Json& pose = at(message, "pose");
    return transform_of(at(pose, "position"), at(pose, "orientation"));
}

RecordedScan scan_of(const Json& message) {
    RecordedScan scan;
    const Json::Array& ranges = list_at(message, "ranges");
    scan.first_angle = number_at(message, "start_angle");
    if (ranges.size() > 1)
        scan.step_angle = (number_at(message, "end_angle") - scan.first_angle) / static_cast<double>(ranges.size() - 1);
    for (const Json& range : ranges) {
        const double* const r = range.number();
        scan.ranges.push_back(r ? static_cast<float>(*r) : 0.0f);  // null and the like: no information
    }
    return scan;
}

}  // namespace

void RosBag::take_foxglove(std::string_view topic, std::string_view type, std::string_view text) {
    if (text.size() > most_json_bytes) fail("a message of {} bytes; expected {} at most", text.size(), most_json_bytes);
    const Json message = parse_json(text);
    if (type == "foxglove.LaserScan") {
        RecordedScan scan = scan_of(message);
        if (const auto range = ranges_.find(topic); range != ranges_.end()) scan.max_range_m = range->second;
        const Transform3 mount = pose_of(message);
        if (!is_finite(mount)) fail("a pose that is not a number");
        keep_scan(time_of(message), std::move(scan), frame_at(message, "frame_id"), mount);
    } else if (type == "foxglove.PoseInFrame") {
        const Transform3 pose = pose_of(message);
        if (pose_frame_.empty()) pose_frame_ = frame_at(message, "frame_id");
        log_.odometry(time_of(message), {pose.x, pose.y, yaw_of(pose)});
    } else {
        for (const Json& link : list_at(message, "transforms"))
            keep_transform(topic, link.find("timestamp") ? std::optional(time_of(link)) : std::nullopt,
                           frame_at(link, "parent_frame_id"), frame_at(link, "child_frame_id"),
                           transform_of(at(link, "translation"), at(link, "rotation")));
    }
}

}  // namespace outrider
