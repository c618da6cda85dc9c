// Each row of the state machine of role-based exploration.
#include <doctest/doctest.h>

#include "role_based/role_machine.hpp"

using namespace outrider;
using enum RoleState;
using Event = RoleTransition::Event;

namespace test_role_machine {
namespace {

RoleTransition from(RoleState state, const RoleSituation& s) { return next_state(state, s); }

RoleSituation explorer() { return {.role = Role::explorer, .now = 200}; }
RoleSituation relay() { return {.role = Role::relay, .now = 200}; }

}  // namespace

TEST_CASE("both begin with three steps on the spot; then explorers explore and relays go to their child") {
    RoleSituation e = explorer(), r = relay();
    e.timer = r.timer = 2;
    CHECK(from(initial, e) == RoleTransition{Event::none, initial});
    CHECK(from(initial, r) == RoleTransition{Event::none, initial});
    e.timer = r.timer = 3;
    CHECK(from(initial, e) == RoleTransition{Event::none, explore});
    CHECK(from(initial, r) == RoleTransition{Event::none, go_to_child});
}

TEST_CASE("an explorer in contact with its relay informs it when no meeting stands, or after 15 steps") {
    RoleSituation s = explorer();
    s.parent_here = true;
    s.timer = 15;
    CHECK(from(explore, s) == RoleTransition{Event::none, explore});
    s.timer = 16;
    CHECK(from(explore, s) == RoleTransition{Event::none, give_parent_info});
    s.timer = 1;
    s.wants_meeting = true;
    CHECK(from(explore, s) == RoleTransition{Event::none, give_parent_info});
    s.parent_is_base = true;  // a base needs no meeting
    CHECK(from(explore, s) == RoleTransition{Event::none, explore});
}

TEST_CASE("an explorer leaves for the meeting when it is due, and goes home when nothing is left") {
    RoleSituation s = explorer();
    CHECK(from(explore, s).next == explore);
    s.due = true;
    CHECK(from(explore, s) == RoleTransition{Event::none, return_to_parent});
    s.parent_is_base = true;
    CHECK(from(explore, s).next == explore);
    s.nothing_left = true;
    CHECK(from(explore, s) == RoleTransition{Event::none, finish});
    CHECK(from(finish, s).next == finish);
    s.nothing_left = false;
    CHECK(from(finish, s).next == explore);
}

TEST_CASE("on the way to the parent, contact comes before arrival; relays with the same news part") {
    RoleSituation s = relay();
    CHECK(from(return_to_parent, s).next == return_to_parent);
    s.arrived = true;
    CHECK(from(return_to_parent, s).next == wait_for_parent);
    s.carry_for_two = true;
    CHECK(from(return_to_parent, s).next == go_to_child);
    s.parent_here = true;
    CHECK(from(return_to_parent, s).next == give_parent_info);
}

TEST_CASE("waiting for the parent ends with the parent, the backup, or the loss of the parent") {
    RoleSituation s = explorer();
    s.parent_end = 200;
    s.parent_backup = true;
    CHECK(from(wait_for_parent, s).next == wait_for_parent);
    s.now = 201;
    CHECK(from(wait_for_parent, s) == RoleTransition{Event::missed_parent, explore});
    s.role = Role::relay;
    CHECK(from(wait_for_parent, s) == RoleTransition{Event::missed_parent, return_to_parent});
    s.parent_backup = false;
    CHECK(from(wait_for_parent, s) == RoleTransition{Event::lost_parent, return_to_parent});
    s.parent_here = true;
    CHECK(from(wait_for_parent, s) == RoleTransition{Event::none, give_parent_info});
}

TEST_CASE("at a base that is silent nobody waits for long") {
    RoleSituation s = relay();
    s.parent_is_base = true;
    s.parent_end = 199;
    CHECK(from(wait_for_parent, s) == RoleTransition{Event::none, go_to_child});
    s.role = Role::explorer;
    CHECK(from(wait_for_parent, s) == RoleTransition{Event::none, explore});
}

TEST_CASE("informing the parent ends when it holds the new meeting, and not before") {
    RoleSituation s = explorer();
    s.parent_here = true;
    s.timer = 4;
    CHECK(from(give_parent_info, s).next == give_parent_info);
    s.agreed_above = true;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::met_parent, explore});
    s.role = Role::relay;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::met_parent, go_to_child});
}

TEST_CASE(
    "an exchange that takes longer than five steps, or loses contact, has failed; the third time the parent is lost") {
    RoleSituation s = explorer();
    s.parent_here = true;
    s.timer = 5;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::failed_with_parent, explore});
    s.timer = 1;
    s.parent_here = false;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::failed_with_parent, explore});
    s.role = Role::relay;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::failed_with_parent, return_to_parent});
    s.failures = 2;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::lost_parent, return_to_parent});
}

