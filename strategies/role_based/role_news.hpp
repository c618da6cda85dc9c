// What the robots of a hierarchy say of themselves every step.
#pragma once

#include <optional>
#include <vector>

#include "role_based/hierarchy.hpp"
#include "role_based/role_machine.hpp"
#include "shared/meeting.hpp"

namespace outrider {

/// A place and how things stand there: all that who takes it over has to know.
struct RoleNews {
    RoleClaims::Claim claim;
    RoleState state = RoleState::initial;
    Cell goal;              ///< where it drives
    std::int64_t left = 0;  ///< way to the goal, in cells
    std::int64_t held = 0;  ///< id of the newest meeting heard from the child
    Meeting above, below;   ///< agreed with parent and child
    bool operator==(const RoleNews&) const = default;
};

/// Values {place, epoch, state, goal x, goal y, left, held, above, below} of topic_role.
Word word_of(const RoleNews& news);
/// All that a record tells, in its order; words that make no sense are left out.
std::vector<RoleNews> role_news(const TeamRecord& record);
/// A meeting proposed to whom it may concern, topic_meet.
Word proposal_word(const Meeting& meeting);
std::optional<Meeting> proposal_in(const TeamRecord& record);

}  // namespace outrider
