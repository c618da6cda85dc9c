// What a robot's map means for moving: where it can go, how close that is to a wall, what it has reached, and where the
// unknown begins. Follows a KnownMap and touches only the rows of tiles near what changed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/detail/boxed.hpp"
#include "outrider/detail/known_map.hpp"

namespace outrider {

enum class FrontierKind { unknown, unsafe, uncleared, then_uncleared, regions };
inline constexpr std::array<std::string_view, 5> frontier_kind_names{"unknown", "unsafe", "uncleared", "then_uncleared",
                                                                     "regions"};

/// Planes over a tile that follow from the map in it and beside it alone: robots that know the same share them. Bit i
/// of word j: cell in column i, row j.
struct NavTile {
    using Rows = std::array<std::uint64_t, tile_size>;
    Rows pass{};      ///< the body can stand here: free, and its disc touches no known wall
    Rows near1{};     ///< a known wall within one cell (Chebyshev)
    Rows near2{};     ///< within two cells, near1 included
    Rows frontier{};  ///< frontier cells, reached or not
    Rows edge{};      ///< frontier cells with an unknown 4-neighbour: standing there, the robot can see it
};

/// Where straight moves over a tile have to stop and look: at blocked cells, and at cells where a wall beside the path
/// has just ended. east and west as rows; north and south as columns (bit j of word i: column i, row j). And the cells
/// from which a diagonal step is allowed, as rows; by direction: south-west, south-east, north-west, north-east.
struct JumpBlocks {
    NavTile::Rows east, west, north, south;
    std::array<NavTile::Rows, 4> diagonal;
};

/// Cells of a row of a tile that changed: bit i is column i.
struct RowChange {
    TileCoord tile;
    int row = 0;
    std::uint64_t cells = 0;
};
/// What happened to passability, or to frontiers, since a follower asked last; valid until the next update.
using RowChanges = Changes<RowChange>;

class NavMap {
  public:
    /// A body reaches no farther than into the tiles beside its own.
    static constexpr double max_radius_cells = tile_size - 1;

    NavMap() = default;
    /// radius_cells: of the robot's disc, at most max_radius_cells; 0: a point. through_unknown: whether unknown cells
    /// count as traversable.
    NavMap(FrontierKind kind, double radius_cells, bool through_unknown = false);

    /// From the next update on only unknown cells of these, which outlive this, make frontiers; nullptr: all do.
    void look_for(const TileTable<BitTile>* wanted);
    const TileTable<BitTile>* wanted() const { return wanted_; }

    /// Takes in what changed in the map since the last call, for a robot that stands in `at`.
    void update(const KnownMap& map, Cell at);

    /// For a robot of a team: what others computed from the same knowledge is taken over from them. That holds for
    /// stops and, where the tiles of the map have names (see KnownMap::share), for NavTiles.
    void work_together() { together_ = true; }
    /// Saves memory in a team: shares tiles that equal those of other robots. To be called now and then, after
    /// update().
    void share();
    /// Forgets stops that were not asked for since the last call.
    void drop_unused();

