// Coordinated exploration of Burgard, Moors, Fox, Simmons & Thrun (ICRA 2000) and Burgard, Moors, Stachniss & Schneider
// (IEEE T-RO 21(3), 2005): utility against way, and goals in sight of a team-mate's goal lose utility.
#include "outrider/team_plan.hpp"
#include "outrider/utility_sharing.hpp"

namespace outrider {
namespace {

struct BurgardOptions {
    ReplanGuard::Options replan;
    MateOptions mates;
    TeamPlan::Options plan;
    double beta = 1;
    Visibility visibility = Visibility::linear;
    double goal_spacing = 0.5;
    int candidates = 12;
    int contact_steps = 5;

    void fields(Fields& f) {
        replan.fields(f);
        mates.fields(f);
        plan.fields(f);
        f("beta", beta, 0, 1000, "what the longest way counts against the utility of a goal that nobody goes to");
        f("visibility", visibility, visibility_names,
          "how likely a goal is seen from another one: falls linearly to 0 at the sensor's range, or as far as the own "
          "beams "
          "reached so far");
        f("goal_spacing", goal_spacing, 0, 10,
          "sensor ranges of frontier for each goal; 0: one goal for each frontier, however long");
        f("candidates", candidates, 1, 100'000, "a robot is considered for so many goals, the nearest to it");
        f("contact_steps", contact_steps, 1, 1000,
          "team-mates heard so lately are planned for; of others, where they said they go counts as taken");
    }
};

class Burgard final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "shares out frontiers by utility - way; what a mate will see loses utility (Burgard)";
    using Options = BurgardOptions;
    explicit Burgard(const Options& options)
        : options_(options), pursuit_(options.replan), plan_(options.plan), visibility_(options.visibility) {}

    Intent choose(const Belief& belief, Rng& rng) override {
        plan_.listen(belief, rng);
        visibility_.learn(belief);
        const auto candidates = [&](const Belief& b) {
            return goal_candidates(b, options_.goal_spacing * sensor_range_cells(b));
        };
        Intent intent = pursuit_.step(
            belief, candidates, [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
        plan_.speak(intent);
        return intent;
    }

  private:
    int select(const Belief& belief, const std::vector<Frontier>& frontiers) {
        if (const std::optional<int> given = plan_.given(belief, frontiers)) {
            if (belief.overlays_wanted()) pursuit_.explain({rule_overlay("what the leader of this component said")});
            return *given;
        }
        UtilitySharing sharing{options_.beta, sensor_range_cells(belief), {}};
        std::vector<Participant> team;
        for (const Participant& p : participants(belief, options_.mates)) {
            if (belief.step() - p.heard <= options_.contact_steps)
                team.push_back(p);
            else if (p.goal)
                sharing.committed.push_back(*p.goal);
        }
        const std::vector<Cell> goals = goals_of(frontiers);
        const CostMatrix costs = way_costs(belief, team, goals, static_cast<std::size_t>(options_.candidates));
        std::vector<double> utilities;
        const std::vector<int> assigned = share_by_utility(belief, costs, goals, sharing, visibility_, utilities);
        if (belief.overlays_wanted())
            pursuit_.explain(assignment_overlays(
                belief, frontiers, std::move(utilities), "utility left when all have chosen",
                "the best pair of robot and goal by utility - way, one after the other", team, assigned));
        plan_.publish(team, goals, assigned);
        return assigned[own_row(belief, team)];
    }

    BurgardOptions options_;
    Pursuit pursuit_;
    TeamPlan plan_;
    VisibilityModel visibility_;
};

OUTRIDER_STRATEGY("burgard", Burgard)

}  // namespace
}  // namespace outrider
