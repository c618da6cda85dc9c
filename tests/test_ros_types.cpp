// Types of ROS messages as rosapi tells them: the same fields as in the published definitions.
#include "live/rosbridge/ros_types.hpp"

#include <doctest/doctest.h>

#include "ros_definitions.hpp"

using namespace outrider;

namespace test_ros_types {
namespace {

constexpr std::string_view spoken[]{ros_type::scan,       ros_type::odometry, ros_type::twist, ros_type::clock,
                                    ros_type::transforms, ros_type::grid,     ros_type::path,  ros_type::markers};

/// A definition without packages, constants and default values, which do not change what a message holds.
std::vector<std::string> fields_of(const std::string& definition) {
    std::vector<std::string> out;
    std::istringstream lines(definition);
    for (std::string line, type, name; std::getline(lines, line);) {
        std::istringstream(line) >> type >> name;
        if (name.find('=') == std::string::npos) out.push_back(type.substr(type.find('/') + 1) + " " + name);
    }
    return out;
}

}  // namespace

TEST_CASE("every type that is sent, and all that it is made of, has the fields of its definition") {
    const std::set<std::string> newer{"string texture_resource", "CompressedImage texture",
                                      "UVCoordinate[] uv_coordinates", "MeshFile mesh_file"};
    for (const RosDialect dialect : {RosDialect::ros1, RosDialect::ros2}) {
        const RosDefinitions published = dialect == RosDialect::ros1 ? ros1_definitions() : ros2_definitions();
        for (const std::string_view name : spoken) {
            CAPTURE(name);
            const RosType* const type = find_ros_type(name, dialect);
            REQUIRE(type);
            for (const RosType* part : with_parts(*type, dialect)) {
                CAPTURE(part->name);
                std::vector<std::string> expected = fields_of(published.at(part->name)), said;
                std::erase_if(expected, [&](const std::string& field) { return newer.contains(field); });
                const std::string text = definition_text(*part, dialect);
                CHECK(fields_of(text.substr(0, text.find("===="))) == expected);
            }
        }
    }
}

TEST_CASE("what a type is made of comes once, behind it; names are those of its own package first") {
    const RosType* const type = find_ros_type("nav_msgs/Odometry", RosDialect::ros1);
    REQUIRE(type);
    std::vector<std::string> names;
    for (const RosType* part : with_parts(*type, RosDialect::ros1)) names.push_back(part->name);
    CHECK(names == std::vector<std::string>{"nav_msgs/Odometry", "std_msgs/Header", "geometry_msgs/PoseWithCovariance",
                                            "geometry_msgs/Pose", "geometry_msgs/Point", "geometry_msgs/Quaternion",
                                            "geometry_msgs/TwistWithCovariance", "geometry_msgs/Twist",
                                            "geometry_msgs/Vector3"});
    CHECK(with_parts(*type, RosDialect::ros2).size() == 10);  // and the time of its header
    CHECK(definition_text(*find_ros_type("std_msgs/Header", RosDialect::ros1), RosDialect::ros1) ==
          "uint32 seq\ntime stamp\nstring frame_id\n");
    CHECK(definition_text(*find_ros_type("geometry_msgs/PoseWithCovariance", RosDialect::ros2), RosDialect::ros2)
              .starts_with("geometry_msgs/Pose pose\nfloat64[36] covariance\n====="));
    CHECK(find_ros_type("nav_msgs/Nothing", RosDialect::ros1) == nullptr);
    CHECK(find_ros_type("", RosDialect::ros2) == nullptr);
}

}  // namespace test_ros_types
