#include "outrider/belief.hpp"

#include <algorithm>

#include "messages/cargo.hpp"

namespace outrider {
namespace {

const Percept no_percept{};

}  // namespace

TeamTable strangers(const Briefing& briefing) {
    TeamTable team;
    for (const TeamMember& member : briefing.team()) {
        TeamRecord record;
        record.robot = member.id;
        record.role = member.role;
        record.frame = briefing.frame;
        team.push_back(std::move(record));
    }
    return team;
}

Belief::Belief(Briefing briefing, const FrontierOptions& frontier, const PlanOptions& plan, const TeamTable* team)
    : briefing_(std::move(briefing)),
      percept_(&no_percept),
      pose_(briefing_.start),
      map_(briefing_.lattice, briefing_.frame, briefing_.cells_change),
      team_(team ? *team : strangers(briefing_)),
      contact_(briefing_.team().size(), -1),
      any_angle_(plan.any_angle),
      planner_(plan),
      nav_(frontier.kind, briefing_.lattice.cells(briefing_.radius_m), plan.unknown_cost > 0),
      finder_(frontier) {}

double Belief::speed_cells() const { return briefing_.lattice.cells(briefing_.me().speed_mps * briefing_.step_s); }

bool Belief::base_in_contact() const {
    return std::any_of(briefing_.team().begin(), briefing_.team().end(),
                       [&](const TeamMember& m) { return m.role == Role::base && in_contact(m.id); });
}

bool Belief::delivered() const {
    return std::any_of(briefing_.team().begin(), briefing_.team().end(),
                       [&](const TeamMember& m) { return m.role == Role::base && delivered_to(m.id); });
}

bool Belief::delivered_to(RobotId other) const {
    if (!heard_ || !said_) return false;
    const MapSnapshot* theirs = heard_->find(other);
    if (!theirs || theirs->frame != said_->frame) return false;
    const std::vector<TileCoord> differ = tiles_lacking(*said_, theirs);
    return std::none_of(differ.begin(), differ.end(), [&](TileCoord t) {
        static constexpr CellTile nothing{};
        const auto* mine = said_->cells->find(t);
        const auto* there = theirs->cells->find(t);
        CellTile merged;
        return mine && merge_cells(there ? there->data : nothing, mine->data, merged).rows != 0;
    });
}

Point Belief::home() const {
    if (briefing_.bases.empty()) return briefing_.start.position();
    const auto nearer = [&](const auto& a, const auto& b) {
        return distance(a.second.position(), pose_.position()) < distance(b.second.position(), pose_.position());
    };
    return std::min_element(briefing_.bases.begin(), briefing_.bases.end(), nearer)->second.position();
}

bool Belief::looked_in_vain(Cell goal, Cell look) const {
    return std::binary_search(vain_looks_.begin(), vain_looks_.end(), std::pair(goal, look));
}

const NavMap& Belief::nav() const {
    if (nav_step_ != step()) {
        nav_.update(map_, cell());
        nav_step_ = step();
        constexpr std::size_t many = 64;  // robots
        constexpr int beat = 8;           // steps between two times
        if (team_.size() >= many && (step() + self()) % beat == 0) nav_.share();
    }
    return nav_;
}

const WallDistance& Belief::wall_distance() const {
    if (!wall_distance_) wall_distance_ = std::make_unique<WallDistance>();
    wall_distance_->update(map_);
    return *wall_distance_;
}

const Skeleton& Belief::skeleton() const {
    if (!skeleton_) skeleton_ = std::make_unique<Skeleton>();
    skeleton_->update(nav());
    return *skeleton_;
}

const std::vector<Frontier>& Belief::frontiers() const {
    const NavMap& now = nav();
    const std::vector<Frontier>& frontiers = finder_.update(map_, now);
    if (!frontiers.empty() || briefing_.radius_m == 0 || briefing_.sensors.empty()) return frontiers;
    if (views_version_ == now.version() && views_vain_ == vain_looks_.size()) return views_;
    views_version_ = now.version();
    views_vain_ = vain_looks_.size();
    double range_m = 0;
    for (const SensorSpec& sensor : briefing_.sensors) range_m = std::max(range_m, sensor.max_range_m);
    views_ = find_views(map_, now, map_.lattice().cells(range_m),
                        [&](Cell goal, Cell look) { return looked_in_vain(goal, look); });
    return views_;
}

const Path& Belief::path_to(Cell goal) const {
    const NavMap& now = nav();
    if (path_version_ == now.version() && path_from_ == cell() && path_goal_ == goal) return path_;
    path_version_ = now.version();
    path_from_ = cell();
    path_goal_ = goal;
    const Cell start = now.foothold(cell());
    if (!now.traversable(goal) && goal != cell())
        path_ = {PathStatus::goal_blocked};
    else if (!now.reached(goal) && !now.through_unknown())
        path_ = {PathStatus::unreachable};
    else
        path_ = planner_.shortest(now, start, goal);
    if (path_ && start != cell()) path_.cells.insert(path_.cells.begin(), cell());
    return path_;
}

Path Belief::clear_path(Cell from, Cell to) const {
    const Cell start = nav().foothold(from);
    Path path = planner_.clearest(nav(), start, to);
    if (path && start != from) path.cells.insert(path.cells.begin(), from);
    return path;
}

PathSearch Belief::search(Cell from, std::span<const Cell> goals) const {
    return planner_.search(nav(), nav().foothold(from), goals);
}

}  // namespace outrider
