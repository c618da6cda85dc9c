// What a robot knows of the world: unknown, free and occupied cells, and how sure it is of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "outrider/cells.hpp"
#include "outrider/detail/change_log.hpp"
#include "outrider/detail/cow_plane.hpp"

namespace outrider {

/// The claims about 64 x 64 cells. A cell that is not known is neither occupied nor safe.
struct CellTile {
    BitTile known, occupied, safe;

    CellState state(Cell c) const {
        if (!known.test(c)) return CellState::unknown;
        if (safe.test(c)) return occupied.test(c) ? CellState::safe_occupied : CellState::safe_free;
        return occupied.test(c) ? CellState::occupied : CellState::free;
    }
    void set(Cell c, CellState state);
    std::uint64_t free_row(int row) const {
        const auto r = static_cast<std::size_t>(row);
        return known.rows[r] & ~occupied.rows[r];
    }
    bool operator==(const CellTile&) const = default;
};

/// The step at which each cell was last observed; only kept in a world that changes.
struct StampTile {
    std::array<std::uint32_t, tile_size * tile_size> stamps{};
    std::uint32_t& operator[](Cell c) {
        return stamps[static_cast<std::size_t>(row_in_tile(c) * tile_size + column_in_tile(c))];
    }
    std::uint32_t operator[](Cell c) const { return const_cast<StampTile&>(*this)[c]; }
};

/// What merge_cells changed.
struct TileDifference {
    std::uint64_t rows = 0;     ///< bit j: some cell of row j of `mine` changed
    std::uint64_t columns = 0;  ///< bit i: some cell of column i of `mine` changed
    bool theirs_lacks = false;  ///< `mine` knew something better than `theirs` somewhere
};

/// out = per cell the claim of higher rank. Commutative, associative, idempotent. `out` may be `mine`.
TileDifference merge_cells(const CellTile& mine, const CellTile& theirs, CellTile& out);

/// An immutable state of a map: what travels in a message.
struct MapSnapshot {
    FrameId frame;
    std::uint32_t generation = 0;
    std::shared_ptr<const PlaneSnapshot<CellTile>> cells;
    std::array<std::shared_ptr<const PlaneSnapshot<BitTile>>, mark_count> marks;
    std::shared_ptr<const PlaneSnapshot<StampTile>> stamps;

    /// Hash of all planes: equal names, equal maps.
    Hash128 name() const;
    std::size_t tile_count() const;
};

/// Tiles of `mine` (any plane) that `theirs` does not hold under the same name: what a robot that has `theirs` is
/// missing. By block row and column, then tile row and column, each once. nullptr stands for "nothing received yet".
std::vector<TileCoord> missing_tiles(const MapSnapshot& mine, const MapSnapshot* theirs);

/// Rows and columns of a tile in which claims changed; none: only marks or stamps did.
struct TileChange {
    TileCoord tile;
    std::uint64_t rows = 0, columns = 0;
};

/// The change by which all that is known in the tile became known.
TileChange whole_change(TileCoord t, const CellTile& tile);

class KnownMap;

/// What happened to a map since a follower asked last; valid until the map changes.
struct MapChanges : Changes<TileChange> {
    const KnownMap* map = nullptr;

    /// Calls visit(TileChange) for each change in the order in which it happened; with everything, for all tiles of the
    /// map by row, then column, as if all that is known had become so.
    template <class Visit>
    void for_each(Visit&& visit) const;
    /// The tiles that for_each() visits, by row, then column, each once.
    std::vector<TileCoord> tiles() const;
};

/// A map to merge. When the sender's previous map was merged whole, merging what changed since then is enough.
struct MapNews {
    const MapSnapshot* map = nullptr;
    bool only_changed = false;
};

class KnownMap {
  public:
    KnownMap() : KnownMap(Lattice{}) {}
    explicit KnownMap(Lattice lattice, FrameId frame = {}, bool stamped = false)
        : lattice_(lattice), frame_(frame), stamped_(stamped) {}

    const Lattice& lattice() const { return lattice_; }
    FrameId frame() const { return frame_; }

    CellState state(Cell c) const {
        const CellTile* tile = cells_.find(tile_of(c));
        return tile ? tile->state(c) : CellState::unknown;
    }
    bool is_free(Cell c) const {
        const CellTile* tile = cells_.find(tile_of(c));
        return tile && tile->known.test(c) && !tile->occupied.test(c);
    }
    bool is_occupied(Cell c) const {
        const CellTile* tile = cells_.find(tile_of(c));
        return tile && tile->occupied.test(c);
    }
    /// nullptr: nothing of it is known.
    const CellTile* tile(TileCoord t) const { return cells_.find(t); }
    const CowPlane<CellTile>& cells() const { return cells_; }
    bool marked(Mark mark, Cell c) const {
        const BitTile* tile = marks_[static_cast<std::size_t>(mark)].find(tile_of(c));
        return tile && tile->test(c);
    }
    /// nullptr: no cell of it is marked.
    const BitTile* marks(Mark mark, TileCoord t) const { return marks_[static_cast<std::size_t>(mark)].find(t); }
    /// 0 where no stamp is kept.
    std::uint32_t stamp(Cell c) const {
        const StampTile* tile = stamps_.find(tile_of(c));
        return tile ? (*tile)[c] : 0;
    }
    std::size_t count(bool occupied) const;

