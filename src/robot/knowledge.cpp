#include "robot/knowledge.hpp"

#include <algorithm>

#include "outrider/belief.hpp"

namespace outrider {

TeamTable initial_team_table(const Briefing& briefing) {
    TeamTable team;
    for (const TeamMember& member : briefing.team()) {
        TeamRecord record;
        record.robot = member.id;
        record.role = member.role;
        record.frame = briefing.frame;
        team.push_back(std::move(record));
    }
    return team;
}

Knowledge::Knowledge(Briefing b, const FrontierOptions& frontier, const PlanOptions& plan, const TeamTable* known_team)
    : briefing(std::move(b)),
      pose(briefing.start),
      map(briefing.lattice, briefing.frame, briefing.cells_change),
      team(known_team ? *known_team : initial_team_table(briefing)),
      contact(briefing.team().size(), -1),
      any_angle(plan.any_angle),
      derived(std::make_unique<Derived>(*this, frontier, plan)) {}

bool Knowledge::looked_in_vain(Cell goal, Cell look) const {
    return std::binary_search(vain_looks.begin(), vain_looks.end(), std::pair(goal, look));
}

void Knowledge::note_vain_look(Cell goal, Cell look) {
    const std::pair entry(goal, look);
    const auto at = std::lower_bound(vain_looks.begin(), vain_looks.end(), entry);
    if (at == vain_looks.end() || *at != entry) vain_looks.insert(at, entry);
}

}  // namespace outrider
