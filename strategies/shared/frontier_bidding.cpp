#include "shared/frontier_bidding.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "outrider/geometry.hpp"
#include "shared/teamwork.hpp"

namespace outrider {
namespace {

double plain_utility(double area, std::uint32_t cost, double exponent) {
    const double d = std::max(1.0, cost / static_cast<double>(straight_cost)), d2 = d * d;
    return 1e8 * area / (exponent == 4 ? d2 * d2 : outrider::pow(d, exponent));
}

/// The path length, in cells, at which the plain utility falls to this value.
double path_at(double area, double utility, double exponent) {
    const double ratio = 1e8 * area / utility;
    return exponent == 4 ? std::sqrt(std::sqrt(ratio)) : outrider::pow(ratio, 1 / exponent);
}

double straight(Cell a, Cell b) { return std::sqrt(static_cast<double>(squared_distance(a, b))); }

}  // namespace

struct FrontierBidding::Bidder {
    RobotId robot;
    Cell at;  ///< where it was last
};

/// A bid of a robot for a frontier. Its utility is an upper bound, from the straight distance at first, until it is
/// exact, from the path's cost.
struct FrontierBidding::Bid {
    double utility;
    std::size_t bidder, frontier;
    bool exact;
    /// Total order: utility, then robot, then frontier (by its first cell).
    bool operator<(const Bid& o) const {
        return utility != o.utility ? utility < o.utility
                                    : std::pair(bidder, frontier) > std::pair(o.bidder, o.frontier);
    }
};

/// One choice: the bids of robots for frontiers.
struct FrontierBidding::Round {
    const Belief& belief;
    const Terms& terms;
    std::vector<Frontier> frontiers;
    std::vector<Bidder> bidders;
    std::vector<double> shares;  // of each frontier
    /// From each frontier to the bidders, since only the near bidders matter; none: not searched yet.
    std::vector<std::optional<PathSearch>> paths;
    std::vector<Bid> bids;

    void begin() {
        paths.resize(frontiers.size());
        for (const Frontier& f : frontiers) shares.push_back(terms.share ? terms.share(f) : 1);
        for (std::size_t b = 0; b < bidders.size(); ++b)
            for (std::size_t f = 0; f < frontiers.size(); ++f) bids.push_back({utility(b, f), b, f, false});
    }

    double utility(std::size_t bidder, std::size_t frontier) const {
        const std::uint32_t cost =
            paths[frontier] ? paths[frontier]->cost(bidder) : octile_cost(frontiers[frontier].goal, bidders[bidder].at);
        const double plain = plain_utility(frontiers[frontier].area, cost, terms.exponent) * shares[frontier];
        if (!terms.own_share || bidders[bidder].robot != belief.self()) return plain;
        return plain * terms.own_share(frontiers[frontier], cost / static_cast<double>(straight_cost));
    }

    /// Searches farther from a frontier, until the path to one more bidder is known, or until no bid for it that is
    /// still a bound can reach the competing bids: those for other frontiers, and the exact ones for this one.
    template <class Open>
    void look_farther(std::size_t frontier, const Open& open) {
        double rival = 0;
        for (const Bid& bid : bids)
            if (open(bid) && (bid.exact || bid.frontier != frontier)) rival = std::max(rival, bid.utility);
        double bound = no_bound;
        if (rival > 0) {
            const double worth = frontiers[frontier].area * shares[frontier];
            // A little farther than necessary: searches with nearly equal bounds would alternate in tiny steps.
            bound = std::min(bound, 1.05 * path_at(worth, rival, terms.exponent) * straight_cost + 1);
        }
        if (!paths[frontier]) {
            std::vector<Cell> places;
            for (const Bidder& b : bidders) places.push_back(b.at);
            paths[frontier].emplace(belief.search(frontiers[frontier].goal, places));
        }
        paths[frontier]->find_next(static_cast<std::uint32_t>(bound));
        for (Bid& bid : bids) {
            if (bid.frontier != frontier || bid.exact) continue;
            const PathStatus status = paths[frontier]->known(bid.bidder);
            bid.exact = status != PathStatus::too_far;
            bid.utility = status == PathStatus::found || !bid.exact ? utility(bid.bidder, frontier) : 0;
        }
        std::erase_if(bids, [](const Bid& bid) { return bid.utility == 0; });  // no path
    }

