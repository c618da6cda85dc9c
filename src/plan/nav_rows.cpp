#include "plan/nav_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/wide.hpp"

namespace outrider {
namespace {

using Words = MapAround::Words;
using Column = Words::Column;

constexpr CellTile unknown_tile{};

/// Bit i of out: any cell within `reach` columns of i.
std::uint64_t spread(std::uint64_t left, std::uint64_t here, std::uint64_t right, int reach) {
    std::uint64_t out = here;
    for (int d = 1; d <= reach; ++d) out |= here << d | left >> (64 - d) | here >> d | right << (64 - d);
    return out;
}

struct Planes {
    Words known, walls, safe;
    Column near1, near2;  // of the row's own walls
    Column known_beside;  // to the left and to the right
    Column safe1;         // safe free cells within one column
    Column free;
};

/// The rows of the range and two more to each side.
void read_rows(const TilesAround& tiles, RowRange range, Words& words) {
    const int first = range.first - 2, last = range.last + 2;
    std::array<Column*, 3> columns{&words.left, &words.here, &words.right};
    for (std::size_t dx = 0; dx < 3; ++dx)
        for (int part = 0; part < 3; ++part) {  // the tiles below, beside and above
            const int from = std::max(first, tile_size * (part - 1)), to = std::min(last, tile_size * part - 1);
            if (from > to) continue;
            std::memcpy(&(*columns[dx])[static_cast<std::size_t>(from + 2)],
                        &tiles[static_cast<std::size_t>(3 * part) + dx]->rows[static_cast<std::size_t>(from & 63)],
                        static_cast<std::size_t>(to - from + 1) * sizeof(std::uint64_t));
        }
}

/// What is not wanted makes no frontier, as if it were known.
OUTRIDER_WIDE void take_for_known(Words& known, const Words& wanted, std::size_t first, std::size_t last) {
    for (std::size_t k = first; k <= last + 4; ++k) {
        known.left[k] |= ~wanted.left[k];
        known.here[k] |= ~wanted.here[k];
        known.right[k] |= ~wanted.right[k];
    }
}

/// Reads p.free.
OUTRIDER_WIDE void find_rows(Planes& p, std::size_t first, std::size_t last, bool unsafe, NavTile& tile) {
    for (std::size_t k = first; k <= last + 4; ++k) {
        p.near1[k] = spread(p.walls.left[k], p.walls.here[k], p.walls.right[k], 1);
        p.near2[k] = spread(p.walls.left[k], p.walls.here[k], p.walls.right[k], 2);
        p.known_beside[k] = (p.known.here[k] << 1 | p.known.left[k] >> 63) &  //
                            (p.known.here[k] >> 1 | p.known.right[k] << 63);
    }
    for (std::size_t i = first; i <= last; ++i) {
        const std::uint64_t free = p.free[i];
        const std::uint64_t unknown_neighbour = ~(p.known.here[i + 1] & p.known.here[i + 3] & p.known_beside[i + 2]);
        const std::uint64_t unknown_around = unknown_neighbour | ~(p.known_beside[i + 1] & p.known_beside[i + 3]);
        tile.pass[i] = free;
        tile.near1[i] = p.near1[i + 1] | p.near1[i + 2] | p.near1[i + 3];
        tile.near2[i] = p.near2[i] | p.near2[i + 1] | p.near2[i + 2] | p.near2[i + 3] | p.near2[i + 4];
        tile.frontier[i] = free & unknown_around;
        tile.edge[i] = unknown_neighbour;
    }
    if (unsafe) {
        for (std::size_t k = first + 1; k <= last + 3; ++k)
            p.safe1[k] = spread(p.safe.left[k] & ~p.walls.left[k], p.safe.here[k] & ~p.walls.here[k],
                                p.safe.right[k] & ~p.walls.right[k], 1);
        for (std::size_t i = first; i <= last; ++i) {
            const std::uint64_t free = p.free[i];
            const std::uint64_t safe_around = p.safe1[i + 1] | p.safe1[i + 2] | p.safe1[i + 3];
            tile.frontier[i] |= free & safe_around;
            tile.frontier[i] &= ~p.safe.here[i + 2] | p.walls.here[i + 2];
        }
    }
    for (std::size_t i = first; i <= last; ++i) tile.edge[i] &= tile.frontier[i];
}

}  // namespace

TilesAround tiles_around(const TileTable<BitTile>& cells, TileCoord t) {
    static constexpr BitTile none{};
    TilesAround out;
    for (int k = 0; k < 9; ++k) {
        const BitTile* tile = cells.find({t.x + k % 3 - 1, t.y + k / 3 - 1});
        out[static_cast<std::size_t>(k)] = tile ? tile : &none;
    }
    return out;
}

MapAround::MapAround(const KnownMap& map, TileCoord t) {
    for (int k = 0; k < 9; ++k) {
        const CellTile* tile = map.tile({t.x + k % 3 - 1, t.y + k / 3 - 1});
        tiles_[static_cast<std::size_t>(k)] = tile ? tile : &unknown_tile;
    }
}

bool MapAround::nothing() const {
    return std::all_of(tiles_.begin(), tiles_.end(), [](const CellTile* t) { return t == &unknown_tile; });
}

void MapAround::read(BitTile CellTile::*plane, RowRange range, Words& words) const {
    TilesAround tiles;
    for (std::size_t k = 0; k < tiles.size(); ++k) tiles[k] = &(tiles_[k]->*plane);
    read_rows(tiles, range, words);
}

void MapAround::blocked_by(std::span<const int> body, RowRange range, NavTile::Rows& blocked) const {
    const int reach = static_cast<int>(body.size()) - 1;
    for (int row = range.first; row <= range.last; ++row) {
        std::uint64_t& out = blocked[static_cast<std::size_t>(row)] = 0;
        for (int dy = -reach; dy <= reach; ++dy) {
            const CellTile* const* tiles = &tiles_[static_cast<std::size_t>(3 * (((row + dy) >> 6) + 1))];
            const auto i = static_cast<std::size_t>((row + dy) & 63);
            out |= spread(tiles[0]->occupied.rows[i], tiles[1]->occupied.rows[i], tiles[2]->occupied.rows[i],
                          body[static_cast<std::size_t>(std::abs(dy))]);
        }
    }
}

void find_nav_rows(const MapAround& around, RowRange range, bool unsafe, const NavTile::Rows* blocked, NavTile& tile,
                   const TilesAround* wanted) {
    Planes planes;
    around.read(&CellTile::known, range, planes.known);
    around.read(&CellTile::occupied, range, planes.walls);
    if (unsafe) around.read(&CellTile::safe, range, planes.safe);
    const auto first = static_cast<std::size_t>(range.first), last = static_cast<std::size_t>(range.last);
    for (std::size_t i = first; i <= last; ++i) planes.free[i] = planes.known.here[i + 2] & ~planes.walls.here[i + 2];
    Words wanted_words;
    if (wanted) {
        read_rows(*wanted, range, wanted_words);
        take_for_known(planes.known, wanted_words, first, last);
    }
    find_rows(planes, first, last, unsafe, tile);
    for (std::size_t i = first; wanted && unsafe && i <= last; ++i) {
        tile.frontier[i] &= wanted_words.here[i + 2];
        tile.edge[i] &= tile.frontier[i];
    }
    for (std::size_t i = first; blocked && i <= last; ++i) tile.pass[i] &= ~(*blocked)[i];
}

}  // namespace outrider
