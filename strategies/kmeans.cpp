// Partition of the unknown by k-means (Solanas & Garcia, IROS 2004; Puig, Garcia & Wu, Robotics and Autonomous Systems
// 2011): a region of the unknown for each robot, and frontiers of the own region first.
#include <algorithm>
#include <cmath>

#include "shared/teamwork.hpp"

namespace outrider::kmeans_strategy {
namespace {

struct KMeansOptions {
    ReplanGuard::Options replan;
    MateOptions mates;
    GoalOptions goals;
    int most_points = 2000;
    int rounds = 10;

    void fields(Fields& f) {
        replan.fields(f);
        mates.fields(f);
        goals.fields(f);
        f("most_points", most_points, 10, 1'000'000, "unknown cells looked at: a regular sample of at most so many");
        f("rounds", rounds, 1, 1000, "of k-means, at most");
    }
};

/// Whether there may be something to explore in a cell: unknown, and no wall in the prior map.
bool is_open(const MapView& map, Cell c) {
    if (map.state(c) != CellState::unknown) return false;
    const CellState prior = map.prior(c);
    return prior != CellState::occupied && prior != CellState::safe_occupied;
}

/// The unknown area to be shared out.
struct Unknown {
    std::vector<Point> points;  ///< a regular sample, in cells
    double diagonal = 1;        ///< of the rectangle sampled
};

/// In the region of interest or, without one, around what is known.
Unknown sample_unknown(const Belief& belief, int most) {
    const Lattice& lattice = belief.map().lattice();
    auto [low, high] = belief.nav().extent();
    const int margin = whole(sensor_range_cells(belief));
    low = low - Cell{margin, margin};
    high = high + Cell{margin, margin};
    if (!belief.briefing().region.empty()) {
        low = high = lattice.cell_of(belief.briefing().region[0]);
        for (const Point& p : belief.briefing().region) {
            const Cell c = lattice.cell_of(p);
            low = {std::min(low.x, c.x), std::min(low.y, c.y)};
            high = {std::max(high.x, c.x), std::max(high.y, c.y)};
        }
    }
    const double width = high.x - low.x + 1.0, height = high.y - low.y + 1.0;
    const int stride = std::max(1, whole(std::ceil(std::sqrt(width * height / most))));
    Unknown out{{}, std::sqrt(width * width + height * height)};
    for (int y = low.y; y <= high.y; y += stride)
        for (int x = low.x; x <= high.x; x += stride)
            if (const Cell c{x, y}; is_open(belief.map(), c)) out.points.push_back({x + 0.5, y + 0.5});
    return out;
}

class KMeansPartition final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "a region of the unknown for each robot by k-means, its frontiers first (Solanas, Puig)";
    using Options = KMeansOptions;
    explicit KMeansPartition(const Options& options) : options_(options), pursuit_(options.replan) {}

    Intent choose(const Belief& belief, Rng&) override {
        const auto candidates = [&](const Belief& b) { return frontier_goals(b, options_.goals); };
        return pursuit_.step(belief, candidates,
                             [&](const std::vector<Frontier>& frontiers) { return select(belief, frontiers); });
    }

  private:
    int select(const Belief& belief, const std::vector<Frontier>& frontiers) {
        const std::vector<Participant> team = participants(belief, options_.mates);
        const Unknown unknown = sample_unknown(belief, options_.most_points);
        // Seeded with the robots' places at every choice, so that robots with equal knowledge get the same regions.
        std::vector<Point> seeds;
        for (const Participant& p : team) seeds.push_back({p.cell.x + 0.5, p.cell.y + 0.5});
        const Clustering regions = kmeans(unknown.points, seeds, options_.rounds);
        CostMatrix to_centre(team.size(), team.size());
        for (std::size_t r = 0; r < team.size(); ++r)
            for (std::size_t k = 0; k < team.size(); ++k) to_centre(r, k) = distance(seeds[r], regions.centres[k]);
        const std::size_t me = own_row(belief, team);
        const Point centre = regions.centres[static_cast<std::size_t>(hungarian(to_centre)[me])];

        const double range = sensor_range_cells(belief);
        std::vector<double> costs(frontiers.size(), no_path), repulsion(frontiers.size(), 0);
        std::vector<std::size_t> own;
        std::vector<Cell> goals;
        int best = -1;
        const auto take = [&](std::size_t f, double cost) {
            costs[f] = cost;
            const auto b = static_cast<std::size_t>(best);
            if (best < 0 || cost < costs[b] || (cost == costs[b] && f < b)) best = static_cast<int>(f);
        };
        for (std::size_t f = 0; f < frontiers.size(); ++f) {
            for (const Participant& p : team)
                if (p.robot != belief.self() && p.goal) {
                    const double d = std::sqrt(static_cast<double>(squared_distance(*p.goal, frontiers[f].goal)));
                    repulsion[f] += d < range ? unknown.diagonal * (1 - d / range) : 0;
                }
            const Point at{frontiers[f].look.x + 0.5, frontiers[f].look.y + 0.5};
            const bool mine = std::all_of(regions.centres.begin(), regions.centres.end(), [&](const Point& other) {
                return distance(at, centre) <= distance(at, other);
            });
            if (mine) {
                own.push_back(f);
                goals.push_back(frontiers[f].goal);
            } else if (belief.nav().reached(frontiers[f].goal)) {
                take(f, unknown.diagonal + distance(at, centre) + repulsion[f]);
            }
        }
        // Those of the own region by path length, until even without repulsion none can be better.
        PathSearch paths = belief.search(belief.cell(), goals);
        for (std::size_t found = 0; found < goals.size(); ++found) {
            const int g = paths.find_next();
            if (g < 0) break;
            const double cost = paths.cost(static_cast<std::size_t>(g)) / double(straight_cost);
            if (best >= 0 && cost > costs[static_cast<std::size_t>(best)]) break;
            const std::size_t f = own[static_cast<std::size_t>(g)];
            take(f, cost + repulsion[f]);
        }
        if (belief.overlays_wanted()) explain(belief, frontiers, std::move(costs), regions);
        return best;
    }

    void explain(const Belief& belief, const std::vector<Frontier>& frontiers, std::vector<double> costs,
                 const Clustering& regions) {
        Overlay centres = Overlay::marks(Overlay::Meaning::region, "regions", "centres of the regions");
        for (const Point& c : regions.centres) centres.points.push_back(belief.map().lattice().to_metres(c));
        pursuit_.explain({candidates_overlay(belief, frontiers, std::move(costs),
                                             "path in the own region, outside of it farther than any; near others' "
                                             "goals more: the least"),
                          std::move(centres), Overlay::rule("the cheapest frontier, the own region's first")});
    }

    KMeansOptions options_;
    Pursuit pursuit_;
};

OUTRIDER_STRATEGY("kmeans", KMeansPartition)

}  // namespace
}  // namespace outrider::kmeans_strategy
