// Shared by strategies that maintain a radio network: who is there, where, and who should be linked with whom.
#pragma once

#include <optional>
#include <vector>

#include "outrider/behaviours.hpp"
#include "outrider/radio.hpp"

namespace outrider {

/// The base station that belongs to home(); none: there is none.
std::optional<RobotId> home_base(const Belief& belief);

/// A base station and where it is: that of home_base(), or, where robots do not know where the others started, the
/// first one that is joined with this robot.
struct BasePlace {
    std::optional<RobotId> base;
    bool not_joined = false;  ///< there is one, but nobody can say where it is yet: no reason to be done
};
BasePlace base_in_frame(const Belief& belief);

/// The last known place of a robot: of a base station its place, of another robot the place that it reported; this
/// robot's own start as long as no message arrived.
Cell last_cell(const Belief& belief, RobotId robot);

/// Says for the layer "hierarchy" that this robot reports to another one.
Overlay reports_to(const Belief& belief, RobotId robot);

/// Whether a robot is linked now: a direct neighbour, or a message of it arrived.
bool linked_with(const Belief& belief, RobotId robot);

/// This robot and the mobile ones whose last message is at most so old, by depth in the hierarchy of parents (none:
/// all alike), then by number.
std::vector<RobotId> present_team(const Belief& belief, int lost_steps);

/// Whether two robots at these places should be linked, by this robot's map, when they have to be `slack_cells` nearer
/// than the reach.
bool should_hear(const Belief& belief, RobotId a, Cell at_a, RobotId b, Cell at_b, double slack_cells = 0);

/// How many robots have to stand along a path so that its ends are linked, the one at the far end included, when each
/// stands as far along as it is linked with the one before; the first of them is linked with `base` at the first cell.
/// -1: at some point there is no place on the path for the next one.
int robots_along(const Belief& belief, RobotId base, const std::vector<Cell>& path);

/// For a robot that finds nothing to explore in reach of the base: unknown cells count as walls, and a robot that set
/// out with its back to the base has never seen what is around the base.
class LookHome {
  public:
    /// Whether to look at the base first: it was never seen, and this robot has not tried for long.
    bool due(const Belief& belief);
    static Stay towards(const Belief& belief) { return {belief.home()}; }

  private:
    int tries_ = 0;
};

}  // namespace outrider
