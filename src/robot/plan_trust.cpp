#include "robot/plan_trust.hpp"

#include <bit>

namespace outrider {

PlanTrust::PlanTrust(const KnownMap& plan) {
    plan.cells().for_each([&](TileCoord t, const CellTile& tile) {
        shown_.at(t) = tile.known;
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t walls = tile.occupied.rows[static_cast<std::size_t>(row)]; walls; walls &= walls - 1) {
                const Cell wall = cell_of(t, std::countr_zero(walls), row);
                for (int dy = -tolerance_cells; dy <= tolerance_cells; ++dy)
                    for (int dx = -tolerance_cells; dx <= tolerance_cells; ++dx) {
                        const Cell c = wall + Cell{dx, dy};
                        near_.at(tile_of(c)).set(c);
                    }
            }
    });
}

void PlanTrust::update(const KnownMap& map) {
    const MapChanges changes = map.changes_since(seen_);
    if (changes.everything) {
        counts_ = {};
        walls_ = fitting_ = 0;
    }
    changes.for_each([&](const TileChange& change) {
        const CellTile* tile = map.tile(change.tile);
        const BitTile *shown = shown_.find(change.tile), *near = near_.find(change.tile);
        if (!tile || !shown) return;
        Count now;
        for (std::size_t i = 0; i < tile_size; ++i) {
            const std::uint64_t walls = tile->occupied.rows[i] & shown->rows[i];
            now.walls += std::popcount(walls);
            if (near) now.fitting += std::popcount(walls & near->rows[i]);
        }
        Count& before = counts_.at(change.tile);
        walls_ += now.walls - before.walls;
        fitting_ += now.fitting - before.fitting;
        before = now;
    });
}

}  // namespace outrider
