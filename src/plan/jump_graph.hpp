// The jump points of a map, and where straight and diagonal moves lead from them: what jump point search reads instead
// of looking along its rays anew. It depends on neither start nor goal, so all searches on a map share it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "outrider/detail/boxed.hpp"
#include "outrider/detail/nav_map.hpp"

namespace outrider {

/// Grows where searches come by, and follows the map: what rays over a tile found is forgotten when that tile changes.
/// What a search finds does not depend on which searches there were before.
class JumpGraph {
  public:
    /// A jump point and the straight direction in which it was reached: 4 * point + direction.
    using Arrival = std::uint32_t;
    struct Hop {
        Arrival to;
        std::uint32_t cost;  ///< in cost units
    };
    /// The moves that can be worthwhile after an arrival: ahead, and to a side where a wall beside the path just ended.
    struct Onward {
        std::uint32_t first = 0, count = 0;  ///< hops to other jump points
        /// To the left and to the right of ahead: as many cells can be passed diagonally; -1: no turn is worthwhile.
        std::array<std::int32_t, 2> diagonal{-1, -1};
    };
    /// What a search knows of the jump points.
    struct Mark {
        std::uint32_t search = 0;  ///< valid if that is the one of the marks
        std::uint32_t cost = 0, parent = 0;
    };
    struct Marks {
        std::uint32_t search = 0;
        std::vector<Mark> of_points;
    };

    /// To be called before a search begins: takes in what changed in the map since the last call. `start` is not far
    /// outside of the map (NavMap::far_outside).
    void follow(const NavMap& nav, Cell start);

    /// The jump points that can be reached from any cell, in all directions. A cell that is blocked can be left.
    /// Valid until the next call.
    std::span<const Hop> leave(Cell start);
    /// Whether a diagonal followed by a straight line leads from `start` to `goal`: then octile_cost() is its cost.
    bool sees(Cell start, Cell goal);
    Onward onward(Arrival arrival);
    /// Likewise, by the moves that are worthwhile after an arrival. onward: of the arrival.
    bool sees(Arrival arrival, const Onward& onward, Cell goal);
    /// Valid until hops are looked for elsewhere.
    std::span<const Hop> hops(const Onward& onward) const {
        return std::span(hops_).subspan(onward.first, onward.count);
    }
    Cell cell(std::uint32_t point) const { return points_[point].cell; }
    std::size_t points() const { return points_.size(); }

    /// Marks for a search, all invalid. To be given back after it.
    std::unique_ptr<Marks> lend_marks();
    void give_back(std::unique_ptr<Marks> marks) { idle_marks_.it.push_back(std::move(marks)); }

  private:
    /// A cell with the tile that it lies in.
    struct Place {
        std::int32_t tile;  ///< index into tiles_
        std::int32_t column, row;
    };
    struct Tile {
        const NavTile* nav = nullptr;
        const JumpBlocks* jump_blocks = nullptr;
        std::uint32_t loaded = 0;   // at which version of the map
        std::uint32_t changed = 0;  // at which of the changes, counted by now_
    };
    struct Point {
        Cell cell;
        std::array<std::uint32_t, 4> known{};  // by direction: index into known_ plus one
    };
    /// The moves after an arrival, and the tiles that they depend on.
    struct Known {
        Onward onward;
        TileCoord low, high;
        std::uint32_t found, checked;  // at which of the changes; before `checked` no tile changed
    };

    void enlarge(TileCoord low, TileCoord high);
    void forget_hops();
    Tile& tile(std::int32_t index) {
        Tile& t = tiles_[static_cast<std::size_t>(index)];
        if (t.loaded != version_) [[unlikely]]
            load(t, index);
        return t;
    }
    void load(Tile& t, std::int32_t index);
    TileCoord coordinate(std::int32_t index) const { return {min_.x + index % width_, min_.y + index / width_}; }
    std::size_t index_of(TileCoord t) const {
        return static_cast<std::size_t>(t.y - min_.y) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(t.x - min_.x);
    }
    Place place(Cell c) const {
        return {static_cast<std::int32_t>(index_of(tile_of(c))), column_in_tile(c), row_in_tile(c)};
    }
    /// The place one step away.
    Place step(Place p, Cell d) const {
        const int column = p.column + d.x, row = p.row + d.y;
        return {p.tile + (row >> 6) * width_ + (column >> 6), column & 63, row & 63};
    }
    bool pass(Place p) { return tile(p.tile).nav->pass[static_cast<std::size_t>(p.row)] >> p.column & 1; }
    bool can_leave_blocked(Place p, Cell d);
    template <int dx, int dy>
    int between(Place from, Place to) const;
    template <int dx, int dy>
    bool jump(Place& p);
    template <int dx, int dy>
    void straight(Place from, Cell at, std::uint32_t cost);
    void straight(Place from, Cell at, Cell d);
    template <int dx, int dy>
    int diagonal(Cell at, bool from_blocked);
    int diagonal(Cell at, Cell d, bool from_blocked = false);
    template <int dx, int dy>
    bool line(Place p, int cells);
    bool line(Cell from, Cell d, int cells);
    bool still_holds(Known& known) const;
    std::uint32_t point(Cell c);
    void index_points();

    NotCopied<const NavMap*> nav_;
    ChangeCursor seen_;
    TileCoord min_;
    std::int32_t width_ = 0, height_ = 0;
    std::vector<Tile> tiles_;  // of the map, with a rim of empty ones: no move ever leaves it
    std::uint32_t version_ = 0, now_ = 1;
    std::vector<Point> points_;
    std::vector<std::uint32_t> index_;  // of points by cell, plus one; open addressing
    std::vector<Known> known_;
    std::vector<Hop> hops_, from_start_;
    std::size_t dropped_ = 0;  // hops that no Onward names any more
    TileCoord low_, high_;     // of the tiles that were looked at
    NotCopied<std::vector<std::unique_ptr<Marks>>> idle_marks_;
};

}  // namespace outrider
