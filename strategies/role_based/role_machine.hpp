// The state machine of role-based exploration: explorers go beyond radio range and meet their relays; relays drive
// between the meeting and the base, or the relay above. (de Hoog, Cameron & Visser, COGNITIVE 2009, AAMAS 2010; as in
// MRESim, with time-outs in every state that waits.)
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "outrider/briefing.hpp"

namespace outrider {

enum class RoleState : std::uint8_t {
    initial,
    explore,
    return_to_parent,
    wait_for_parent,
    give_parent_info,
    go_to_child,
    wait_for_child,
    get_info_from_child,
    finish,  ///< nothing is left to explore: home
};
inline constexpr std::array<std::string_view, 9> role_state_names{
    "initial",     "explore",        "return_to_parent",    "wait_for_parent", "give_parent_info",
    "go_to_child", "wait_for_child", "get_info_from_child", "finish"};

inline constexpr int exchange_steps = 5;  ///< an exchange of messages that takes longer has failed, if none is late
inline constexpr int explore_steps = 15;  ///< between two chance meetings with a parent

/// What a robot sees when it decides on its next state.
struct RoleSituation {
    Role role = Role::explorer;  ///< what it acts as: a relay without child acts as an explorer
    int now = 0, timer = 0;      ///< steps; the timer counts those spent in this state
    int late = 0;                ///< steps that messages take beyond the next one: three of them are an exchange
    bool parent_is_base = false;
    bool parent_here = false, child_here = false;  ///< in contact; a base: any of them
    bool wants_meeting = false;   ///< no meeting is agreed with the parent, and asking for one has not just failed
    bool due = false;             ///< time to leave for the meeting with the parent
    bool arrived = false;         ///< at the destination of this state
    bool nothing_left = false;    ///< no frontier can be reached
    bool agreed_above = false;    ///< the parent holds what was proposed
    int failures = 0;             ///< exchanges with the parent that failed, one after the other
    bool agreed_below = false;    ///< the child reported, in this state, that a new meeting is agreed
    bool pending_below = false;   ///< the child proposed one and has not yet reported that it is agreed
    bool child_finished = false;  ///< the child goes home, or is lost
    bool may_explore = false;     ///< a relay has time to explore before it has to leave for its child
    bool child_due = false;       ///< time for a relay that explores to leave for its child
    bool carry_for_two = false;   ///< another relay on its way to the base carries the same
    int parent_end = 0, child_end = 0;                 ///< steps at which waiting ends
    bool parent_backup = false, child_backup = false;  ///< there is another point to meet at
};

struct RoleTransition {
    enum class Event : std::uint8_t {
        none,
        met_parent,
        failed_with_parent,  ///< the exchange took too long
        missed_parent,       ///< on to the backup
        lost_parent,         ///< from now on the base is the parent, until the parent is met again
        met_child,
        missed_child,
        lost_child,  ///< from now on an explorer, until the child is met again
        found_child,
    } event = Event::none;
    RoleState next = RoleState::initial;
    bool operator==(const RoleTransition&) const = default;
};

/// One transition; the same state as before when there is none.
RoleTransition next_state(RoleState state, const RoleSituation& situation);

}  // namespace outrider
