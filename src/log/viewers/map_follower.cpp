#include "log/viewers/map_follower.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <span>

namespace outrider {
namespace {

/// The rectangle of cells around all that are known.
struct KnownBox {
    Cell low{INT_MAX, INT_MAX}, high{INT_MIN, INT_MIN};
    bool empty() const { return low.x > high.x; }
    void take(TileCoord t, const BitTile& known) {
        for (int row = 0; row < tile_size; ++row) {
            const std::uint64_t bits = known.rows[static_cast<std::size_t>(row)];
            if (bits == 0) continue;
            const Cell first = cell_of(t, std::countr_zero(bits), row),
                       last = cell_of(t, tile_size - 1 - std::countl_zero(bits), row);
            low = {std::min(low.x, first.x), std::min(low.y, first.y)};
            high = {std::max(high.x, last.x), std::max(high.y, last.y)};
        }
    }
};

std::size_t known_cells_of(const KnownMap& map) {
    std::size_t n = 0;
    map.cells().for_each([&](TileCoord, const CellTile& tile) { n += static_cast<std::size_t>(tile.known.count()); });
    return n;
}

Hash128 hash_of(const GridMessage& grid) {
    Hasher hash;
    hash(grid.corner.x)(grid.corner.y)(grid.width)(std::span<const std::int8_t>(grid.cells));
    return hash.result();
}

}  // namespace

std::optional<GridMessage> grid_of(const KnownMap& map, Point offset) {
    KnownBox box;
    map.cells().for_each([&](TileCoord t, const CellTile& tile) { box.take(t, tile.known); });
    if (box.empty()) return {};
    GridMessage grid;
    grid.cell_m = map.lattice().cell_m;
    grid.corner = Point{box.low.x * grid.cell_m, box.low.y * grid.cell_m} + offset;
    grid.width = box.high.x - box.low.x + 1;
    grid.height = box.high.y - box.low.y + 1;
    const auto width = static_cast<std::size_t>(grid.width);
    grid.cells.assign(width * static_cast<std::size_t>(grid.height), GridMessage::unknown);
    map.cells().for_each([&](TileCoord t, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row) {
            const auto r = static_cast<std::size_t>(row);
            if (tile.known.rows[r] == 0) continue;
            const Cell at = cell_of(t, 0, row) - box.low;
            std::int8_t* const line = grid.cells.data() + static_cast<std::ptrdiff_t>(at.y) * grid.width + at.x;
            for (std::uint64_t bits = tile.known.rows[r]; bits; bits &= bits - 1) {
                const int column = std::countr_zero(bits);
                line[column] = tile.occupied.rows[r] >> column & 1 ? GridMessage::wall : GridMessage::free;
            }
        }
    });
    return grid;
}

std::optional<GridMessage> MapFollower::due(const KnownMap& map, double time_s, Point offset, bool at_end) {
    changed_ |= !map.changes_since(seen_).none();
    if (!changed_) return {};
    const std::size_t known = known_cells_of(map), difference = known > known_ ? known - known_ : known_ - known;
    const double pause_s = std::max(10.0, static_cast<double>(cells_) / 50'000);
    if (written_ && !at_end && 20 * difference < known_ && time_s - written_s_ < pause_s) return {};
    std::optional<GridMessage> grid = grid_of(map, offset);
    if (!grid) return {};
    changed_ = false;
    const Hash128 content = hash_of(*grid);  // marks that no grid shows count as changes of the map, too
    if (written_ && content == content_) return {};
    content_ = content;
    written_ = true;
    written_s_ = time_s;
    known_ = known;
    cells_ = grid->cells.size();
    return grid;
}

}  // namespace outrider
