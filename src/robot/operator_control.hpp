// An operator's command takes precedence over the robot's strategy until the command "autonomous".
#pragma once

#include "outrider/strategy.hpp"

namespace outrider {

/// Behaviours that a robot knows: "autonomous" (its strategy), "way_points" (one after the other, then it waits),
/// "drive" (the velocities, for one step; then it waits), "drive_carefully" (the same, but only over cells that it
/// knows to be free), "stop". Any other command is ignored.
class OperatorControl {
  public:
    /// Takes in the commands of a step. Returns what to do instead of the strategy's action; none: what the strategy
    /// chose.
    std::optional<Action> steer(const Belief& belief, const std::vector<OperatorCommand>& commands);

  private:
    Action next_way_point(const Belief& belief);

    bool autonomous_ = true;
    std::vector<Point> way_points_;  // still to be reached
    Point last_;                     // where it stood in the step before
    int still_ = 0;                  // steps that it stood there instead of driving to the next one
};

}  // namespace outrider
