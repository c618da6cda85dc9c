#include "shared/team_plan.hpp"

#include "shared/topics.hpp"

namespace outrider {

void TeamPlan::listen(const Belief& belief, Rng& rng) {
    if (options_.planner == PlannedBy::each) return;
    if (!election_) election_.emplace(belief.self(), options_.election);
    std::vector<Election::Received> received;
    for (const auto& record : belief.team()) {
        if (record->robot == belief.self() || record->role == Role::base || !belief.in_contact(record->robot)) continue;
        for (const Word& word : record->words)
            if (word.topic == topic_leader) received.push_back({record->robot, word.values});
    }
    const Fitness own{static_cast<int>(belief.percept().links.size()), belief.percept().battery};
    says_ = election_->step(belief.step(), received, own, rng);
    if (!leads()) plan_.clear();
}

std::optional<int> TeamPlan::given(const Belief& belief, const std::vector<Frontier>& frontiers) const {
    const RobotId chief = leader();
    if (chief < 0 || static_cast<std::size_t>(chief) >= belief.team().size() || chief == belief.self() ||
        !belief.in_contact(chief))
        return {};
    const TeamRecord& record = belief.latest(chief);
    if (record.frame != belief.map().frame()) return {};
    for (const Word& word : record.words) {
        if (word.topic != topic_plan) continue;
        for (std::size_t i = 0; i + 2 < word.values.size(); i += 3) {
            if (word.values[i] != belief.self()) continue;
            const Cell goal = received_cell(word.values, i + 1);
            const double reach = sensor_range_cells(belief) / 5;
            std::optional<int> best;
            double least = reach * reach;
            for (std::size_t k = 0; k < frontiers.size(); ++k) {
                const auto d = static_cast<double>(squared_distance(frontiers[k].goal, goal));
                if (d > least || (best && d == least)) continue;
                least = d;
                best = static_cast<int>(k);
            }
            return best;
        }
    }
    return {};
}

void TeamPlan::publish(const std::vector<Participant>& team, const std::vector<Cell>& goals,
                       const std::vector<int>& assigned) {
    if (!leads()) return;
    plan_.clear();
    for (std::size_t r = 0; r < team.size(); ++r) {
        if (assigned[r] < 0) continue;
        const Cell goal = goals[static_cast<std::size_t>(assigned[r])];
        plan_.insert(plan_.end(), {team[r].robot, goal.x, goal.y});
    }
}

void TeamPlan::speak(Intent& intent) const {
    if (!election_) return;
    intent.words.push_back({topic_leader, to_all, says_});
    if (!plan_.empty()) intent.words.push_back({topic_plan, to_all, plan_});
}

}  // namespace outrider
