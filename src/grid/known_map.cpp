#include "outrider/detail/known_map.hpp"

#include "base/bits.hpp"
#include "base/wide.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// A row of the three planes.
struct CellRow {
    std::uint64_t known, occupied, safe;
    std::uint64_t operator^(const CellRow& o) const {
        return (known ^ o.known) | (occupied ^ o.occupied) | (safe ^ o.safe);
    }
};
CellRow row_of(const CellTile& tile, std::size_t row) {
    return {tile.known.rows[row], tile.occupied.rows[row], tile.safe.rows[row]};
}

/// Per cell the claim of higher rank; see CellState.
CellRow higher(const CellRow& mine, const CellRow& theirs) {
    const std::uint64_t known = mine.known | theirs.known, safe = mine.safe | theirs.safe;
    const std::uint64_t claimed_free = (mine.known & ~mine.occupied) | (theirs.known & ~theirs.occupied);
    return {known,
            (mine.occupied & mine.safe) | (theirs.occupied & theirs.safe) |
                ((mine.occupied | theirs.occupied) & ~claimed_free & ~safe),
            safe};
}

/// The cells of a row whose stamps are newer than mine, and those whose stamps are equal.
OUTRIDER_WIDE
void compare_stamps(const std::uint32_t* mine, const std::uint32_t* theirs, std::uint64_t& newer,
                    std::uint64_t& equal) {
    std::array<std::uint8_t, tile_size> above, same;
    for (std::size_t i = 0; i < tile_size; ++i) above[i] = theirs[i] > mine[i];
    for (std::size_t i = 0; i < tile_size; ++i) same[i] = theirs[i] == mine[i];
    newer = nonzero_bits(above.data(), tile_size);
    equal = nonzero_bits(same.data(), tile_size);
}

/// Takes over the stamps of these cells of a row.
OUTRIDER_WIDE
void take_stamps(std::uint32_t* mine, const std::uint32_t* theirs, std::uint64_t cells) {
    std::array<std::uint8_t, tile_size> wanted;
    write_bytes(cells, tile_size, wanted.data());
    for (std::size_t i = 0; i < tile_size; ++i) mine[i] = wanted[i] ? theirs[i] : mine[i];
}

}  // namespace

void CellTile::set(Cell c, CellState state) {
    state != CellState::unknown ? known.set(c) : known.reset(c);
    state == CellState::occupied || state == CellState::safe_occupied ? occupied.set(c) : occupied.reset(c);
    state == CellState::safe_free || state == CellState::safe_occupied ? safe.set(c) : safe.reset(c);
}

OUTRIDER_WIDE
TileDifference merge_cells(const CellTile& mine, const CellTile& theirs, CellTile& out) {
    std::array<std::uint64_t, tile_size> changed;
    std::uint64_t columns = 0, lacks = 0;
    for (std::size_t i = 0; i < tile_size; ++i) {
        const CellRow before = row_of(mine, i), their_row = row_of(theirs, i), merged = higher(before, their_row);
        changed[i] = merged ^ before;
        columns |= changed[i];
        lacks |= merged ^ their_row;
        out.known.rows[i] = merged.known;
        out.occupied.rows[i] = merged.occupied;
        out.safe.rows[i] = merged.safe;
    }
    TileDifference difference{0, columns, lacks != 0};
    if (columns)
        for (std::size_t i = 0; i < tile_size; ++i) difference.rows |= std::uint64_t{changed[i] != 0} << i;
    return difference;
}

Hash128 MapSnapshot::name() const {
    Hasher hasher;
    hasher(frame.robot)(frame.epoch)(cells->name);
    for (const auto& plane : marks) hasher(plane->name);
    return hasher(stamps->name).result();
}

std::size_t MapSnapshot::tile_count() const {
    std::size_t n = 0;
    for (const auto& [at, block] : cells->blocks)
        for (const auto& tile : block->data.tiles) n += tile != nullptr;
    return n;
}

std::vector<TileCoord> missing_tiles(const MapSnapshot& mine, const MapSnapshot* theirs) {
    static const MapSnapshot nothing = KnownMap().snapshot();
    if (!theirs) theirs = &nothing;
    std::vector<TileCoord> tiles;
    const auto add = [&](TileCoord t, const auto&) { tiles.push_back(t); };
    for_each_difference(*mine.cells, *theirs->cells, add);
    const std::size_t from_cells = tiles.size();
    for (std::size_t m = 0; m < mark_count; ++m) for_each_difference(*mine.marks[m], *theirs->marks[m], add);
    for_each_difference(*mine.stamps, *theirs->stamps, add);
    if (tiles.size() > from_cells) {  // a tile that differs in several planes is sent once
        std::sort(tiles.begin(), tiles.end(), [](TileCoord a, TileCoord b) {
            const TileCoord p{a.x >> 2, a.y >> 2}, q{b.x >> 2, b.y >> 2};
            return p == q ? a < b : p < q;
        });
        tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    }
    return tiles;
}

