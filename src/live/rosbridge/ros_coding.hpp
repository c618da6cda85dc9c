// Messages of ROS in the codings that clients of rosbridge may ask for. Each goes through its type field by field, so
// that a message in one dialect becomes one in the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "live/rosbridge/ros_types.hpp"

namespace outrider {

enum class RosCoding : std::uint8_t {
    json,
    cbor,  ///< RFC 8949; arrays of numbers as bytes (RFC 8746)
    raw,   ///< as ROS itself sends it: little endian in ROS 1, CDR in ROS 2
};

/// Fields that the message does not have are 0, empty or false; those that its type does not have are left out. Throws
/// Error when a field has another type.
std::string encode_ros(const Json& message, const RosType& type, RosDialect dialect, RosCoding coding);

/// What rosbridge sends of a message in this coding: a text in JSON, else CBOR. `time_s`: when it was sent.
std::string publication(const std::string& topic, const std::string& message, RosCoding coding, double time_s);

}  // namespace outrider