TEST_CASE(
    "where messages are late, an exchange may take three times that longer, and a base is informed so much later") {
    RoleSituation s = explorer();
    s.parent_here = true;
    s.late = 4;
    s.timer = 16;
    CHECK(from(give_parent_info, s).next == give_parent_info);
    s.timer = 17;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::failed_with_parent, explore});
    RoleSituation r = relay();
    r.child_here = true;
    r.late = 4;
    r.timer = 16;
    CHECK(from(get_info_from_child, r).next == get_info_from_child);
    r.timer = 17;
    CHECK(from(get_info_from_child, r) == RoleTransition{Event::none, return_to_parent});
    r.parent_is_base = r.parent_here = true;
    r.timer = 4;
    CHECK(from(give_parent_info, r).next == give_parent_info);
    r.timer = 5;
    CHECK(from(give_parent_info, r) == RoleTransition{Event::met_parent, go_to_child});
}

TEST_CASE("a base is informed within a step") {
    RoleSituation s = relay();
    s.parent_is_base = s.parent_here = true;
    CHECK(from(give_parent_info, s).next == give_parent_info);
    s.timer = 1;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::met_parent, go_to_child});
    s.role = Role::explorer;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::met_parent, explore});
}

TEST_CASE("a relay on its way to the child: contact, arrival, the child's end") {
    RoleSituation s = relay();
    CHECK(from(go_to_child, s).next == go_to_child);
    s.arrived = true;
    CHECK(from(go_to_child, s).next == wait_for_child);
    s.child_here = true;
    CHECK(from(go_to_child, s).next == get_info_from_child);
    s.child_finished = true;
    CHECK(from(go_to_child, s) == RoleTransition{Event::lost_child, return_to_parent});
}

TEST_CASE("waiting for the child ends with the child, the backup, or its loss") {
    RoleSituation s = relay();
    s.child_end = 200;
    s.child_backup = true;
    CHECK(from(wait_for_child, s).next == wait_for_child);
    s.now = 201;
    CHECK(from(wait_for_child, s) == RoleTransition{Event::missed_child, go_to_child});
    s.child_backup = false;
    CHECK(from(wait_for_child, s) == RoleTransition{Event::lost_child, return_to_parent});
    s.child_here = true;
    CHECK(from(wait_for_child, s).next == get_info_from_child);
    s.child_finished = true;
    CHECK(from(wait_for_child, s) == RoleTransition{Event::lost_child, return_to_parent});
}

TEST_CASE("a relay leaves its child when both hold the new meeting, or when none was proposed") {
    RoleSituation s = relay();
    s.child_here = true;
    s.timer = 4;
    CHECK(from(get_info_from_child, s).next == get_info_from_child);
    s.timer = 5;
    CHECK(from(get_info_from_child, s) == RoleTransition{Event::none, return_to_parent});
    s.pending_below = true;
    CHECK(from(get_info_from_child, s).next == get_info_from_child);
    s.timer = 15;
    CHECK(from(get_info_from_child, s).next == return_to_parent);
    s.timer = 2;
    s.child_here = false;  // neither leaves: it waits where they were to meet
    CHECK(from(get_info_from_child, s) == RoleTransition{Event::none, go_to_child});
    s.agreed_below = true;
    CHECK(from(get_info_from_child, s) == RoleTransition{Event::met_child, return_to_parent});
    s.child_finished = true;
    CHECK(from(get_info_from_child, s) == RoleTransition{Event::lost_child, return_to_parent});
}

TEST_CASE("a relay with time to spare explores until it has to leave for its child") {
    RoleSituation s = relay();
    s.parent_is_base = s.parent_here = s.may_explore = true;
    s.timer = 1;
    CHECK(from(give_parent_info, s) == RoleTransition{Event::met_parent, explore});
    CHECK(from(explore, s).next == explore);
    s.child_here = true;
    CHECK(from(explore, s).next == explore);
    s.timer = 16;
    CHECK(from(explore, s).next == get_info_from_child);
    s.timer = 1;
    s.child_due = true;
    CHECK(from(explore, s).next == go_to_child);
    s.child_due = false;
    s.nothing_left = true;
    CHECK(from(explore, s).next == go_to_child);
    s.child_finished = true;
    CHECK(from(explore, s) == RoleTransition{Event::lost_child, return_to_parent});
}

TEST_CASE("a relay that lost its child explores, until it meets it again") {
    RoleSituation s = explorer();
    CHECK(from(explore, s).next == explore);
    s.child_here = true;
    CHECK(from(explore, s) == RoleTransition{Event::found_child, get_info_from_child});
}

}  // namespace test_role_machine
