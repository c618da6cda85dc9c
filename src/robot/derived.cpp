#include "robot/derived.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "messages/battery_options.hpp"
#include "messages/team_size.hpp"
#include "messages/victim_options.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/frontiers/regions.hpp"
#include "plan/jump_point_search.hpp"
#include "plan/path_planner.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/wall_distance.hpp"
#include "robot/knowledge.hpp"

namespace outrider {

double farthest_sight_m(const Briefing& briefing) {
    double range_m = 0;
    for (const SensorSpec& sensor : briefing.sensors) range_m = std::max(range_m, sensor.max_range_m);
    return range_m;
}

namespace {

PathPlanner::Maps maps_of(const Knowledge& known, double rough_cost) {
    return {known.briefing.prior_map.get(), rough_cost > 1 ? &known.map : nullptr};
}

}  // namespace

Derived::Derived(const Knowledge& known, const FrontierOptions& frontier, const PlanOptions& plan)
    : known_(&known),
      nav_(frontier.kind, known.briefing.lattice.cells(known.briefing.radius_m), plan.unknown_cost > 0),
      finder_(frontier),
      frontier_(frontier),
      sight_(std::max(1.0, known.briefing.lattice.cells(farthest_sight_m(known.briefing)))),
      planner_(plan, maps_of(known, plan.rough_cost)),
      rough_cost_(plan.rough_cost) {
    if (known.team.size() >= sharing_team) nav_.work_together();
}

void Derived::follow(const Knowledge& known, const Derived& original) {
    known_ = &known;
    planner_.plan_on(maps_of(known, rough_cost_), [&](const NavMap* nav) -> const NavMap* {
        for (const auto& [radius, other] : original.other_navs_)
            if (&other == nav) return &other_navs_.at(radius);
        return &nav_;
    });
}

void Derived::explore(std::shared_ptr<const SearchRegion> region) {
    region_ = std::move(region);
    if (region_) found_parts_.emplace(*region_);
}

const NavMap& Derived::nav() {
    if (nav_step_ != known_->step) {
        if (found_parts_ && found_parts_->all(known_->map)) {
            found_parts_.reset();
            nav_.look_for(&region_->cells);
        }
        nav_.update(known_->map, known_->cell());
        nav_step_ = known_->step;
        constexpr int beat = 8;  // steps between two times
        const std::size_t robots = known_->team.size();
        const bool now = (known_->step + known_->briefing.self) % beat == 0;
        if (robots >= large_team || (robots >= sharing_team && now)) nav_.share();
        if (robots >= large_team && now) {
            nav_.drop_unused();
            planner_.forget();
        }
    }
    return nav_;
}

const NavMap& Derived::nav_for(double radius_cells) {
    NavMap& nav = other_navs_.try_emplace(radius_cells, FrontierKind::unknown, radius_cells).first->second;
    nav.look_for(this->nav().wanted());
    nav.update(known_->map, this->nav().foothold(known_->cell()));
    return nav;
}

const WallDistance& Derived::wall_distance(int horizon_cells) {
    WallDistance& walls = wall_distances_.try_emplace(horizon_cells, horizon_cells).first->second;
    walls.update(known_->map);
    return walls;
}

const Skeleton& Derived::skeleton() {
    if (!skeleton_) skeleton_ = std::make_unique<Skeleton>();
    skeleton_->update(nav());
    return *skeleton_;
}

const std::vector<Frontier>& Derived::frontiers() {
    const std::vector<Frontier>& all = all_frontiers();
    if (!std::isfinite(known_->spare_cells)) return all;
    if (in_reach_.step == known_->step) return in_reach_.found;
    in_reach_ = {{}, true, known_->step};
    if (!known_->turned_back && all_seem_in_reach(all)) return in_reach_.found = all;
    // The way there, and the path home with caution. Mostly bounds of it decide; one search does for all others.
    const Cell here = known_->cell();
    const double from_here = path_home_cells(here);
    std::vector<Cell> open;
    std::vector<double> most(all.size());  // the longest path there; below 0: none is short enough
    std::vector<int> asked(all.size(), -1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double back = path_home_cells(all[i].goal);
        most[i] = known_->spare_cells - path_home_factor * back;
        if (octile_cost(here, all[i].goal) / static_cast<double>(straight_cost) > most[i]) {
            most[i] = -1;
        } else if (from_here + back > most[i]) {
            asked[i] = static_cast<int>(open.size());
            open.push_back(all[i].goal);
        }
    }
    PathSearch search = this->search(here, open);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (asked[i] >= 0) {
            const auto bound = static_cast<std::uint32_t>(std::min<double>(most[i] * straight_cost, most_cost));
            if (search.find(static_cast<std::size_t>(asked[i]), bound) != PathStatus::found) most[i] = -1;
        }
        if (most[i] >= 0)
            in_reach_.found.push_back(all[i]);
        else
            in_reach_.all = false;
    }
    return in_reach_.found;
}

