// Where straight moves over a tile have to look up, and where diagonal ones may go: what jump point search reads.
#include "base/wide.hpp"
#include "outrider/nav_map.hpp"

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

}  // namespace

const JumpBlocks& NavMap::jump_blocks(TileCoord t) const {
    CachedBlocks& entry = jump_blocks_.at(t);
    entry.used = true;
    if (entry.valid) return *entry.tile;
    if (!entry.tile) entry.tile = std::make_unique_for_overwrite<JumpBlocks>();
    entry.valid = true;
    std::array<const NavTile*, 9> around;
    static constexpr NavTile nothing{};
    for (int k = 0; k < 9; ++k) {
        const NavTile* tile = tiles_.find({t.x + k % 3 - 1, t.y + k / 3 - 1});
        around[static_cast<std::size_t>(k)] = tile ? tile : &nothing;
    }
    const NavTile::Rows rows = around[4]->pass, columns = transposed(rows);
    const auto bit = [&](std::size_t tile, std::size_t column, std::size_t row) -> std::uint64_t {
        return around[tile]->pass[row] >> column & 1;
    };
    Lines horizontal, vertical;
    Lines west, east, south, north;
    const std::uint64_t below = around[1]->pass[63], above = around[7]->pass[0];
    for (std::size_t i = 0; i < tile_size; ++i) {
        horizontal[i + 1] = rows[i];
        vertical[i + 1] = columns[i];
        west[i + 1] = around[3]->pass[i] >> 63;
        east[i + 1] = around[5]->pass[i] & 1;
        south[i + 1] = below >> i & 1;
        north[i + 1] = above >> i & 1;
    }
    horizontal[0] = below;
    horizontal[65] = above;
    vertical[0] = vertical[65] = 0;
    for (std::size_t i = 0; i < tile_size; ++i) {
        vertical[0] |= west[i + 1] << i;
        vertical[65] |= east[i + 1] << i;
    }
    west[0] = bit(0, 63, 63);
    west[65] = bit(6, 63, 0);
    east[0] = bit(2, 0, 63);
    east[65] = bit(8, 0, 0);
    south[0] = bit(0, 63, 63);
    south[65] = bit(2, 0, 63);
    north[0] = bit(6, 63, 0);
    north[65] = bit(8, 0, 0);
    find_stops(horizontal, west, east, entry.tile->east, entry.tile->west);
    find_diagonals(horizontal, west, east, *entry.tile);
    find_stops(vertical, south, north, entry.tile->north, entry.tile->south);
    return *entry.tile;
}

}  // namespace outrider
