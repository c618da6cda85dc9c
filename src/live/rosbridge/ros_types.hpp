// Types of ROS messages as values: which fields those have that ros_messages.hpp writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "live/rosbridge/ros_messages.hpp"

namespace outrider {

struct RosField {
    static constexpr int single = -1, any_length = 0;
    std::string type, name;  ///< the type with its package, if it is not one of ROS's own, such as float64 or string
    int length = single;     ///< of an array
    std::string constant;    ///< its value, of one that is no field but a constant
};

struct RosType {
    std::string name;              ///< in ROS 1
    std::vector<RosField> fields;  ///< and constants, in the order of the definition
};

/// A type by its name in ROS 1, as the dialect has it; nullptr: it is none of ours.
const RosType* find_ros_type(std::string_view name, RosDialect dialect);
/// The type, then all that it is made of, each once.
std::vector<const RosType*> with_parts(const RosType& type, RosDialect dialect);
/// The definition of a type, and of all that it is made of, as `gendeps --cat` and rosbag2 write them.
std::string definition_text(const RosType& type, RosDialect dialect);

}  // namespace outrider
