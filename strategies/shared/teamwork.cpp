#include "shared/teamwork.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

/// The cells of the cluster around a frontier's goal, 8-connected, by row, then column; none when the goal is a view of
/// a cluster that cannot be reached.
std::vector<Cell> cluster_cells(const NavView& nav, Cell goal) {
    const auto belongs = [&](Cell c) { return nav.frontier(c) && nav.reached(c); };
    std::vector<Cell> cells;
    if (!belongs(goal)) return cells;
    CellSet seen;
    cells.push_back(goal);
    seen.insert(goal);
    for (std::size_t i = 0; i < cells.size(); ++i)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell c = cells[i] + Cell{dx, dy};
                if (belongs(c) && seen.insert(c)) cells.push_back(c);
            }
    std::sort(cells.begin(), cells.end());
    return cells;
}

/// A frontier for each part of a cluster that the unknown can be seen from.
void split(const Belief& belief, const Frontier& whole, std::size_t parts, std::vector<Frontier>& out) {
    const std::vector<Cell> cells = cluster_cells(belief.nav(), whole.goal);
    std::vector<Point> points;
    for (const Cell c : cells) points.push_back({c.x + 0.5, c.y + 0.5});
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

std::vector<Participant> participants(const Belief& belief, const MateOptions& options) {
    std::vector<Participant> out;
    const Lattice& lattice = belief.map().lattice();
    for (const auto& record : belief.team()) {
        const bool heard = record->seq > 0 && record->frame == belief.map().frame() && !record->done &&
                           belief.step() - record->step <= options.remember_steps && record->role == Role::explorer;
        if (record->robot == belief.self())
            out.push_back({record->robot, belief.cell(), {}, belief.step()});
        else if (heard)
            out.push_back({record->robot, lattice.cell_of(record->pose.position()),
                           record->goal ? std::optional(lattice.cell_of(*record->goal)) : std::nullopt, record->step});
    }
    return out;
}

std::size_t own_row(const Belief& belief, const std::vector<Participant>& team) {
    std::size_t row = 0;
    while (team[row].robot != belief.self()) ++row;
    return row;
}

CostMatrix way_costs(const Belief& belief, const std::vector<Participant>& team, const std::vector<Cell>& goals,
                     std::size_t nearest) {
    CostMatrix costs(team.size(), goals.size());
    for (std::size_t r = 0; r < team.size(); ++r) {
        PathSearch search = belief.search(team[r].cell, goals);
        for (std::size_t found = 0; found < std::min(nearest, goals.size()); ++found) {
            const int g = search.find_next();
            if (g < 0) break;
            costs(r, static_cast<std::size_t>(g)) = search.cost(static_cast<std::size_t>(g)) / double(straight_cost);
        }
    }
    return costs;
}

TourCosts tour_costs(const Belief& belief, Cell start, const std::vector<Cell>& goals) {
    TourCosts out{std::vector<double>(goals.size(), no_way), CostMatrix(goals.size(), goals.size(), 0)};
    const auto way = [](PathSearch& search, std::size_t goal) {
        return search.find(goal) == PathStatus::found ? search.cost(goal) / double(straight_cost) : no_way;
    };
    PathSearch from_start = belief.search(start, goals);
    for (std::size_t i = 0; i < goals.size(); ++i) {
        out.start[i] = way(from_start, i);
        if (i + 1 == goals.size()) break;
        const std::span<const Cell> later = std::span(goals).subspan(i + 1);
        PathSearch search = belief.search(goals[i], later);
        for (std::size_t k = 0; k < later.size(); ++k)
            out.between(i, i + 1 + k) = out.between(i + 1 + k, i) = way(search, k);
    }
    return out;
}

std::vector<Cell> goals_of(const std::vector<Frontier>& frontiers) {
    std::vector<Cell> goals;
    for (const Frontier& f : frontiers) goals.push_back(f.goal);
    return goals;
}

std::vector<Frontier> goal_candidates(const Belief& belief, double spacing_cells) {
    const std::vector<Frontier> clusters = candidate_frontiers(belief);
    if (spacing_cells <= 0) return clusters;
    std::vector<Frontier> out;
    for (const Frontier& f : clusters) {
        const double parts = 1 + std::floor(f.size / spacing_cells + 0.5);
        if (parts < 2)
            out.push_back(f);
        else
            split(belief, f, static_cast<std::size_t>(std::min(parts, f.size + 1.0)), out);  // a cell each at most
    }
    return out;
}

std::vector<Overlay> assignment_overlays(const Belief& belief, const std::vector<Frontier>& frontiers,
                                         std::vector<double> values, std::string what, std::string rule,
                                         const std::vector<Participant>& team, const std::vector<int>& assigned) {
    std::vector<Overlay> out{candidates_overlay(belief, frontiers, std::move(values), std::move(what)),
                             Overlay::rule(std::move(rule))};
    const Lattice& lattice = belief.map().lattice();
    for (std::size_t r = 0; r < assigned.size(); ++r)
        if (assigned[r] >= 0)
            out.push_back(Overlay::polyline(
                Overlay::Meaning::goal, "assignment",
                {lattice.centre(team[r].cell), lattice.centre(frontiers[static_cast<std::size_t>(assigned[r])].goal)},
                fmt::format("robot {}", team[r].robot)));
    return out;
}

}  // namespace outrider
