// What an operator tells a robot goes before what its strategy chooses, until the robot is told otherwise.
#pragma once

#include "outrider/strategy.hpp"

namespace outrider {

/// Behaviours that a robot knows: "autonomous" (its strategy), "way_points" (one after the other, then it waits),
/// "drive" (the velocities, for one step; then it waits), "drive_carefully" (the same, but only over cells that it
/// knows to be free), "stop". Anything else is not understood and changes nothing.
class OperatorControl {
  public:
    /// Takes in the commands of a step. What to do instead of the strategy's action; none: as the strategy says.
    std::optional<Action> steer(const Belief& belief, const std::vector<OperatorCommand>& commands);

  private:
    Action next_way_point(const Belief& belief);

    bool autonomous_ = true;
    std::vector<Point> way_points_;  // those ahead
    Point last_;                     // where it stood in the step before
    int still_ = 0;                  // steps that it stood there, on the way to the next one
};

}  // namespace outrider
