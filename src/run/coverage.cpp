#include "run/coverage.hpp"

#include <algorithm>

#include "base/wide.hpp"

namespace outrider {
namespace {

/// Adds cells & mask to `sum`; the number of cells that were new.
OUTRIDER_WIDE int add_cells(BitTile& sum, const BitTile& cells, const BitTile& mask) {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < tile_size; ++i) any |= cells.rows[i] & mask.rows[i] & ~sum.rows[i];
    if (!any) return 0;
    int added = 0;
    for (std::size_t i = 0; i < tile_size; ++i) {
        const std::uint64_t news = cells.rows[i] & mask.rows[i] & ~sum.rows[i];
        sum.rows[i] |= news;
        added += std::popcount(news);
    }
    return added;
}

int count_free(const CellTile& tile, const BitTile& mask) {
    int n = 0;
    for (std::size_t i = 0; i < tile_size; ++i)
        n += std::popcount(tile.known.rows[i] & ~tile.occupied.rows[i] & mask.rows[i]);
    return n;
}

}  // namespace

Coverage::Coverage(const Grid<std::uint8_t>& sensable, std::vector<bool> base)
    : is_base_(std::move(base)),
      first_seen_(sensable.width(), sensable.height(), 0, sensable.lattice(), sensable.origin()),
      robot_cells_(is_base_.size()),
      sensed_cells_(is_base_.size()),
      robot_counts_(is_base_.size()),
      sensed_plane_(is_base_.size()),
      seen_version_(is_base_.size(), 0),
      alive_(is_base_.size(), true) {
    for (int y = 0; y < sensable.height(); ++y) {
        const std::uint8_t* row =
            sensable.cells().data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(sensable.width());
        for (int x = 0; x < sensable.width();) {
            const Cell first = sensable.origin() + Cell{x, y};
            const int left = std::min(tile_size - column_in_tile(first), sensable.width() - x);
            std::uint64_t bits = 0;
            for (int i = 0; i < left; ++i) bits |= std::uint64_t{row[x + i] != 0} << i;
            if (bits)
                sensable_plane_.at(tile_of(first)).rows[static_cast<std::size_t>(row_in_tile(first))] |=
                    bits << column_in_tile(first);
            sensable_ += std::popcount(bits);
            x += left;
        }
    }
}

void Coverage::update(const StepView& view) {
    new_at_base_ = 0;
    collect_changes(view);
    for (const TileCoord t : dirty_tiles_) {
        std::uint64_t& rows = *dirty_.find(t);
        recount(t, rows, view);
        rows = 0;
    }
    dirty_tiles_.clear();
    add_footprints(view);
}

void Coverage::collect_changes(const StepView& view) {
    const auto add = [&](TileCoord t, std::uint64_t rows) {
        if (!sensable_plane_.find(t)) return;
        std::uint64_t& dirty = dirty_.at(t);
        if (!dirty && rows) dirty_tiles_.push_back(t);
        dirty |= rows;
    };
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const KnownMap& map = view.team[i].belief().map();
        const bool died = alive_[i] && !view.percepts[i].alive;  // what it alone knew is lost
        alive_[i] = view.percepts[i].alive;
        const Changes changes = map.changes_since(seen_version_[i]);
        seen_version_[i] = map.version();
        if (changes.everything || died)
            map.cells().for_each([&](TileCoord t, const CellTile&) { add(t, ~std::uint64_t{0}); });
        else
            for (const TileChange& change : changes.tiles) add(change.tile, change.rows);
    }
}

void Coverage::recount(TileCoord t, std::uint64_t rows, const StepView& view) {
    const BitTile& mask = *sensable_plane_.find(t);
    // Robots that know the same share the tile: each distinct one is looked at once.
    struct Holder {
        const CellTile* tile;
        std::uint16_t count;
        bool base;
    };
    std::vector<Holder> holders;
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        if (!alive_[i]) continue;
        const CellTile* tile = view.team[i].belief().map().tile(t);
        if (!tile) continue;
        auto at = std::find_if(holders.begin(), holders.end(), [&](const Holder& h) { return h.tile == tile; });
        if (at == holders.end())
            at = holders.insert(holders.end(), {tile, static_cast<std::uint16_t>(count_free(*tile, mask)), false});
        at->base = at->base || is_base_[i];
        std::uint16_t& mine = robot_counts_[i].at(t);
        robot_cells_[i] += at->count - mine;
        mine = at->count;
    }

    BitTile &team = team_plane_.at(t), &base = base_plane_.at(t);
    for (; rows; rows &= rows - 1) {
        const int row = std::countr_zero(rows);
        const auto i = static_cast<std::size_t>(row);
        std::uint64_t known = 0, at_base = 0;
        for (const Holder& h : holders) {
            const std::uint64_t free = h.tile->free_row(row) & mask.rows[i];
            known |= free;
            if (h.base) at_base |= free;
        }
        for (std::uint64_t bits = known & ~team.rows[i]; bits; bits &= bits - 1) {
            std::uint32_t& first = first_seen_[cell_of(t, std::countr_zero(bits), row)];
            if (first == 0) first = static_cast<std::uint32_t>(view.step) + 1;
        }
        for (std::uint64_t bits = at_base & ~base.rows[i]; bits; bits &= bits - 1)
            latencies_.add(static_cast<std::uint32_t>(view.step) + 1 -
                           first_seen_[cell_of(t, std::countr_zero(bits), row)]);
        new_at_base_ += std::popcount(at_base & ~base.rows[i]);
        team_ += std::popcount(known) - std::popcount(team.rows[i]);
        base_ += std::popcount(at_base) - std::popcount(base.rows[i]);
        team.rows[i] = known;
        base.rows[i] = at_base;
    }
}

void Coverage::add_footprints(const StepView& view) {
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        if (!view.percepts[i].alive) continue;
        for (const ScanMapper& mapper : view.team[i].mappers())
            for (const auto& [t, cells] : mapper.footprint()) {
                const BitTile* mask = sensable_plane_.find(t);
                if (!mask) continue;
                std::unique_ptr<BitTile>& sensed = sensed_plane_[i].at(t);
                if (!sensed) sensed = std::make_unique<BitTile>();
                const int added = add_cells(*sensed, *cells, *mask);
                sensed_cells_[i] += added;
                if (added > 0) sensed_by_any_ += add_cells(any_plane_.at(t), *cells, *mask);
            }
    }
}

}  // namespace outrider
