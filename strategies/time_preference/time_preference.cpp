// Time preference for information (Spirin, Cameron & de Hoog, TAROS 2013; "UtilReturn" in MRESim): a robot explores
// until what it alone knows weighs more than the base asked for, then brings it home.
#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "shared/frontier_bidding.hpp"
#include "shared/topics.hpp"
#include "shared/transitions.hpp"
#include "time_preference/responsibility.hpp"

namespace outrider::time_preference_strategy {
namespace {

struct TimePreferenceOptions {
    double ratio = 0.9;
    bool hand_over = true;
    ReplanGuard::Options replan;
    FrontierBidding::Options bidding;
    int first_random_steps = 3;

    void fields(Fields& f) {
        f("ratio", ratio, 0, 1,
          "least share of what a robot knows that the base, or somebody nearer to it, shall have: 1 brings everything "
          "home at once, 0 returns when done");
        f("hand_over", hand_over, "of two robots in contact, the one nearer to the base carries for both");
        replan.fields(f);
        bidding.fields(f);
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first choice");
    }
};

class TimePreference final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true, .needs_deliveries = true};
    static constexpr const char* summary =
        "explores until too much of what it knows is unknown at the base, then brings it home (TAROS 2013)";
    using Options = TimePreferenceOptions;
    explicit TimePreference(const Options& options)
        : options_(options), replan_(options.replan), bidding_(options.bidding) {}

    Intent choose(const Belief& belief, Rng&) override {
        duty_.update(belief);
        measure_path_home(belief);
        Responsibility::Exchange exchange;
        if (options_.hand_over) exchange = duty_.exchange(belief, steps_to_base_);
        state_ = next(
            state_, {.base = belief.base_in_contact(),
                     .home = std::exchange(home_in_vain_, false),
                     .gave = exchange.gave,
                     .took = exchange.taken_from_returning,
                     .owes = duty_.owned() > 0,
                     .short_of_share = belief.step() >= options_.first_random_steps && duty_.ratio() < options_.ratio});
        Intent intent = belief.step() < options_.first_random_steps ? Intent{.action = RandomStep{}} : act(belief);
        if (options_.hand_over) intent.words.push_back(duty_.word(steps_to_base_, state_ == DeliveryState::bring));
        explain(belief, intent);
        return intent;
    }

  private:
    Intent act(const Belief& belief) {
        if (state_ == DeliveryState::bring) {
            target_.reset();
            Intent intent = go_home(belief);
            home_in_vain_ = std::exchange(intent.done, false);
            return intent;
        }
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (replan_.due(belief, gone || stalled)) {
            FrontierBidding::Terms terms;
            terms.allowed = [&](const Frontier& f) { return !stall_.barred(belief, f.goal); };
            if (target_) terms.previous = target_->goal;
            target_ = bidding_.choose(belief, terms, &why_);
        }
        return target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
    }

    /// Only when somebody asks: a team-mate in contact, away from the base.
    void measure_path_home(const Belief& belief) {
        if (!options_.hand_over || belief.inbox().empty()) return;
        if (belief.base_in_contact()) {
            steps_to_base_ = 0;
        } else if (belief.speed_cells() == 0) {
            steps_to_base_ = std::numeric_limits<int>::max() / 2;  // it never gets there by itself
        } else if (measured_ < 0 || belief.step() - measured_ >= 4) {
            measured_ = belief.step();
            const Cell home = belief.map().lattice().cell_of(belief.home());
            PathSearch search = belief.search(belief.cell(), {&home, 1});
            if (search.find(0) == PathStatus::found)
                steps_to_base_ = whole(std::ceil(search.cost(0) / (straight_cost * belief.speed_cells())));
        }
    }

    void explain(const Belief& belief, Intent& intent) const {
        if (!belief.overlays_wanted()) return;
        intent.overlays = why_;
        const std::string_view state = delivery_state_names[static_cast<std::size_t>(state_)];
        intent.overlays.push_back(Overlay::state(std::string(state)));
        intent.overlays.push_back(Overlay::note(
            Overlay::Meaning::other, "duty",
            fmt::format("answers for {} cells; of what it knows {:.1f} % are safe, {:.1f} % were promised",
                        duty_.owned(), 100 * duty_.ratio(), 100 * options_.ratio)));
    }

    TimePreferenceOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    StallGuard stall_;
    Responsibility duty_;
    DeliveryState state_ = DeliveryState::explore;
    bool home_in_vain_ = false;  // came home, and heard no base
    int steps_to_base_ = 0, measured_ = -1;
    std::optional<Frontier> target_;
    std::vector<Overlay> why_;  // of the last choice
};

OUTRIDER_STRATEGY("time_preference", TimePreference)

}  // namespace
}  // namespace outrider::time_preference_strategy
