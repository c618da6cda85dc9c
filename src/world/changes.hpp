// A world that changes: parts of the map that become wall or free while the robots explore, at a step, again and again,
// or when somebody comes near.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "grid/grid.hpp"
#include "outrider/options.hpp"
#include "world/falling_debris.hpp"
#include "world/random_steps.hpp"

namespace outrider {

enum class ChangeTo : std::uint8_t { wall, free, toggle };
inline constexpr std::array<std::string_view, 3> change_to_names{"wall", "free", "toggle"};

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

/// Doors and rubble by chance.
struct ChangesOptions {
    double doors_per_hour = 0;
    double door_m = 1.5;
    double debris_per_hour = 0;
    void fields(Fields& f) {
        f("doors_per_hour", doors_per_hour, 0, 1e5,
          "how often each door of the map closes, or opens again, in an hour of simulated time: exponential times");
        f("door_m", door_m, 0.1, 20, "a narrow place between two wider ones is a door when it is no wider than this");
        f("debris_per_hour", debris_per_hour, 0, 1e6,
          "how often a heap of 0.2 to 0.6 m falls beside a wall, somewhere on the map");
    }
    bool any() const { return doors_per_hour > 0 || debris_per_hour > 0; }
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
