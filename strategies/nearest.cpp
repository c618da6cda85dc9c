// Greedy nearest frontier (B. Yamauchi, CIRA 1997; Autonomous Agents 1998). Maps are merged, targets are not
// coordinated.
#include "shared/frontier_goals.hpp"

namespace outrider::nearest_strategy {
namespace {

struct NearestOptions {
    ReplanGuard::Options replan;
    GoalOptions goals{.goal_spacing = 0.25};
    double hysteresis_share = 0.1;

    void fields(Fields& f) {
        replan.fields(f);
        goals.fields(f);
        f("hysteresis_share", hysteresis_share, 0, 10,
          "another target must be nearer by this share of its distance; 0: the nearest one is taken in any case");
    }
};

class Nearest final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "drives to the frontier with the shortest path (Yamauchi 1997)";
    using Options = NearestOptions;
    explicit Nearest(const Options& options) : options_(options), replan_(options.replan) {}

    Intent choose(const Belief& belief, Rng&) override {
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (replan_.due(belief, gone || stalled)) target_ = select(belief, gone || stalled);
        Intent intent = target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
        intent.overlays = why_;
        return intent;
    }

  private:
    std::optional<Frontier> select(const Belief& belief, bool gone) {
        std::vector<Frontier> frontiers = frontier_goals(belief, options_.goals);
        std::erase_if(frontiers, [&](const Frontier& f) { return stall_.barred(belief, f.goal); });
        std::vector<Cell> goals;
        for (const Frontier& f : frontiers) goals.push_back(f.goal);
        PathSearch search = belief.search(belief.cell(), goals);
        const int best = search.find_next();
        explain(belief, frontiers, search, best < 0 ? "no frontier can be reached: home" : "the nearest frontier");
        if (best < 0) return {};
        const auto i = static_cast<std::size_t>(best);
        if (options_.hysteresis_share > 0 && !gone && frontiers[i].goal != target_->goal) {
            const Path& present = belief.path_to(target_->goal);
            if (present && present.cost <= search.cost(i) * (1 + options_.hysteresis_share)) {
                explain(belief, frontiers, search,
                        "the present target: the nearest one is nearer by too little (hysteresis)");
                return target_;
            }
        }
        return frontiers[i];
    }

    void explain(const Belief& belief, const std::vector<Frontier>& frontiers, const PathSearch& search,
                 const char* rule) {
        if (!belief.overlays_wanted()) return;
        std::vector<double> lengths;
        for (std::size_t i = 0; i < frontiers.size(); ++i) lengths.push_back(search.cost(i) / double(straight_cost));
        why_ = {candidates_overlay(belief, frontiers, std::move(lengths),
                                   "path in cells, the least; but for the nearest one a lower bound"),
                Overlay::rule(rule)};
    }

    NearestOptions options_;
    ReplanGuard replan_;
    StallGuard stall_;
    std::optional<Frontier> target_;
    std::vector<Overlay> why_;  // of the last choice
};

OUTRIDER_STRATEGY("nearest", Nearest)

}  // namespace
}  // namespace outrider::nearest_strategy
