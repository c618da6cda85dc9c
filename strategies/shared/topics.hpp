// The topics of the words that the strategies of this project send to each other. A strategy ignores topics that it
// does not know, so that different strategies can share a team.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "outrider/geometry.hpp"

namespace outrider {

constexpr std::uint32_t topic(const char (&name)[5]) {
    std::uint32_t out = 0;
    for (int i = 0; i < 4; ++i) out = out << 8 | static_cast<std::uint8_t>(name[i]);
    return out;
}

/// Team-mates may send any number: a step, a robot or a count is clamped to a thousand million either way.
inline int received_number(std::int64_t value) {
    constexpr std::int64_t most = 1'000'000'000;
    return static_cast<int>(std::clamp(value, -most, most));
}
/// The cell that the values i and i + 1 give; far outside of any map, one outside of any map.
inline Cell received_cell(std::span<const std::int64_t> values, std::size_t i) {
    constexpr std::int64_t most = 1 << 18;
    return {static_cast<std::int32_t>(std::clamp(values[i], -most, most)),
            static_cast<std::int32_t>(std::clamp(values[i + 1], -most, most))};
}

/// Each with the layout of its values.
inline constexpr std::uint32_t topic_role = topic("role");  ///< a role that the sender holds: see RoleNews
inline constexpr std::uint32_t topic_swap = topic("swap");  ///< an offer to exchange roles: see RoleClaims
inline constexpr std::uint32_t topic_meet = topic("meet");  ///< a meeting proposed to the parent: see Meeting
inline constexpr std::uint32_t topic_duty = topic("duty");  ///< what the sender is responsible for: see Responsibility
inline constexpr std::uint32_t topic_base = topic("base");  ///< of a base: the free cells that it knows
inline constexpr std::uint32_t topic_leader = topic("lead");  ///< an election: see Election
inline constexpr std::uint32_t topic_plan = topic("plan");    ///< an assignment by a leader: robot, goal x, goal y, ...
inline constexpr std::uint32_t topic_chain = topic("chns");   ///< of a chain's leader: whether it has finished
inline constexpr std::uint32_t topic_deployment = topic("rlys");  ///< of a relay network: the Deployment of a robot
inline constexpr std::uint32_t topic_network = topic("rlyn");     ///< of a relay network's leader: see NetworkPlan
inline constexpr std::uint32_t topic_station = topic("stat");     ///< of the strategy behaviours: the cell of a relay
inline constexpr std::uint32_t topic_recurrent = topic("rcrs");   ///< of recurrent connectivity: see RecurrentNews
inline constexpr std::uint32_t topic_places = topic("rcrp");      ///< of recurrent connectivity: see RecurrentPlan

}  // namespace outrider
