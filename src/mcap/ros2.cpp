// Messages of ROS 2, field by field in the order of their definitions (ros2_definitions.cpp).

#include "mcap/cdr_writer.hpp"
#include "mcap/coding.hpp"
#include "mcap/marker_look.hpp"
#include "mcap/ros2_definitions.hpp"

namespace outrider {
namespace {

constexpr std::uint64_t ros_second_ns = 1'000'000'000;

void add_time(CdrWriter& out, std::uint64_t time_ns) {
    out.add(static_cast<std::int32_t>(time_ns / ros_second_ns));
    out.add(static_cast<std::uint32_t>(time_ns % ros_second_ns));
}

void add_header(CdrWriter& out, std::uint64_t time_ns, const std::string& frame) {
    add_time(out, time_ns);
    out.text(frame);
}

void add_place(CdrWriter& out, const Pose& pose, double z = 0) {
    const Turn turn = turn_of(pose.yaw);
    out.add_all({pose.x, pose.y, z, 0.0, 0.0, turn.z, turn.w});
}

void add_covariance(CdrWriter& out) {  // 0: not known
    for (int i = 0; i < 36; ++i) out.add(0.0);
}

void add_tint(CdrWriter& out, const Tint& c) { out.add_all({c.red, c.green, c.blue, c.alpha}); }

void add_message(CdrWriter& out, const ScanMessage& scan, std::uint64_t time_ns) {
    add_header(out, time_ns, scan.sensor_frame);
    const auto beams = static_cast<double>(scan.ranges.size());
    const double last = scan.first_angle + (beams > 1 ? beams - 1 : 0) * scan.step_angle;
    for (const double v : {scan.first_angle, last, scan.step_angle, 0.0, scan.scan_time_s, 0.0, scan.max_range_m})
        out.add(static_cast<float>(v));
    out.length(scan.ranges.size());
    for (const float r : scan.ranges) out.add(r);  // infinity and not a number mean the same there (REP 117)
    out.length(0);                                 // intensities
}

void add_message(CdrWriter& out, const PoseMessage& message, std::uint64_t time_ns) {
    add_header(out, time_ns, message.frame);
    out.text(message.child_frame);
    add_place(out, message.pose);
    add_covariance(out);
    out.add_all({message.velocity.x, message.velocity.y, 0.0, 0.0, 0.0, message.velocity.yaw});
    add_covariance(out);
}

void add_message(CdrWriter& out, const GridMessage& grid, std::uint64_t time_ns) {
    add_header(out, time_ns, grid.frame);
    add_time(out, time_ns);
    out.add(static_cast<float>(grid.cell_m));
    out.add(static_cast<std::uint32_t>(grid.width));
    out.add(static_cast<std::uint32_t>(grid.height));
    add_place(out, {grid.corner.x, grid.corner.y, 0});
    out.length(grid.cells.size());
    out.append({reinterpret_cast<const char*>(grid.cells.data()), grid.cells.size()});
}

void add_message(CdrWriter& out, const TransformsMessage& message, std::uint64_t time_ns) {
    out.length(message.links.size());
    for (const TransformsMessage::Link& link : message.links) {
        add_header(out, time_ns, link.parent);
        out.text(link.child);
        add_place(out, link.parent_from_child);
    }
}

/// A marker; without an item one that removes all markers of its topic.
void add_marker(CdrWriter& out, const SceneMessage& scene, std::uint64_t time_ns, std::int32_t id,
                const SceneItem* item) {
    static const SceneItem nothing;
    const SceneItem& shown = item ? *item : nothing;
    const MarkerLook look = look_of(shown);
    add_header(out, time_ns, scene.frame);
    out.text(scene.name).add(id).add(look.type).add(item ? marker_add : marker_delete_all);
    add_place(out, shown.pose, shown.points.empty() ? shown.z_m : 0);
    for (const double s : look.scale) out.add(s);
    add_tint(out, shown.colour);
    out.add(std::int32_t{0}).add(std::uint32_t{0});  // lifetime: for ever
    out.add(std::uint8_t{1});                        // locked to its frame
    out.length(shown.points.size());
    for (const Point& p : shown.points) out.add_all({p.x, p.y, shown.z_m});
    out.length(shown.tints.size());
    for (const Tint& c : shown.tints) add_tint(out, c);
    out.text("");                                 // texture resource
    add_header(out, 0, "");                       // texture
    out.text("").length(0);                       // its format and data
    out.length(0);                                // texture coordinates
    out.text(shown.text).text("");                // text, mesh resource
    out.text("").length(0).add(std::uint8_t{0});  // mesh file, embedded materials
}

void add_message(CdrWriter& out, const SceneMessage& scene, std::uint64_t time_ns) {
    out.length(1 + scene.items.size());
    add_marker(out, scene, time_ns, 0, nullptr);
    for (std::size_t i = 0; i < scene.items.size(); ++i)
        add_marker(out, scene, time_ns, static_cast<std::int32_t>(i), &scene.items[i]);
}

void add_message(CdrWriter& out, const TextMessage& message, std::uint64_t time_ns) {
    add_time(out, time_ns);
    out.add(static_cast<std::uint8_t>(message.warning ? 30 : 20));
    out.text(message.from).text(message.text).text("").text("").add(std::uint32_t{0});
}

std::string ros2_cdr(const ToolMessage& message, std::uint64_t time_ns) {
    CdrWriter out;
    std::visit([&](const auto& m) { add_message(out, m, time_ns); }, message);
    return out.take();
}

}  // namespace

const MessageCoding& ros2_coding() {
    static const MessageCoding coding{"ros2", "cdr", "ros2msg", ros2_schema, ros2_cdr};
    return coding;
}

}  // namespace outrider
