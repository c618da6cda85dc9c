// What rosapi, the node beside rosbridge, answers to who only asks: topics, types, nodes, services, the time. Pages and
// tools of roslibjs begin with these.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "live/rosbridge/ros_messages.hpp"

namespace outrider {

struct RosapiTopic {
    std::string_view name, type;  ///< in ROS 1
};

/// What there is to be asked about.
struct RosapiWorld {
    std::span<const RosapiTopic> topics;
    RosDialect dialect = RosDialect::ros1;  ///< of who asks
    double time_s = 0;
};

/// The "values" of the answer to a call of a service; nothing: there is no such service. Throws Error when its
/// arguments are wrong.
std::optional<std::string> rosapi_values(std::string_view service, const Json& request, const RosapiWorld& world);

}  // namespace outrider
