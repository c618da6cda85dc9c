#include "shared/chain.hpp"

#include <algorithm>

namespace outrider {

std::optional<RobotId> home_base(const Belief& belief) {
    const Point home = belief.home();
    for (const auto& [robot, pose] : belief.briefing().bases)
        if (pose.position() == home) return robot;
    return {};
}

BasePlace base_in_frame(const Belief& belief) {
    BasePlace out{home_base(belief)};
    for (const TeamMember& member : belief.briefing().team()) {
        if (out.base || member.role != Role::base) continue;
        const TeamRecord& record = belief.latest(member.id);
        if (record.seq > 0 && record.frame == belief.map().frame()) out.base = member.id;
        out.not_joined = !out.base;
    }
    return out;
}

Cell last_cell(const Belief& belief, RobotId robot) {
    const Lattice& lattice = belief.map().lattice();
    if (robot == belief.self()) return belief.cell();
    const TeamRecord& record = belief.latest(robot);
    if (record.seq > 0 && record.frame == belief.map().frame()) return lattice.cell_of(record.pose.position());
    for (const auto& [base, pose] : belief.briefing().bases)
        if (base == robot) return lattice.cell_of(pose.position());
    return lattice.cell_of(belief.briefing().start.position());
}

Overlay reports_to(const Belief& belief, RobotId robot) {
    const Point there = belief.map().lattice().centre(last_cell(belief, robot));
    return Overlay::polyline(Overlay::Meaning::reports_to, "reports to", {belief.pose().position(), there},
                             belief.briefing().team()[static_cast<std::size_t>(robot)].name);
}

bool linked_with(const Belief& belief, RobotId robot) {
    const auto& links = belief.percept().links;
    return belief.in_contact(robot) ||
           std::any_of(links.begin(), links.end(), [&](const LinkReport& l) { return l.robot == robot; });
}

std::vector<RobotId> present_team(const Belief& belief, int lost_steps) {
    const auto& team = belief.briefing().team();
    const auto depth = [&](RobotId robot) {
        std::size_t hops = 0;
        for (RobotId at = robot; hops < team.size(); ++hops) {
            at = team[static_cast<std::size_t>(at)].parent;
            if (at < 0 || team[static_cast<std::size_t>(at)].role == Role::base) break;
        }
        return hops;
    };
    std::vector<std::pair<std::size_t, RobotId>> order;
    for (const TeamMember& member : team) {
        if (!member.mobile || member.role == Role::base) continue;
        if (member.id != belief.self() && belief.step() - belief.latest(member.id).step > lost_steps) continue;
        order.emplace_back(depth(member.id), member.id);
    }
    std::sort(order.begin(), order.end());
    std::vector<RobotId> out;
    for (const auto& [hops, robot] : order) out.push_back(robot);
    return out;
}

bool should_hear(const Belief& belief, RobotId a, Cell at_a, RobotId b, Cell at_b, double slack_cells) {
    const auto& team = belief.briefing().team();
    const auto range = [&](RobotId robot) { return team[static_cast<std::size_t>(robot)].radio_range_m; };
    const MapView map = belief.map();
    const RadioOptions& radio = belief.briefing().radio;
    const double reach = link_range_m(radio.range_rule, range(std::min(a, b)), range(std::max(a, b)));
    if (reach <= 0) return false;
    // However short the reach, robots side by side are linked.
    const double careful = std::max(reach - map.lattice().metres(slack_cells), reach / 4);
    return believed_linked(map, radio, careful, at_a, at_b);
}

int robots_along(const Belief& belief, RobotId base, const std::vector<Cell>& path) {
    if (path.empty()) return -1;
    const auto stride = whole<std::size_t>(std::max(4.0, belief.speed_cells()));
    int robots = 0;
    RobotId last = base;
    for (std::size_t at = 0;;) {
        ++robots;
        if (should_hear(belief, last, path[at], belief.self(), path.back())) return robots;
        std::size_t next = at;  // links need not be monotone along a path: the first gap ends the search
        while (next + stride < path.size() && should_hear(belief, last, path[at], belief.self(), path[next + stride]))
            next += stride;
        if (next == at) return -1;
        at = next;
        last = belief.self();
    }
}

bool LookHome::due(const Belief& belief) {
    constexpr int most_tries = 10;  // steps: enough to turn around
    const Cell home = belief.map().lattice().cell_of(belief.home());
    return belief.map().state(home) == CellState::unknown && tries_++ < most_tries;
}

}  // namespace outrider
