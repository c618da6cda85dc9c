// JSON Schemas of the messages that Foxglove knows (docs.foxglove.dev/docs/sdk/schemas), put together from their parts:
// names, types and fields as published, without the descriptions.
#include "mcap/foxglove_schemas.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace outrider {
namespace {

using Field = std::pair<std::string_view, std::string>;

/// An object whose fields are all required.
std::string object_type(std::string_view title, std::initializer_list<Field> fields) {
    std::string properties, required;
    for (const auto& [name, type] : fields) {
        if (!properties.empty()) properties += ',', required += ',';
        properties += fmt::format("\"{}\":{}", name, type);
        required += fmt::format("\"{}\"", name);
    }
    return fmt::format(R"({{"title":"{}","type":"object","properties":{{{}}},"required":[{}]}})", title, properties,
                       required);
}

std::string array_type(const std::string& items) { return R"({"type":"array","items":)" + items + "}"; }

/// One of these numbers.
std::string choice_type(std::string_view title, std::initializer_list<std::string_view> names) {
    std::string out = fmt::format(R"({{"title":"{}","oneOf":[)", title);
    int k = 0;
    for (const std::string_view name : names)
        out += fmt::format(R"({}{{"title":"{}","const":{}}})", k > 0 ? "," : "", name, k), ++k;
    return out + "]}";
}

const std::string number_type = R"({"type":"number"})", text_type = R"({"type":"string"})",
                  flag_type = R"({"type":"boolean"})", count_type = R"({"type":"integer","minimum":0})",
                  bytes_type = R"({"type":"string","contentEncoding":"base64"})";

/// Nanoseconds are less than a second; only a duration can be negative.
std::string time_like(std::string_view title, std::string_view least) {
    return fmt::format(R"({{"type":"object","title":"{}","properties":{{"sec":{{"type":"integer"{}}},)"
                       R"("nsec":{{"type":"integer","minimum":0,"maximum":999999999}}}},"required":["sec","nsec"]}})",
                       title, least);
}
std::string time_type() { return time_like("time", R"(,"minimum":0)"); }

std::string vector2_type() { return object_type("foxglove.Vector2", {{"x", number_type}, {"y", number_type}}); }
std::string vector3_type() {
    return object_type("foxglove.Vector3", {{"x", number_type}, {"y", number_type}, {"z", number_type}});
}
std::string point3_type() {
    return object_type("foxglove.Point3", {{"x", number_type}, {"y", number_type}, {"z", number_type}});
}
std::string quaternion_type() {
    return object_type("foxglove.Quaternion",
                       {{"x", number_type}, {"y", number_type}, {"z", number_type}, {"w", number_type}});
}
std::string pose_type() {
    return object_type("foxglove.Pose", {{"position", vector3_type()}, {"orientation", quaternion_type()}});
}
std::string colour_type() {
    return object_type("foxglove.Color",
                       {{"r", number_type}, {"g", number_type}, {"b", number_type}, {"a", number_type}});
}

std::string scan_schema() {
    return object_type("foxglove.LaserScan", {{"timestamp", time_type()},
                                              {"frame_id", text_type},
                                              {"pose", pose_type()},
                                              {"start_angle", number_type},
                                              {"end_angle", number_type},
                                              {"ranges", array_type(number_type)},
                                              {"intensities", array_type(number_type)}});
}

std::string grid_schema() {
    const std::string type = choice_type("foxglove.NumericType", {"UNKNOWN", "UINT8", "INT8", "UINT16", "INT16",
                                                                  "UINT32", "INT32", "FLOAT32", "FLOAT64"});
    const std::string field =
        object_type("foxglove.PackedElementField", {{"name", text_type}, {"offset", count_type}, {"type", type}});
    return object_type("foxglove.Grid", {{"timestamp", time_type()},
                                         {"frame_id", text_type},
                                         {"pose", pose_type()},
                                         {"column_count", count_type},
                                         {"cell_size", vector2_type()},
                                         {"row_stride", count_type},
                                         {"cell_stride", count_type},
                                         {"fields", array_type(field)},
                                         {"data", bytes_type}});
}

std::string transforms_schema() {
    const std::string transform = object_type("foxglove.FrameTransform", {{"timestamp", time_type()},
                                                                          {"parent_frame_id", text_type},
                                                                          {"child_frame_id", text_type},
                                                                          {"translation", vector3_type()},
                                                                          {"rotation", quaternion_type()}});
    return object_type("foxglove.FrameTransforms", {{"transforms", array_type(transform)}});
}

std::string solid_type(std::string_view title) {
    return object_type(title, {{"pose", pose_type()}, {"size", vector3_type()}, {"color", colour_type()}});
}

std::string entity_schema() {
    const std::string arrow = object_type("foxglove.ArrowPrimitive", {{"pose", pose_type()},
                                                                      {"shaft_length", number_type},
                                                                      {"shaft_diameter", number_type},
                                                                      {"head_length", number_type},
                                                                      {"head_diameter", number_type},
                                                                      {"color", colour_type()}});
    const std::string cylinder = object_type("foxglove.CylinderPrimitive", {{"pose", pose_type()},
                                                                            {"size", vector3_type()},
                                                                            {"bottom_scale", number_type},
                                                                            {"top_scale", number_type},
                                                                            {"color", colour_type()}});
    const std::string line = object_type(
        "foxglove.LinePrimitive", {{"type", choice_type("foxglove.LineType", {"LINE_STRIP", "LINE_LOOP", "LINE_LIST"})},
                                   {"pose", pose_type()},
                                   {"thickness", number_type},
                                   {"scale_invariant", flag_type},
                                   {"points", array_type(point3_type())},
                                   {"color", colour_type()},
                                   {"colors", array_type(colour_type())},
                                   {"indices", array_type(count_type)}});
    const std::string triangles = object_type("foxglove.TriangleListPrimitive", {{"pose", pose_type()},
                                                                                 {"points", array_type(point3_type())},
                                                                                 {"color", colour_type()},
                                                                                 {"colors", array_type(colour_type())},
                                                                                 {"indices", array_type(count_type)}});
    const std::string label = object_type("foxglove.TextPrimitive", {{"pose", pose_type()},
                                                                     {"billboard", flag_type},
                                                                     {"font_size", number_type},
                                                                     {"scale_invariant", flag_type},
                                                                     {"color", colour_type()},
                                                                     {"text", text_type}});
    const std::string model = object_type("foxglove.ModelPrimitive", {{"pose", pose_type()},
                                                                      {"scale", vector3_type()},
                                                                      {"color", colour_type()},
                                                                      {"override_color", flag_type},
                                                                      {"url", text_type},
                                                                      {"media_type", text_type},
                                                                      {"data", bytes_type}});
    return object_type(
        "foxglove.SceneEntity",
        {{"timestamp", time_type()},
         {"frame_id", text_type},
         {"id", text_type},
         {"lifetime", time_like("duration", "")},
         {"frame_locked", flag_type},
         {"metadata", array_type(object_type("foxglove.KeyValuePair", {{"key", text_type}, {"value", text_type}}))},
         {"arrows", array_type(arrow)},
         {"cubes", array_type(solid_type("foxglove.CubePrimitive"))},
         {"spheres", array_type(solid_type("foxglove.SpherePrimitive"))},
         {"cylinders", array_type(cylinder)},
         {"lines", array_type(line)},
         {"triangles", array_type(triangles)},
         {"texts", array_type(label)},
         {"models", array_type(model)}});
}

std::string scene_schema() {
    const std::string deletion =
        object_type("foxglove.SceneEntityDeletion",
                    {{"timestamp", time_type()},
                     {"type", choice_type("foxglove.SceneEntityDeletionType", {"MATCHING_ID", "ALL"})},
                     {"id", text_type}});
    return object_type("foxglove.SceneUpdate",
                       {{"deletions", array_type(deletion)}, {"entities", array_type(entity_schema())}});
}

}  // namespace

SchemaText foxglove_schema(MessageKind kind) {
    switch (kind) {
        case MessageKind::scan:
            return {"foxglove.LaserScan", scan_schema()};
        case MessageKind::pose:
            return {"foxglove.PoseInFrame",
                    object_type("foxglove.PoseInFrame",
                                {{"timestamp", time_type()}, {"frame_id", text_type}, {"pose", pose_type()}})};
        case MessageKind::grid:
            return {"foxglove.Grid", grid_schema()};
        case MessageKind::transforms:
            return {"foxglove.FrameTransforms", transforms_schema()};
        case MessageKind::scene:
            return {"foxglove.SceneUpdate", scene_schema()};
        case MessageKind::text:
            break;
    }
    const std::string level =
        choice_type("foxglove.LogLevel", {"UNKNOWN", "DEBUG", "INFO", "WARNING", "ERROR", "FATAL"});
    return {"foxglove.Log", object_type("foxglove.Log", {{"timestamp", time_type()},
                                                         {"level", level},
                                                         {"message", text_type},
                                                         {"name", text_type},
                                                         {"file", text_type},
                                                         {"line", count_type}})};
}

}  // namespace outrider