    const NavTile* tile(TileCoord t) const { return tiles_.find(t); }
    bool passable(Cell c) const { return test(c, &NavTile::pass); }
    /// Passable or, with through_unknown, unknown and not touched by the body's disc around a known wall; up to one
    /// tile beyond what is known.
    bool traversable(Cell c) const {
        return traversable_rows(tile_of(c))[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1;
    }
    const NavTile::Rows& traversable_rows(TileCoord t) const;
    bool through_unknown() const { return through_unknown_; }
    bool reached(Cell c) const {
        return reached_rows(tile_of(c))[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1;
    }
    /// Cells of a tile that are connected with the robot through passable ones.
    const NavTile::Rows& reached_rows(TileCoord t) const {
        static constexpr NavTile::Rows none{};
        const NavTile::Rows* rows = reached_.find(t);
        return rows ? *rows : none;
    }
    bool frontier(Cell c) const { return test(c, &NavTile::frontier); }
    bool edge(Cell c) const { return test(c, &NavTile::edge); }
    /// Cells to the nearest known wall (Chebyshev): 1, 2, or 3 for anything farther.
    int clearance(Cell c) const { return test(c, &NavTile::near1) ? 1 : test(c, &NavTile::near2) ? 2 : 3; }
    /// The nearest passable cell to `at` (Chebyshev, then row, then column), `at` itself when none is near: where the
    /// robot continues from when its own cell is believed to be blocked.
    Cell foothold(Cell at) const;
    const CowPlane<NavTile>& tiles() const { return tiles_; }
    /// The lowest and the highest tile, in both coordinates, in which something is known; {0, 0} and {-1, -1} when
    /// nothing is.
    std::pair<TileCoord, TileCoord> extent() const {
        return known_ == nothing_known ? std::pair(TileCoord{0, 0}, TileCoord{-1, -1}) : known_;
    }
    /// Whether c is so far from all known cells that nothing beside it can be traversed.
    bool far_outside(Cell c) const {
        const auto& [low, high] = extent();
        const TileCoord t = tile_of(c);
        return t.x < low.x - 2 || t.y < low.y - 2 || t.x > high.x + 2 || t.y > high.y + 2;
    }
    /// For searches; computed when first asked for after a change nearby. Valid until the next update.
    const JumpBlocks& jump_blocks(TileCoord t) const;
    /// Grows whenever update() or share() changed something. Tiles stay where they are as long as it does not.
    std::uint64_t version() const { return version_; }

    /// Grows with each change of passability.
    std::uint64_t pass_version() const { return pass_changes_.version(); }
    /// For followers of passability (distance fields): cells that became passable, or stopped being so, since they
    /// asked last.
    RowChanges changes_since(ChangeCursor& cursor) const { return pass_changes_.since(cursor); }
    /// For followers of frontiers: cells that became frontier or reached frontier cells, or stopped being so, and
    /// frontier cells whose edge or closeness to walls changed; a cell may be listed more than once.
    RowChanges frontier_changes_since(ChangeCursor& cursor) const { return frontier_changes_.since(cursor); }
    /// The tiles of some changes of this map; with everything, all of its tiles. By row, then column, each once.
    std::vector<TileCoord> tiles_of(const RowChanges& changes) const;

    struct Counters {
        std::uint64_t rows_changed = 0;   ///< rows of tiles that the map reported
        std::uint64_t rows_computed = 0;  ///< rows whose planes were computed anew
        std::uint64_t words_flooded = 0;  ///< words through which reachability spread
        std::uint64_t rebuilds = 0;       ///< times that reachability began anew
    };
    const Counters& counters() const { return counters_; }

  private:
    bool test(Cell c, NavTile::Rows NavTile::*plane) const {
        const NavTile* t = tiles_.find(tile_of(c));
        return t && (t->*plane)[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1;
    }
    void collect_dirty_rows(const KnownMap& map);
    Shared<NavTile> tile_of_team(const KnownMap& map, TileCoord t) const;
    void compute_rows(const KnownMap& map, TileCoord t, std::uint64_t rows);
    bool can_split();
    void let_in(TileCoord t, std::uint64_t rows);
    void forget_waiting();
    void flood(bool note);

    FrontierKind kind_ = FrontierKind::unknown;
    bool through_unknown_ = false;
    std::vector<int> body_;  // body_[dy]: columns to each side that a wall dy rows away blocks; empty: a point
    Hash128 rules_;          // of all but the map that decides what a NavTile holds
    bool together_ = false;
    CowPlane<NavTile> tiles_;
    CowPlane<NavTile::Rows> reached_;
    static constexpr std::pair<TileCoord, TileCoord> nothing_known{{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
    std::pair<TileCoord, TileCoord> known_ = nothing_known;  // the lowest and the highest tile
    ChangeCursor seen_;                                      // of the map

    struct DirtyRows {
        std::uint64_t rows = 0;
    };
    struct CachedBlocks {
        std::shared_ptr<const JumpBlocks> tile;
        bool valid = false, used = false;  // asked for since the last drop_unused()
    };
    mutable TileTable<CachedBlocks> jump_blocks_;
    TileTable<Boxed<NavTile::Rows>> traversable_;  // with through_unknown, of the tiles that exist
    TileTable<DirtyRows> dirty_;
    std::vector<TileCoord> dirty_tiles_;
    TileTable<std::uint64_t> waiting_;  // rows into which reachability may spread
    std::vector<TileCoord> waiting_tiles_;
    std::vector<Cell> lost_;  // reached cells that can no longer be passed
    std::uint64_t version_ = 0;
    ChangeLog<RowChange> pass_changes_{1 << 16}, frontier_changes_{1 << 13};
    Counters counters_;
    const TileTable<BitTile>* wanted_ = nullptr;
};

namespace detail {

inline std::uint64_t reached_word(const NavMap& nav, Cell first) {
    return nav.reached_rows(tile_of(first))[static_cast<std::size_t>(row_in_tile(first))];
}
inline std::pair<Cell, Cell> extent(const NavMap& nav) {
    const auto [low, high] = nav.extent();
    return {cell_of(low, 0, 0), cell_of(high, tile_size - 1, tile_size - 1)};
}

}  // namespace detail
}  // namespace outrider
