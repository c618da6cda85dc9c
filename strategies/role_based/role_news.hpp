// What the robots of a hierarchy report of themselves every step.
#pragma once

#include <optional>
#include <vector>

#include "role_based/hierarchy.hpp"
#include "role_based/role_machine.hpp"
#include "shared/meeting.hpp"

namespace outrider {

/// A place and its status: everything that a robot taking it over has to know.
struct RoleNews {
    RoleClaims::Claim claim;
    RoleState state = RoleState::initial;
    Cell goal;              ///< where it drives
    std::int64_t left = 0;  ///< path length to the goal, in cells
    std::int64_t held = 0;  ///< id of the newest meeting received from the child
    Meeting above, below;   ///< agreed with parent and child
    bool operator==(const RoleNews&) const = default;
};

/// Values {place, epoch, state, goal x, goal y, left, held, above, below} of topic_role.
Word word_of(const RoleNews& news);
/// All news in a record, in its order; invalid words are left out.
std::vector<RoleNews> role_news(const TeamRecord& record);
/// A meeting proposed to the robots concerned, topic_meet.
Word proposal_word(const Meeting& meeting);
std::optional<Meeting> proposal_in(const TeamRecord& record);

}  // namespace outrider
