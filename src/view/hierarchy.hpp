// Who reports to whom in a team: as the scenario names it, or as the robots assign and swap their roles during the run.
#pragma once

#include <span>

#include "robot/robot.hpp"
#include "role_based/hierarchy.hpp"
#include "scenario/scenario.hpp"

namespace outrider::view {

class TeamHierarchy {
  public:
    explicit TeamHierarchy(const Scenario& scenario);
    /// After a step, by robot: the one that it reports to; -1: nobody. Robots that report a place in a tree of roles
    /// report to the holder of the place above; those of a chain to the one before them, the first to its base; all
    /// others to the robot named by the scenario.
    std::vector<RobotId> parents(std::span<const Robot> team) const;

  private:
    struct Member {
        int relays = 1;                 ///< of its strategy, for each explorer
        std::optional<int> lost_steps;  ///< of a strategy that holds a chain
    };
    std::vector<Member> members_;
};

/// By place of a tree of roles, the robot that holds it: among those who claim it the one with the highest epoch. A
/// place without claim is held by the robot of the same number. `claims`: by robot.
std::vector<RobotId> place_holders(std::span<const std::vector<RoleClaims::Claim>> claims);

}  // namespace outrider::view
