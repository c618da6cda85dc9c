// Coordinated exploration of Burgard, Moors, Fox, Simmons & Thrun (ICRA 2000) and Burgard, Moors, Stachniss & Schneider
// (IEEE T-RO 21(3), 2005): utility against way, and goals in sight of a team-mate's goal lose utility.
#include "shared/team_plan.hpp"
#include "shared/utility_sharing.hpp"

namespace outrider::burgard_strategy {
namespace {

struct BurgardOptions {
    TeamPursuit::Options course;
    double beta = 1;
    Visibility visibility = Visibility::linear;
    int candidates = 12;
    int contact_steps = 5;

    void fields(Fields& f) {
        course.fields(f);
        f("beta", beta, 0, 1000, "what the longest path counts against the utility of a goal that nobody goes to");
        f("visibility", visibility, visibility_names,
          "how likely a goal is seen from another one: falls linearly to 0 at the sensor's range, or as far as the own "
          "beams "
          "reached so far");
        f("candidates", candidates, 1, 100'000, "a robot is considered for so many goals, the nearest to it");
        f("contact_steps", contact_steps, 1, 1000,
          "team-mates that reported so lately are planned for; the reported goals of others count as taken");
    }
};

class Burgard final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "shares out frontiers by utility - path; what a mate will see loses utility (Burgard)";
    using Options = BurgardOptions;
    explicit Burgard(const Options& options)
        : options_(options), pursuit_(options.course), visibility_(options.visibility) {}

    Intent choose(const Belief& belief, Rng& rng) override {
        visibility_.learn(belief);
        return pursuit_.step(belief, rng,
                             [&](const std::vector<Frontier>& frontiers) { return share(belief, frontiers); });
    }

  private:
    TeamPursuit::Shares share(const Belief& belief, const std::vector<Frontier>& frontiers) {
        UtilitySharing sharing{options_.beta, sensor_range_cells(belief), {}};
        std::vector<Participant> team;
        for (const Participant& p : participants(belief, options_.course.mates)) {
            if (belief.step() - p.received <= options_.contact_steps)
                team.push_back(p);
            else if (p.goal)
                sharing.committed.push_back(*p.goal);
        }
        const std::vector<Cell> goals = goals_of(frontiers);
        const CostMatrix costs = path_costs(belief, team, goals, static_cast<std::size_t>(options_.candidates));
        std::vector<double> utilities;
        OwnWorth own{own_row(belief, team), {}};
        std::vector<int> assigned = share_by_utility(belief, costs, goals, sharing, visibility_, utilities, &own);
        if (belief.overlays_wanted()) {
            std::vector<Overlay> why = assignment_overlays(
                belief, frontiers, own.goals, "utility - path when it chose, the most",
                "the best pair of robot and goal by utility - path, one after the other", team, assigned);
            Overlay& shown = why.front();
            for (std::size_t g = own.goals.size(); g-- > 0;)
                if (own.goals[g] == -no_path) {  // not considered: too far
                    shown.points.erase(shown.points.begin() + static_cast<std::ptrdiff_t>(g));
                    shown.values.erase(shown.values.begin() + static_cast<std::ptrdiff_t>(g));
                }
            pursuit_.explain(std::move(why));
        }
        return {std::move(team), std::move(assigned)};
    }

    BurgardOptions options_;
    TeamPursuit pursuit_;
    VisibilityModel visibility_;
};

OUTRIDER_STRATEGY("burgard", Burgard)

}  // namespace
}  // namespace outrider::burgard_strategy
