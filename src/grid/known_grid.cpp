#include "grid/known_grid.hpp"

namespace outrider {

KnownMap known_grid(const Grid<std::uint8_t>& walls) {
    KnownMap map(walls.lattice());
    TileTable<CellTile> tiles;
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        tiles.at(tile_of(c)).set(c, walls.cells()[i] ? CellState::safe_occupied : CellState::free);
    }
    tiles.for_each([&](TileCoord t, const CellTile& tile) { map.observe(t, tile, 0); });
    return map;
}

}  // namespace outrider
