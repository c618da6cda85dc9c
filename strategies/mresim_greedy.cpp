// Coordinated greedy frontier exploration of MRESim (Spirin et al., RoboCup 2014): every robot plans
// for all team-mates that it heard of and takes what the plan gives to itself; utility = area / distance^4.
#include <algorithm>
#include <utility>

#include "outrider/behaviours.hpp"

namespace outrider {
namespace {

struct GreedyOptions {
    ReplanGuard::Options replan;
    int candidates = 6;
    int remember_steps = 500;
    int first_random_steps = 3;
    bool keep_assigning = true;

    void fields(Fields& f) {
        replan.fields(f);
        f("candidates", candidates, 1, 1000, "frontiers considered: those with the largest area / distance");
        f("remember_steps", remember_steps, 0, 1'000'000, "team-mates not heard for longer are left out");
        f("first_random_steps", first_random_steps, 0, 1000, "random steps before the first choice");
        f("keep_assigning", keep_assigning, "when all frontiers went to team-mates, share them out again");
    }
};

class MresimGreedy final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "shares out frontiers by area / distance^4 among all robots heard of (MRESim)";
    using Options = GreedyOptions;
    explicit MresimGreedy(const Options& options) : options_(options), replan_(options.replan) {}

    Intent choose(const Belief& belief, Rng&) override {
        if (belief.step() < options_.first_random_steps) return {.motive = RandomStep{}};
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (replan_.due(belief, gone || stalled)) target_ = select(belief);
        Intent intent = target_ ? Intent{.motive = go_to_frontier(belief, *target_)} : go_home(belief);
        intent.overlays = why_;
        return intent;
    }

  private:
    struct Bidder {
        RobotId robot;
        PathSearch ways;  ///< from where it was last, to all frontiers
    };
    /// A bid of a robot for a frontier. Its utility is an upper bound, from the straight distance at first, until it is
    /// exact, from the path's cost.
    struct Bid {
        double utility;
        std::size_t bidder, frontier;
        bool exact;
        /// Total order: utility, then robot, then frontier (by its first cell).
        bool operator<(const Bid& o) const {
            return utility != o.utility ? utility < o.utility
                                        : std::pair(bidder, frontier) > std::pair(o.bidder, o.frontier);
        }
    };

    static double utility(double area, std::uint32_t cost) {
        const double d = std::max(1.0, cost / static_cast<double>(straight_cost)), d2 = d * d;
        return 1e8 * area / (d2 * d2);
    }
    static double straight(Cell a, Cell b) { return std::sqrt(static_cast<double>(squared_distance(a, b))); }

    std::optional<Frontier> select(const Belief& belief) {
        const std::vector<Frontier> frontiers = best_candidates(belief);
        std::vector<Bidder> bidders = explorers(belief, frontiers);
        std::vector<Bid> bids;
        for (std::size_t b = 0; b < bidders.size(); ++b)
            for (std::size_t f = 0; f < frontiers.size(); ++f)
                bids.push_back({utility(frontiers[f].area, bidders[b].ways.cost(f)), b, f, false});
        for (;;) {
            std::vector<bool> assigned(bidders.size(), false);
            const auto mine = share_out(belief, frontiers, bidders, bids, assigned);
            explain(belief, frontiers, bidders, mine.has_value());
            if (mine) return frontiers[*mine];
            if (!options_.keep_assigning) return {};
            // Those who have a frontier do not bid again; when nobody got one, the team is ignored.
            const bool nobody = std::find(assigned.begin(), assigned.end(), true) == assigned.end();
            const std::size_t before = bids.size();
            std::erase_if(bids, [&](const Bid& b) {
                return nobody ? bidders[b.bidder].robot != belief.self() : static_cast<bool>(assigned[b.bidder]);
            });
            if (bids.size() == before) return {};
        }
    }

    void explain(const Belief& belief, const std::vector<Frontier>& frontiers, const std::vector<Bidder>& bidders,
                 bool chosen) {
        if (!belief.overlays_wanted()) return;
        std::vector<double> utilities;
        const auto me =
            std::find_if(bidders.begin(), bidders.end(), [&](const Bidder& b) { return b.robot == belief.self(); });
        for (std::size_t f = 0; f < frontiers.size(); ++f)
            utilities.push_back(utility(frontiers[f].area, me->ways.cost(f)));
        why_ = {candidates_overlay(belief, frontiers, std::move(utilities),
                                   "1e8 area / way^4, the most; where others bid higher an upper bound"),
                rule_overlay(chosen ? "the best frontier that no team-mate has a better bid for"
                                    : "all frontiers go to team-mates, or there is none")};
    }

