// Coordinated greedy frontier exploration of MRESim (Spirin et al., RoboCup 2014): every robot plans
// for all team-mates that it heard of and takes its own frontier of that plan; utility = area / distance^4.
// sight_greedy is the same with another worth: what would be seen from a frontier counts as much as its own area.
#include "shared/frontier_bidding.hpp"

namespace outrider::mresim_greedy_strategy {
namespace {

struct GreedyOptions {
    ReplanGuard::Options replan;
    FrontierBidding::Options bidding;
    int first_random_steps = 3;

    void fields(Fields& f) {
        replan.fields(f);
        bidding.fields(f);
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first choice");
    }
};

class MresimGreedy : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "shares out frontiers by area / distance^4 among all robots known of (MRESim)";
    using Options = GreedyOptions;
    explicit MresimGreedy(const Options& options)
        : options_(options), replan_(options.replan), bidding_(options.bidding) {}

    Intent choose(const Belief& belief, Rng&) override {
        if (belief.step() < options_.first_random_steps) return {.action = RandomStep{}};
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (replan_.due(belief, gone || stalled)) target_ = select(belief);
        Intent intent = target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
        intent.overlays = why_;
        return intent;
    }

  private:
    std::optional<Frontier> select(const Belief& belief) {
        FrontierBidding::Terms terms;
        terms.allowed = [&](const Frontier& f) { return !stall_.barred(belief, f.goal); };
        if (target_) terms.previous = target_->goal;
        return bidding_.choose(belief, terms, &why_);
    }

    GreedyOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    StallGuard stall_;
    std::optional<Frontier> target_;
    std::vector<Overlay> why_;  // of the last choice
};

struct SightOptions : GreedyOptions {
    SightOptions() { bidding.worth = FrontierWorth::both; }
};

class SightGreedy final : public MresimGreedy {
  public:
    static constexpr const char* summary =
        "like mresim_greedy, but what would be seen from a frontier counts as much as its area";
    using Options = SightOptions;
    using MresimGreedy::MresimGreedy;
};

OUTRIDER_STRATEGY("mresim_greedy", MresimGreedy)
OUTRIDER_STRATEGY("sight_greedy", SightGreedy)

}  // namespace
}  // namespace outrider::mresim_greedy_strategy
