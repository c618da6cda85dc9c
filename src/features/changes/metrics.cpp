// Worlds whose walls change.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "features/changes/world.hpp"
#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

/// Changes of the walls, and how long it took until somebody saw them.
class ChangeCounts final : public Copied<ChangeCounts, Counter> {
  public:
    explicit ChangeCounts(const Measured& run) { count_in(run); }
    void count_in(const Measured& run) override { run_.emplace(run); }
    void on_step(const StepView& view) override;

    Ages noticed;  ///< from a change to the first robot that saw it
    std::int64_t walls_changed = 0;

  private:
    /// A change that nobody has seen, though somebody has a map that it made wrong.
    struct Unseen {
        std::vector<Cell> cells;
        bool wall;
        int step;
    };
    bool anybody_believes(const StepView& view, const Unseen& u, bool wall) const;

    std::optional<Measured> run_;
    std::vector<Unseen> unseen_;
};

bool ChangeCounts::anybody_believes(const StepView& view, const Unseen& u, bool wall) const {
    const std::vector<Cell>& cells = u.cells;
    for (std::size_t i = 0; i < run_->team.size(); ++i) {
        if (!view.percepts[i].alive) continue;
        const KnownMap& map = run_->truth.map(run_->team[i]);
        if (std::any_of(cells.begin(), cells.end(), [&](Cell c) { return wall ? map.is_occupied(c) : map.is_free(c); }))
            return true;
    }
    return false;
}

/// The changes of this step, and those that somebody has seen by now.
void ChangeCounts::on_step(const StepView& view) {
    std::erase_if(unseen_, [&](const Unseen& u) {
        if (!anybody_believes(view, u, u.wall)) return false;
        noticed.add(view.step - u.step);
        return true;
    });
    for (const ChangingWalls::Done& done : run_->driver.part<WallChanges>()->walls().done()) {
        ++walls_changed;
        // What changes again before anybody saw it is not to be seen any more.
        std::erase_if(unseen_, [&](const Unseen& u) { return u.cells == done.cells; });
        Unseen news{done.cells, done.wall, view.step};
        if (anybody_believes(view, news, !done.wall)) unseen_.push_back(std::move(news));
    }
}

constexpr std::array change_rows{
    MetricInfo{"walls_changed", "", 1, "changes of the walls that came true", plain,
               [](Record r) { return count(r.counts<ChangeCounts>().walls_changed); }},
    MetricInfo{"known_ever_share", "share", 1, "of the reachable area, what somebody knew to be free once", more,
               [](Record r) { return share_of(count(r.coverage.known_once()), count(r.coverage.sensable())); }},
    MetricInfo{"stale_share", "share", 1,
               "cells whose state is believed wrongly at the end / cells known; wrong: a wall that somebody believes "
               "free, or a free cell that all who know it believe to be a wall",
               plain,
               [](Record r) {
                   return share_of(count(r.accuracy.falsely_free + r.accuracy.falsely_occupied),
                                   count(r.accuracy.free + r.accuracy.occupied));
               }},
    MetricInfo{
        "notice_steps", "steps", 1,
        "from a change that left somebody in service with a wrong map to the first who saw it; mean over those seen",
        plain,
        [](Record r) {
            const Ages& noticed = r.counts<ChangeCounts>().noticed;
            return noticed.count > 0 ? noticed.mean() : nan;
        }},
};

std::string changes_in_words(const SummaryWords& run) {
    std::string out = fmt::format(
        "changing walls       {:.0f} changes; {} of the area was known once, {} of what is known is not so now\n",
        run["walls_changed"], run.percent("known_ever_share"), run.percent("stale_share"));
    if (const double steps = run["notice_steps"]; !std::isnan(steps))
        out += fmt::format(
            "                     somebody noticed a change that made a map wrong after {:.1f} steps, mean\n", steps);
    return out;
}

}  // namespace

extern const MetricGroup change_metrics;
const MetricGroup change_metrics{change_rows, has_part<WallChanges>, make_counter<ChangeCounts>, "changing_walls",
                                 changes_in_words};

}  // namespace outrider
