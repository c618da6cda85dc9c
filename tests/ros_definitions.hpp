// The definitions of ROS messages, and whether a message as JSON has exactly the fields of its type.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "mcap/ros2_definitions.hpp"

namespace outrider {

/// Fields of a type, one a line, by its name in ROS 1.
using RosDefinitions = std::map<std::string, std::string>;

/// As published with ROS Noetic (common_msgs 1.13, std_msgs 0.5, geometry2 0.7, rosgraph_msgs 1.11).
inline RosDefinitions ros1_definitions() {
    return {{"std_msgs/Header", "uint32 seq\ntime stamp\nstring frame_id\n"},
            {"std_msgs/ColorRGBA", "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n"},
            {"geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"},
            {"geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"},
            {"geometry_msgs/Quaternion", "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n"},
            {"geometry_msgs/Pose", "Point position\nQuaternion orientation\n"},
            {"geometry_msgs/PoseStamped", "Header header\nPose pose\n"},
            {"geometry_msgs/PoseWithCovariance", "Pose pose\nfloat64[36] covariance\n"},
            {"geometry_msgs/Twist", "Vector3 linear\nVector3 angular\n"},
            {"geometry_msgs/TwistWithCovariance", "Twist twist\nfloat64[36] covariance\n"},
            {"geometry_msgs/Transform", "Vector3 translation\nQuaternion rotation\n"},
            {"geometry_msgs/TransformStamped", "Header header\nstring child_frame_id\nTransform transform\n"},
            {"tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"},
            {"rosgraph_msgs/Clock", "time clock\n"},
            {"sensor_msgs/LaserScan",
             "Header header\nfloat32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\nfloat32 time_increment\n"
             "float32 scan_time\nfloat32 range_min\nfloat32 range_max\nfloat32[] ranges\nfloat32[] intensities\n"},
            {"nav_msgs/Odometry",
             "Header header\nstring child_frame_id\ngeometry_msgs/PoseWithCovariance pose\n"
             "geometry_msgs/TwistWithCovariance twist\n"},
            {"nav_msgs/MapMetaData",
             "time map_load_time\nfloat32 resolution\nuint32 width\nuint32 height\ngeometry_msgs/Pose origin\n"},
            {"nav_msgs/OccupancyGrid", "Header header\nMapMetaData info\nint8[] data\n"},
            {"nav_msgs/Path", "Header header\ngeometry_msgs/PoseStamped[] poses\n"},
            {"visualization_msgs/Marker",
             "Header header\nstring ns\nint32 id\nint32 type\nint32 action\ngeometry_msgs/Pose pose\n"
             "geometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\nduration lifetime\nbool frame_locked\n"
             "geometry_msgs/Point[] points\nstd_msgs/ColorRGBA[] colors\nstring text\nstring mesh_resource\n"
             "bool mesh_use_embedded_materials\n"},
            {"visualization_msgs/MarkerArray", "Marker[] markers\n"}};
}

/// Those that MCAP files are written with, and the rest of common_interfaces and rcl_interfaces that is needed here.
inline RosDefinitions ros2_definitions() {
    RosDefinitions out{{"geometry_msgs/PoseStamped", "std_msgs/Header header\nPose pose\n"},
                       {"nav_msgs/Path", "std_msgs/Header header\ngeometry_msgs/PoseStamped[] poses\n"},
                       {"rosgraph_msgs/Clock", "builtin_interfaces/Time clock\n"}};
    for (const MessageKind kind :
         {MessageKind::scan, MessageKind::pose, MessageKind::grid, MessageKind::transforms, MessageKind::scene}) {
        const SchemaText schema = ros2_schema(kind);
        std::string type = schema.name;
        type.erase(type.find("/msg"), 4);
        std::istringstream lines(schema.text);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("=====")) continue;
            if (line.starts_with("MSG: "))
                type = line.substr(5);
            else if (std::string& fields = out[type]; fields.find(line + "\n") == std::string::npos)
                fields += line + "\n";
        }
    }
    return out;
}

class RosFieldCheck {
  public:
    explicit RosFieldCheck(RosDefinitions definitions) : definitions_(std::move(definitions)) {}

    /// What is wrong with the message; empty: nothing. Fields in `optional` may be missing.
    std::string operator()(const Json& message, const std::string& type, const std::set<std::string>& optional = {}) {
        wrong_.clear();
        optional_ = optional;
        value(message, type, type);
        return wrong_;
    }

  private:
    void refuse(const std::string& where, const std::string& what) {
        if (wrong_.empty()) wrong_ = where + ": " + what;
    }
    void value(const Json& json, const std::string& type, const std::string& where) {
        if (const std::size_t at = type.find('['); at != std::string::npos) return list(json, type, at, where);
        const std::string_view kind(type);
        const double* number = json.number();
        if (kind == "time" || kind == "duration") return object(json, "int32 secs\nint32 nsecs\n", "", where);
        if (kind == "string") {
            if (!json.text()) refuse(where, "expected a string");
        } else if (kind == "bool") {
            if (!json.flag()) refuse(where, "expected a bool");
        } else if (kind.starts_with("float")) {
            if (!number) refuse(where, "expected a number");
        } else if (kind.starts_with("int") || kind.starts_with("uint")) {
            const bool is_signed = kind[0] == 'i';
            const int bits = std::stoi(type.substr(is_signed ? 3 : 4)) - (is_signed ? 1 : 0);
            const double most = std::ldexp(1, bits);
            if (!number || *number != std::floor(*number) || *number >= most || *number < (is_signed ? -most : 0))
                refuse(where, "expected a " + type);
        } else if (const auto definition = definitions_.find(type); definition == definitions_.end()) {
            refuse(where, "the type " + type + " is not known");
        } else {
            object(json, definition->second, type.substr(0, type.find('/') + 1), where);
        }
    }
    void list(const Json& json, const std::string& type, std::size_t bracket, const std::string& where) {
        if (!json.array()) return refuse(where, "expected a list");
        const std::string count = type.substr(bracket + 1, type.size() - bracket - 2);
        if (!count.empty() && json.array()->size() != std::stoul(count)) refuse(where, "expected " + count);
        for (const Json& item : *json.array()) value(item, type.substr(0, bracket), where + "[]");
    }
    void object(const Json& json, const std::string& fields, const std::string& package, const std::string& where) {
        if (!json.object()) return refuse(where, "expected an object");
        std::set<std::string> known;
        std::istringstream lines(fields);
        for (std::string line; std::getline(lines, line);) {
            if (line.find('=') != std::string::npos) continue;  // a constant
            std::istringstream words(line);
            std::string type, name;
            words >> type >> name;
            known.insert(name);
            const std::string plain = type.substr(0, type.find('['));
            if (plain == "Header")
                type = "std_msgs/" + type;
            else if (definitions_.contains(package + plain))
                type = package + type;
            const Json* field = json.find(name);
            if (field)
                value(*field, type, where + "." + name);
            else if (!optional_.contains(name))
                refuse(where, "there is no " + name);
        }
        for (const auto& [name, field] : *json.object())
            if (!known.contains(name)) refuse(where, "there should be no " + name);
    }

    RosDefinitions definitions_;
    std::set<std::string> optional_;
    std::string wrong_;
};

}  // namespace outrider
