#include "player/known_since.hpp"

#include <algorithm>
#include <bit>

#include "base/byte_stream.hpp"

namespace outrider {

PlayerRaster player_raster(const Grid<std::uint8_t>& walls, std::size_t most) {
    const PlayerRaster cells{walls.origin(), walls.width(), walls.height(), 1};
    int factor = 1;
    while (cells.joined(factor).size() > most) ++factor;
    return cells.joined(factor);
}

std::string encode_squares(const std::vector<std::uint32_t>& values, int width) {
    const auto w = static_cast<std::size_t>(width);
    std::string symbols, others;
    symbols.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t left = i % w == 0 ? 0 : values[i - 1], below = i < w ? 0 : values[i - w];
        symbols += values[i] == left ? '\0' : values[i] == below ? '\1' : '\2';
        if (symbols.back() == '\2') append_integer(others, std::int64_t{values[i]} - std::int64_t{left});
    }
    return symbols + others;
}

/// Calls visit(index of the square) for each of these cells that lies on the raster.
template <class Visit>
void KnownSince::for_each_square(TileCoord t, const BitTile& cells, Visit&& visit) const {
    const Cell low = cell_of(t, 0, 0) - raster_.low;
    for (int row = 0; row < static_cast<int>(tile_size); ++row) {
        const int y = low.y + row;
        if (y < 0 || y / raster_.factor >= raster_.height) continue;
        const auto line = static_cast<std::size_t>(y / raster_.factor) * static_cast<std::size_t>(raster_.width);
        for (std::uint64_t bits = cells.rows[static_cast<std::size_t>(row)]; bits; bits &= bits - 1)
            if (const int x = low.x + std::countr_zero(bits); x >= 0 && x / raster_.factor < raster_.width)
                visit(line + static_cast<std::size_t>(x / raster_.factor));
    }
}

void KnownSince::note(const KnownMap& map, ChangeCursor& cursor, std::uint32_t step) {
    for (const TileCoord t : map.changes_since(cursor).tiles()) {
        const CellTile* tile = map.tile(t);
        if (!tile) continue;
        BitTile& noted = noted_.at(t);
        BitTile fresh;
        for (std::size_t row = 0; row < tile_size; ++row) {
            fresh.rows[row] = tile->known.rows[row] & ~noted.rows[row];
            noted.rows[row] |= fresh.rows[row];
        }
        for_each_square(t, fresh, [&](std::size_t k) {
            if (since_[k] == 0) since_[k] = step;
        });
    }
}

void KnownSince::settle(const std::vector<const KnownMap*>& maps) {
    std::vector<std::uint8_t> known(raster_.size());
    std::fill(walls_.begin(), walls_.end(), 0);
    for (const KnownMap* map : maps)
        map->cells().for_each([&](TileCoord t, const CellTile& tile) {
            for_each_square(t, tile.known, [&](std::size_t k) { known[k] = 1; });
            for_each_square(t, tile.occupied, [&](std::size_t k) { walls_[k] = 1; });
        });
    for (std::size_t k = 0; k < since_.size(); ++k)
        if (!known[k]) since_[k] = 0;
}

std::vector<std::uint32_t> KnownSince::values(int coarser) const {
    const PlayerRaster to_raster = raster_.joined(coarser);
    std::vector<std::uint32_t> since(to_raster.size());
    std::vector<std::uint8_t> walls(since.size());
    for (int y = 0; y < raster_.height; ++y)
        for (int x = 0; x < raster_.width; ++x) {
            const auto from =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(raster_.width) + static_cast<std::size_t>(x);
            const auto to = static_cast<std::size_t>(y / coarser) * static_cast<std::size_t>(to_raster.width) +
                            static_cast<std::size_t>(x / coarser);
            if (since_[from] == 0) continue;
            since[to] = since[to] == 0 ? since_[from] : std::min(since[to], since_[from]);
            walls[to] |= walls_[from];
        }
    for (std::size_t k = 0; k < since.size(); ++k) since[k] = 2 * since[k] + (since[k] != 0 && walls[k]);
    return since;
}

}  // namespace outrider
