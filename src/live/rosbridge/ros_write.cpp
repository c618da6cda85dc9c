#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "live/rosbridge/ros_messages.hpp"
#include "mcap/marker_look.hpp"
#include "mcap/topics.hpp"

namespace outrider {
namespace {

/// Writes one object: fields, one after the other.
class RosObject {
  public:
    RosObject& field(std::string_view name, const std::string& json) {
        out_ += out_.empty() ? "{\"" : ", \"";
        out_ += name;
        out_ += "\": ";
        out_ += json;
        return *this;
    }
    RosObject& number(std::string_view name, double value) { return field(name, fmt::format("{}", value)); }
    /// Of 32 bits: with the few digits that it needs.
    RosObject& short_number(std::string_view name, float value) { return field(name, fmt::format("{}", value)); }
    RosObject& flag(std::string_view name, bool value) { return field(name, value ? "true" : "false"); }
    RosObject& text(std::string_view name, const std::string& value) { return field(name, json_quoted(value)); }
    std::string end() { return out_ + "}"; }

  private:
    std::string out_;
};

/// An array of what `write` makes of each.
template <class Range, class Write>
std::string ros_array(const Range& range, Write&& write) {
    std::string out = "[";
    for (const auto& item : range) {
        if (out.size() > 1) out += ", ";
        out += write(item);
    }
    return out + "]";
}

template <class Range>
std::string ros_numbers(const Range& range) {
    std::string out = "[";
    for (const auto& number : range) {
        if (out.size() > 1) out += ", ";
        std::array<char, 32> digits;
        out.append(digits.data(),
                   std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);  // as few as are needed
    }
    return out + "]";
}

std::string header_text(const RosHeader& header) {
    RosObject out;
    if (header.dialect == RosDialect::ros1) out.field("seq", "0");
    return out.field("stamp", time_json(header.time_s, header.dialect)).text("frame_id", header.frame).end();
}

std::string vector_text(double x, double y, double z) {
    return RosObject().number("x", x).number("y", y).number("z", z).end();
}

std::string rotation_text(double yaw) {
    const Turn turn = turn_of(yaw);
    return RosObject().number("x", 0).number("y", 0).number("z", turn.z).number("w", turn.w).end();
}

std::string place_text(const Pose& pose, double z = 0) {
    return RosObject()
        .field("position", vector_text(pose.x, pose.y, z))
        .field("orientation", rotation_text(pose.yaw))
        .end();
}

std::string tint_text(const Tint& c) {
    return RosObject()
        .short_number("r", c.red)
        .short_number("g", c.green)
        .short_number("b", c.blue)
        .short_number("a", c.alpha)
        .end();
}

/// With its covariance, which is not known: 0.
std::string uncertain(std::string_view name, const std::string& what) {
    return RosObject().field(name, what).field("covariance", ros_numbers(std::vector<int>(36))).end();
}

/// A marker; without an item one that removes all markers of its topic.
std::string marker_text(const RosHeader& header, const std::string& name, std::size_t id, const SceneItem* item) {
    static const SceneItem nothing;
    const SceneItem& shown = item ? *item : nothing;
    const MarkerLook look = look_of(shown);
    RosObject out;
    out.field("header", header_text(header))
        .text("ns", name)
        .field("id", fmt::format("{}", id))
        .field("type", fmt::format("{}", look.type))
        .field("action", fmt::format("{}", item ? marker_add : marker_delete_all))
        .field("pose", place_text(shown.pose, shown.points.empty() ? shown.z_m : 0))
        .field("scale", vector_text(look.scale[0], look.scale[1], look.scale[2]))
        .field("color", tint_text(shown.colour))
        .field("lifetime", time_json(0, header.dialect))  // for ever
        .flag("frame_locked", true)
        .field("points", ros_array(shown.points, [&](Point p) { return vector_text(p.x, p.y, shown.z_m); }))
        .field("colors", ros_array(shown.tints, tint_text))
        .text("text", shown.text)
        .text("mesh_resource", "")
        .flag("mesh_use_embedded_materials", false);
    return out.end();
}

}  // namespace

std::optional<RosDialect> dialect_of(std::string_view type) {
    const auto slashes = std::count(type.begin(), type.end(), '/');
    if (type.starts_with('/') || type.ends_with('/') || type.find("//") != type.npos) return {};
    if (slashes == 1) return RosDialect::ros1;
    if (slashes == 2 && type.find("/msg/") != type.npos) return RosDialect::ros2;
    return {};
}

std::string plain_type(std::string_view type) {
    std::string out(type);
    if (const std::size_t at = out.find("/msg/"); at != out.npos) out.erase(at, 4);
    return out;
}

std::string type_name(std::string_view plain, RosDialect dialect) {
    std::string out(plain);
    if (dialect == RosDialect::ros2) out.insert(out.find('/'), "/msg");
    return out;
}

std::string ros_topic(const std::string& pattern, const std::string& robot) {
    std::string out = pattern.starts_with('/') ? "" : "/";
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool is_name = pattern.compare(i, 2, "{}") == 0;
        if (is_name) ++i;
        out += is_name ? robot : pattern.substr(i, 1);
    }
    return out;
}

