// The tree of offsets along which walls spread (see wall_distance.hpp).
#pragma once

#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

class SpreadTree {
  public:
    /// For offsets of at most `horizon` in length.
    explicit SpreadTree(int horizon);
    /// The steps from an offset to those that come after it; empty at the horizon.
    std::span<const Cell> steps_from(Cell offset) const {
        const std::size_t i = index(offset);
        return std::span(steps_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
    }
    /// All steps that occur, backwards: where the one before a cell can lie.
    const std::vector<Cell>& back_steps() const { return back_steps_; }

  private:
    std::size_t index(Cell offset) const {
        return static_cast<std::size_t>((offset.y + horizon_) * (2 * horizon_ + 1) + offset.x + horizon_);
    }
    int horizon_;
    std::vector<std::uint32_t> begin_;  // by offset, into steps_
    std::vector<Cell> steps_, back_steps_;
};

}  // namespace outrider
