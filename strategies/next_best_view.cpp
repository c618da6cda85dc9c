// Next best view (H. Gonzalez-Banos & J.-C. Latombe, IJRR 21, 2002): the unknown in sight of a place, discounted
// exponentially by the path there. Every robot for itself.
#include "shared/teamwork.hpp"

namespace outrider::next_best_view_strategy {
namespace {

struct NextBestViewOptions {
    ReplanGuard::Options replan;
    double lambda_per_m = 0.2;
    GoalOptions goals{.goal_spacing = 0.25};

    void fields(Fields& f) {
        replan.fields(f);
        f("lambda_per_m", lambda_per_m, 0, 100, "discount of the gain by the path; 0: the largest gain, however far");
        goals.fields(f);
    }
};

class NextBestView final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "unknown in sight times exp(-lambda path), each robot for itself (next best view)";
    using Options = NextBestViewOptions;
    explicit NextBestView(const Options& options) : options_(options), pursuit_(options.replan) {}

    Intent choose(const Belief& belief, Rng&) override {
        const auto candidates = [&](const Belief& b) { return frontier_goals(b, options_.goals); };
        return pursuit_.step(belief, candidates,
                             [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
    }

  private:
    int select(const Belief& belief, const std::vector<Frontier>& frontiers) {
        const std::vector<Cell> goals = goals_of(frontiers);
        const double range = sensor_range_cells(belief), most = 1 + pi * range * range;
        PathSearch paths = belief.search(belief.cell(), goals);
        std::vector<double> worths(goals.size(), 0);
        int best = -1;
        // By path length: once even a full disc of unknown would be worth less, the rest need not be evaluated.
        for (int f = paths.find_next(); f >= 0; f = paths.find_next()) {
            const auto i = static_cast<std::size_t>(f);
            const double travelled_m = belief.map().lattice().metres(paths.cost(i) / double(straight_cost));
            const double discount = outrider::exp(-options_.lambda_per_m * travelled_m);
            if (best >= 0 && most * discount < worths[static_cast<std::size_t>(best)]) break;
            worths[i] = (1 + belief.unknown_in_sight(goals[i])) * discount;
            if (best < 0 || worths[i] > worths[static_cast<std::size_t>(best)]) best = f;
        }
        if (belief.overlays_wanted())
            pursuit_.explain({candidates_overlay(belief, frontiers, std::move(worths),
                                                 "cells in sight * exp(-lambda path), the most; 0: too far to matter"),
                              Overlay::rule("the view worth most")});
        return best;
    }

    NextBestViewOptions options_;
    Pursuit pursuit_;
};

OUTRIDER_STRATEGY("next_best_view", NextBestView)

}  // namespace
}  // namespace outrider::next_best_view_strategy
