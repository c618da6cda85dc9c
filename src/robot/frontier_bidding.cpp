#include "outrider/frontier_bidding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "outrider/math.hpp"

namespace outrider {
namespace {

double plain_utility(double area, std::uint32_t cost, double exponent) {
    const double d = std::max(1.0, cost / static_cast<double>(straight_cost)), d2 = d * d;
    return 1e8 * area / (exponent == 4 ? d2 * d2 : outrider::pow(d, exponent));
}

/// The way, in cells, at which the plain utility falls to so much.
double way_at(double area, double utility, double exponent) {
    const double ratio = 1e8 * area / utility;
    return exponent == 4 ? std::sqrt(std::sqrt(ratio)) : outrider::pow(ratio, 1 / exponent);
}

double straight(Cell a, Cell b) { return std::sqrt(static_cast<double>(squared_distance(a, b))); }

}  // namespace

struct FrontierBidding::Bidder {
    RobotId robot;
    PathSearch ways;  ///< from where it was last, to all frontiers
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

/// One choice: who bids for what.
struct FrontierBidding::Round {
    const Belief& belief;
    const Terms& terms;
    std::vector<Frontier> frontiers;
    std::vector<Bidder> bidders;
    std::vector<double> shares;  // of each frontier
    std::vector<Bid> bids;

    double utility(std::size_t bidder, std::size_t frontier) const {
        const std::uint32_t cost = bidders[bidder].ways.cost(frontier);
        const double plain = plain_utility(frontiers[frontier].area, cost, terms.exponent) * shares[frontier];
        if (!terms.own_share || bidders[bidder].robot != belief.self()) return plain;
        return plain * terms.own_share(frontiers[frontier], cost / static_cast<double>(straight_cost));
    }

    /// Looks farther from where a robot is, until one more of its ways is known, or none of its bids that are bounds
    /// yet can be as much as what stands against them: the bids of others, and those of its own that are exact.
    template <class Open>
    void look_farther(std::size_t bidder, const Open& open) {
        double rival = 0;
        for (const Bid& bid : bids)
            if (open(bid) && (bid.exact || bid.bidder != bidder)) rival = std::max(rival, bid.utility);
        // A little farther than it must: robots with much the same bounds would take turns in tiny steps.
        double bound = rival > 0 ? 0 : no_bound;
        for (const Bid& bid : bids) {
            if (rival == 0 || !open(bid) || bid.bidder != bidder || bid.exact || bid.utility < rival) continue;
            const double worth = frontiers[bid.frontier].area * shares[bid.frontier];
            bound = std::max(bound, 1.05 * way_at(worth, rival, terms.exponent) * straight_cost + 1);
        }
        PathSearch& ways = bidders[bidder].ways;
        ways.find_next(bound < no_bound ? static_cast<std::uint32_t>(bound) : no_bound);
        for (Bid& bid : bids) {
            if (bid.bidder != bidder || bid.exact) continue;
            const PathStatus status = ways.known(bid.frontier);
            bid.exact = status != PathStatus::too_far;
            bid.utility = status == PathStatus::found || !bid.exact ? utility(bidder, bid.frontier) : 0;
        }
        std::erase_if(bids, [](const Bid& bid) { return bid.utility == 0; });  // it cannot get there
    }

    /// Gives each frontier to its best bidder until this robot has one; empty when it got none. What it learns about
    /// the utilities stays in `bids`.
    std::optional<std::size_t> share_out(std::vector<bool>& assigned) {
        std::vector<bool> taken(frontiers.size(), false);
        const auto open = [&](const Bid& b) { return !assigned[b.bidder] && !taken[b.frontier]; };
        for (;;) {
            const Bid* best = nullptr;
            for (const Bid& bid : bids)
                if (open(bid) && (!best || *best < bid)) best = &bid;
            if (!best) return {};
            if (!best->exact) {
                look_farther(best->bidder, open);
                continue;
            }
            if (bidders[best->bidder].robot == belief.self()) return best->frontier;
            assigned[best->bidder] = true;
            taken[best->frontier] = true;
        }
    }

    std::vector<Overlay> explain(bool chosen) const {
        std::vector<double> utilities;
        const auto me =
            std::find_if(bidders.begin(), bidders.end(), [&](const Bidder& b) { return b.robot == belief.self(); });
        for (std::size_t f = 0; f < frontiers.size(); ++f)
            utilities.push_back(utility(static_cast<std::size_t>(me - bidders.begin()), f));
        return {candidates_overlay(belief, frontiers, std::move(utilities),
                                   fmt::format("1e8 area{} / way^{}, the most; where others bid higher an upper bound",
                                               terms.share ? " * share" : "", terms.exponent)),
                rule_overlay(chosen ? "the best frontier that no team-mate has a better bid for"
                                    : "all frontiers go to team-mates, or there is none")};
    }
};

std::optional<Frontier> FrontierBidding::choose(const Belief& belief, const Terms& terms,
                                                std::vector<Overlay>* why) const {
    std::vector<Frontier> frontiers = best_candidates(belief, terms);
    std::vector<Bidder> all = bidders(belief, frontiers);
    Round round{belief, terms, std::move(frontiers), std::move(all), {}, {}};
    for (const Frontier& f : round.frontiers) round.shares.push_back(terms.share ? terms.share(f) : 1);
    for (std::size_t b = 0; b < round.bidders.size(); ++b)
        for (std::size_t f = 0; f < round.frontiers.size(); ++f)
            round.bids.push_back({round.utility(b, f), b, f, false});
    for (;;) {
        std::vector<bool> assigned(round.bidders.size(), false);
        const auto mine = round.share_out(assigned);
        if (why && belief.overlays_wanted()) *why = round.explain(mine.has_value());
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
    std::vector<Frontier> all = candidate_frontiers(belief);
    if (terms.allowed) std::erase_if(all, [&](const Frontier& f) { return !terms.allowed(f); });
    const auto worth = [&](const Frontier& f) { return f.area / std::max(1.0, straight(belief.cell(), f.goal)); };
    std::stable_sort(all.begin(), all.end(), [&](const Frontier& a, const Frontier& b) { return worth(a) > worth(b); });
    const auto limit = std::min(all.size(), static_cast<std::size_t>(options_.candidates));
    const auto previous = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(limit), all.end(),
                                       [&](const Frontier& f) { return terms.previous && f.goal == *terms.previous; });
    std::vector<Frontier> best(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limit));
    if (previous != all.end()) best.push_back(*previous);
    return best;
}

/// This robot and the explorers heard of lately that are not done, by number: all who know the same share out alike.
std::vector<FrontierBidding::Bidder> FrontierBidding::bidders(const Belief& belief,
                                                              const std::vector<Frontier>& frontiers) const {
    std::vector<Cell> goals;
    for (const Frontier& f : frontiers) goals.push_back(f.goal);
    std::vector<Bidder> out;
    for (const auto& record : belief.team()) {
        const TeamRecord& mate = *record;
        const bool heard =
            mate.seq > 0 && mate.frame == belief.map().frame() && belief.step() - mate.step <= options_.remember_steps;
        if (mate.robot == belief.self())
            out.push_back({mate.robot, belief.search(belief.cell(), goals)});
        else if (heard && !mate.done && mate.role == Role::explorer)
            out.push_back({mate.robot, belief.search(belief.map().lattice().cell_of(mate.pose.position()), goals)});
    }
    return out;
}

}  // namespace outrider
