// MinPos (A. Bautin, O. Simonin & F. Charpillet, ICIRA 2012): every robot takes the frontier that the fewest team-mates
// are nearer to. Only positions are shared; nothing is negotiated.
#include "shared/teamwork.hpp"

namespace outrider::minpos_strategy {
namespace {

struct MinPosOptions {
    ReplanGuard::Options replan;
    MateOptions mates;
    GoalOptions goals{.goal_spacing = 0.25};

    void fields(Fields& f) {
        replan.fields(f);
        mates.fields(f);
        goals.fields(f);
    }
};

class MinPos final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "takes the frontier that the fewest team-mates are nearer to (MinPos)";
    using Options = MinPosOptions;
    explicit MinPos(const Options& options) : options_(options), pursuit_(options.replan) {}

    Intent choose(const Belief& belief, Rng&) override {
        const auto candidates = [&](const Belief& b) { return frontier_goals(b, options_.goals); };
        return pursuit_.step(belief, candidates,
                             [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
    }

  private:
    /// Frontiers by distance: the first one of rank 0 is chosen, so that few ranks are computed.
    int select(const Belief& belief, const std::vector<Frontier>& frontiers) {
        const std::vector<Cell> goals = goals_of(frontiers);
        const std::vector<Participant> team = participants(belief, options_.mates);
        std::vector<PathSearch> mates;
        for (const Participant& p : team)
            if (p.robot != belief.self()) mates.push_back(belief.search(p.cell, goals));
        PathSearch own = belief.search(belief.cell(), goals);
        std::vector<double> ranks(frontiers.size(), -1);
        int best = -1;
        for (int f = own.find_next(); f >= 0; f = own.find_next()) {
            const auto i = static_cast<std::size_t>(f);
            int rank = 0;
            const std::uint32_t cost = own.cost(i);
            for (std::size_t m = 0, row = 0; row < team.size(); ++row) {
                if (team[row].robot == belief.self()) continue;
                // Equally near: the lower number has priority, or both would leave.
                const bool first = team[row].robot < belief.self();
                rank += (first || cost > 0) && mates[m].find(i, first ? cost : cost - 1) == PathStatus::found;
                ++m;
            }
            ranks[i] = rank;
            if (best < 0 || rank < ranks[static_cast<std::size_t>(best)]) best = f;
            if (rank == 0) break;
        }
        if (belief.overlays_wanted())
            pursuit_.explain({candidates_overlay(belief, frontiers, std::move(ranks),
                                                 "team-mates that are nearer, the least; -1: not looked at"),
                              Overlay::rule("the frontier that the fewest are nearer to; of these the nearest")});
        return best;
    }

    MinPosOptions options_;
    Pursuit pursuit_;
};

OUTRIDER_STRATEGY("minpos", MinPos)

}  // namespace
}  // namespace outrider::minpos_strategy
