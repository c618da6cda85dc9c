// RRT exploration (H. Umari & S. Mukhopadhyay, IROS 2017): rapidly exploring random trees over the known space; where a
// branch meets the unknown is a frontier point.
#include <algorithm>
#include <cmath>

#include "outrider/ray.hpp"
#include "shared/gain.hpp"
#include "shared/teamwork.hpp"

namespace outrider::rrt_strategy {
namespace {

struct RrtOptions {
    ReplanGuard::Options replan;
    MateOptions mates;
    double global_step_m = 15;
    double local_step_m = 1;
    int samples_per_step = 40;
    double merge_m = 0.5;
    double radius_m = 1;
    double min_gain_m2 = 0.2;
    double gain_weight = 3;
    double near_m = 3;
    double near_factor = 2;
    int patience_steps = 20;
    int most_vertices = 5000;

    void fields(Fields& f) {
        replan.fields(f);
        mates.fields(f);
        f("global_step_m", global_step_m, 0.01, 1000, "longest branch of the tree that is kept");
        f("local_step_m", local_step_m, 0.01, 1000,
          "longest branch of the tree that begins anew at the robot after each find");
        f("samples_per_step", samples_per_step, 1, 10'000, "of each tree");
        f("merge_m", merge_m, 0, 100, "frontier points nearer to each other are one");
        f("radius_m", radius_m, 0.01, 100, "unknown area is counted so far around a point");
        f("min_gain_m2", min_gain_m2, 0, 100, "points with less unknown area around are dropped");
        f("gain_weight", gain_weight, 0, 1000, "metres of path that a square metre is worth");
        f("near_m", near_m, 0, 1000, "points within this of the robot ...");
        f("near_factor", near_factor, 1, 100, "... count so many times");
        f("patience_steps", patience_steps, 1, 10000,
          "without a frontier point for so long: the nearest frontier cells");
        f("most_vertices", most_vertices, 2, 1'000'000, "a tree of so many begins anew");
    }
};

class Rrt final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "random trees over the known space find frontier points (RRT exploration)";
    using Options = RrtOptions;
    explicit Rrt(const Options& options) : options_(options), pursuit_(options.replan) {}