std::size_t KnownMap::count(bool occupied) const {
    std::size_t n = 0;
    cells_.for_each([&](TileCoord, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            n += static_cast<std::size_t>(
                std::popcount(occupied ? tile.occupied.rows[static_cast<std::size_t>(row)] : tile.free_row(row)));
    });
    return n;
}

void KnownMap::record(TileCoord t, std::uint64_t rows, std::uint64_t columns) {
    changes_.cut();
    changes_.add({t, rows, columns});
}

TileChange whole_change(TileCoord t, const CellTile& tile) {
    TileChange change{t};
    for (std::size_t i = 0; i < tile_size; ++i) {
        change.rows |= std::uint64_t{tile.known.rows[i] != 0} << i;
        change.columns |= tile.known.rows[i];
    }
    return change;
}

std::vector<TileCoord> MapChanges::tiles() const {
    std::vector<TileCoord> tiles;
    for_each([&](const TileChange& change) { tiles.push_back(change.tile); });
    std::sort(tiles.begin(), tiles.end());
    tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    return tiles;
}

void KnownMap::redraw(FrameId frame) {
    frame_ = frame;
    ++generation_;
    cells_ = {};
    marks_ = {};
    stamps_ = {};
    changes_.reset();
}

void KnownMap::observe(TileCoord t, const CellTile& claims, std::uint32_t now) {
    ++counters_.tiles_compared;
    if (stamped_) {
        StampTile stamps;
        stamps.stamps.fill(now);
        merge_stamped(t, claims, stamps);
        return;
    }
    static constexpr CellTile nothing{};
    const CellTile* mine = cells_.find(t);
    CellTile merged;
    const TileDifference d = merge_cells(mine ? *mine : nothing, claims, merged);
    if (!d.rows) return;
    cells_.put(t, merged);
    ++counters_.tiles_written;
    record(t, d.rows, d.columns);
}

void KnownMap::observe(TileCoord t, const CellTile& claims, const StampTile& stamps) {
    OUTRIDER_CHECK(stamped_, ==, true);
    ++counters_.tiles_compared;
    merge_stamped(t, claims, stamps);
}

/// Merges these tiles one after the other; records the change once.
void KnownMap::merge_tile(TileCoord t, std::span<const Shared<CellTile>* const> theirs) {
    static constexpr CellTile nothing{};
    const CellTile* mine = cells_.find(t);
    CellTile merged;
    TileChange change{t};
    const Shared<CellTile>* whole = nullptr;  // that one is all of it
    for (const Shared<CellTile>* tile : theirs) {
        ++counters_.tiles_compared;
        const TileDifference d = merge_cells(change.rows ? merged : mine ? *mine : nothing, (*tile)->data, merged);
        if (!d.rows) continue;
        ++counters_.tiles_merged;
        whole = d.theirs_lacks ? nullptr : tile;
        change.rows |= d.rows;
        change.columns |= d.columns;
    }
    if (!change.rows) return;
    if (whole) {
        cells_.adopt(t, *whole);
        ++counters_.tiles_adopted;
    } else {
        cells_.put(t, merged);
        ++counters_.tiles_written;
    }
    record(t, change.rows, change.columns);
}

/// By (stamp, rank): the path of worlds that change. Whether anything was new.
bool KnownMap::merge_stamped(TileCoord t, const CellTile& theirs, const StampTile& their_stamps) {
    static constexpr CellTile nothing{};
    static constexpr StampTile never{};
    const CellTile* found = cells_.find(t);
    const StampTile* found_stamps = stamps_.find(t);
    const CellTile& mine = found ? *found : nothing;
    const StampTile& my_stamps = found_stamps ? *found_stamps : never;
    std::array<CellRow, tile_size> after;
    std::array<std::uint64_t, tile_size> newer{};
    std::uint64_t newer_rows = 0;
    TileChange change{t};
    for (std::size_t row = 0; row < tile_size; ++row) {
        const CellRow before = row_of(mine, row), claims = row_of(theirs, row);
        after[row] = before;
        if (!claims.known) continue;
        std::uint64_t equal = 0;
        compare_stamps(&my_stamps.stamps[row * tile_size], &their_stamps.stamps[row * tile_size], newer[row], equal);
        newer[row] &= claims.known;
        equal &= claims.known;
        newer_rows |= std::uint64_t{newer[row] != 0} << row;
        const CellRow merged = higher(before, claims);
        const std::uint64_t n = newer[row], rest = ~(n | equal);
        const auto pick = [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
            return (a & n) | (b & equal) | (c & rest);
        };
        after[row] = {pick(claims.known, merged.known, before.known),
                      pick(claims.occupied, merged.occupied, before.occupied),
                      pick(claims.safe, merged.safe, before.safe)};
        const std::uint64_t changed = after[row] ^ before;
        change.rows |= std::uint64_t{changed != 0} << row;
        change.columns |= changed;
    }
    if (!newer_rows && !change.rows) return false;
    if (newer_rows) {
        StampTile& stamps = stamps_.edit(t);
        for (std::uint64_t rows = newer_rows; rows; rows &= rows - 1) {
            const auto row = static_cast<std::size_t>(std::countr_zero(rows));
            take_stamps(&stamps.stamps[row * tile_size], &their_stamps.stamps[row * tile_size], newer[row]);
        }
    }
    if (change.rows) {
        CellTile& cells = cells_.edit(t);
        for (std::size_t row = 0; row < tile_size; ++row) {
            cells.known.rows[row] = after[row].known;
            cells.occupied.rows[row] = after[row].occupied;
            cells.safe.rows[row] = after[row].safe;
        }
        ++counters_.tiles_written;
    }
    record(t, change.rows, change.columns);
    return true;
}

