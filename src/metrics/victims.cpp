#include "metrics/victims.hpp"

#include <algorithm>

#include "robot/victim_log.hpp"

namespace outrider {

void VictimCounts::on_step(const StepView& view, const std::vector<Victim>& truth) {
    const Robot& base = view.team.front();
    if (!base.victims() || !base.belief().briefing().is_base()) return;
    constexpr double well_placed_m = 1, points = 10;
    found_at_.resize(truth.size(), -1);
    confirmed = false_confirmed = 0;
    score = 0;
    const std::vector<FoundVictim>& reports = base.victims()->found();
    const auto near = [](Point a, Point b) { return distance(a, b) <= VictimLog::join_m; };
    for (std::size_t k = 0; k < truth.size(); ++k) {
        const FoundVictim* best = nullptr;  // the nearest that is confirmed
        for (const FoundVictim& r : reports) {
            if (!near(r.at, truth[k].at) || r.state == VictimState::declined) continue;
            if (found_at_[k] < 0) found_at_[k] = view.step;
            if (r.state != VictimState::confirmed) continue;
            if (!best || distance(r.at, truth[k].at) < distance(best->at, truth[k].at)) best = &r;
        }
        if (!best) continue;
        ++confirmed;
        score += points * (1 + (best->id == static_cast<int>(k)) + (best->status == truth[k].status) +
                           (distance(best->at, truth[k].at) <= well_placed_m));
    }
    for (const FoundVictim& r : reports) {
        if (r.state != VictimState::confirmed) continue;
        const bool there = std::any_of(truth.begin(), truth.end(), [&](const Victim& v) { return near(r.at, v.at); });
        false_confirmed += !there;
        score -= there ? 0 : points;
    }
}

}  // namespace outrider
