// Goal candidates of Faigl, Kulich & Preucil (IROS 2012) and the assignments that Faigl & Kulich (ECMR 2013, 2015)
// compare on them: greedy, iterative, Hungarian, and several travelling salesmen.
#include <fmt/core.h>

#include <algorithm>

#include "shared/team_plan.hpp"
#include "shared/tours.hpp"

namespace outrider::goal_candidates_strategy {
namespace {

enum class Assign { greedy, iterative, hungarian, mtsp };
constexpr std::array<std::string_view, 4> assign_names{"greedy", "iterative", "hungarian", "mtsp"};

struct GoalCandidatesOptions {
    TeamPursuit::Options course{.goals = {.goal_spacing = 1.8}};
    Assign assign = Assign::hungarian;

    void fields(Fields& f) {
        course.fields(f);
        f("assign", assign, assign_names,
          "greedy: by number, each robot the nearest goal left; iterative: the shortest path of all, again and again; "
          "hungarian: the least sum of paths; mtsp: goals in as many groups as robots, a tour through each");
    }
};

/// By number, each robot the nearest goal that is left.
std::vector<int> one_after_the_other(const CostMatrix& costs) {
    std::vector<int> assigned(costs.rows(), -1);
    std::vector<bool> taken(costs.columns(), false);
    for (std::size_t r = 0; r < costs.rows(); ++r) {
        int best = -1;
        for (std::size_t g = 0; g < costs.columns(); ++g)
            if (!taken[g] && costs(r, g) < no_path &&
                (best < 0 || costs(r, g) < costs(r, static_cast<std::size_t>(best))))
                best = static_cast<int>(g);
        assigned[r] = best;
        if (best >= 0) taken[static_cast<std::size_t>(best)] = true;
    }
    return assigned;
}

class GoalCandidates final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "assigns goals along the frontiers: greedy, iterative, Hungarian or by tours (Faigl)";
    using Options = GoalCandidatesOptions;
    explicit GoalCandidates(const Options& options) : options_(options), pursuit_(options.course) {}

    Intent choose(const Belief& belief, Rng& rng) override {
        return pursuit_.step(belief, rng,
                             [&](const std::vector<Frontier>& frontiers) { return share(belief, frontiers); });
    }

  private:
    /// With mtsp every robot computes its own goal only.
    TeamPursuit::Shares share(const Belief& belief, const std::vector<Frontier>& frontiers) {
        std::vector<Participant> team = participants(belief, options_.course.mates);
        const std::vector<Cell> goals = goals_of(frontiers);
        const std::size_t me = own_row(belief, team);
        std::vector<int> tour, assigned(team.size(), -1);
        if (options_.assign == Assign::mtsp && goals.size() > team.size()) tour = own_tour(belief, team, goals, me);
        CostMatrix costs(team.size(), goals.size());
        if (!tour.empty()) {
            assigned[me] = tour[0];
        } else {
            costs = path_costs(belief, team, goals, team.size());
            assigned = assign_all(costs, options_.assign == Assign::greedy      ? one_after_the_other
                                         : options_.assign == Assign::iterative ? cheapest_pairs
                                                                                : hungarian);
        }
        if (belief.overlays_wanted()) explain(belief, frontiers, costs, me, team, assigned, tour);
        return {std::move(team), std::move(assigned)};
    }

    /// A group of goals for each robot, by the least sum of straight distances to the nearest goal of the group; then a
    /// tour through the own group. Empty when this robot can reach none of its group.
    std::vector<int> own_tour(const Belief& belief, const std::vector<Participant>& team,
                              const std::vector<Cell>& goals, std::size_t me) const {
        std::vector<Point> points;
        for (const Cell g : goals) points.push_back({g.x + 0.5, g.y + 0.5});
        const Clustering groups = kmeans(points, spread_centres(points, team.size()), 20);
        CostMatrix to_group(team.size(), groups.centres.size());
        for (std::size_t r = 0; r < team.size(); ++r)
            for (std::size_t g = 0; g < goals.size(); ++g) {
                double& least = to_group(r, static_cast<std::size_t>(groups.cluster[g]));
                least = std::min<double>(least, octile_cost(team[r].cell, goals[g]));
            }
        const int own = assign_all(to_group, hungarian)[me];
        std::vector<int> members;
        std::vector<Cell> places;
        for (std::size_t g = 0; g < goals.size(); ++g)
            if (groups.cluster[g] == own) {
                members.push_back(static_cast<int>(g));
                places.push_back(goals[g]);
            }
        std::vector<int> tour = short_tour(tour_costs(belief, belief.cell(), places));
        for (int& goal : tour) goal = members[static_cast<std::size_t>(goal)];
        return tour;
    }

    void explain(const Belief& belief, const std::vector<Frontier>& frontiers, const CostMatrix& costs, std::size_t me,
                 const std::vector<Participant>& team, const std::vector<int>& assigned, const std::vector<int>& tour) {
        std::vector<double> lengths;
        for (std::size_t g = 0; g < frontiers.size(); ++g) lengths.push_back(costs(me, g));
        std::vector<Overlay> why = assignment_overlays(
            belief, frontiers, std::move(lengths), "own path in cells",
            tour.empty() ? fmt::format("assignment: {}", assign_names[static_cast<std::size_t>(options_.assign)])
                         : std::string("the first goal of the own tour"),
            team, assigned);
        if (!tour.empty()) {
            Overlay line = Overlay::polyline(Overlay::Meaning::path, "tour", {belief.pose().position()});
            for (const int g : tour)
                line.points.push_back(belief.map().lattice().centre(frontiers[static_cast<std::size_t>(g)].goal));
            why.push_back(std::move(line));
        }
        pursuit_.explain(std::move(why));
    }

    GoalCandidatesOptions options_;
    TeamPursuit pursuit_;
};

OUTRIDER_STRATEGY("goal_candidates", GoalCandidates)

}  // namespace
}  // namespace outrider::goal_candidates_strategy