void KnownMap::merge(const MapSnapshot& theirs, const std::vector<TileCoord>* only) {
    OUTRIDER_CHECK(theirs.frame.robot, ==, frame_.robot);
    OUTRIDER_CHECK(theirs.frame.epoch, ==, frame_.epoch);
    const auto arrived = [&](TileCoord t) { return !only || std::binary_search(only->begin(), only->end(), t); };
    if (stamped_ || !theirs.stamps->blocks.empty()) {
        static constexpr StampTile never{};
        for (const auto& [at, block] : theirs.cells->blocks)
            for (std::size_t i = 0; i < block->data.tiles.size(); ++i) {
                const TileCoord t{at.x * block_tiles + static_cast<int>(i) % block_tiles,
                                  at.y * block_tiles + static_cast<int>(i) / block_tiles};
                if (!block->data.tiles[i] || !arrived(t)) continue;
                const auto* stamps = theirs.stamps->find(t);
                // Tiles that both share as the same objects add nothing.
                if (cells_.find(t) == &block->data.tiles[i]->data &&
                    stamps_.find(t) == (stamps ? &stamps->data : nullptr))
                    continue;
                ++counters_.tiles_compared;
                counters_.tiles_merged += merge_stamped(t, block->data.tiles[i]->data, stamps ? stamps->data : never);
            }
    } else {
        cells_.for_each_difference(*theirs.cells, [&](TileCoord t, const Shared<CellTile>& tile) {
            const Shared<CellTile>* only_one = &tile;
            if (arrived(t)) merge_tile(t, std::span(&only_one, 1));
        });
    }
    merge_marks(theirs, only);
}

void KnownMap::merge(std::span<const MapNews> theirs) {
    constexpr std::size_t many = 8;  // fewer are quicker one by one
    if (theirs.size() >= many) return merge_at_once(theirs);
    for (const MapNews& news : theirs) merge(*news.map);
}

void KnownMap::merge_at_once(std::span<const MapNews> theirs) {
    if (stamped_ ||
        std::any_of(theirs.begin(), theirs.end(), [](const MapNews& n) { return !n.map->stamps->blocks.empty(); })) {
        for (const MapNews& news : theirs) merge(*news.map);
        return;
    }
    std::vector<PlaneNews<CellTile>> planes;
    for (const MapNews& news : theirs) {
        OUTRIDER_CHECK(news.map->frame.robot, ==, frame_.robot);
        OUTRIDER_CHECK(news.map->frame.epoch, ==, frame_.epoch);
        planes.push_back({news.map->cells.get(), news.only_changed});
    }
    cells_.for_each_difference(
        std::span<const PlaneNews<CellTile>>(planes),
        [&](TileCoord t, std::span<const Shared<CellTile>* const> tiles) { merge_tile(t, tiles); });
    for (const MapNews& news : theirs) merge_marks(*news.map, nullptr);
}

void KnownMap::merge_marks(const MapSnapshot& theirs, const std::vector<TileCoord>* only) {
    for (std::size_t m = 0; m < mark_count; ++m)
        marks_[m].for_each_difference(*theirs.marks[m], [&](TileCoord t, const Shared<BitTile>& tile) {
            if (!only || std::binary_search(only->begin(), only->end(), t)) mark(static_cast<Mark>(m), t, tile->data);
        });
}

void KnownMap::mark(Mark which, TileCoord t, const BitTile& cells) {
    CowPlane<BitTile>& plane = marks_[static_cast<std::size_t>(which)];
    const BitTile* mine = plane.find(t);
    std::uint64_t news = 0;
    for (std::size_t i = 0; i < tile_size; ++i) news |= cells.rows[i] & ~(mine ? mine->rows[i] : 0);
    if (!news) return;
    BitTile& tile = plane.edit(t);
    for (std::size_t i = 0; i < tile_size; ++i) tile.rows[i] |= cells.rows[i];
    record(t, 0, 0);
}

MapSnapshot KnownMap::snapshot() {
    MapSnapshot now;
    now.frame = frame_;
    now.generation = generation_;
    now.cells = cells_.snapshot();
    for (std::size_t m = 0; m < mark_count; ++m) now.marks[m] = marks_[m].snapshot();
    now.stamps = stamps_.snapshot();
    return now;
}

}  // namespace outrider
