// Where straight moves over a tile have to look up, and where diagonal ones may go: what jump point search reads.
#include <atomic>

#include "base/wide.hpp"
#include "outrider/detail/nav_map.hpp"

namespace outrider {
namespace {

/// Lines of cells, with one more line to either side: bit i of line k + 1 is cell i of line k.
using Lines = std::array<std::uint64_t, tile_size + 2>;

/// CachedBlocks for moves along the lines, upwards and downwards in the bits. before and after: bit k is the cell of
/// line k - 1 next to its first (last) cell, outside of the tile, as a bit 0 (63); the two outermost come in the high
/// words.
OUTRIDER_WIDE void find_stops(const Lines& lines, const Lines& before, const Lines& after, NavTile::Rows& up,
                              NavTile::Rows& down) {
    Lines opens_up, opens_down;  // cells that are free while the one before (after) them in the line is blocked
    for (std::size_t k = 0; k < lines.size(); ++k) {
        opens_up[k] = lines[k] & ~(lines[k] << 1 | before[k]);
        opens_down[k] = lines[k] & ~(lines[k] >> 1 | after[k] << 63);
    }
    for (std::size_t i = 0; i < tile_size; ++i) {
        up[i] = ~lines[i + 1] | opens_up[i] | opens_up[i + 2];
        down[i] = ~lines[i + 1] | opens_down[i] | opens_down[i + 2];
    }
}

/// From which cells a diagonal step is allowed: of rows, with the cells beside the tile as in find_stops.
OUTRIDER_WIDE void find_diagonals(const Lines& rows, const Lines& west, const Lines& east, JumpBlocks& tile) {
    Lines with_left, with_right;  // cells that can be passed and whose left (right) neighbour can
    for (std::size_t k = 0; k < rows.size(); ++k) {
        with_left[k] = rows[k] & (rows[k] << 1 | west[k]);
        with_right[k] = rows[k] & (rows[k] >> 1 | east[k] << 63);
    }
    for (std::size_t i = 0; i < tile_size; ++i) {
        tile.diagonal[0][i] = with_left[i + 1] & with_left[i];
        tile.diagonal[1][i] = with_right[i + 1] & with_right[i];
        tile.diagonal[2][i] = with_left[i + 1] & with_left[i + 2];
        tile.diagonal[3][i] = with_right[i + 1] & with_right[i + 2];
    }
}

/// All that the stops of a tile depend on: which of its cells and of those right around it can be passed. No padding.
struct PassAround {
    NavTile::Rows rows{};
    std::uint64_t below = 0, above = 0, west = 0, east = 0;  // the lines beside it; west and east upwards
    std::uint64_t south_west = 0, south_east = 0, north_west = 0, north_east = 0;  // a cell each

    PassAround(const NavMap& nav, TileCoord t) {
        static constexpr NavTile nothing{};
        const auto pass = [&](int dx, int dy) -> const NavTile::Rows& {
            const NavTile* tile = nav.tile({t.x + dx, t.y + dy});
            return (tile ? *tile : nothing).pass;
        };
        rows = pass(0, 0);
        below = pass(0, -1)[63];
        above = pass(0, 1)[0];
        const NavTile::Rows &left = pass(-1, 0), &right = pass(1, 0);
        for (std::size_t i = 0; i < tile_size; ++i) {
            west |= left[i] >> 63 << i;
            east |= (right[i] & 1) << i;
        }
        south_west = pass(-1, -1)[63] >> 63;
        south_east = pass(1, -1)[63] & 1;
        north_west = pass(-1, 1)[0] >> 63;
        north_east = pass(1, 1)[0] & 1;
    }
};

void find_jump_blocks(const PassAround& cells, JumpBlocks& out) {
    const NavTile::Rows columns = transposed(cells.rows);
    Lines horizontal, vertical;
    Lines west, east, south, north;
    for (std::size_t i = 0; i < tile_size; ++i) {
        horizontal[i + 1] = cells.rows[i];
        vertical[i + 1] = columns[i];
        west[i + 1] = cells.west >> i & 1;
        east[i + 1] = cells.east >> i & 1;
        south[i + 1] = cells.below >> i & 1;
        north[i + 1] = cells.above >> i & 1;
    }
    horizontal[0] = cells.below;
    horizontal[65] = cells.above;
    vertical[0] = cells.west;
    vertical[65] = cells.east;
    west[0] = south[0] = cells.south_west;
    east[0] = south[65] = cells.south_east;
    west[65] = north[0] = cells.north_west;
    east[65] = north[65] = cells.north_east;
    find_stops(horizontal, west, east, out.east, out.west);
    find_diagonals(horizontal, west, east, out);
    find_stops(vertical, south, north, out.north, out.south);
}

}  // namespace

const JumpBlocks& NavMap::jump_blocks(TileCoord t) const {
    CachedBlocks& entry = jump_blocks_.at(t);
    entry.used = true;
    if (entry.valid) return *entry.tile;
    entry.valid = true;
    const PassAround cells(*this, t);
    if (!together_) {
        if (entry.tile.use_count() > 1) entry.tile = nullptr;  // a copy of this map has it, too
        std::atomic_thread_fence(std::memory_order_acquire);
        if (!entry.tile) entry.tile = std::make_shared_for_overwrite<JumpBlocks>();
        find_jump_blocks(cells, const_cast<JumpBlocks&>(*entry.tile));  // nobody else has it
        return *entry.tile;
    }
    static constexpr char kind = 0;  // its address stands for stops in the pool
    const Hash128 name = hash_bytes(&cells, sizeof cells);
    entry.tile = std::static_pointer_cast<const JumpBlocks>(find_node(&kind, name));
    if (entry.tile) return *entry.tile;
    std::shared_ptr<JumpBlocks> fresh(new JumpBlocks);  // memory of its own: the pool's weak pointer does not keep it
    find_jump_blocks(cells, *fresh);
    entry.tile = std::static_pointer_cast<const JumpBlocks>(intern_node(&kind, name, std::move(fresh)));
    return *entry.tile;
}

}  // namespace outrider
