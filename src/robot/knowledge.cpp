#include "robot/knowledge.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/belief.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/path_planner.hpp"

namespace outrider {
namespace {

/// Puts a word in the place of the one of the same topic to the same receiver.
void replace_word(std::vector<Word>& words, const Word& word) {
    for (Word& w : words)
        if (w.topic == word.topic && w.to == word.to) {
            w = word;
            return;
        }
    words.push_back(word);
}

}  // namespace

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
      trusted_plan(briefing.prior_map.get()),
      any_angle(plan.any_angle),
      derived(std::make_unique<Derived>(*this, frontier, plan)) {
    estimate.pose = pose;
}

std::unique_ptr<Knowledge> Knowledge::copy() const {
    std::unique_ptr<Knowledge> out(new Knowledge(*this));
    out->percept = nullptr;
    out->derived->follow(*out, *derived);
    return out;
}

bool Knowledge::looked_in_vain(Cell goal, Cell look) const {
    return std::binary_search(vain_looks.begin(), vain_looks.end(), std::pair(goal, look));
}

void Knowledge::note_vain_look() {
    if (!facing) return;
    const std::pair entry(map.lattice().cell_of(facing->first), map.lattice().cell_of(facing->second));
    if (cell() != entry.first || map.state(entry.second) != CellState::unknown) return;
    if (std::abs(wrap_angle(bearing(pose.position(), facing->second) - pose.yaw)) > 1e-6) return;
    const auto at = std::lower_bound(vain_looks.begin(), vain_looks.end(), entry);
    if (at == vain_looks.end() || *at != entry) vain_looks.insert(at, entry);
}

void Knowledge::hear_far(const Percept& news) {
    if (news.received_far.empty() && !with_far) return;
    far.resize(team.size());
    far_step.resize(team.size(), -1);
    for (const TeamRecord& record : news.received_far) {
        const auto i = static_cast<std::size_t>(record.robot);
        const bool same_frame = far[i] && far[i]->frame.robot == record.frame.robot;
        std::vector<Word> words = same_frame ? std::move(far[i]->words) : std::vector<Word>();
        for (const Word& word : record.words) replace_word(words, word);
        far[i] = record;
        far[i]->words = std::move(words);
        far_step[i] = news.step;
    }
    with_far = team;
    for (std::size_t i = 0; i < far.size(); ++i) {
        if (!far[i] || far[i]->seq <= team.seq(i)) continue;
        TeamRecord shown = *far[i];
        shown.words = team[i]->frame.robot == shown.frame.robot ? team[i]->words : std::vector<Word>();
        for (const Word& word : far[i]->words) replace_word(shown.words, word);
        with_far->set(i, std::move(shown));
    }
    if (tracker) tracker->show_team(news, *this);
}

}  // namespace outrider