    /// Merges claims about one tile, all observed at step `now`, by (stamp, rank).
    void observe(TileCoord t, const CellTile& claims, std::uint32_t now);
    /// The same, each cell at a step of its own. CHECK: this map is stamped.
    void observe(TileCoord t, const CellTile& claims, const StampTile& stamps);
    /// Forgets all cells because the map is redrawn in (a new epoch of) a frame: for followers everything changed.
    void redraw(FrameId frame);
    void mark(Mark mark, TileCoord t, const BitTile& cells);

    /// Per cell the maximum by (stamp, rank); marks by OR. With `only` (sorted): only those tiles of `theirs`, when a
    /// limited link delivered no more. CHECK: the frames are equal.
    void merge(const MapSnapshot& theirs, const std::vector<TileCoord>* only = nullptr);
    /// Merges one after the other, but looks only once at tiles that are equal in many of them.
    void merge(std::span<const MapNews> theirs);
    /// The same however few they are; of maps of cells alone, only what changed is looked at where that is enough.
    void merge_at_once(std::span<const MapNews> theirs);

    /// Names the tiles of cells that changed and shares them with equal ones; snapshot() then does not have to.
    void share() { cells_.share(); }
    /// Names and shares the present state; O(what changed since the last snapshot).
    MapSnapshot snapshot();

    /// Grows with each change of a claim, mark or stamp.
    std::uint64_t version() const { return changes_.version(); }
    /// Grows when the map is redrawn (a loop was closed): followers then begin anew.
    std::uint32_t generation() const { return generation_; }
    /// For followers (frontiers, reachability, fields): what happened since they asked last.
    MapChanges changes_since(ChangeCursor& cursor) const { return {changes_.since(cursor), this}; }
    /// For benchmarks, metrics and tests.
    struct Counters {
        std::uint64_t tiles_compared = 0;  ///< looked at cell by cell
        std::uint64_t tiles_written = 0;   ///< changed in place
        std::uint64_t tiles_adopted = 0;   ///< taken over from another map as they are
        std::uint64_t tiles_merged = 0;    ///< tiles of another map that brought something new
    };
    const Counters& counters() const { return counters_; }

  private:
    void record(TileCoord t, std::uint64_t rows, std::uint64_t columns);
    void merge_tile(TileCoord t, std::span<const Shared<CellTile>* const> theirs);
    void merge_marks(const MapSnapshot& theirs, const std::vector<TileCoord>* only);
    bool merge_stamped(TileCoord t, const CellTile& theirs, const StampTile& stamps);

    Lattice lattice_;
    FrameId frame_;
    bool stamped_ = false;
    std::uint32_t generation_ = 0;
    CowPlane<CellTile> cells_;
    std::array<CowPlane<BitTile>, mark_count> marks_;
    CowPlane<StampTile> stamps_;
    ChangeLog<TileChange> changes_{8192};
    Counters counters_;
};

template <class Visit>
void MapChanges::for_each(Visit&& visit) const {
    if (everything) map->cells().for_each([&](TileCoord t, const CellTile& tile) { visit(whole_change(t, tile)); });
    for (const TileChange& change : list) visit(change);
}

namespace detail {

inline std::uint64_t word_of(const BitTile& tile, Cell first) {
    return tile.rows[static_cast<std::size_t>(row_in_tile(first))];
}
inline std::uint64_t known_word(const KnownMap& map, Cell first) {
    const CellTile* tile = map.tile(tile_of(first));
    return tile ? word_of(tile->known, first) : 0;
}
using Rows = std::span<const std::uint64_t>;
inline Rows known_rows(const KnownMap& map, Cell low) {
    const CellTile* tile = map.tile(tile_of(low));
    return tile ? Rows(tile->known.rows) : Rows();
}
inline Rows occupied_rows(const KnownMap& map, Cell low) {
    const CellTile* tile = map.tile(tile_of(low));
    return tile ? Rows(tile->occupied.rows) : Rows();
}
inline Rows marked_rows(const KnownMap& map, Mark mark, Cell low) {
    const BitTile* tile = map.marks(mark, tile_of(low));
    return tile ? Rows(tile->rows) : Rows();
}
/// Calls visit(low) for each tile that is there, by row, then column.
template <class Plane, class Visit>
void for_each_block(const Plane& plane, Visit&& visit) {
    plane.for_each([&](TileCoord t, const auto&) { visit(cell_of(t, 0, 0)); });
}
template <class Visit>
void for_each_changed_block(const KnownMap& map, ChangeCursor& cursor, Visit&& visit) {
    map.changes_since(cursor).for_each([&](const TileChange& change) { visit(cell_of(change.tile, 0, 0)); });
}

/// A set of cells.
class CellBits {
  public:
    bool contains(Cell c) const {
        const BitTile* tile = tiles_.find(tile_of(c));
        return tile && tile->test(c);
    }
    bool insert(Cell c) {
        BitTile& tile = tiles_.at(tile_of(c));
        const bool is_new = !tile.test(c);
        tile.set(c);
        return is_new;
    }

  private:
    TileTable<BitTile> tiles_;
};

}  // namespace detail
}  // namespace outrider
