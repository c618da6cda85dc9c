#include "shared/teamwork.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace outrider {
std::vector<Participant> participants(const Belief& belief, const MateOptions& options) {
    std::vector<Participant> out;
    const Lattice& lattice = belief.map().lattice();
    for (const auto& record : belief.team()) {
        const bool recent = record->seq > 0 && record->frame == belief.map().frame() && !record->done &&
                            belief.step() - record->step <= options.remember_steps && record->role == Role::explorer;
        if (record->robot == belief.self())
            out.push_back({record->robot, belief.cell(), {}, belief.step()});
        else if (recent)
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

CostMatrix path_costs(const Belief& belief, const std::vector<Participant>& team, const std::vector<Cell>& goals,
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
    TourCosts out{std::vector<double>(goals.size(), no_path), CostMatrix(goals.size(), goals.size(), 0)};
    const auto path = [](PathSearch& search, std::size_t goal) {
        return search.find(goal) == PathStatus::found ? search.cost(goal) / double(straight_cost) : no_path;
    };
    PathSearch from_start = belief.search(start, goals);
    for (std::size_t i = 0; i < goals.size(); ++i) {
        out.start[i] = path(from_start, i);
        if (i + 1 == goals.size()) break;
        const std::span<const Cell> later = std::span(goals).subspan(i + 1);
        PathSearch search = belief.search(goals[i], later);
        for (std::size_t k = 0; k < later.size(); ++k)
            out.between(i, i + 1 + k) = out.between(i + 1 + k, i) = path(search, k);
    }
    return out;
}

std::vector<Cell> goals_of(const std::vector<Frontier>& frontiers) {
    std::vector<Cell> goals;
    for (const Frontier& f : frontiers) goals.push_back(f.goal);
    return goals;
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
