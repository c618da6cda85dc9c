#include "live/rosbridge/ros_types.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>

#include "mcap/ros2_definitions.hpp"

namespace outrider {
namespace {

using RosTypes = std::map<std::string, std::optional<RosType>, std::less<>>;  // none: it is none of ours

/// Markers of ROS 2 Foxy, and of ROS 1, do not have these, so that they are not written (ros_messages.hpp).
bool is_written(std::string_view type, std::string_view field) {
    constexpr std::array newer{"texture_resource", "texture", "uv_coordinates", "mesh_file"};
    return type != "visualization_msgs/Marker" || std::find(newer.begin(), newer.end(), field) == newer.end();
}

/// The name of a field's type in a dialect, with its package.
std::string part_name(const std::string& type, std::string_view owner, RosDialect dialect) {
    if (dialect == RosDialect::ros1 && type == "builtin_interfaces/Time") return "time";
    if (dialect == RosDialect::ros1 && type == "builtin_interfaces/Duration") return "duration";
    const std::string near = std::string(owner.substr(0, owner.find('/') + 1)) + type;
    return ros2_fields(near).empty() ? type : near;
}

/// A line of a definition: TYPE NAME, TYPE[N] NAME, TYPE NAME DEFAULT, TYPE NAME=CONSTANT.
RosField field_of(const std::string& line, std::string_view owner, RosDialect dialect) {
    std::istringstream words(line);
    RosField out;
    words >> out.type >> out.name;
    if (const std::size_t at = out.name.find('='); at != out.name.npos) {
        out.constant = out.name.substr(at + 1);
        out.name.resize(at);
    }
    if (const std::size_t at = out.type.find('['); at != out.type.npos) {
        out.length = out.type[at + 1] == ']' ? RosField::any_length : std::stoi(out.type.substr(at + 1));
        out.type.resize(at);
    }
    out.type = part_name(out.type, owner, dialect);
    return out;
}

std::optional<RosType> read_type(std::string_view name, RosDialect dialect) {
    const std::string_view text = ros2_fields(name);
    if (text.empty() || (dialect == RosDialect::ros1 && name.starts_with("builtin_interfaces/"))) return {};
    RosType out{std::string(name), {}};
    if (dialect == RosDialect::ros1 && name == "std_msgs/Header")
        out.fields.push_back({.type = "uint32", .name = "seq", .constant = {}});
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);)
        if (RosField field = field_of(line, name, dialect); is_written(name, field.name))
            out.fields.push_back(std::move(field));
    return out;
}

void append_ros_parts(const RosType& type, RosDialect dialect, std::vector<const RosType*>& out) {
    for (const RosField& field : type.fields) {
        const RosType* const part = find_ros_type(field.type, dialect);
        if (!part || std::find(out.begin(), out.end(), part) != out.end()) continue;
        out.push_back(part);
        append_ros_parts(*part, dialect, out);
    }
}

}  // namespace

const RosType* find_ros_type(std::string_view name, RosDialect dialect) {
    thread_local std::array<RosTypes, 2> known;  // of each dialect; clients' names are no keys
    RosTypes& types = known[static_cast<std::size_t>(dialect)];
    auto at = types.find(name);
    if (at == types.end()) {
        if (ros2_fields(name).empty()) return nullptr;
        at = types.emplace(name, read_type(name, dialect)).first;
    }
    return at->second ? &*at->second : nullptr;
}

std::vector<const RosType*> with_parts(const RosType& type, RosDialect dialect) {
    std::vector<const RosType*> out{&type};
    append_ros_parts(type, dialect, out);
    return out;
}

std::string definition_text(const RosType& type, RosDialect dialect) {
    std::string out;
    for (const RosType* part : with_parts(type, dialect)) {
        if (!out.empty()) out += std::string(80, '=') + "\nMSG: " + part->name + "\n";
        for (const RosField& field : part->fields) {
            out += field.type;
            if (field.length == RosField::any_length) out += "[]";
            if (field.length > 0) out += fmt::format("[{}]", field.length);
            out += " " + field.name + (field.constant.empty() ? "" : "=" + field.constant) + "\n";
        }
    }
    return out;
}

}  // namespace outrider
