// One robot's knowledge, read-only: all that a strategy may use.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "outrider/error.hpp"
#include "outrider/frontier.hpp"
#include "outrider/path.hpp"
#include "outrider/percept.hpp"
#include "outrider/skeleton.hpp"
#include "outrider/wall_distance.hpp"

namespace outrider {

/// What a robot knows of the others before it heard of any.
TeamTable strangers(const Briefing& briefing);

class Belief {
  public:
    /// `team`: its strangers(), when somebody has them at hand.
    Belief(Briefing briefing, const FrontierOptions& frontier, const PlanOptions& plan,
           const TeamTable* team = nullptr);

    const Briefing& briefing() const { return briefing_; }
    RobotId self() const { return briefing_.self; }
    int step() const { return step_; }
    /// What arrived in this step; empty once the step is over.
    const Percept& percept() const { return *percept_; }
    const std::vector<Received>& inbox() const { return percept_->inbox; }

    const Pose& pose() const { return pose_; }
    Cell cell() const { return briefing_.lattice.cell_of(pose_.position()); }
    double speed_cells() const;  ///< that this robot can drive in a step

    const KnownMap& map() const { return map_; }
    /// The newest heard of each robot by number, its own what it said last; seq 0: never heard.
    const TeamTable& team() const { return team_; }
    const TeamRecord& latest(RobotId robot) const { return *team_[index(robot)]; }
    /// Whether a message of that robot arrived in this step, directly or in its component.
    bool in_contact(RobotId robot) const { return contact_[index(robot)] == step(); }
    /// Whether some base station is in contact.
    bool base_in_contact() const;
    /// Whether a base station said that it knows all that this robot knew when it last spoke.
    bool delivered() const;
    /// Cells that this robot's own scans told before anybody else's map did; kept in teams in which somebody reads the
    /// marks of deliveries. When the map is drawn anew, all of it counts.
    const TileTable<BitTile>& discovered() const { return discovered_; }
    /// Whether that robot said that it knows all that this robot knew when it last spoke.
    bool delivered_to(RobotId robot) const;
    /// The step in which this robot's own scan last told it something new; -1: never.
    int last_discovery() const { return last_discovery_; }
    /// The nearest base (straight line) or, when none is known, the own start.
    Point home() const;

    /// Whether this robot stood there, looked there, and that cell stayed unknown.
    bool looked_in_vain(Cell goal, Cell look) const;
    /// What the map means for moving, up to date.
    const NavMap& nav() const;
    /// The exact distance to the nearest known wall, up to 50 cells, up to date.
    const WallDistance& wall_distance() const;
    /// The skeleton of what can be passed, up to date.
    const Skeleton& skeleton() const;
    /// Clusters of reached frontier cells by first cell; leftovers included and marked. When none is left and the body
    /// does not fit everywhere: places from which unknown cells can be seen.
    const std::vector<Frontier>& frontiers() const;
    /// Shortest path over known cells from the own cell; the last one asked for is kept.
    const Path& path_to(Cell goal) const;
    /// Cheapest path when closeness to walls costs extra (plan.wall_cost); for short ways.
    Path clear_path(Cell from, Cell to) const;
    /// Whether corners of paths are to be cut (plan.any_angle).
    bool any_angle() const { return any_angle_; }
    /// The shortest paths from a cell to several goals; valid until the end of the step.
    PathSearch search(Cell from, std::span<const Cell> goals) const;

    /// Why the last intent could not be followed: no path to its goal. Cleared by the next intent that can.
    bool goal_unreachable() const { return goal_unreachable_; }

    /// For people: whether anybody looks at overlays in this run. May not influence an intent.
    bool overlays_wanted() const { return overlays_wanted_; }

  private:
    friend class Robot;

    /// Words of others may name any number: whoever takes one from them looks first.
    std::size_t index(RobotId robot) const {
        OUTRIDER_CHECK(robot, >=, 0);
        OUTRIDER_CHECK(static_cast<std::size_t>(robot), <, contact_.size());
        return static_cast<std::size_t>(robot);
    }

    Briefing briefing_;
    const Percept* percept_;
    int step_ = 0;
    Pose pose_;
    KnownMap map_;
    TeamTable team_;
    std::vector<int> contact_;  // step of the last message from each robot
    std::shared_ptr<const HeardMaps> heard_;
    std::shared_ptr<const MapSnapshot> said_;        // the map of the last message
    std::vector<std::pair<Cell, Cell>> vain_looks_;  // stood in the first, looked at the second; sorted
    TileTable<BitTile> discovered_;
    int last_discovery_ = -1;
    bool goal_unreachable_ = false;
    bool overlays_wanted_ = false;
    bool any_angle_ = false;

    // Worked out when first asked for. A belief belongs to one robot, and a robot's step runs on one thread.
    mutable PathPlanner planner_;
    mutable NavMap nav_;
    mutable int nav_step_ = -1;
    mutable std::unique_ptr<WallDistance> wall_distance_;
    mutable std::unique_ptr<Skeleton> skeleton_;
    mutable FrontierFinder finder_;
    mutable std::vector<Frontier> views_;
    mutable std::uint64_t views_version_ = ~std::uint64_t{0};
    mutable std::size_t views_vain_ = 0;
    mutable Path path_;
    mutable Cell path_from_, path_goal_;
    mutable std::uint64_t path_version_ = ~std::uint64_t{0};
};

}  // namespace outrider
