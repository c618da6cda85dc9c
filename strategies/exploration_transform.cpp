// Exploration transform (S. Wirth & J. Pellenz, SSRR 2007, eq. 3): the cheapest way to any frontier where closeness to
// walls costs extra; frontier and path come out of one field. Every robot for itself.
#include "outrider/distance.hpp"
#include "shared/teamwork.hpp"

namespace outrider::exploration_transform_strategy {
namespace {

struct ExplorationTransformOptions {
    ReplanGuard::Options replan;
    DangerOptions danger;
    GoalOptions goals{.goal_spacing = 0.25};

    void fields(Fields& f) {
        replan.fields(f);
        danger.fields(f);
        goals.fields(f);
    }
};

class ExplorationTransform final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "the cheapest path to any frontier, clear of walls (exploration transform)";
    using Options = ExplorationTransformOptions;
    explicit ExplorationTransform(const Options& options) : options_(options), pursuit_(options.replan) {}

    void expect_fits(double cell_m, const std::string& where) const override {
        if (options_.danger.min_m / cell_m - 0.5 > max_body_radius_cells)
            fail("{}: exploration_transform.min_m = {}: expected at most {:g} m, which is {} cells of this map", where,
                 options_.danger.min_m, cell_m * max_body_radius_cells, max_body_radius_cells);
    }

    Intent choose(const Belief& belief, Rng&) override {
        const auto candidates = [&](const Belief& b) {
            path_.clear();
            return frontier_goals(b, options_.goals);
        };
        Intent intent = pursuit_.step(
            belief, candidates, [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
        // Where the transform finds no path, the robot drives as any other does.
        if (pursuit_.target() && !path_.empty() && belief.cell() != pursuit_.target()->goal)
            intent.action = Follow{path_, std::get<Goto>(intent.action).face};
        return intent;
    }

  private:
    int select(const Belief& belief, const std::vector<Frontier>& frontiers) {
        if (!transform_) transform_.emplace(options_.danger, belief.map().lattice().cell_m);
        // Goals need some more room than the path (1.4 times, as in the authors' later code).
        const WallView walls = belief.wall_distance(transform_->horizon());
        // Only goals with a clear path: otherwise each search for a missing path would visit all known space. Half a
        // cell less, since a body must not touch the edge of a wall, and the transform uses cell centres: at corners
        // this is a little stricter.
        const NavView clear = belief.nav_for(belief.map().lattice().cells(options_.danger.min_m) - 0.5);
        const double room = 1.4 * belief.map().lattice().cells(options_.danger.min_m);
        std::vector<Cell> goals;
        for (const Frontier& f : frontiers)
            if (clear.reached(f.goal) && (options_.danger.danger == Danger::none || walls.cells(f.goal) > room))
                goals.push_back(f.goal);
        // One robot needs the field only as far as its goal: the search gives the same result without the rest.
        Path path;
        if (!goals.empty()) path = transform_->search(belief.nav(), walls, belief.nav().foothold(belief.cell()), goals);
        int chosen = -1;
        for (std::size_t f = 0; path && f < frontiers.size() && chosen < 0; ++f)
            if (frontiers[f].goal == path.cells.back()) chosen = static_cast<int>(f);
        if (chosen >= 0)
            path_ = path.cells;
        else  // all that is left lies beyond narrow places
            chosen = belief.search(belief.cell(), goals_of(frontiers)).find_next();
        if (belief.overlays_wanted()) {
            std::vector<double> costs;
            for (const Frontier& f : frontiers)
                costs.push_back(transform_->danger_cost(walls.squared(f.goal)) == no_bound
                                    ? -1
                                    : transform_->danger_cost(walls.squared(f.goal)) / double(straight_cost));
            Overlay line = Overlay::polyline(Overlay::Meaning::path, "path");
            for (const Cell c : path_) line.points.push_back(belief.map().lattice().centre(c));
            pursuit_.explain({candidates_overlay(belief, frontiers, std::move(costs),
                                                 "danger of the goal in cells; -1: too close to walls"),
                              std::move(line),
                              Overlay::rule(path_.empty() ? "no clear path to any frontier: the shortest one"
                                                          : "down the exploration transform")});
        }
        return chosen;
    }

    ExplorationTransformOptions options_;
    Pursuit pursuit_;
    std::optional<SafePaths> transform_;
    std::vector<Cell> path_;
};

OUTRIDER_STRATEGY("exploration_transform", ExplorationTransform)

}  // namespace
}  // namespace outrider::exploration_transform_strategy
