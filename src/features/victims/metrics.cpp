// Whom the team found, as the first base station knows it, against the truth; and the floor that cameras cleared.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "features/victims/cleared_floor.hpp"
#include "features/victims/victim_log.hpp"
#include "features/victims/world.hpp"
#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

class VictimCounts final : public Copied<VictimCounts, Counter> {
  public:
    explicit VictimCounts(const Measured& run) : found_at_(run.driver.part<Victims>()->victims().size(), -1) {
        count_in(run);
    }
    void count_in(const Measured& run) override {
        world_ = &run.driver.world();
        truth_ = &run.truth;
        victims_ = &run.driver.part<Victims>()->victims();
    }
    void on_step(const StepView& view) override;
    /// People of whom the base station has a report within 2 m that is not declined.
    int found() const {
        return static_cast<int>(std::ssize(found_at_) - std::count(found_at_.begin(), found_at_.end(), -1));
    }
    /// The step in which the base station first had such a report; -1: never.
    const std::vector<int>& found_at() const { return found_at_; }
    int confirmed = 0;        ///< people with a confirmed report within 2 m
    int false_confirmed = 0;  ///< confirmed reports with nobody within 2 m
    int by_hand = 0;          ///< places that the operator confirmed where nothing was reported
    int driven_over = 0;      ///< steps of robots in which their body touched somebody, summed up
    double score = 0;  ///< 10 for each who is confirmed, known by number, known by status, within 1 m; -10 if false

  private:
    /// Places in the team's frame.
    void judge_reports(const StepView& view, const std::vector<FoundVictim>& reports);

    const World* world_ = nullptr;
    const TrueView* truth_ = nullptr;
    const std::vector<Victim>* victims_ = nullptr;
    std::vector<int> found_at_;
};

void VictimCounts::on_step(const StepView& view) {
    for (const Victim& v : *victims_) {
        const Point at = v.place(view.step * world_->step_s());
        for (const Body& body : world_->bodies())
            driven_over +=
                body.alive && body.speed_mps > 0 && distance(body.pose.position(), at) < body_radius_m + body.radius_m;
    }
    const Robot& base = view.team.front();
    const auto* log = base.part<VictimLog>();
    if (!log || !base.belief().briefing().is_base()) return;
    for (const VictimDecision& d : log->unreported()) by_hand += d.confirmed;
    std::vector<FoundVictim> reports = log->found();
    for (FoundVictim& r : reports) r.at = truth_->point(base, r.at);
    judge_reports(view, reports);
}

void VictimCounts::judge_reports(const StepView& view, const std::vector<FoundVictim>& reports) {
    constexpr double well_placed_m = 1, points = 10;
    confirmed = false_confirmed = 0;
    score = 0;
    const auto near = [](Point at, const Victim& v) { return v.away_m(at) <= VictimLog::join_m; };
    for (std::size_t k = 0; k < victims_->size(); ++k) {
        const FoundVictim* best = nullptr;  // the nearest that is confirmed
        for (const FoundVictim& r : reports) {
            if (!near(r.at, (*victims_)[k]) || r.state == VictimState::declined) continue;
            if (found_at_[k] < 0) found_at_[k] = view.step;
            if (r.state != VictimState::confirmed) continue;
            if (!best || (*victims_)[k].away_m(r.at) < (*victims_)[k].away_m(best->at)) best = &r;
        }
        if (!best) continue;
        ++confirmed;
        score += points * (1 + (best->id == static_cast<int>(k)) + (best->status == (*victims_)[k].status) +
                           ((*victims_)[k].away_m(best->at) <= well_placed_m));
    }
    for (const FoundVictim& r : reports) {
        if (r.state != VictimState::confirmed) continue;
        const bool there =
            std::any_of(victims_->begin(), victims_->end(), [&](const Victim& v) { return near(r.at, v); });
        false_confirmed += !there;
        score -= there ? 0 : points;
    }
}

double victim_step_mean(Record r) {
    Ages at;
    for (const int step : r.counts<VictimCounts>().found_at())
        if (step >= 0) at.add(step);
    return at.count > 0 ? at.mean() : nan;
}

