// The true walls at the step shown, where they change: from the events "changed" of the run.
#pragma once

#include <vector>

#include "grid/grid.hpp"
#include "view/source.hpp"

namespace outrider::view {

class TrueWalls {
  public:
    struct Change {
        Cell cell;
        bool wall = false;
    };

    explicit TrueWalls(const Grid<std::uint8_t>& walls) : start_(walls), now_(walls) {}
    /// The cells that are otherwise at that step than when this was last called, or at the start. `events`: of the run
    /// so far, in the order of their steps.
    std::vector<Change> follow(const std::vector<RunEvent>& events, int step);

  private:
    Grid<std::uint8_t> start_, now_;
    std::size_t applied_ = 0;  // events
    int step_ = -1;
};

}  // namespace outrider::view