std::string ros_scan_topic(const std::string& pattern, const std::string& robot, std::size_t sensor) {
    return ros_topic(pattern, robot) + (sensor == 0 ? "" : fmt::format("{}", sensor + 1));
}

std::string ros_map_frame(const FrameId& frame, const std::string& robot) {
    return frame == FrameId{} ? "map" : robot + "/map";
}

std::string ros_odometry_frame(const std::string& robot) { return robot + "/odom"; }

std::string ros_body_frame(const std::string& robot) { return robot + "/base_link"; }

std::string ros_sensor_frame(const std::string& robot, std::size_t sensor) {
    return sensor == 0 ? robot + "/laser" : fmt::format("{}/laser_{}", robot, sensor + 1);
}

std::string time_json(double seconds, RosDialect dialect) {
    const auto ns = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds) * 1e9));
    const bool old = dialect == RosDialect::ros1;
    return fmt::format("{{\"{}\": {}, \"{}\": {}}}", old ? "secs" : "sec", ns / 1'000'000'000,
                       old ? "nsecs" : "nanosec", ns % 1'000'000'000);
}

std::string scan_json(const RosHeader& header, const SensorSpec& sensor, std::span<const std::uint16_t> ranges,
                      double scan_time_s) {
    // With 24 bits a range of up to 65534 units is rounded back to the same number of units.
    std::vector<float> metres;
    for (const std::uint16_t r : ranges)
        metres.push_back(static_cast<float>(r == Scan::nothing ? sensor.max_range_m + 1 : r * sensor.range_unit_m));
    const auto last = static_cast<double>(std::max<std::size_t>(ranges.size(), 1) - 1);
    return RosObject()
        .field("header", header_text(header))
        .number("angle_min", sensor.first_angle)
        .number("angle_max", sensor.first_angle + last * sensor.step_angle)
        .number("angle_increment", sensor.step_angle)
        .number("time_increment", 0)
        .number("scan_time", scan_time_s)
        .number("range_min", sensor.range_unit_m / 2)
        .number("range_max", sensor.max_range_m)
        .field("ranges", ros_numbers(metres))
        .field("intensities", "[]")
        .end();
}

std::string odometry_json(const RosHeader& header, const std::string& body_frame, const Pose& pose,
                          const Velocity& velocity) {
    return RosObject()
        .field("header", header_text(header))
        .text("child_frame_id", body_frame)
        .field("pose", uncertain("pose", place_text(pose)))
        .field("twist", uncertain("twist", twist_json(velocity)))
        .end();
}

std::string twist_json(const Velocity& velocity) {
    return RosObject()
        .field("linear", vector_text(velocity.forward_mps, 0, 0))
        .field("angular", vector_text(0, 0, velocity.turn_radps))
        .end();
}

std::string clock_json(double time_s, RosDialect dialect) {
    return RosObject().field("clock", time_json(time_s, dialect)).end();
}

std::string transforms_json(double time_s, RosDialect dialect, std::span<const TransformsMessage::Link> links) {
    return RosObject()
        .field("transforms", ros_array(links,
                                       [&](const TransformsMessage::Link& link) {
                                           const Pose& at = link.parent_from_child;
                                           return RosObject()
                                               .field("header", header_text({time_s, link.parent, dialect}))
                                               .text("child_frame_id", link.child)
                                               .field("transform", RosObject()
                                                                       .field("translation", vector_text(at.x, at.y, 0))
                                                                       .field("rotation", rotation_text(at.yaw))
                                                                       .end())
                                               .end();
                                       }))
        .end();
}

std::string grid_json(const RosHeader& header, const GridMessage& grid) {
    return RosObject()
        .field("header", header_text(header))
        .field("info", RosObject()
                           .field("map_load_time", time_json(header.time_s, header.dialect))
                           .number("resolution", grid.cell_m)
                           .field("width", fmt::format("{}", grid.width))
                           .field("height", fmt::format("{}", grid.height))
                           .field("origin", place_text({grid.corner.x, grid.corner.y, 0}))
                           .end())
        .field("data", ros_numbers(grid.cells))
        .end();
}

std::string path_json(const RosHeader& header, std::span<const Point> corners) {
    std::vector<Pose> places;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point& p = corners[i];
        const double before = places.empty() ? 0 : places.back().yaw;
        places.push_back({p.x, p.y, i + 1 < corners.size() ? bearing(p, corners[i + 1]) : before});
    }
    return RosObject()
        .field("header", header_text(header))
        .field("poses",
               ros_array(
                   places,
                   [&](const Pose& place) {
                       return RosObject().field("header", header_text(header)).field("pose", place_text(place)).end();
                   }))
        .end();
}

std::string markers_json(const RosHeader& header, std::span<const SceneMessage> drawings) {
    std::vector<std::string> markers{marker_text(header, "", 0, nullptr)};
    for (const SceneMessage& drawing : drawings)
        for (std::size_t i = 0; i < drawing.items.size(); ++i)
            markers.push_back(marker_text(header, drawing.name, i, &drawing.items[i]));
    return RosObject().field("markers", ros_array(markers, [](const std::string& text) { return text; })).end();
}

}  // namespace outrider