    Intent choose(const Belief& belief, Rng& rng) override {
        const Lattice& lattice = belief.map().lattice();
        grow(belief, rng, global_, lattice.cells(options_.global_step_m), false);
        grow(belief, rng, local_, lattice.cells(options_.local_step_m), true);
        const auto candidates = [&](const Belief& b) {
            // While it learns nothing, it keeps its target: on a path round a wall the nearest point by straight
            // distance changes, and the robot would turn around forever.
            if (pursuit_.target() && b.last_discovery() <= chosen_at_) return std::vector{*pursuit_.target()};
            chosen_at_ = b.step();
            std::vector<Frontier> points = filter(b);
            if (!points.empty()) {
                found_ = b.step();
                return points;
            }
            std::vector<Frontier> cells = candidate_frontiers(b);
            waiting_ = !cells.empty() && b.step() - found_ < options_.patience_steps;
            return waiting_ ? std::vector<Frontier>{} : cells;
        };
        Intent intent = pursuit_.step(
            belief, candidates, [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
        if (pursuit_.target()) waiting_ = false;
        if (waiting_) {
            intent.action = Stay{};
            intent.done = false;
        }
        return intent;
    }

  private:
    void grow(const Belief& belief, Rng& rng, std::vector<Point>& tree, double step, bool local) {
        const Point here{belief.cell().x + 0.5, belief.cell().y + 0.5};
        if (tree.empty() || tree.size() >= static_cast<std::size_t>(options_.most_vertices)) tree.assign(1, here);
        const auto [low, high] = belief.nav().extent();
        const Cell a = low - Cell{1, 1}, b = high + Cell{1, 1};
        for (int k = 0; k < options_.samples_per_step; ++k) {
            const Point sample{rng.uniform(a.x, b.x + 1), rng.uniform(a.y, b.y + 1)};
            const auto away = [&](Point p) {
                return (p.x - sample.x) * (p.x - sample.x) + (p.y - sample.y) * (p.y - sample.y);
            };
            Point from = tree[0];
            for (const Point& p : tree)
                if (away(p) < away(from)) from = p;
            const double length = distance(from, sample);
            if (length < 1e-9) continue;
            const Point to = length <= step ? sample : from + (sample - from) * (step / length);
            Cell last{whole_below(from.x), whole_below(from.y)};
            const bool free = walk_segment(from, to, [&](Cell c, double) {
                const CellState state = belief.map().state(c);
                if (state == CellState::unknown) {
                    Frontier f;
                    f.goal = last;
                    f.look = c;
                    points_.push_back(f);
                    if (local) tree.assign(1, here);
                    return false;
                }
                if (state == CellState::occupied || state == CellState::safe_occupied) return false;
                last = c;
                return true;
            });
            if (free) tree.push_back(to);
        }
    }

    /// Frontier points that are still at the frontier, merged, by the gain around them.
    std::vector<Frontier> filter(const Belief& belief) {
        const Lattice& lattice = belief.map().lattice();
        const double merge = lattice.cells(options_.merge_m);
        std::vector<Frontier> kept;
        for (const Frontier& p : points_) {
            if (explored(belief, p) || !belief.nav().reached(p.goal) || !belief.nav().edge(p.goal)) continue;
            if (std::any_of(kept.begin(), kept.end(), [&](const Frontier& k) {
                    return static_cast<double>(squared_distance(k.goal, p.goal)) < merge * merge;
                }))
                continue;
            kept.push_back(p);
        }
        points_ = kept;
        for (Frontier& f : kept) {
            f.area = unknown_within(belief.map(), f.goal, lattice.cells(options_.radius_m)) * lattice.cell_m *
                     lattice.cell_m;
            f.centroid = {f.goal.x + 0.5, f.goal.y + 0.5};
        }
        std::erase_if(kept, [&](const Frontier& f) { return f.area < options_.min_gain_m2; });
        return kept;
    }

    /// Gain counts less where a team-mate goes, as far as the discs overlap.
    int select(const Belief& belief, const std::vector<Frontier>& frontiers) {
        const Lattice& lattice = belief.map().lattice();
        const std::vector<Participant> team = participants(belief, options_.mates);
        std::vector<double> revenues;
        int best = -1;
        for (std::size_t i = 0; i < frontiers.size(); ++i) {
            const Frontier& f = frontiers[i];
            double gain = f.area;
            for (const Participant& p : team)
                if (p.goal)
                    gain *= 1 - disc_overlap(
                                    std::sqrt(static_cast<double>(squared_distance(*p.goal, f.goal))) * lattice.cell_m,
                                    options_.radius_m);
            const double away_m = distance(belief.pose().position(), lattice.centre(f.goal));
            revenues.push_back(options_.gain_weight * gain * (away_m <= options_.near_m ? options_.near_factor : 1) -
                               away_m);
            if (belief.nav().reached(f.goal) && (best < 0 || revenues[i] > revenues[static_cast<std::size_t>(best)]))
                best = static_cast<int>(i);
        }
        if (belief.overlays_wanted()) {
            Overlay tree = Overlay::marks(Overlay::Meaning::tree, "tree", "vertices of the tree");
            for (const Point& p : global_) tree.points.push_back(lattice.to_metres(p));
            pursuit_.explain(
                {candidates_overlay(belief, frontiers, std::move(revenues), "revenue: gain - path, the most"),
                 std::move(tree), Overlay::rule("the frontier point of the largest revenue")});
        }
        return best;
    }

    RrtOptions options_;
    Pursuit pursuit_;
    std::vector<Point> global_, local_;  // vertices, in cells
    std::vector<Frontier> points_;
    int chosen_at_ = -1;  // the step in which it last chose among all
    int found_ = 0;       // the last step with a frontier point
    bool waiting_ = false;
};

OUTRIDER_STRATEGY("rrt", Rrt)

}  // namespace
}  // namespace outrider::rrt_strategy
