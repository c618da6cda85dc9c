// When the other robot of a meeting will be there, by what the second channel brings of it.
#pragma once

#include <optional>

#include "outrider/belief.hpp"

namespace outrider {

/// Follows one partner. Without a second channel it never expects anybody, so that meetings stay as they were agreed.
class ExpectedPartner {
  public:
    /// The step in which this robot should reach `point` by the shortest known way from where it was when it was last
    /// heard; none: nothing was heard of it in the last fresh_steps. via: where it goes before that. speed: of the
    /// partner, in cells a step. Ways are measured every measure_steps.
    std::optional<int> arrival(const Belief& belief, RobotId robot, std::optional<Cell> via, Cell point, double speed);

  private:
    static constexpr int fresh_steps = 20, measure_steps = 10;
    RobotId robot_ = -1;
    Cell point_;
    int received_ = -1, measured_ = -1, arrival_ = 0;
};

}  // namespace outrider