    std::vector<Frontier> best_candidates(const Belief& belief) const {
        std::vector<Frontier> all = candidate_frontiers(belief);
        std::erase_if(all, [&](const Frontier& f) { return stall_.barred(belief, f.goal); });
        const auto worth = [&](const Frontier& f) { return f.area / std::max(1.0, straight(belief.cell(), f.goal)); };
        std::stable_sort(all.begin(), all.end(),
                         [&](const Frontier& a, const Frontier& b) { return worth(a) > worth(b); });
        const auto limit = std::min(all.size(), static_cast<std::size_t>(options_.candidates));
        const auto previous = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(limit), all.end(),
                                           [&](const Frontier& f) { return target_ && f.goal == target_->goal; });
        std::vector<Frontier> best(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limit));
        if (previous != all.end()) best.push_back(*previous);
        return best;
    }

    /// This robot and the explorers heard of lately, by number: all who know the same share out alike.
    std::vector<Bidder> explorers(const Belief& belief, const std::vector<Frontier>& frontiers) const {
        std::vector<Cell> goals;
        for (const Frontier& f : frontiers) goals.push_back(f.goal);
        std::vector<Bidder> bidders;
        for (const auto& record : belief.team()) {
            const TeamRecord& mate = *record;
            const bool heard = mate.seq > 0 && mate.frame == belief.map().frame() &&
                               belief.step() - mate.step <= options_.remember_steps;
            if (mate.robot == belief.self())
                bidders.push_back({mate.robot, belief.search(belief.cell(), goals)});
            else if (heard && mate.role == Role::explorer)
                bidders.push_back(
                    {mate.robot, belief.search(belief.map().lattice().cell_of(mate.pose.position()), goals)});
        }
        return bidders;
    }

    /// Gives each frontier to its best bidder until this robot has one; empty when it got none. What it learns about
    /// the utilities stays in `all`.
    std::optional<std::size_t> share_out(const Belief& belief, const std::vector<Frontier>& frontiers,
                                         std::vector<Bidder>& bidders, std::vector<Bid>& all,
                                         std::vector<bool>& assigned) const {
        std::vector<bool> taken(frontiers.size(), false);
        const auto open = [&](const Bid& b) { return !assigned[b.bidder] && !taken[b.frontier]; };
        for (;;) {
            Bid *best = nullptr, *second = nullptr;
            for (Bid& bid : all) {
                if (!open(bid)) continue;
                if (!best || *best < bid)
                    second = std::exchange(best, &bid);
                else if (!second || *second < bid)
                    second = &bid;
            }
            if (!best) return {};
            if (!best->exact) {
                evaluate(frontiers, bidders, *best, second ? second->utility : 0);
                for (Bid& bid : all)  // the search went on for all of this robot's frontiers
                    if (bid.bidder == best->bidder && !bid.exact)
                        bid.utility =
                            utility(frontiers[bid.frontier].area, bidders[bid.bidder].ways.cost(bid.frontier));
                if (best->utility == 0) {  // nobody can get there
                    const std::size_t f = best->frontier;
                    std::erase_if(all, [&](const Bid& b) { return b.frontier == f; });
                }
                continue;
            }
            if (bidders[best->bidder].robot == belief.self()) return best->frontier;
            assigned[best->bidder] = true;
            taken[best->frontier] = true;
        }
    }

    /// Makes a bid exact, or finds that it falls below `rival` and lowers its bound to that; 0: there is no path.
    static void evaluate(const std::vector<Frontier>& frontiers, std::vector<Bidder>& bidders, Bid& bid, double rival) {
        PathSearch& ways = bidders[bid.bidder].ways;
        const double area = frontiers[bid.frontier].area;
        const double most = rival > 0 ? std::sqrt(std::sqrt(1e8 * area / rival)) * straight_cost + 1 : 4e9;
        const PathStatus status = ways.find(bid.frontier, most < 4e9 ? static_cast<std::uint32_t>(most) : no_bound);
        bid.exact = status != PathStatus::too_far;
        bid.utility = status == PathStatus::found || !bid.exact ? utility(area, ways.cost(bid.frontier)) : 0;
    }

    GreedyOptions options_;
    ReplanGuard replan_;
    StallGuard stall_;
    std::optional<Frontier> target_;
    std::vector<Overlay> why_;  // of the last choice
};

OUTRIDER_STRATEGY("mresim_greedy", MresimGreedy)

}  // namespace
}  // namespace outrider
