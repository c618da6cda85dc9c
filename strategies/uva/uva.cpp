// UvA Rescue: area * chance to communicate / distance^n over the regions beyond what is safe (Visser, Xingrui-Ji, van
// Ittersum, Gonzalez Jaime & Stancu, "Beyond frontier exploration", RoboCup 2007; Visser & Slamet, 2008).
#include <algorithm>

#include "shared/chain.hpp"
#include "shared/frontier_bidding.hpp"
#include "uva/signal_table.hpp"

namespace outrider::uva_strategy {
namespace {

struct UvaOptions {
    ReplanGuard::Options replan{.period_steps = 60};
    FrontierBidding::Options bidding{.candidates = 20};
    double exponent = 1;
    bool communication = true;
    double least_share = 0.001;
    double unknown_share = 0.5;
    bool secretary = false;
    double travel_m = 4;
    int first_random_steps = 3;

    void fields(Fields& f) {
        replan.fields(f);
        bidding.fields(f);
        f("exponent", exponent, 0.1, 8, "of the path: small ones look for area, large ones for what is near");
        f("communication", communication, "utilities are multiplied by the chance to reach the base from there");
        f("least_share", least_share, 1e-9, 1, "that chance is taken to be at least so large: nothing is left out");
        f("unknown_share", unknown_share, 1e-9, 1, "the chance where no signal was measured that tells anything");
        f("secretary", secretary,
          "only frontiers that are as large as the largest one of the first 1/e of the list (the secretary problem)");
        f("travel_m", travel_m, 0.1, 1e6, "choose anew so far from where the last choice was made");
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first choice");
    }
};

class Uva final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "shares out regions by area * chance to communicate / distance^n among all robots known of (UvA Rescue)";
    using Options = UvaOptions;
    explicit Uva(const Options& options) : options_(options), replan_(options.replan), bidding_(options.bidding) {}

    Intent choose(const Belief& belief, Rng&) override {
        measure(belief);
        if (belief.step() < options_.first_random_steps) return {.action = RandomStep{}};
        const bool gone = !target_ || explored(belief, *target_) || belief.goal_unreachable();
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        const bool travelled = distance(chosen_at_, belief.pose().position()) >= options_.travel_m;
        // New signal measurements can make the way back look better, and from there the way out again: a robot that has
        // learned nothing about the map keeps its target.
        const bool learned = belief.last_discovery() >= chosen_in_;
        if (replan_.due(belief, gone || stalled || travelled) && (gone || stalled || learned)) {
            target_ = select(belief);
            chosen_at_ = belief.pose().position();
            chosen_in_ = belief.step();
        }
        Intent intent = target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
        intent.overlays = why_;
        return intent;
    }

  private:
    void measure(const Belief& belief) {
        const auto base = home_base(belief);
        for (const LinkReport& link : belief.percept().links)
            if (link.robot == base) signals_.add(distance(belief.home(), belief.pose().position()), link.signal_dbm);
    }

    /// How likely communication with the base is from a place.
    double share_at(const Belief& belief, Cell at) const {
        const auto base = home_base(belief);
        const RadioOptions& radio = belief.briefing().radio;
        if (!base) return options_.unknown_share;
        const Lattice& lattice = belief.map().lattice();
        const Point there = lattice.centre(at);
        if (radio.model != RadioModel::path_loss) {
            const bool linked = should_hear(belief, *base, lattice.cell_of(belief.home()), belief.self(), at);
            return linked ? 1 : options_.least_share;
        }
        const auto expected = signals_.expect(distance(belief.home(), there), radio.exponent);
        if (!expected || !expected->measured) return options_.unknown_share;
        return std::max(options_.least_share, SignalTable::success(expected->signal_dbm, radio.cutoff_dbm));
    }

    std::optional<Frontier> select(const Belief& belief) {
        FrontierBidding::Terms terms;
        terms.exponent = options_.exponent;
        if (options_.communication) terms.share = [&](const Frontier& f) { return share_at(belief, f.goal); };
        const double least_area = options_.secretary ? secretary_area(belief) : 0;
        terms.allowed = [&](const Frontier& f) { return f.area >= least_area && !stall_.barred(belief, f.goal); };
        if (target_) terms.previous = target_->goal;
        const auto chosen = bidding_.choose(belief, terms, &why_);
        if (belief.overlays_wanted()) why_.push_back(signal_overlay(belief));
        return chosen;
    }

    double secretary_area(const Belief& belief) const {
        const std::vector<Frontier> all = frontier_goals(belief, options_.bidding.goals);
        const auto looked_at = static_cast<std::ptrdiff_t>(0.369 * static_cast<double>(all.size()));
        double largest = 0;
        std::for_each(all.begin(), all.begin() + looked_at,
                      [&](const Frontier& f) { largest = std::max(largest, f.area); });
        return largest;
    }

    Overlay signal_overlay(const Belief& belief) const {
        Overlay overlay =
            Overlay::marks(Overlay::Meaning::network, "chance to communicate", "of reaching the base from there");
        for (const Frontier& f : frontier_goals(belief, options_.bidding.goals)) {
            overlay.points.push_back(belief.map().lattice().centre(f.goal));
            overlay.values.push_back(share_at(belief, f.goal));
        }
        return overlay;
    }

    UvaOptions options_;
    ReplanGuard replan_;
    FrontierBidding bidding_;
    StallGuard stall_;
    SignalTable signals_;  // of the base
    std::optional<Frontier> target_;
    Point chosen_at_;
    int chosen_in_ = 0;         // step of the last choice
    std::vector<Overlay> why_;  // of the last choice
};

OUTRIDER_STRATEGY("uva", Uva)

}  // namespace
}  // namespace outrider::uva_strategy
