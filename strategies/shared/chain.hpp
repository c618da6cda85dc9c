// What strategies that hold a radio network together share: who is there, where, and who should hear whom.
#pragma once

#include <optional>
#include <vector>

#include "outrider/behaviours.hpp"
#include "outrider/believed_radio.hpp"

namespace outrider {

/// The base station that belongs to home(); none: there is none.
std::optional<RobotId> home_base(const Belief& belief);

/// Where a robot was last: a base station at its place, another one where it said to be; its start is that of this
/// robot as long as nothing was heard.
Cell last_cell(const Belief& belief, RobotId robot);

/// Whether a robot is linked now: a direct neighbour, or a message of it arrived.
bool linked_with(const Belief& belief, RobotId robot);

/// This robot and the mobile ones whose last message is at most so old, by depth in the hierarchy of parents (none:
/// all alike), then by number.
std::vector<RobotId> present_team(const Belief& belief, int lost_steps);

/// Whether two robots at these places should hear each other, by this robot's map; `slack_cells` nearer than they
/// could be.
bool should_hear(const Belief& belief, RobotId a, Cell at_a, RobotId b, Cell at_b, double slack_cells = 0);

/// How many robots have to stand along a path so that its ends are linked, the one at the far end included, when each
/// stands as far along as it hears the one before; the first of them hears `base` at the first cell. -1: nowhere along
/// the path can the next one stand.
int robots_along(const Belief& belief, RobotId base, const std::vector<Cell>& path);

/// For who finds nothing in reach of the base: unknown cells count as walls, and a robot that set out with its back to
/// the base has never seen what is around it.
class LookHome {
  public:
    /// Whether to look at the base first: it was never seen, and this robot has not tried for long.
    bool due(const Belief& belief);
    static Stay towards(const Belief& belief) { return {belief.home()}; }

  private:
    int tries_ = 0;
};

}  // namespace outrider
