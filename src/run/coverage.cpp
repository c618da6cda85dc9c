#include "run/coverage.hpp"

#include <algorithm>

#include "base/bits.hpp"
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
            const std::uint64_t bits = nonzero_bits(row + x, left);
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
        Dirty& dirty = *dirty_.find(t);
        recount(t, dirty.rows, view);
        dirty = {};
    }
    dirty_tiles_.clear();
    add_footprints(view);
}

void Coverage::collect_changes(const StepView& view) {
    const auto add = [&](std::size_t robot, TileCoord t, std::uint64_t rows) {
        const BitTile* mask = sensable_plane_.find(t);
        if (!mask || !rows) return;
        Dirty& dirty = dirty_.at(t);
        if (!dirty.rows) dirty_tiles_.push_back(t);
        dirty.rows |= rows;
        // Robots that know the same share the tile: it is counted once where they follow each other.
        const CellTile* tile = view.team[robot].belief().map().tile(t);
        if (!alive_[robot] || !tile) return;
        if (tile != dirty.counted) dirty.count = static_cast<std::uint16_t>(count_free(*tile, *mask));
        dirty.counted = tile;
        std::uint16_t& mine = robot_counts_[robot].at(t);
        robot_cells_[robot] += dirty.count - mine;
        mine = dirty.count;
    };
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const KnownMap& map = view.team[i].belief().map();
        const bool died = alive_[i] && !view.percepts[i].alive;  // what it alone knew is lost
        alive_[i] = view.percepts[i].alive;
        const Changes changes = map.changes_since(seen_version_[i]);
        seen_version_[i] = map.version();
        if (changes.everything || died)
            map.cells().for_each([&](TileCoord t, const CellTile&) { add(i, t, ~std::uint64_t{0}); });
        else
            for (const TileChange& change : changes.tiles) add(i, change.tile, change.rows);
    }
}

void Coverage::recount(TileCoord t, std::uint64_t rows, const StepView& view) {
    const BitTile& mask = *sensable_plane_.find(t);
    // Robots that know the same share the tile: each distinct one is looked at once.
    struct Holder {
        const CellTile* tile;
        bool base;
    };
    std::vector<Holder> holders;
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        if (!alive_[i]) continue;
        const CellTile* tile = view.team[i].belief().map().tile(t);
        if (!tile) continue;
        const auto at = std::find_if(holders.begin(), holders.end(), [&](const Holder& h) { return h.tile == tile; });
        if (at == holders.end())
            holders.push_back({tile, is_base_[i]});
        else
            at->base = at->base || is_base_[i];
    }

    const auto step = static_cast<std::uint32_t>(view.step);
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
        if (known == team.rows[i] && at_base == base.rows[i]) continue;  // a team-mate knew it
        if (known & ~team.rows[i]) note_first(t, i, known, step);
        if (at_base & ~base.rows[i]) note_arrived(t, i, at_base & ~base.rows[i], step);
        new_at_base_ += std::popcount(at_base & ~base.rows[i]);
        team_ += std::popcount(known) - std::popcount(team.rows[i]);
        base_ += std::popcount(at_base) - std::popcount(base.rows[i]);
        team.rows[i] = known;
        base.rows[i] = at_base;
    }
}

/// Those of the cells that nobody had sensed yet were sensed now.
void Coverage::note_first(TileCoord t, std::size_t row, std::uint64_t known, std::uint32_t step) {
    std::unique_ptr<SeenTile>& tile = seen_.at(t);
    if (!tile) tile = std::make_unique<SeenTile>();
    const std::uint64_t news = known & ~tile->seen.rows[row];
    if (!news) return;
    tile->seen.rows[row] |= news;
    first_seen_.push_back({news, step, tile->latest[row]});
    tile->latest[row] = static_cast<std::int32_t>(first_seen_.size()) - 1;
}

void Coverage::note_arrived(TileCoord t, std::size_t row, std::uint64_t at_base, std::uint32_t step) {
    const SeenTile& tile = **seen_.find(t);
    for (std::int32_t k = tile.latest[row]; at_base && k >= 0;) {
        const FirstSeen& first = first_seen_[static_cast<std::size_t>(k)];
        if (const std::uint64_t cells = first.cells & at_base) latencies_.add(step - first.step, std::popcount(cells));
        at_base &= ~first.cells;
        k = first.earlier;
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
