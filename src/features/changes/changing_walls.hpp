// A world that changes: parts of the map that become wall or free while the robots explore, at a step, again and again,
// or when somebody comes near.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid/grid.hpp"
#include "scenario/entries.hpp"

namespace outrider {

/// A change: its cells, in the world's frame, and when.
struct Change {
    std::vector<Cell> cells;
    ChangeTo to = ChangeTo::wall;
    std::vector<int> steps;  ///< at these, ascending
    int every = 0;           ///< and from the last of them on after so many; 0: not again
    double within_m = 0;     ///< instead: once, when a robot in service is so near to one of the cells; 0: at its steps

    /// Whether its time has come in that step.
    bool due(int step) const;
};

/// The changes of a run as they come true: a change waits while a robot stands in its cells.
class ChangingWalls {
  public:
    ChangingWalls(const Grid<std::uint8_t>& walls, std::vector<Change> changes);
    bool any() const { return !changes_.empty(); }

    /// Somebody who stands in the way, or comes near.
    struct Robot {
        Point position;
        double radius_m = 0;
        bool mobile = true;
    };
    /// Whether something changed in this step; robots: those in service. Steps in order.
    bool update(int step, std::span<const Robot> robots);
    const Grid<std::uint8_t>& walls() const { return walls_; }
    /// Changes that came true in the last step, and what became of their cells; for events.
    struct Done {
        std::size_t change = 0;
        bool wall = false;
    };
    const std::vector<Done>& done() const { return done_; }
    const std::vector<Change>& changes() const { return changes_; }

  private:
    bool stands_in(const Change& change, std::span<const Robot> robots) const;
    bool comes_near(const Change& change, std::span<const Robot> robots) const;

    Grid<std::uint8_t> walls_;
    std::vector<Change> changes_;
    std::vector<std::uint8_t> waits_, over_;  // by change: it is due; it does not come again
    std::vector<Done> done_;
};

/// The walls with every cell free that some change can free, or that is free at the start: what can be sensed at all.
Grid<std::uint8_t> walls_at_most_open(const Grid<std::uint8_t>& walls, std::span<const Change> changes);

}  // namespace outrider
