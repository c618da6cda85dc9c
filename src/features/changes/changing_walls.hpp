// A world that changes: parts of the map that become wall or free while the robots explore, at a step, again and again,
// or when somebody comes near.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "features/changes/falling_debris.hpp"
#include "features/changes/options.hpp"
#include "grid/grid.hpp"
#include "world/random_steps.hpp"

namespace outrider {

/// A change: its cells, in the world's frame, and when.
struct Change {
    std::vector<Cell> cells{};
    ChangeTo to = ChangeTo::wall;
    std::vector<int> steps{};  ///< at these, ascending
    int every = 0;             ///< and from the last of them on after so many; 0: not again
    double within_m = 0;  ///< instead: once, when a robot in service is so near to one of the cells; 0: at its steps
    std::optional<RandomSteps> random{};    ///< instead: by chance
    std::optional<FallingDebris> debris{};  ///< instead: heaps, whose cells are drawn when they fall

    /// Whether its time has come in that step. Steps in order.
    bool due(int step);
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
        bool mobile = true;  ///< a robot in service, which opens and shuts what it comes near
    };
    /// Whether something changed in this step; robots: also those out of service. Steps in
    /// order.
    bool update(int step, std::span<const Robot> robots);
    const Grid<std::uint8_t>& walls() const { return walls_; }
    /// Changes that came true in the last step, and what became of their cells; for events.
    struct Done {
        std::vector<Cell> cells;
        bool wall = false;
    };
    const std::vector<Done>& done() const { return done_; }
    /// The walls of now with every cell free that some change can free.
    Grid<std::uint8_t> at_most_open() const;

  private:
    /// A change, and what became of it.
    struct Course {
        Change change;
        bool waits = false, over = false;        // it is due; it does not come again
        std::vector<std::vector<Cell>> heaps{};  // of debris: those that wait
    };
    bool stands_in(std::span<const Cell> cells, std::span<const Robot> robots) const;
    bool comes_near(const Change& change, std::span<const Robot> robots) const;
    /// False: somebody is in the way.
    bool take_place(const std::vector<Cell>& cells, ChangeTo to, std::span<const Robot> robots);

    Grid<std::uint8_t> walls_;
    std::vector<Course> changes_;
    std::vector<Done> done_;
};

}  // namespace outrider
