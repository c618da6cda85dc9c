// The search behind outrider/path.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "outrider/detail/nav_map.hpp"
#include "outrider/path.hpp"
#include "plan/goal_search.hpp"
#include "plan/jump_point_search.hpp"

namespace outrider {

/// The shortest paths from one cell to several goals, found as far as they are asked for: jump point search without
/// corner cutting, looking at 64 cells at a time (Harabor & Grastien 2011, 2014). The map may not change meanwhile.
/// Among equally short paths the same one is found on every machine and at any thread count.
class JumpPointSearch final : public GoalSearch {
  public:
    /// A start that is believed to be blocked counts as passable: the robot stands there.
    JumpPointSearch(const NavMap& nav, Cell start, std::span<const Cell> goals, int max_expansions = 4'000'000);

    PathStatus find(std::size_t goal, std::uint32_t bound = no_bound) override;
    int find_next(std::uint32_t bound = no_bound) override;
    PathStatus known(std::size_t goal) const override;
    std::uint32_t cost(std::size_t goal) const override;
    Path path(std::size_t goal) const override;
    int expansions() const override { return expansions_; }

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
    std::uint32_t enough_ = no_bound;  // what the only goal costs at most: paths that cost more are not followed
    TileCoord min_;
    std::int32_t width_, height_;
    std::vector<Tile> tiles_;  // of the map, with a rim of empty ones
    std::vector<Node> nodes_;
    std::vector<Entry> open_;
    std::vector<std::pair<std::uint32_t, int>> waiting_;  // cost and index of goals found but not returned yet
    std::vector<std::pair<Cell, std::uint32_t>> costs_;   // open addressing; cost 0: empty (stored plus one)
    std::size_t stored_ = 0;
};

}  // namespace outrider