/// When half of them had been found.
double half_found(Record r) {
    const std::vector<int>& found_at = r.counts<VictimCounts>().found_at();
    std::vector<int> at;
    for (const int step : found_at)
        if (step >= 0) at.push_back(step);
    const std::size_t half = (found_at.size() + 1) / 2;
    if (half == 0 || at.size() < half) return nan;
    std::sort(at.begin(), at.end());
    return at[half - 1];
}

/// Floor that, as the base station knows, cameras have cleared.
double cleared_m2(Record r) {
    const MapView map = r.team.front().belief().map();
    const double side_m = map.lattice().cell_m;
    std::int64_t cells = 0;
    map.for_each_block([&](Cell low) {
        for (const std::uint64_t row : map.marked_rows(Mark::cleared, low)) cells += std::popcount(row);
    });
    return count(cells) * side_m * side_m;
}

bool clears(const Measured& run) { return run.team.front().part<ClearedFloor>() != nullptr; }

constexpr std::array victim_rows{
    MetricInfo{"victims_found", "", 1,
               "people of whom the base station has a report within 2 m that is not declined, or had one once", more,
               [](Record r) { return count(r.counts<VictimCounts>().found()); }},
    MetricInfo{"victims_confirmed", "", 1, "people with a confirmed report within 2 m", more,
               [](Record r) { return count(r.counts<VictimCounts>().confirmed); }},
    MetricInfo{"victims_false", "", 1, "confirmed reports with nobody within 2 m", plain,
               [](Record r) { return count(r.counts<VictimCounts>().false_confirmed); }},
    MetricInfo{"victim_step_mean", "step", 1,
               "when the base station first had a report of somebody; mean over those found", plain, victim_step_mean},
    MetricInfo{"t50_victims", "step", 1, "step at which half of the people were found", time_of, half_found},
    MetricInfo{
        "rescue_score", "", 1,
        "10 points for each who is confirmed, for the right number, for the right status, for a place within 1 m; "
        "-10 for each false one",
        more, [](Record r) { return r.counts<VictimCounts>().score; }},
    MetricInfo{"victims_by_hand", "", 1, "places that an operator confirmed where nothing was reported within 2 m",
               plain, [](Record r) { return count(r.counts<VictimCounts>().by_hand); }},
    MetricInfo{"driven_over_steps", "", 1, "steps of robots in which their body touched somebody, summed up", plain,
               [](Record r) { return count(r.counts<VictimCounts>().driven_over); }},
};

constexpr std::array clearing_rows{
    MetricInfo{"cleared_m2", "m2", 1,
               "floor that cameras, or looks for warmth, have cleared, as the base station knows", more, cleared_m2},
};

constexpr std::array clearing_victim_rows{
    MetricInfo{"cleared_m2_per_victim", "m2", 1, "cleared floor for each who was found", plain,
               [](Record r) { return share_of(cleared_m2(r), r.counts<VictimCounts>().found()); }},
};

std::string victims_found_in_words(const SummaryWords& run) {
    return fmt::format(
        "victims              {:.0f} of {} found, half of them by step {}; {:.0f} confirmed, {:.0f} falsely; score "
        "{:.0f}; driven over in {:.0f} steps\n",
        run["victims_found"], run.driver.part<Victims>()->victims().size(), run.whole("t50_victims"),
        run["victims_confirmed"], run["victims_false"], run["rescue_score"], run["driven_over_steps"]);
}

std::string cleared_in_words(const SummaryWords& run) {
    return fmt::format("cleared floor        {:.0f} m2, as the base station knows\n", run["cleared_m2"]);
}

}  // namespace

extern const MetricGroup victim_metrics, clearing_metrics, clearing_victim_metrics;
const MetricGroup victim_metrics{victim_rows, has_part<Victims>, make_counter<VictimCounts>, "",
                                 victims_found_in_words};
const MetricGroup clearing_metrics{clearing_rows, clears, nullptr, "", cleared_in_words};
const MetricGroup clearing_victim_metrics{clearing_victim_rows,
                                          [](const Measured& run) { return has_part<Victims>(run) && clears(run); }};

}  // namespace outrider
