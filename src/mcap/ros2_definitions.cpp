// The fields of each type as ROS 2 Humble and later define them (common_interfaces, geometry2, rcl_interfaces), by its
// name without "msg".
#include "mcap/ros2_definitions.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "outrider/error.hpp"

namespace outrider {
namespace {

struct Definition {
    std::string_view type, fields;
};

constexpr Definition definitions[] = {
    {"builtin_interfaces/Duration", "int32 sec\nuint32 nanosec\n"},
    {"builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"},
    {"geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"},
    {"geometry_msgs/Pose", "Point position\nQuaternion orientation\n"},
    {"geometry_msgs/PoseStamped", "std_msgs/Header header\nPose pose\n"},
    {"geometry_msgs/PoseWithCovariance", "Pose pose\nfloat64[36] covariance\n"},
    {"geometry_msgs/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"},
    {"geometry_msgs/Transform", "Vector3 translation\nQuaternion rotation\n"},
    {"geometry_msgs/TransformStamped", "std_msgs/Header header\nstring child_frame_id\nTransform transform\n"},
    {"geometry_msgs/Twist", "Vector3 linear\nVector3 angular\n"},
    {"geometry_msgs/TwistWithCovariance", "Twist twist\nfloat64[36] covariance\n"},
    {"geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"},
    {"nav_msgs/MapMetaData",
     "builtin_interfaces/Time map_load_time\nfloat32 resolution\nuint32 width\nuint32 height\n"
     "geometry_msgs/Pose origin\n"},
    {"nav_msgs/OccupancyGrid", "std_msgs/Header header\nMapMetaData info\nint8[] data\n"},
    {"nav_msgs/Odometry",
     "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/PoseWithCovariance pose\n"
     "geometry_msgs/TwistWithCovariance twist\n"},
    {"nav_msgs/Path", "std_msgs/Header header\ngeometry_msgs/PoseStamped[] poses\n"},
    {"rcl_interfaces/Log",
     "byte DEBUG=10\nbyte INFO=20\nbyte WARN=30\nbyte ERROR=40\nbyte FATAL=50\n"
     "builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\nstring file\nstring function\nuint32 "
     "line\n"},
    {"rosgraph_msgs/Clock", "builtin_interfaces/Time clock\n"},
    {"sensor_msgs/CompressedImage", "std_msgs/Header header\nstring format\nuint8[] data\n"},
    {"sensor_msgs/LaserScan",
     "std_msgs/Header header\nfloat32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\nfloat32 time_increment\n"
     "float32 scan_time\nfloat32 range_min\nfloat32 range_max\nfloat32[] ranges\nfloat32[] intensities\n"},
    {"std_msgs/ColorRGBA", "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n"},
    {"std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"},
    {"tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"},
    {"visualization_msgs/Marker",
     "int32 ARROW=0\nint32 CUBE=1\nint32 SPHERE=2\nint32 CYLINDER=3\nint32 LINE_STRIP=4\nint32 LINE_LIST=5\n"
     "int32 CUBE_LIST=6\nint32 SPHERE_LIST=7\nint32 POINTS=8\nint32 TEXT_VIEW_FACING=9\nint32 MESH_RESOURCE=10\n"
     "int32 TRIANGLE_LIST=11\nint32 ADD=0\nint32 MODIFY=0\nint32 DELETE=2\nint32 DELETEALL=3\n"
     "std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\ngeometry_msgs/Pose pose\n"
     "geometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\nbuiltin_interfaces/Duration lifetime\n"
     "bool frame_locked\ngeometry_msgs/Point[] points\nstd_msgs/ColorRGBA[] colors\nstring texture_resource\n"
     "sensor_msgs/CompressedImage texture\nUVCoordinate[] uv_coordinates\nstring text\nstring mesh_resource\n"
     "MeshFile mesh_file\nbool mesh_use_embedded_materials\n"},
    {"visualization_msgs/MarkerArray", "Marker[] markers\n"},
    {"visualization_msgs/MeshFile", "string filename\nuint8[] data\n"},
    {"visualization_msgs/UVCoordinate", "float32 u\nfloat32 v\n"},
};

const Definition* find_definition(std::string_view type) {
    const auto* const at = std::find_if(std::begin(definitions), std::end(definitions),
                                        [&](const Definition& d) { return d.type == type; });
    return at == std::end(definitions) ? nullptr : at;
}

/// Appends the definitions of all types in the fields that are not there yet.
void append_parts(const Definition& whole, std::vector<std::string_view>& done, std::string& text) {
    const std::string_view package = whole.type.substr(0, whole.type.find('/') + 1);
    std::istringstream lines{std::string(whole.fields)};
    for (std::string line; std::getline(lines, line);) {
        const std::string field = line.substr(0, line.find_first_of(" ["));
        const Definition* part = find_definition(field);
        if (!part) part = find_definition(std::string(package) + field);
        if (!part || std::find(done.begin(), done.end(), part->type) != done.end()) continue;
        done.push_back(part->type);
        text += std::string(80, '=') + "\nMSG: " + std::string(part->type) + "\n" + std::string(part->fields);
        append_parts(*part, done, text);
    }
}

std::string_view type_of(MessageKind kind) {
    switch (kind) {
        case MessageKind::scan:
            return "sensor_msgs/LaserScan";
        case MessageKind::pose:
            return "nav_msgs/Odometry";
        case MessageKind::grid:
            return "nav_msgs/OccupancyGrid";
        case MessageKind::transforms:
            return "tf2_msgs/TFMessage";
        case MessageKind::scene:
            return "visualization_msgs/MarkerArray";
        case MessageKind::text:
            break;
    }
    return "rcl_interfaces/Log";
}

}  // namespace

std::string_view ros2_fields(std::string_view type) {
    const Definition* const definition = find_definition(type);
    return definition ? definition->fields : std::string_view();
}

SchemaText ros2_schema(MessageKind kind) {
    const Definition* const definition = find_definition(type_of(kind));
    OUTRIDER_CHECK(definition != nullptr, ==, true);
    SchemaText out{std::string(definition->type), std::string(definition->fields)};
    out.name.insert(out.name.find('/'), "/msg");
    std::vector<std::string_view> done;
    append_parts(*definition, done, out.text);
    return out;
}

}  // namespace outrider
