#include "role_based/role_machine.hpp"

namespace outrider {
namespace {

using Event = RoleTransition::Event;
using enum RoleState;

RoleTransition stay(RoleState state) { return {Event::none, state}; }

int patience(const RoleSituation& s) { return exchange_steps + 3 * s.late; }

/// Back to work after meeting the parent, or giving it up.
RoleState onward(const RoleSituation& s) { return s.role == Role::relay && !s.may_explore ? go_to_child : explore; }

/// A relay that has time before it meets its child.
RoleTransition in_relay_explore(const RoleSituation& s) {
    if (s.child_finished) return {Event::lost_child, return_to_parent};
    if (s.child_here && s.timer > explore_steps) return {Event::none, get_info_from_child};
    if (s.child_due || s.nothing_left) return {Event::none, go_to_child};
    return stay(explore);
}

RoleTransition in_explore(const RoleSituation& s) {
    if (s.role == Role::relay) return in_relay_explore(s);
    if (s.child_here) return {Event::found_child, get_info_from_child};
    if (!s.parent_is_base && s.parent_here && (s.wants_meeting || s.timer > explore_steps))
        return {Event::none, give_parent_info};
    if (s.nothing_left) return {Event::none, finish};
    if (!s.parent_is_base && s.due) return {Event::none, return_to_parent};
    return stay(explore);
}

RoleTransition in_wait_for_parent(const RoleSituation& s) {
    if (s.parent_here) return {Event::none, give_parent_info};
    if (s.now <= s.parent_end) return stay(wait_for_parent);
    if (s.parent_is_base) return {Event::none, onward(s)};  // nobody is at home
    if (s.parent_backup) return {Event::missed_parent, s.role == Role::relay ? return_to_parent : explore};
    return {Event::lost_parent, return_to_parent};
}

RoleTransition in_give_parent_info(const RoleSituation& s) {
    if (s.parent_is_base)
        return s.timer < 1 + s.late ? stay(give_parent_info) : RoleTransition{Event::met_parent, onward(s)};
    if (s.role == Role::explorer && s.nothing_left) return {Event::none, finish};
    if (s.agreed_above) return {Event::met_parent, onward(s)};
    if (s.parent_here && s.timer < patience(s)) return stay(give_parent_info);
    if (s.failures >= 2) return {Event::lost_parent, return_to_parent};
    return {Event::failed_with_parent, s.role == Role::relay ? return_to_parent : explore};
}

RoleTransition in_wait_for_child(const RoleSituation& s) {
    if (s.child_finished) return {Event::lost_child, return_to_parent};
    if (s.child_here) return {Event::none, get_info_from_child};
    if (s.now <= s.child_end) return stay(wait_for_child);
    if (s.child_backup) return {Event::missed_child, go_to_child};
    return {Event::lost_child, return_to_parent};
}

RoleTransition in_get_info_from_child(const RoleSituation& s) {
    if (s.child_finished) return {Event::lost_child, return_to_parent};
    if (s.agreed_below) return {Event::met_child, return_to_parent};
    if (s.pending_below) {
        // Neither leaves before both hold the same meeting; out of contact, their mutual waiting ends by itself.
        if (!s.child_here) return {Event::none, go_to_child};
        return s.timer < 3 * patience(s) ? stay(get_info_from_child) : RoleTransition{Event::none, return_to_parent};
    }
    if (s.child_here && s.timer < patience(s)) return stay(get_info_from_child);
    return {Event::none, return_to_parent};  // the child's map was received; the meeting stands as it was
}

}  // namespace

RoleTransition next_state(RoleState state, const RoleSituation& s) {
    switch (state) {
        case initial:
            return s.timer < 3 ? stay(initial) : RoleTransition{Event::none, onward(s)};
        case explore:
            return in_explore(s);
        case return_to_parent:
            if (s.parent_here) return {Event::none, give_parent_info};
            if (s.carry_for_two) return {Event::none, go_to_child};
            return s.arrived ? RoleTransition{Event::none, wait_for_parent} : stay(return_to_parent);
        case wait_for_parent:
            return in_wait_for_parent(s);
        case give_parent_info:
            return in_give_parent_info(s);
        case go_to_child:
            if (s.child_finished) return {Event::lost_child, return_to_parent};
            if (s.child_here) return {Event::none, get_info_from_child};
            return s.arrived ? RoleTransition{Event::none, wait_for_child} : stay(go_to_child);
        case wait_for_child:
            return in_wait_for_child(s);
        case get_info_from_child:
            return in_get_info_from_child(s);
        case finish:
            return s.nothing_left ? stay(finish) : RoleTransition{Event::none, onward(s)};
    }
    return stay(state);
}

}  // namespace outrider
