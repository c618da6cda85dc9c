#include "run/events.hpp"

namespace outrider {
namespace {

constexpr std::array milestones{0.5, 0.9, 0.95, 0.99};

std::string share_json(double share) { return fmt::format("{{\"share\": {}}}", share); }

}  // namespace

std::vector<LogEvent> EventFinder::find(const StepView& view, const StepMetrics& row,
                                        const std::vector<int>& component) {
    std::vector<LogEvent> events;
    for (; milestones_team_ < milestones.size() && row.team_share >= milestones[milestones_team_]; ++milestones_team_)
        events.push_back({view.step, "team_knows", -1, share_json(milestones[milestones_team_])});
    for (; milestones_base_ < milestones.size() && row.base_share >= milestones[milestones_base_]; ++milestones_base_)
        events.push_back({view.step, "base_knows", -1, share_json(milestones[milestones_base_])});
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        const TeamMember& me = view.team[i].belief().briefing().me();
        if (alive_[i] && !view.percepts[i].alive) events.push_back({view.step, "died", robot, "{}"});
        alive_[i] = view.percepts[i].alive;
        if (!alive_[i]) continue;
        for (const Happening& h : view.decisions[i].happenings)
            events.push_back({view.step, happening_names[static_cast<std::size_t>(h.kind)], robot,
                              h.steps > 0 ? fmt::format("{{\"steps\": {}}}", h.steps) : "{}"});
        if (!me.mobile) continue;
        std::uint8_t connected = 0;
        for (std::size_t b = 0; b < view.team.size() && view.team[b].belief().briefing().is_base(); ++b)
            connected |= component[b] == component[i];
        if (connected_[i] != connected)
            events.push_back({view.step, connected ? "met_base" : "left_base", robot, "{}"});
        connected_[i] = connected;
    }
    return events;
}

}  // namespace outrider
