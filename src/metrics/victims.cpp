#include "metrics/victims.hpp"

#include <algorithm>
#include <bit>

namespace outrider {

void VictimCounts::on_step(const StepView& view, const SimDriver& truth) {
    const std::vector<Victim>& victims = truth.victims();
    found_at_.resize(victims.size(), -1);
    for (const Victim& v : victims) {
        const Point at = v.place(view.step * truth.world().step_s());
        for (const Body& body : truth.world().bodies())
            driven_over +=
                body.alive && body.speed_mps > 0 && distance(body.pose.position(), at) < body_radius_m + body.radius_m;
    }
    const Robot& base = view.team.front();
    if (base.clears()) {
        std::int64_t cells = 0;
        base.belief().map().for_each_block([&](Cell low) {
            for (const std::uint64_t row : base.belief().map().marked_rows(Mark::cleared, low))
                cells += std::popcount(row);
        });
        const double side_m = base.belief().map().lattice().cell_m;
        cleared_m2 = static_cast<double>(cells) * side_m * side_m;
    }
    if (base.victims() && base.belief().briefing().is_base()) judge_reports(view, victims, base.victims()->found());
}

void VictimCounts::judge_reports(const StepView& view, const std::vector<Victim>& truth,
                                 const std::vector<FoundVictim>& reports) {
    constexpr double well_placed_m = 1, points = 10;
    confirmed = false_confirmed = 0;
    score = 0;
    const auto near = [](Point at, const Victim& v) { return v.away_m(at) <= VictimLog::join_m; };
    for (std::size_t k = 0; k < truth.size(); ++k) {
        const FoundVictim* best = nullptr;  // the nearest that is confirmed
        for (const FoundVictim& r : reports) {
            if (!near(r.at, truth[k]) || r.state == VictimState::declined) continue;
            if (found_at_[k] < 0) found_at_[k] = view.step;
            if (r.state != VictimState::confirmed) continue;
            if (!best || truth[k].away_m(r.at) < truth[k].away_m(best->at)) best = &r;
        }
        if (!best) continue;
        ++confirmed;
        score += points * (1 + (best->id == static_cast<int>(k)) + (best->status == truth[k].status) +
                           (truth[k].away_m(best->at) <= well_placed_m));
    }
    for (const FoundVictim& r : reports) {
        if (r.state != VictimState::confirmed) continue;
        const bool there = std::any_of(truth.begin(), truth.end(), [&](const Victim& v) { return near(r.at, v); });
        false_confirmed += !there;
        score -= there ? 0 : points;
    }
}

}  // namespace outrider
