#include "shared/frontier_goals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "outrider/geometry.hpp"
#include "shared/assignment.hpp"

namespace outrider {
namespace {

Point middle(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

/// The cells of the cluster around a frontier's goal, 8-connected, by row, then column; none when the goal is a view of
/// a cluster that cannot be reached.
std::vector<Cell> cluster_cells(const NavView& nav, Cell goal) {
    const auto belongs = [&](Cell c) { return nav.frontier(c) && nav.reached(c); };
    std::vector<Cell> cells;
    if (!belongs(goal)) return cells;
    CellSet seen;                   // the first cells of runs along rows
    std::vector<Cell> seeds{goal};  // a cell of each run that touches one that was taken in
    while (!seeds.empty()) {
        Cell first = seeds.back(), last = first;
        seeds.pop_back();
        while (belongs(first - Cell{1, 0})) --first.x;
        if (!seen.insert(first)) continue;
        while (belongs(last + Cell{1, 0})) ++last.x;
        for (Cell c = first; c.x <= last.x; ++c.x) cells.push_back(c);
        for (const int y : {first.y - 1, first.y + 1}) {
            bool inside = false;
            for (Cell c{first.x - 1, y}; c.x <= last.x + 1; ++c.x) {
                const bool before = std::exchange(inside, belongs(c));
                if (inside && !before) seeds.push_back(c);
            }
        }
    }
    std::sort(cells.begin(), cells.end());
    return cells;
}

/// How many goals a frontier of so many cells gets.
std::size_t goal_count(int size, double spacing_cells) {
    const double goals = 1 + std::floor(size / spacing_cells + 0.5);
    return static_cast<std::size_t>(std::min(goals, size + 1.0));  // a cell each at most
}

/// A frontier for each part of a cluster that the unknown can be seen from.
void split(const Belief& belief, const Frontier& whole, std::size_t parts, std::vector<Frontier>& out) {
    const std::vector<Cell> cells = cluster_cells(belief.nav(), whole.goal);
    std::vector<Point> points;
    for (const Cell c : cells) points.push_back(middle(c));
    const Clustering clusters = kmeans(points, spread_centres(points, parts), 10);
    const std::size_t before = out.size();
    for (std::size_t k = 0; k < clusters.centres.size(); ++k) {
        std::vector<Cell> part;
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (clusters.cluster[i] == static_cast<int>(k)) part.push_back(cells[i]);
        if (auto f = describe_part(belief.map(), belief.nav(), part)) {
            f->area = whole.area * f->size / whole.size;
            f->leftover = whole.leftover;
            out.push_back(*f);
        }
    }
    if (out.size() == before) out.push_back(whole);
}

}  // namespace

bool has_middle(const Frontier& frontier, double range_cells) {
    return distance(middle(frontier.goal), frontier.centroid) < range_cells;
}

std::vector<Frontier> frontier_goals(const Belief& belief, const GoalOptions& options) {
    const std::vector<Frontier> frontiers = candidate_frontiers(belief);
    if (belief.briefing().sensors.empty()) return frontiers;
    const double range = sensor_range_cells(belief);
    std::vector<Frontier> out;
    for (const Frontier& f : frontiers) {
        const bool whole = f.region || f.uncleared || (options.goal_spacing == 0 && has_middle(f, range));
        const double spacing = options.goal_spacing > 0 ? options.goal_spacing : 1;
        const std::size_t goals = whole ? 1 : goal_count(f.size, spacing * range);
        if (goals == 1)
            out.push_back(f);
        else
            split(belief, f, goals, out);
    }
    return out;
}

}  // namespace outrider
