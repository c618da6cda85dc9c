// One robot's knowledge, read-only: all that a strategy may use. What it gives belongs to the robot; whoever looks into
// it includes its header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

struct BitTile;
struct Briefing;
struct Frontier;
struct Knowledge;
struct Path;
struct Percept;
struct Received;
struct TeamRecord;
class KnownMap;
class NavMap;
class PathSearch;
class Skeleton;
class TeamTable;
class WallDistance;
template <class T>
class TileTable;
using RobotId = std::int32_t;

/// What a robot knows of the others before it heard of any.
TeamTable initial_team_table(const Briefing& briefing);

class Belief {
  public:
    /// A view of `knowledge`, which outlives it.
    explicit Belief(const Knowledge& knowledge) : knowledge_(&knowledge) {}

    const Briefing& briefing() const;
    RobotId self() const;
    int step() const;
    /// What arrived in this step; empty once the step is over.
    const Percept& percept() const;
    const std::vector<Received>& inbox() const;

    const Pose& pose() const;
    Cell cell() const;
    double speed_cells() const;  ///< that this robot can drive in a step

    const KnownMap& map() const;
    /// The newest heard of each robot by number, its own what it said last; seq 0: never heard.
    const TeamTable& team() const;
    const TeamRecord& latest(RobotId robot) const;
    /// Whether a message of that robot arrived in this step, directly or in its component.
    bool in_contact(RobotId robot) const;
    /// Whether some base station is in contact.
    bool base_in_contact() const;
    /// Whether a base station said that it knows all that this robot knew when it last spoke.
    bool delivered() const;
    /// Cells that this robot's own scans told before anybody else's map did; kept in teams in which somebody reads the
    /// marks of deliveries. When the map is drawn anew, all of it counts.
    const TileTable<BitTile>& discovered() const;
    /// Whether that robot said that it knows all that this robot knew when it last spoke.
    bool delivered_to(RobotId robot) const;
    /// The step in which this robot's own scan last told it something new; -1: never.
    int last_discovery() const;
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
    bool any_angle() const;
    /// The shortest paths from a cell to several goals; valid until the end of the step.
    PathSearch search(Cell from, std::span<const Cell> goals) const;

    /// Why the last intent could not be followed: no path to its goal. Cleared by the next intent that can.
    bool goal_unreachable() const;

    /// For people: whether anybody looks at overlays in this run. May not influence an intent.
    bool overlays_wanted() const;

  private:
    const Knowledge* knowledge_;
};

}  // namespace outrider
