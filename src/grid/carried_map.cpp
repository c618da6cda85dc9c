#include "grid/carried_map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace outrider {
namespace {

struct Claims {
    CellTile cells;
    StampTile stamps;
    std::array<BitTile, mark_count> marks;
};

}  // namespace

void CarriedMap::follow(const KnownMap& from, const Pose& place) {
    const MapChanges changes = from.changes_since(seen_);
    if (changes.everything || !(place == place_)) {
        place_ = place;
        map_.redraw(map_.frame());
        from.cells().for_each([&](TileCoord t, const CellTile&) { carry(from, t); });
        return;
    }
    for (const TileCoord t : changes.tiles()) carry(from, t);
}

void CarriedMap::carry(const KnownMap& from, TileCoord t) {
    const CellTile* tile = from.tile(t);
    if (!tile) return;
    const Lattice& lattice = map_.lattice();
    const Pose back = inverse(place_);
    std::map<TileCoord, Claims> claimed;
    const auto claim = [&](Cell here, Cell there, CellState state) {
        Claims& c = claimed[tile_of(here)];
        c.cells.set(here, state);
        c.stamps[here] = std::max(c.stamps[here], from.stamp(there));
        for (std::size_t m = 0; m < mark_count; ++m)
            if (from.marked(static_cast<Mark>(m), there)) c.marks[m].set(here);
    };
    Cell low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    for (const Cell corner : {cell_of(t, 0, 0), cell_of(t, tile_size - 1, 0), cell_of(t, 0, tile_size - 1),
                              cell_of(t, tile_size - 1, tile_size - 1)}) {
        const Cell here = lattice.cell_of(transform(place_, lattice.centre(corner)));
        low = {std::min(low.x, here.x - 1), std::min(low.y, here.y - 1)};
        high = {std::max(high.x, here.x + 1), std::max(high.y, here.y + 1)};
    }
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
            const Cell there = lattice.cell_of(transform(back, lattice.centre({x, y})));
            if (tile_of(there) != t || !tile->known.test(there)) continue;
            claim({x, y}, there, tile->occupied.test(there) ? CellState::occupied : CellState::free);
        }
    for (int row = 0; row < tile_size; ++row)
        for (std::uint64_t bits = tile->occupied.rows[static_cast<std::size_t>(row)]; bits; bits &= bits - 1) {
            const Cell wall = cell_of(t, std::countr_zero(bits), row);
            claim(lattice.cell_of(transform(place_, lattice.centre(wall))), wall, CellState::occupied);
        }
    for (const auto& [at, c] : claimed) {
        if (stamped_)
            map_.observe(at, c.cells, c.stamps);
        else
            map_.observe(at, c.cells, 0);
        for (std::size_t m = 0; m < mark_count; ++m) map_.mark(static_cast<Mark>(m), at, c.marks[m]);
    }
}

}  // namespace outrider
