#include "outrider/path.hpp"

#include <algorithm>
#include <numbers>

#include "plan/cheapest_search.hpp"
#include "plan/distance_field.hpp"
#include "plan/jump_point_search.hpp"
#include "plan/path_planner.hpp"
#include "plan/search_memory.hpp"
#include "plan/skeleton/topological_map.hpp"

namespace outrider {

namespace {

/// Goals that jump point search finds so soon need no graph: a detour over a node would matter most on short paths.
constexpr int near_expansions = 300;
/// After so many a search by jump points knows what kind of map it is on.
constexpr int first_expansions = 64;
/// Robots plan for few bodies of different sizes.
constexpr std::size_t most_jump_graphs = 4;

}  // namespace

SearchMemory& search_memory() {
    thread_local SearchMemory memory;
    return memory;
}

PathPlanner::PathPlanner(const PlanOptions& options, const Maps& maps)
    : options_(options),
      maps_(maps),
      field_(options.planner == Planner::field ? std::make_unique<DistanceField>() : nullptr),
      topological_(options.planner == Planner::topological ? std::make_unique<TopologicalMap>() : nullptr) {}
PathPlanner::~PathPlanner() = default;
PathPlanner::PathPlanner(PathPlanner&&) noexcept = default;
PathPlanner::PathPlanner(const PathPlanner& other)
    : options_(other.options_), field_(other.field_ ? std::make_unique<DistanceField>(*other.field_) : nullptr) {
    if (other.topological_) throw CannotCopy();
    for (const auto& [nav, graph] : other.jump_graphs_)
        jump_graphs_.push_back({nav, std::make_shared<JumpGraph>(*graph)});
}
void PathPlanner::plan_on(const Maps& maps, const std::function<const NavMap*(const NavMap*)>& copy_of) {
    maps_ = maps;
    for (JumpGraphOf& of : jump_graphs_) of.nav = copy_of(of.nav);
}
PathPlanner& PathPlanner::operator=(PathPlanner&&) noexcept = default;

const std::shared_ptr<JumpGraph>& PathPlanner::jump_graph(const NavMap& nav) const {
    auto of_nav =
        std::find_if(jump_graphs_.begin(), jump_graphs_.end(), [&](const JumpGraphOf& of) { return of.nav == &nav; });
    if (of_nav == jump_graphs_.end()) {
        if (jump_graphs_.size() == most_jump_graphs) jump_graphs_.pop_back();
        of_nav = jump_graphs_.insert(jump_graphs_.end(), {&nav, std::make_shared<JumpGraph>()});
    }
    std::rotate(jump_graphs_.begin(), of_nav, of_nav + 1);
    return jump_graphs_.front().graph;
}

PathSearch PathPlanner::search(const NavMap& nav, Cell start, std::span<const Cell> goals) const {
    if (minds_ground() && !options_.rough_is_rare)
        return PathSearch(std::make_unique<CheapestSearch>(nav, *maps_.rough, options_.rough_cost, start, goals,
                                                           options_.max_expansions));
    return PathSearch(std::make_unique<JumpPointSearch>(nav, start, goals, options_.max_expansions, jump_graph(nav)));
}

Path PathPlanner::shortest(const NavMap& nav, Cell start, Cell goal, std::uint32_t bound) const {
    if (start == goal) return {PathStatus::found, {start}, 0};
    if (!nav.traversable(goal)) return {PathStatus::goal_blocked};
    if (nav.through_unknown() || (minds_ground() && !options_.rough_is_rare))
        return cheapest(nav, start, goal, bound, 0);
    if (minds_ground()) {
        // A shortest path without a rough cell is a cheapest one, too.
        JumpPointSearch search(nav, start, std::span(&goal, 1), options_.max_expansions, jump_graph(nav));
        if (const PathStatus status = search.find(0, bound); status != PathStatus::found) return Path{status};
        Path path = search.path(0);
        const bool plain = std::none_of(path.cells.begin(), path.cells.end(),
                                        [&](Cell c) { return maps_.rough->marked(Mark::rough, c); });
        return plain ? path : cheapest(nav, start, goal, bound, 0);
    }
    switch (options_.planner) {
        case Planner::astar:
            return cheapest(nav, start, goal, bound, 0);
        case Planner::field:
            if (nav.passable(start)) {  // a start that is believed to be blocked cannot be a source
                field_->update(nav, std::span(&start, 1));
                Path path = field_->path(goal);
                if (!path && nav.reached(start) && nav.reached(goal)) return {PathStatus::gave_up};  // see most_cost
                if (path && path.cost > bound) return {PathStatus::too_far};
                std::reverse(path.cells.begin(), path.cells.end());
                return path;
            }
            break;
        case Planner::topological:
            topological_->update(nav);
            if (nav.passable(start)) {
                JumpPointSearch near(nav, start, std::span(&goal, 1), near_expansions, jump_graph(nav));
                if (const PathStatus status = near.find(0, bound); status != PathStatus::gave_up)
                    return status == PathStatus::found ? near.path(0) : Path{status};
                if (auto path = topological_->path(nav, start, goal))
                    return path->cost > bound ? Path{PathStatus::too_far} : *path;
            }
            break;
        case Planner::jps:
            break;
    }
    JumpPointSearch search(nav, start, std::span(&goal, 1), std::min(first_expansions, options_.max_expansions),
                           jump_graph(nav));
    PathStatus status = search.find(0, bound);
    if (status == PathStatus::gave_up && search.expansions() < options_.max_expansions) {
        if (search.scattered()) return cheapest(nav, start, goal, bound, 0);
        search.allow(options_.max_expansions);
        status = search.find(0, bound);
    }
    return status == PathStatus::found ? search.path(0) : Path{status};
}

double Path::length_cells() const {
    std::size_t diagonal = 0;
    for (std::size_t i = 1; i < cells.size(); ++i)
        diagonal += cells[i].x != cells[i - 1].x && cells[i].y != cells[i - 1].y;
    const std::size_t all = cells.empty() ? 0 : cells.size() - 1;
    return static_cast<double>(all - diagonal) + std::numbers::sqrt2 * static_cast<double>(diagonal);
}

}  // namespace outrider
