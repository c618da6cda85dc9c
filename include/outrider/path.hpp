// Shortest paths over the cells that a robot can pass: 8-connected, no cutting of corners, unknown not traversable.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/nav_map.hpp"
#include "outrider/options.hpp"

namespace outrider {

/// Cost units per cell. 1393/985 is a convergent of the square root of two: a sum of whole units is exact and its
/// order cannot matter, yet a diagonal is off by 3e-7 only.
inline constexpr std::uint32_t straight_cost = 985, diagonal_cost = 1393;
inline constexpr std::uint32_t no_bound = std::numeric_limits<std::uint32_t>::max();
/// No search goes on from where it is more expensive to get than this (3.9 million cells): the next move then stays
/// below no_bound. Whoever looks for what lies beyond gives up.
inline constexpr std::uint32_t most_cost = 3'900'000'000;

/// A lower bound of the cost between two cells: what it is where nothing stands in the way.
inline std::uint32_t octile_cost(Cell a, Cell b) {
    const auto dx = static_cast<std::uint32_t>(std::abs(a.x - b.x)),
               dy = static_cast<std::uint32_t>(std::abs(a.y - b.y));
    const std::uint32_t less = dx < dy ? dx : dy;
    return straight_cost * (dx + dy - 2 * less) + diagonal_cost * less;
}

enum class Planner { jps, astar, field, topological };
inline constexpr std::array<std::string_view, 4> planner_names{"jps", "astar", "field", "topological"};

struct PlanOptions {
    Planner planner = Planner::jps;
    double wall_cost = 1;
    double unknown_cost = 0;
    bool any_angle = false;
    int max_expansions = 4'000'000;

    void fields(Fields& f) {
        f("planner", planner, planner_names,
          "how paths are found: the shortest by jump points, A*, or a distance field from the robot; or nearly the "
          "shortest by a graph of nodes on the skeleton");
        f("wall_cost", wall_cost, 0, 100,
          "a step beside a wall costs this share more, one cell farther off half of it");
        f("unknown_cost", unknown_cost, 0, 100,
          "0: unknown cells cannot be crossed; otherwise a step into one costs so many times as much, at least once, "
          "and "
          "all paths are searched for with A*");
        f("any_angle", any_angle,
          "robots cut across the corners of a path where the straight way is free and as clear");
        f("max_expansions", max_expansions, 1000, 1'000'000'000, "a search gives up after so many cells");
    }
};

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

/// Way points to go to in straight lines, one after the other, from a point in cell units near the first cell: cells of
/// the path, each as far along it as the line to it touches traversable cells only, also at corners, and none that is
/// closer to a wall than those that it cuts off, where that is within two cells. The last one is the last cell of the
/// path.
std::vector<Cell> any_angle(const NavMap& nav, Point from, std::span<const Cell> path);

/// The shortest paths from one cell to several goals, found as far as they are asked for: jump point search without
/// corner cutting, looking at 64 cells at a time (Harabor & Grastien 2011, 2014). The map may not change meanwhile.
/// Among equally short paths the same one is found on every machine and at any thread count.
class PathSearch {
  public:
    /// A start that is believed to be blocked counts as passable: the robot stands there.
    PathSearch(const NavMap& nav, Cell start, std::span<const Cell> goals, int max_expansions = 4'000'000);

    /// Goes on until this goal is found, or it is clear that it costs more than `bound`, or that there is no way.
    PathStatus find(std::size_t goal, std::uint32_t bound = no_bound);
    /// The nearest goal that it did not give before (equal costs: the lower index); -1: none is left that costs no more
    /// than `bound`.
    int find_next(std::uint32_t bound = no_bound);
    /// What `find` would say without going on; `too_far` as long as that is open.
    PathStatus known(std::size_t goal) const;
    /// What is known so far of the cost to a goal: exact once it was found, before that a lower bound.
    std::uint32_t cost(std::size_t goal) const;
    /// The path to a goal that was found.
    Path path(std::size_t goal) const;
    int expansions() const { return expansions_; }

