// Messages as JSON (docs.foxglove.dev/docs/sdk/schemas). Numbers are the shortest that read back to the same bits;
// those of drawings are rounded to millimetres.
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/byte_stream.hpp"
#include "base/json.hpp"
#include "mcap/coding.hpp"
#include "mcap/foxglove_schemas.hpp"

namespace outrider {
namespace {

constexpr std::uint64_t second_ns = 1'000'000'000;

std::string time_json(std::uint64_t time_ns) {
    return fmt::format(R"({{"sec":{},"nsec":{}}})", time_ns / second_ns, time_ns % second_ns);
}

std::string vector_json(double x, double y, double z) { return fmt::format(R"({{"x":{},"y":{},"z":{}}})", x, y, z); }

std::string rotation_json(double yaw) {
    const Turn turn = turn_of(yaw);
    return fmt::format(R"({{"x":0,"y":0,"z":{},"w":{}}})", turn.z, turn.w);
}

std::string pose_json(const Pose& pose, double z = 0) {
    return fmt::format(R"({{"position":{},"orientation":{}}})", vector_json(pose.x, pose.y, z),
                       rotation_json(pose.yaw));
}

std::string tint_json(const Tint& c) {
    return fmt::format(R"({{"r":{},"g":{},"b":{},"a":{}}})", c.red, c.green, c.blue, c.alpha);
}

double to_millimetres(double metres) { return std::round(metres * 1000) / 1000; }

std::string json_of(const ScanMessage& scan, std::uint64_t time_ns) {
    std::string ranges, seen;
    for (const float r : scan.ranges) {
        const bool hit = std::isfinite(r), nothing = std::isinf(r);
        if (!ranges.empty()) (ranges += ','), (seen += ',');
        fmt::format_to(std::back_inserter(ranges), "{}",
                       hit       ? r
                       : nothing ? static_cast<float>(scan.max_range_m)
                                 : 0.0f);
        seen += hit ? '1' : '0';
    }
    const auto beams = static_cast<double>(scan.ranges.size());
    const double last = scan.first_angle + (beams > 1 ? beams - 1 : 0) * scan.step_angle;
    return fmt::format(
        R"({{"timestamp":{},"frame_id":{},"pose":{},"start_angle":{},"end_angle":{},"ranges":[{}],"intensities":[{}]}})",
        time_json(time_ns), json_quoted(scan.body_frame), pose_json(scan.mount), scan.first_angle, last, ranges, seen);
}

std::string json_of(const PoseMessage& message, std::uint64_t time_ns) {
    return fmt::format(R"({{"timestamp":{},"frame_id":{},"pose":{}}})", time_json(time_ns), json_quoted(message.frame),
                       pose_json(message.pose));
}

/// Two bytes for each cell: a grey value, which the fields red, green and blue share, and an opacity.
std::string json_of(const GridMessage& grid, std::uint64_t time_ns) {
    std::string data(2 * grid.cells.size(), '\0');
    for (std::size_t i = 0; i < grid.cells.size(); ++i) {
        if (grid.cells[i] == GridMessage::unknown) continue;
        data[2 * i] = static_cast<char>(grid.cells[i] == GridMessage::wall ? 40 : 235);
        data[2 * i + 1] = '\xff';
    }
    return fmt::format(R"({{"timestamp":{},"frame_id":{},"pose":{},"column_count":{},"cell_size":{{"x":{},"y":{}}},)"
                       R"("row_stride":{},"cell_stride":2,"fields":[{{"name":"red","offset":0,"type":1}},)"
                       R"({{"name":"green","offset":0,"type":1}},{{"name":"blue","offset":0,"type":1}},)"
                       R"({{"name":"alpha","offset":1,"type":1}}],"data":"{}"}})",
                       time_json(time_ns), json_quoted(grid.frame), pose_json({grid.corner.x, grid.corner.y, 0}),
                       grid.width, grid.cell_m, grid.cell_m, 2 * grid.width, base64(data));
}

std::string json_of(const TransformsMessage& message, std::uint64_t time_ns) {
    std::string links;
    for (const TransformsMessage::Link& link : message.links)
        links += fmt::format(
            R"({}{{"timestamp":{},"parent_frame_id":{},"child_frame_id":{},"translation":{},"rotation":{}}})",
            links.empty() ? "" : ",", time_json(time_ns), json_quoted(link.parent), json_quoted(link.child),
            vector_json(link.parent_from_child.x, link.parent_from_child.y, 0),
            rotation_json(link.parent_from_child.yaw));
    return fmt::format(R"({{"transforms":[{}]}})", links);
}

std::string points_json(const SceneItem& item) {
    std::string points;
    for (const Point& p : item.points) {
        if (!points.empty()) points += ',';
        points += vector_json(to_millimetres(p.x), to_millimetres(p.y), item.z_m);
    }
    return points;
}

std::string line_json(const SceneItem& item) {
    return fmt::format(R"({{"type":{},"pose":{},"thickness":{},"scale_invariant":false,"points":[{}],"color":{},)"
                       R"("colors":[],"indices":[]}})",
                       item.kind == SceneItem::Kind::segments ? 2 : 0, pose_json({}), item.size_m, points_json(item),
                       tint_json(item.colour));
}

std::string json_of(const SceneMessage& scene, std::uint64_t time_ns) {
    std::string arrows, spheres, cylinders, lines, triangles, texts;
    const auto add = [](std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; };
    for (const SceneItem& item : scene.items) {
        const std::string colour = tint_json(item.colour), pose = pose_json(item.pose, item.z_m);
        switch (item.kind) {
            case SceneItem::Kind::disc:
                add(cylinders, fmt::format(R"({{"pose":{},"size":{},"bottom_scale":1,"top_scale":1,"color":{}}})", pose,
                                           vector_json(item.size_m, item.size_m, disc_height_m), colour));
                break;
            case SceneItem::Kind::arrow:
                add(arrows, fmt::format(R"({{"pose":{},"shaft_length":{},"shaft_diameter":{},"head_length":{},)"
                                        R"("head_diameter":{},"color":{}}})",
                                        pose, 0.6 * item.size_m, 0.2 * item.size_m, 0.4 * item.size_m,
                                        0.4 * item.size_m, colour));
                break;
            case SceneItem::Kind::dots:
                for (std::size_t i = 0; i < item.points.size(); ++i)
                    add(spheres,
                        fmt::format(R"({{"pose":{},"size":{},"color":{}}})",
                                    pose_json({to_millimetres(item.points[i].x), to_millimetres(item.points[i].y), 0},
                                              item.z_m),
                                    vector_json(item.size_m, item.size_m, item.size_m),
                                    item.tints.empty() ? colour : tint_json(item.tints[i])));
                break;
            case SceneItem::Kind::line:
            case SceneItem::Kind::segments:
                add(lines, line_json(item));
                break;
            case SceneItem::Kind::triangles:
                add(triangles, fmt::format(R"({{"pose":{},"points":[{}],"color":{},"colors":[],"indices":[]}})",
                                           pose_json({}), points_json(item), colour));
                break;
            case SceneItem::Kind::text:
                add(texts, fmt::format(R"({{"pose":{},"billboard":true,"font_size":{},"scale_invariant":false,)"
                                       R"("color":{},"text":{}}})",
                                       pose, item.size_m, colour, json_quoted(item.text)));
                break;
        }
    }
    const std::string time = time_json(time_ns), name = json_quoted(scene.name);
    if (scene.items.empty())
        return fmt::format(R"({{"deletions":[{{"timestamp":{},"type":0,"id":{}}}],"entities":[]}})", time, name);
    return fmt::format(
        R"({{"deletions":[],"entities":[{{"timestamp":{},"frame_id":{},"id":{},"lifetime":{{"sec":0,"nsec":0}},)"
        R"("frame_locked":true,"metadata":[],"arrows":[{}],"cubes":[],"spheres":[{}],"cylinders":[{}],"lines":[{}],)"
        R"("triangles":[{}],"texts":[{}],"models":[]}}]}})",
        time, json_quoted(scene.frame), name, arrows, spheres, cylinders, lines, triangles, texts);
}

std::string json_of(const TextMessage& message, std::uint64_t time_ns) {
    return fmt::format(R"({{"timestamp":{},"level":{},"message":{},"name":{},"file":"","line":0}})", time_json(time_ns),
                       message.warning ? 3 : 2, json_quoted(message.text), json_quoted(message.from));
}

std::string foxglove_json(const ToolMessage& message, std::uint64_t time_ns) {
    return std::visit([&](const auto& m) { return json_of(m, time_ns); }, message);
}

}  // namespace

const MessageCoding& foxglove_coding() {
    static const MessageCoding coding{"", "json", "jsonschema", foxglove_schema, foxglove_json};
    return coding;
}

}  // namespace outrider
