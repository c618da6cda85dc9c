// One robot's knowledge, read-only: all that a strategy may use. Everything is as of the percept of this step;
// frontiers, distances and paths are computed when first asked for.
//
//     for (const Frontier& f : belief.frontiers()) ...
//     const Path& path = belief.path_to(frontier.goal);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/frontier.hpp"
#include "outrider/map.hpp"
#include "outrider/path.hpp"
#include "outrider/percept.hpp"

namespace outrider {

struct Knowledge;
class SkeletonView;  // outrider/skeleton.hpp
class WallView;      // outrider/distance.hpp

class Belief {
  public:
    /// A view of `knowledge`, which has to outlive it.
    explicit Belief(const Knowledge& knowledge) : knowledge_(&knowledge) {}

    const Briefing& briefing() const;
    RobotId self() const;
    int step() const;
    /// What arrived in this step; empty once the step is over.
    const Percept& percept() const;
    const std::vector<Received>& inbox() const;
    /// An operator's orders that reached this robot in this step, way-points in its map.
    const std::vector<OperatorCommand>& orders() const;

    const Pose& pose() const;
    Cell cell() const;
    double speed_cells() const;  ///< that this robot can drive in a step

    MapView map() const;
    /// The newest record received of each robot, by number; its own: the last one sent. seq 0: none received yet.
    const TeamTable& team() const;
    const TeamRecord& latest(RobotId robot) const;
    /// Whether a message of that robot arrived in this step, directly or in its component.
    bool in_contact(RobotId robot) const;
    /// Whether news of that robot came over the second channel in this step. latest() has them; in_contact() does not.
    bool received_far(RobotId robot) const;
    /// Whether some base station is in contact.
    bool base_in_contact() const;
    /// Whether a base station reported that it knows all that this robot knew when it last sent a message.
    bool delivered() const;
    /// The rows of a block (map.hpp): the cells that this robot's own scans showed before any received map did; kept in
    /// teams in which somebody reads the marks of deliveries. When the map is redrawn, all of it counts.
    std::span<const std::uint64_t> discovered_rows(Cell low) const;
    /// Whether that robot reported that it knows all that this robot knew when it last sent a message.
    bool delivered_to(RobotId robot) const;
    /// The step in which this robot's own scans last showed something new (where poses err: ten unknown cells or more);
    /// -1: never.
    int last_discovery() const;
    /// The nearest base (straight line) or, when none is known, the own start.
    Point home() const;

    /// Whether this robot stood there, looked there, and that cell stayed unknown.
    bool looked_in_vain(Cell goal, Cell look) const;
    /// What the map means for moving, up to date.
    NavView nav() const;
    /// The same for a body of this radius instead of the own one, from the own foothold; kept up to date for each
    /// radius that was asked for. At most max_body_radius_cells.
    NavView nav_for(double radius_cells) const;
    /// Distances to the nearest known wall, up to date; kept up to date for each horizon that was asked for.
    WallView wall_distance(int horizon_cells = 50) const;
    /// The skeleton of what can be passed, up to date.
    SkeletonView skeleton() const;
    /// Clusters of reached frontier cells by first cell; leftovers included and marked. When none is left and the body
    /// does not fit everywhere: places from which unknown cells can be seen.
    const std::vector<Frontier>& frontiers() const;
    /// The unknown area, in cells, that would be seen from the middle of a cell by a sensor of the own range that looks
    /// all around: rays pass what is free or unknown and end at walls, known or of the prior map.
    double unknown_in_sight(Cell from, int rays = 64) const;
    /// Shortest path over known cells from the own cell; the last one asked for is kept.
    const Path& path_to(Cell goal) const;
    /// Cheapest path when closeness to walls costs extra (plan.wall_cost); for short distances.
    Path clear_path(Cell from, Cell to) const;
    /// Whether corners of paths are to be cut (plan.any_angle).
    bool any_angle() const;
    /// The shortest paths from a cell to several goals; valid until the end of the step.
    PathSearch search(Cell from, std::span<const Cell> goals) const;

    /// Why the last intent could not be followed: no path to its goal. Cleared by the next intent that can.
    bool goal_unreachable() const;

    /// Whether anybody looks at overlays in this run. An intent must not depend on it.
    bool overlays_wanted() const;

  private:
    friend struct BeliefOf;  // for the library's own behaviours
    const Knowledge* knowledge_;
};

}  // namespace outrider
