// Free space that no camera has cleared.
#include <algorithm>
#include <map>
#include <numeric>

#include "plan/frontier_finder.hpp"

namespace outrider {

std::vector<Frontier> find_uncleared(const KnownMap& map, const NavMap& nav, int side, int min_cells) {
    std::map<Cell, std::vector<Cell>> squares;  // by row, then column
    const auto square_of = [&](Cell c) {
        const auto down = [&](int v) { return v >= 0 ? v / side : -((-v + side - 1) / side); };
        return Cell{down(c.x), down(c.y)};
    };
    nav.tiles().for_each([&](TileCoord t, const NavTile& tile) {
        const BitTile* cleared = map.marks(Mark::cleared, t);
        for (int row = 0; row < tile_size; ++row) {
            const auto i = static_cast<std::size_t>(row);
            std::uint64_t open = tile.reached[i] & ~(cleared ? cleared->rows[i] : 0);
            for (; open; open &= open - 1) {
                const Cell c = cell_of(t, std::countr_zero(open), row);
                squares[square_of(c)].push_back(c);
            }
        }
    });
    std::vector<Frontier> out;
    for (const auto& [square, cells] : squares) {
        Frontier f;
        f.size = static_cast<int>(cells.size());
        for (const Cell c : cells) f.centroid = f.centroid + Point{c.x + 0.5, c.y + 0.5};
        f.centroid = f.centroid * (1.0 / f.size);
        const auto away = [&](Cell c) { return distance(Point{c.x + 0.5, c.y + 0.5}, f.centroid); };
        f.goal = f.look = *std::min_element(
            cells.begin(), cells.end(), [&](Cell a, Cell b) { return std::pair(away(a), a) < std::pair(away(b), b); });
        f.area = f.size;
        f.leftover = f.size < min_cells;
        f.uncleared = true;
        out.push_back(f);
    }
    return out;
}

}  // namespace outrider