/// Whether ways twice as long as the straight lines are short enough. They seldom are longer: then the robot turns back
/// in time, and from then on this is not asked.
bool Derived::all_seem_in_reach(const std::vector<Frontier>& all) const {
    const Lattice& lattice = known_->briefing.lattice;
    const Point here = known_->pose.position();
    return std::all_of(all.begin(), all.end(), [&](const Frontier& f) {
        const Point goal = lattice.centre(f.goal);
        double back = std::numeric_limits<double>::infinity();
        for (const auto& [id, pose] : known_->briefing.bases) back = std::min(back, distance(goal, pose.position()));
        return 2 * lattice.cells(distance(here, goal) + path_home_factor * back) <= known_->spare_cells;
    });
}

bool Derived::frontiers_out_of_reach() {
    frontiers();
    return std::isfinite(known_->spare_cells) && !in_reach_.all;
}

double Derived::path_home_cells(Cell c) {
    const NavMap& now = nav();
    if (to_bases_step_ != known_->step) {
        std::vector<Cell> sources;
        for (const auto& [id, pose] : known_->briefing.bases) {
            const Cell base = known_->briefing.lattice.cell_of(pose.position());
            sources.push_back(now.traversable(base) ? base : now.foothold(base));
        }
        to_bases_.update(now, sources);
        to_bases_step_ = known_->step;
    }
    const std::uint32_t cost = to_bases_.cost(now.foothold(c));
    if (cost != no_bound) return cost / static_cast<double>(straight_cost);
    constexpr double detour = 1.5;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [id, pose] : known_->briefing.bases)
        least = std::min(least, distance(known_->briefing.lattice.centre(c), pose.position()));
    return detour * known_->briefing.lattice.cells(least);
}

const std::vector<Frontier>& Derived::all_frontiers() {
    if (frontier_.kind == FrontierKind::regions) {
        if (regions_.step != known_->step) regions_ = {find_regions(known_->map, nav(), frontier_), known_->step};
        return regions_.found;
    }
    if (frontier_.kind == FrontierKind::uncleared) return uncleared();
    const std::vector<Frontier>& found = found_parts_ ? towards_region() : beside_unknown();
    return found.empty() && frontier_.kind == FrontierKind::then_uncleared ? uncleared() : found;
}

/// As long as a part of the region was not found: frontiers from which an unknown cell of it is in view or, without
/// any, all: the way there is one of them.
const std::vector<Frontier>& Derived::towards_region() {
    const std::vector<Frontier>& all = beside_unknown();
    if (in_region_.step != known_->step) {
        in_region_ = {{}, known_->step};
        std::copy_if(all.begin(), all.end(), std::back_inserter(in_region_.found),
                     [&](const Frontier& f) { return holds(region_->cells, f.look); });
    }
    return in_region_.found.empty() ? all : in_region_.found;
}

const std::vector<Frontier>& Derived::uncleared() {
    if (uncleared_.step == known_->step) return uncleared_.found;
    const int side = std::max(1, static_cast<int>(known_->briefing.lattice.cells(ClearingCamera::range_m)));
    uncleared_ = {find_uncleared(known_->map, nav(), side, frontier_.min_cells), known_->step};
    return uncleared_.found;
}

const std::vector<Frontier>& Derived::beside_unknown() {
    const NavMap& now = nav();
    const std::vector<Frontier>& frontiers = finder_.update(known_->map, now);
    const Briefing& briefing = known_->briefing;
    if (!frontiers.empty() || briefing.radius_m == 0 || briefing.sensors.empty()) return frontiers;
    if (views_.version == now.version() && views_.vain_looks == known_->vain_looks.size()) return views_.found;
    if (!view_finder_) view_finder_.emplace(briefing.lattice.cells(farthest_sight_m(briefing)));
    const auto in_vain = [&](Cell goal, Cell look) { return known_->looked_in_vain(goal, look); };
    views_ = {view_finder_->update(known_->map, now, in_vain), now.version(), known_->vain_looks.size()};
    return views_.found;
}

double Derived::unknown_in_sight(Cell from, int rays) {
    if (known_->trusted_plan)
        return outrider::unknown_in_sight({known_->map, known_->trusted_plan}, from, sight_.range_cells(), rays);
    return sight_(known_->map, from, rays);
}

const Path& Derived::path_to(Cell goal) {
    const NavMap& now = nav();
    const Cell from = known_->cell();
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