    /// Gives each frontier to its best bidder until this robot has one; empty when it got none. The utilities found by
    /// the searches stay in `bids`.
    std::optional<std::size_t> share_out(std::vector<bool>& assigned) {
        std::vector<bool> taken(frontiers.size(), false);
        const auto open = [&](const Bid& b) { return !assigned[b.bidder] && !taken[b.frontier]; };
        for (;;) {
            const Bid* best = nullptr;
            for (const Bid& bid : bids)
                if (open(bid) && (!best || *best < bid)) best = &bid;
            if (!best) return {};
            if (!best->exact) {
                look_farther(best->frontier, open);
                continue;
            }
            if (bidders[best->bidder].robot == belief.self()) return best->frontier;
            assigned[best->bidder] = true;
            taken[best->frontier] = true;
        }
    }

    std::vector<Overlay> explain(bool chosen, bool again) const {
        std::vector<double> utilities;
        const auto me =
            std::find_if(bidders.begin(), bidders.end(), [&](const Bidder& b) { return b.robot == belief.self(); });
        for (std::size_t f = 0; f < frontiers.size(); ++f)
            utilities.push_back(utility(static_cast<std::size_t>(me - bidders.begin()), f));
        return {candidates_overlay(belief, frontiers, std::move(utilities),
                                   fmt::format("1e8 area{} / path^{}, the most; where others bid higher an upper bound",
                                               terms.share ? " * share" : "", terms.exponent)),
                Overlay::rule(!chosen ? "all frontiers go to team-mates, or there is none"
                              : again ? "all frontiers went to team-mates; they were shared out again among the others"
                                      : "the best frontier that no team-mate has a better bid for")};
    }
};

std::optional<Frontier> FrontierBidding::choose(const Belief& belief, const Terms& terms,
                                                std::vector<Overlay>* why) const {
    Round round{belief, terms, best_candidates(belief, terms), bidders(belief), {}, {}, {}};
    round.begin();
    for (bool again = false;; again = true) {
        std::vector<bool> assigned(round.bidders.size(), false);
        const auto mine = round.share_out(assigned);
        if (why && belief.overlays_wanted()) *why = round.explain(mine.has_value(), again);
        if (mine) return round.frontiers[*mine];
        if (!options_.keep_assigning) return {};
        // Those who have a frontier do not bid again; when nobody got one, the team is ignored.
        const bool nobody = std::find(assigned.begin(), assigned.end(), true) == assigned.end();
        const std::size_t before = round.bids.size();
        std::erase_if(round.bids, [&](const Bid& b) {
            return nobody ? round.bidders[b.bidder].robot != belief.self() : static_cast<bool>(assigned[b.bidder]);
        });
        if (round.bids.size() == before) return {};
    }
}

std::vector<Frontier> FrontierBidding::best_candidates(const Belief& belief, const Terms& terms) const {
    std::vector<Frontier> all = frontier_goals(belief, options_.goals);
    if (terms.allowed) std::erase_if(all, [&](const Frontier& f) { return !terms.allowed(f); });
    weigh(belief, all);
    const auto worth = [&](const Frontier& f) { return f.area / std::max(1.0, straight(belief.cell(), f.goal)); };
    std::stable_sort(all.begin(), all.end(), [&](const Frontier& a, const Frontier& b) { return worth(a) > worth(b); });
    const auto limit = std::min(all.size(), static_cast<std::size_t>(options_.candidates));
    const auto previous = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(limit), all.end(),
                                       [&](const Frontier& f) { return terms.previous && f.goal == *terms.previous; });
    std::vector<Frontier> best(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limit));
    if (previous != all.end()) best.push_back(*previous);
    return best;
}

/// Makes the area of each frontier what it is worth.
void FrontierBidding::weigh(const Belief& belief, std::vector<Frontier>& frontiers) const {
    if (options_.worth == FrontierWorth::area) return;
    for (Frontier& f : frontiers) {
        const double sight = std::max(1.0, belief.unknown_in_sight(f.goal));
        f.area = options_.worth == FrontierWorth::sight ? sight : std::sqrt(sight * f.area);
    }
}

/// This robot and the explorers heard of lately that are not done, by number: equal knowledge gives equal shares.
std::vector<FrontierBidding::Bidder> FrontierBidding::bidders(const Belief& belief) const {
    std::vector<Bidder> out;
    for (const auto& record : belief.team()) {
        const TeamRecord& mate = *record;
        const bool recent =
            mate.seq > 0 && mate.frame == belief.map().frame() && belief.step() - mate.step <= options_.remember_steps;
        const Cell at =
            mate.robot == belief.self() ? belief.cell() : belief.map().lattice().cell_of(mate.pose.position());
        if (mate.robot == belief.self() || (recent && !mate.done && mate.role == Role::explorer))
            out.push_back({mate.robot, belief.nav().foothold(at)});
    }
    return out;
}

}  // namespace outrider
