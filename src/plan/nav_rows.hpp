// The planes of a NavTile from the map around it, all rows at a time.
#pragma once

#include <span>

#include "outrider/detail/nav_map.hpp"

namespace outrider {

/// Rows first ... last of a tile.
struct RowRange {
    int first = 0, last = tile_size - 1;
};

/// A tile with its eight neighbours, by row, then column; none is null.
using TilesAround = std::array<const BitTile*, 9>;
/// Of a tile that does not exist, an empty one.
TilesAround tiles_around(const TileTable<BitTile>& cells, TileCoord t);

/// A tile of the map with its eight neighbours.
class MapAround {
  public:
    MapAround(const KnownMap& map, TileCoord t);
    bool nothing() const;
    std::uint64_t walls(int row) const { return tiles_[4]->occupied.rows[static_cast<std::size_t>(row)]; }
    /// Cells to which a wall dy rows away is nearer than body[dy] columns, or as near.
    void blocked_by(std::span<const int> body, RowRange range, NavTile::Rows& blocked) const;

    /// Words of the tile and of those to its left and right; word k is that of row k - 2.
    struct Words {
        using Column = std::array<std::uint64_t, tile_size + 4>;
        Column left, here, right;
    };
    /// The rows of the range and two more to each side.
    void read(BitTile CellTile::*plane, RowRange range, Words& words) const;

  private:
    std::array<const CellTile*, 9> tiles_;  // of a tile that does not exist, an empty one
};

/// Writes the rows of all planes but `reached`. `unsafe`: frontier cells are those of FrontierKind::unsafe; `blocked`:
/// where the body does not fit, nullptr for a point; `wanted`: the cells of which frontiers are wanted, nullptr: all.
void find_nav_rows(const MapAround& around, RowRange range, bool unsafe, const NavTile::Rows* blocked, NavTile& tile,
                   const TilesAround* wanted = nullptr);

}  // namespace outrider
