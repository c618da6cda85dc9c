// The topics of words that the strategies of this project say to each other. Strategies that do not know a topic leave
// it alone, so that different ones can share a team.
#pragma once

#include <cstdint>

namespace outrider {

constexpr std::uint32_t topic(const char (&name)[5]) {
    std::uint32_t out = 0;
    for (int i = 0; i < 4; ++i) out = out << 8 | static_cast<std::uint8_t>(name[i]);
    return out;
}

/// Each with the layout of its values.
inline constexpr std::uint32_t topic_role = topic("role");  ///< a role that the sender holds: see RoleNews
inline constexpr std::uint32_t topic_swap = topic("swap");  ///< an offer to exchange roles: see RoleClaims
inline constexpr std::uint32_t topic_meet = topic("meet");  ///< a meeting proposed to the parent: see Meeting
inline constexpr std::uint32_t topic_duty = topic("duty");  ///< what the sender is responsible for: see Responsibility
inline constexpr std::uint32_t topic_leader = topic("lead");  ///< an election: see Election
inline constexpr std::uint32_t topic_plan = topic("plan");    ///< an assignment by a leader: robot, goal x, goal y, ...
inline constexpr std::uint32_t topic_state = topic("stat");   ///< state of a strategy's own machine

}  // namespace outrider
