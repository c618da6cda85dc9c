// Shortest paths over the cells that a robot can pass: 8-connected, no cutting of corners, unknown not traversable.
//
//     PathSearch search = belief.search(belief.cell(), goals);
//     const int nearest = search.find_next();                       // -1: none can be reached
//     if (search.find(2) == PathStatus::found) use(search.path(2)); // the path to the third one
#pragma once

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// Cost units per cell. 1393/985 is a convergent of the square root of two: a sum of whole units is exact and its
/// order cannot matter, yet a diagonal is off by 3e-7 only.
inline constexpr std::uint32_t straight_cost = 985, diagonal_cost = 1393;
inline constexpr std::uint32_t no_bound = std::numeric_limits<std::uint32_t>::max();
/// No search expands a cell that costs more than this (3.9 million cells), so that the next move stays below no_bound.
/// A search for a goal beyond it gives up.
inline constexpr std::uint32_t most_cost = 3'900'000'000;

/// A lower bound of the cost between two cells: the cost without obstacles.
inline std::uint32_t octile_cost(Cell a, Cell b) {
    const auto dx = static_cast<std::uint32_t>(std::abs(a.x - b.x)),
               dy = static_cast<std::uint32_t>(std::abs(a.y - b.y));
    const std::uint32_t less = dx < dy ? dx : dy;
    return straight_cost * (dx + dy - 2 * less) + diagonal_cost * less;
}

enum class PathStatus {
    found,
    unreachable,   ///< start and goal are not connected
    goal_blocked,  ///< the body cannot stand at the goal, or it is unknown
    too_far,       ///< costs more than the bound; whether it can be reached at all may stay open
    gave_up,       ///< the budget of expansions is spent, or it costs more than most_cost
};

struct Path {
    PathStatus status = PathStatus::unreachable;
    std::vector<Cell> cells{};  ///< from start to goal, both included
    std::uint32_t cost = 0;     ///< in cost units

    explicit operator bool() const { return status == PathStatus::found; }
    double cost_cells() const { return cost / static_cast<double>(straight_cost); }
    /// Length in cells, from cell centre to cell centre.
    double length_cells() const;
};

/// The shortest paths from one cell to several goals, found as far as they are asked for: jump point search without
/// corner cutting, looking at 64 cells at a time (Harabor & Grastien 2011, 2014). The map may not change meanwhile.
/// Among equally short paths the same one is found on every machine and at any thread count.
class PathSearch {
  public:
    /// Belief::search() makes one. A start that is believed to be blocked counts as passable: the robot stands there.
    explicit PathSearch(std::unique_ptr<class GoalSearch> search);
    ~PathSearch();
    PathSearch(PathSearch&&) noexcept;
    PathSearch& operator=(PathSearch&&) noexcept;

    /// Goes on until this goal is found, or it is clear that it costs more than `bound`, or that there is no path.
    PathStatus find(std::size_t goal, std::uint32_t bound = no_bound);
    /// The nearest goal that was not returned before (equal costs: the lower index); -1: none is left that costs no
    /// more than `bound`.
    int find_next(std::uint32_t bound = no_bound);
    /// What `find` would return without searching further; `too_far` as long as that is open.
    PathStatus known(std::size_t goal) const;
    /// The cost to a goal as known so far: exact once it was found, before that a lower bound.
    std::uint32_t cost(std::size_t goal) const;
    /// The path to a goal that was found.
    Path path(std::size_t goal) const;
    int expansions() const;

  private:
    std::unique_ptr<class GoalSearch> search_;
};

}  // namespace outrider