  private:
    /// A cell with the tiles that it lies in.
    struct Place {
        std::int32_t tile;  ///< index into tiles_
        std::int32_t column, row;
        bool operator==(const Place&) const = default;
    };
    struct Node {
        Cell cell;
        Cell came;  ///< the straight direction of arrival; {0, 0}: all directions are open
        std::uint32_t cost;
        std::int32_t parent;
    };
    struct Entry {
        std::uint64_t rank;  ///< estimate, then the farther one first
        std::int32_t node;
        Entry(std::uint32_t estimate, std::uint32_t cost, std::int32_t n)
            : rank(std::uint64_t{estimate} << 32 | ~cost), node(n) {}
        std::uint32_t estimate() const { return static_cast<std::uint32_t>(rank >> 32); }
        /// For a heap with the best on top; equal ones: the earlier one.
        bool operator<(const Entry& o) const { return rank != o.rank ? rank > o.rank : node > o.node; }
    };
    struct Goal {
        Cell cell;
        std::int32_t node = -1;  ///< where it was found
        bool blocked = false;
    };
    struct Tile {
        const NavTile* nav = nullptr;
        const JumpBlocks* jump_blocks = nullptr;
        bool goal = false;  ///< a goal that was not found yet lies in it
    };

    Place place(Cell c) const;
    Cell cell(Place p) const;
    Place step(Place p, Cell d) const;
    bool pass(Place p) const;
    Tile& tile(std::int32_t index);
    void load(Tile& t, std::int32_t index);
    template <int dx, int dy>
    bool jump(Place& p);
    std::uint64_t goal_bits(std::int32_t tile, bool horizontal, int line) const;
    void reach(Cell at, Cell came, std::uint32_t cost, std::int32_t parent);
    template <int dx, int dy>
    void straight(std::int32_t parent, Place from, Cell at, std::uint32_t cost);
    void straight(std::int32_t parent, Place from, Cell at, std::uint32_t cost, Cell d);
    template <int dx, int dy>
    void diagonal(std::int32_t parent, Cell at, std::uint32_t cost, bool from_blocked);
    void diagonal(std::int32_t parent, Cell at, std::uint32_t cost, Cell d, bool from_blocked = false);
    std::uint32_t estimate(Cell c) const;
    std::uint32_t& best_cost(Cell c);
    bool goal_at(Cell c) const;
    void expand();

    const NavMap& nav_;
    std::vector<Goal> goals_;
    int budget_, expansions_ = 0;
    bool cut_ = false;                 // something lies beyond most_cost
    std::uint32_t enough_ = no_bound;  // what the only goal costs at most: more expensive ways are not followed
    TileCoord min_;
    std::int32_t width_, height_;
    std::vector<Tile> tiles_;  // of the map, with a rim of empty ones
    std::vector<Node> nodes_;
    std::vector<Entry> open_;
    std::vector<std::pair<std::uint32_t, int>> waiting_;  // cost and index of goals found but not given yet
    std::vector<std::pair<Cell, std::uint32_t>> costs_;   // open addressing; cost 0: empty (stored plus one)
    std::size_t stored_ = 0;
};

/// Searches with the options of a robot.
class PathPlanner {
  public:
    explicit PathPlanner(const PlanOptions& options = {});
    ~PathPlanner();
    PathPlanner(PathPlanner&&) noexcept;
    PathPlanner& operator=(PathPlanner&&) noexcept;

    Path shortest(const NavMap& nav, Cell start, Cell goal, std::uint32_t bound = no_bound) const;
    /// The cheapest path when closeness to walls costs extra: A*. Closeness never forbids. For short ways: working
    /// memory belongs to the thread, and a search costs what it touches.
    Path clearest(const NavMap& nav, Cell start, Cell goal, std::uint32_t bound = no_bound) const;
    PathSearch search(const NavMap& nav, Cell start, std::span<const Cell> goals) const {
        return PathSearch(nav, start, goals, options_.max_expansions);
    }

  private:
    Path cheapest(const NavMap& nav, Cell start, Cell goal, std::uint32_t bound, double wall_cost) const;

    PlanOptions options_;
    std::unique_ptr<class DistanceField> field_;         // from the last start
    std::unique_ptr<class TopologicalMap> topological_;  // of the last map
};

}  // namespace outrider
