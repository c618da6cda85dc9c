// Coordinated greedy choice of a frontier as in MRESim (Spirin et al., RoboCup 2014): a robot plans for all team-mates
// that it heard of and takes its own frontier of that plan; utility = area / distance^4. With other terms, the choice
// of UvA Rescue (Visser & Slamet, 2008): area * share / distance^n.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "shared/frontier_goals.hpp"

namespace outrider {

/// What makes a frontier worth going to: its area, the unknown area in sight of it, or the root of their product.
enum class FrontierWorth { area, sight, both };
inline constexpr std::array<std::string_view, 3> frontier_worth_names{"area", "sight", "both"};

class FrontierBidding {
  public:
    struct Options {
        FrontierWorth worth = FrontierWorth::area;
        int candidates = 6;
        GoalOptions goals{.goal_spacing = 0};
        int remember_steps = 500;
        bool keep_assigning = true;
        void fields(Fields& f) {
            f("worth", worth, frontier_worth_names,
              "a frontier's own area, the unknown area in sight of it, or the root of the product of both");
            goals.fields(f);
            f("candidates", candidates, 1, 1000, "frontiers considered: those with the largest area / distance");
            f("remember_steps", remember_steps, 0, 1'000'000, "team-mates silent for longer are left out");
            f("keep_assigning", keep_assigning, "when all frontiers went to team-mates, share them out again");
        }
    };
    /// What one choice has to respect beside the map.
    struct Terms {
        /// Whether a frontier may be chosen at all; empty: all may.
        std::function<bool(const Frontier&)> allowed{};
        /// Factor on the own utility of a frontier, in (0, 1], as a function of the path length to it; it may not grow
        /// with the length. Empty: 1.
        std::function<double(const Frontier&, double path_cells)> own_share{};
        /// Factor on everybody's utility of a frontier, in (0, 1]. Empty: 1.
        std::function<double(const Frontier&)> share{};
        double exponent = 4;  ///< of the way; above 0
        /// Considered in any case.
        std::optional<Cell> previous{};
    };

    FrontierBidding() = default;
    explicit FrontierBidding(const Options& options) : options_(options) {}

    /// This robot's frontier; empty when there is none, or all go to team-mates. Paths are searched for from the
    /// frontiers, as far as the choice needs them; each time that a search continues, all n m bids are scanned. `why`,
    /// if given, gets the overlays of the choice when somebody looks at them.
    std::optional<Frontier> choose(const Belief& belief, const Terms& terms, std::vector<Overlay>* why = nullptr) const;

  private:
    struct Bidder;
    struct Bid;
    struct Round;
    void weigh(const Belief& belief, std::vector<Frontier>& frontiers) const;
    std::vector<Frontier> best_candidates(const Belief& belief, const Terms& terms) const;
    std::vector<Bidder> bidders(const Belief& belief) const;

    Options options_;
};

}  // namespace outrider
