#include "robot/derived.hpp"

#include <algorithm>

#include "plan/frontier_finder.hpp"
#include "plan/jump_point_search.hpp"
#include "plan/path_planner.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/wall_distance.hpp"
#include "robot/knowledge.hpp"

namespace outrider {

Derived::Derived(const Knowledge& known, const FrontierOptions& frontier, const PlanOptions& plan)
    : known_(known),
      nav_(frontier.kind, known.briefing.lattice.cells(known.briefing.radius_m), plan.unknown_cost > 0),
      finder_(frontier),
      planner_(plan) {}

const NavMap& Derived::nav() {
    if (nav_step_ != known_.step) {
        nav_.update(known_.map, known_.cell());
        nav_step_ = known_.step;
        constexpr std::size_t many = 64;  // robots
        constexpr int beat = 8;           // steps between two calls
        if (known_.team.size() >= many && (known_.step + known_.briefing.self) % beat == 0) nav_.share();
    }
    return nav_;
}

const NavMap& Derived::nav_for(double radius_cells) {
    NavMap& nav = other_navs_.try_emplace(radius_cells, FrontierKind::unknown, radius_cells).first->second;
    nav.update(known_.map, this->nav().foothold(known_.cell()));
    return nav;
}

const WallDistance& Derived::wall_distance(int horizon_cells) {
    WallDistance& walls = wall_distances_.try_emplace(horizon_cells, horizon_cells).first->second;
    walls.update(known_.map);
    return walls;
}

const Skeleton& Derived::skeleton() {
    if (!skeleton_) skeleton_ = std::make_unique<Skeleton>();
    skeleton_->update(nav());
    return *skeleton_;
}

const std::vector<Frontier>& Derived::frontiers() {
    const NavMap& now = nav();
    const std::vector<Frontier>& frontiers = finder_.update(known_.map, now);
    const Briefing& briefing = known_.briefing;
    if (!frontiers.empty() || briefing.radius_m == 0 || briefing.sensors.empty()) return frontiers;
    if (views_.version == now.version() && views_.vain_looks == known_.vain_looks.size()) return views_.found;
    double range_m = 0;
    for (const SensorSpec& sensor : briefing.sensors) range_m = std::max(range_m, sensor.max_range_m);
    views_ = {find_views(known_.map, now, briefing.lattice.cells(range_m),
                         [&](Cell goal, Cell look) { return known_.looked_in_vain(goal, look); }),
              now.version(), known_.vain_looks.size()};
    return views_.found;
}

const Path& Derived::path_to(Cell goal) {
    const NavMap& now = nav();
    const Cell from = known_.cell();
    Path& path = last_.path;
    if (last_.version == now.version() && last_.from == from && last_.goal == goal) return path;
    last_.version = now.version();
    last_.from = from;
    last_.goal = goal;
    const Cell start = now.foothold(from);
    if (!now.traversable(goal) && goal != from)
        path = {PathStatus::goal_blocked};
    else if (!now.reached(goal) && !now.through_unknown())
        path = {PathStatus::unreachable};
    else
        path = planner_.shortest(now, start, goal);
    if (path && start != from) path.cells.insert(path.cells.begin(), from);
    return path;
}

Path Derived::clear_path(Cell from, Cell to) {
    const Cell start = nav().foothold(from);
    Path path = planner_.clearest(nav(), start, to);
    if (path && start != from) path.cells.insert(path.cells.begin(), from);
    return path;
}

PathSearch Derived::search(Cell from, std::span<const Cell> goals) {
    return planner_.search(nav(), nav().foothold(from), goals);
}

}  // namespace outrider
