// Multi-robot wavefront (S. Kasperski's nav2d, MultiWavefrontPlanner): a wave runs out from every robot at once, each
// cell belongs to the robot whose wave is there first, and a robot takes the nearest frontier of its own.
#include "shared/teamwork.hpp"

namespace outrider::wavefront_strategy {
namespace {

struct WavefrontOptions {
    ReplanGuard::Options replan;
    MateOptions mates;
    GoalOptions goals{.goal_spacing = 0.25};
    bool wait_for_others = false;

    void fields(Fields& f) {
        replan.fields(f);
        mates.fields(f);
        goals.fields(f);
        f("wait_for_others", wait_for_others,
          "without a frontier of its own a robot stays where it is, instead of taking the nearest one of others");
    }
};

class Wavefront final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "takes the nearest of the frontiers that no team-mate is nearer to (nav2d)";
    using Options = WavefrontOptions;
    explicit Wavefront(const Options& options) : options_(options), pursuit_(options.replan) {}

    Intent choose(const Belief& belief, Rng&) override {
        const auto candidates = [&](const Belief& b) {
            waiting_ = false;
            return frontier_goals(b, options_.goals);
        };
        Intent intent = pursuit_.step(
            belief, candidates, [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
        if (waiting_) {
            intent.action = Stay{};
            intent.done = false;
        }
        return intent;
    }

  private:
    /// By distance, which is that of the own wave; a cell is this robot's own when no other wave reaches it within that
    /// distance.
    int select(const Belief& belief, const std::vector<Frontier>& frontiers) {
        const std::vector<Cell> goals = goals_of(frontiers);
        std::vector<std::pair<RobotId, PathSearch>> mates;
        for (const Participant& p : participants(belief, options_.mates))
            if (p.robot != belief.self()) mates.emplace_back(p.robot, belief.search(p.cell, goals));
        PathSearch own = belief.search(belief.cell(), goals);
        std::vector<double> lengths(frontiers.size(), -1);
        int nearest = -1, chosen = -1;
        for (int f = own.find_next(); f >= 0 && chosen < 0; f = chosen < 0 ? own.find_next() : f) {
            const auto i = static_cast<std::size_t>(f);
            const std::uint32_t cost = own.cost(i);
            lengths[i] = cost / double(straight_cost);
            if (nearest < 0) nearest = f;
            bool mine = true;
            for (auto& [robot, search] : mates) {
                const bool first = robot < belief.self();  // equally near: the lower number
                mine = mine && !((first || cost > 0) && search.find(i, first ? cost : cost - 1) == PathStatus::found);
            }
            if (mine) chosen = f;
        }
        waiting_ = chosen < 0 && nearest >= 0 && options_.wait_for_others;
        if (belief.overlays_wanted())
            pursuit_.explain(
                {candidates_overlay(belief, frontiers, std::move(lengths), "path in cells; -1: not looked at"),
                 Overlay::rule(chosen >= 0 ? "the nearest frontier of the own territory"
                               : waiting_  ? "all frontiers are others': wait"
                                           : "all frontiers are others': the nearest one")});
        return chosen >= 0 ? chosen : waiting_ ? -1 : nearest;
    }

    WavefrontOptions options_;
    Pursuit pursuit_;
    bool waiting_ = false;
};

OUTRIDER_STRATEGY("wavefront", Wavefront)

}  // namespace
}  // namespace outrider::wavefront_strategy
