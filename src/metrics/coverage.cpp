#include "metrics/coverage.hpp"

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

OUTRIDER_WIDE void add_free(BitTile& sum, const CellTile& tile, const BitTile& mask) {
    for (std::size_t i = 0; i < tile_size; ++i)
        sum.rows[i] |= tile.known.rows[i] & ~tile.occupied.rows[i] & mask.rows[i];
}

/// What a robot believes about the truly free cells of a mask.
struct Claims {
    int free = 0;                ///< how many
    std::uint64_t disputed = 0;  ///< cells of the team that it believes to be occupied, all rows in one
    std::uint64_t known = 0;     ///< cells that it knows and the team does not, all rows in one
};

OUTRIDER_WIDE Claims compare_claims(const CellTile& tile, const BitTile& mask, const BitTile& team) {
    Claims claims;
    for (std::size_t i = 0; i < tile_size; ++i) {
        const std::uint64_t free = tile.known.rows[i] & ~tile.occupied.rows[i] & mask.rows[i];
        claims.free += std::popcount(free);
        claims.known |= free & ~team.rows[i];
        claims.disputed |= tile.occupied.rows[i] & team.rows[i];
    }
    return claims;
}

/// The rows in which a tile's occupied cells are among those of the team.
std::uint64_t disputed_rows(const CellTile& tile, const BitTile& team) {
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < tile_size; ++i) rows |= std::uint64_t{(tile.occupied.rows[i] & team.rows[i]) != 0} << i;
    return rows;
}

}  // namespace

Coverage::Coverage(const Grid<std::uint8_t>& sensable, std::vector<bool> base)
    : is_base_(std::move(base)),
      robot_cells_(is_base_.size()),
      sensed_cells_(is_base_.size()),
      robot_counts_(is_base_.size()),
      sensed_plane_(is_base_.size()),
      seen_maps_(is_base_.size()),
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

void Coverage::update(const StepView& view, const TrueView& truth) {
    new_at_base_ = new_to_team_ = 0;
    maps_.clear();
    for (const Robot& robot : view.team) maps_.push_back(&truth.map(robot));
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const KnownMap& map = this->map(i);
        const bool died = alive_[i] && !view.percepts[i].alive;  // what it alone knew is lost
        alive_[i] = view.percepts[i].alive;
        const MapChanges changes = map.changes_since(seen_maps_[i]);
        if (changes.everything || died) {
            robot_counts_[i].for_each([&](TileCoord t, std::uint16_t count) {  // it may have lost some of these now
                if (count > 0) lose(view, i, t);
            });
            map.cells().for_each([&](TileCoord t, const CellTile&) { lose(view, i, t); });
        } else {
            for (const TileChange& change : changes.list)
                if (change.rows) take_in(view, i, change);
        }
    }
    for (const TileCoord t : changed_) {
        TileNews& news = *changes_.find(t);
        if (news.lost) recount(t, view);
        news = {};
    }
    changed_.clear();
    add_footprints(view, truth);
}

/// The robot may know less of a tile than before, even nothing.
void Coverage::lose(const StepView& view, std::size_t robot, TileCoord t) {
    take_in(view, robot, {t, ~std::uint64_t{0}, ~std::uint64_t{0}});
    if (TileNews* news = changes_.find(t)) news->lost = news->any;
}

/// A tile of the robot changed.
void Coverage::take_in(const StepView& view, std::size_t robot, const TileChange& change) {
    const TileCoord t = change.tile;
    const BitTile* mask = sensable_plane_.find(t);
    if (!mask) return;
    TileNews& news = changes_.at(t);
    if (!news.any) changed_.push_back(t);
    news.any = true;
    if (!alive_[robot]) return;
    static constexpr CellTile nothing{};
    const CellTile* tile = map(robot).tile(t);
    if (!tile) tile = &nothing;
    BitTile& team = team_plane_.at(t);
    // Robots with the same knowledge share the tile: it is counted once for consecutive robots.
    if (tile != news.counted) {
        const Claims claims = compare_claims(*tile, *mask, team);
        news.counted = tile;
        news.count = static_cast<std::uint16_t>(claims.free);
        news.disputed_columns = claims.disputed;
        news.disputed_rows = claims.disputed ? disputed_rows(*tile, team) : 0;
        if (claims.known) add_known(t, *tile, *mask, team, static_cast<std::uint32_t>(view.step));
    }
    // What it held occupied before is nobody's loss now.
    news.lost = news.lost || ((news.disputed_rows & change.rows) && (news.disputed_columns & change.columns));
    if (is_base_[robot]) add_known_to_base(t, *tile, *mask, static_cast<std::uint32_t>(view.step));
    std::uint16_t& mine = robot_counts_[robot].at(t);
    robot_cells_[robot] += news.count - mine;
    mine = news.count;
}

/// Adds what a tile says to what the team knows.
void Coverage::add_known(TileCoord t, const CellTile& tile, const BitTile& mask, BitTile& team, std::uint32_t step) {
    for (std::size_t i = 0; i < tile_size; ++i) {
        const std::uint64_t news = tile.free_row(static_cast<int>(i)) & mask.rows[i] & ~team.rows[i];
        if (!news) continue;
        note_first(t, i, news, step);
        team.rows[i] |= news;
        team_ += std::popcount(news);
        new_to_team_ += std::popcount(news);
    }
}

void Coverage::add_known_to_base(TileCoord t, const CellTile& tile, const BitTile& mask, std::uint32_t step) {
    BitTile& base = base_plane_.at(t);
    for (std::size_t i = 0; i < tile_size; ++i) {
        const std::uint64_t news = tile.free_row(static_cast<int>(i)) & mask.rows[i] & ~base.rows[i];
        if (!news) continue;
        note_arrived(t, i, news, step);
        base.rows[i] |= news;
        base_ += std::popcount(news);
        new_at_base_ += std::popcount(news);
    }
}

/// A robot may have lost cells of this tile: removes those that no other robot knows.
void Coverage::recount(TileCoord t, const StepView& view) {
    const BitTile& mask = *sensable_plane_.find(t);
    BitTile team, base;
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        const CellTile* tile = alive_[i] ? map(i).tile(t) : nullptr;
        if (!tile) continue;
        add_free(team, *tile, mask);
        if (is_base_[i]) add_free(base, *tile, mask);
    }
    BitTile &team_before = team_plane_.at(t), &base_before = base_plane_.at(t);
    for (std::size_t j = 0; j < tile_size; ++j) {
        team_ -= std::popcount(team_before.rows[j] & ~team.rows[j]);
        base_ -= std::popcount(base_before.rows[j] & ~base.rows[j]);
    }
    team_before = team;
    base_before = base;
}

/// Records the cells that no robot had sensed before.
void Coverage::note_first(TileCoord t, std::size_t row, std::uint64_t known, std::uint32_t step) {
    Boxed<SeenTile>& tile = seen_.at(t);
    if (!tile) tile = std::make_unique<SeenTile>();
    const std::uint64_t news = known & ~tile->seen.rows[row];
    if (!news) return;
    tile->seen.rows[row] |= news;
    first_seen_.push_back({news, step, tile->latest[row]});
    tile->latest[row] = static_cast<std::int32_t>(first_seen_.size()) - 1;
}

void Coverage::note_arrived(TileCoord t, std::size_t row, std::uint64_t at_base, std::uint32_t step) {
    SeenTile& tile = **seen_.find(t);
    at_base &= ~tile.arrived.rows[row];
    tile.arrived.rows[row] |= at_base;
    for (std::int32_t k = tile.latest[row]; at_base && k >= 0;) {
        const FirstSeen& first = first_seen_[static_cast<std::size_t>(k)];
        if (const std::uint64_t cells = first.cells & at_base) latencies_.add(step - first.step, std::popcount(cells));
        at_base &= ~first.cells;
        k = first.earlier;
    }
}

void Coverage::add_footprints(const StepView& view, const TrueView& truth) {
    for (std::size_t i = 0; i < view.team.size(); ++i) {
        if (!view.percepts[i].alive) continue;
        const auto add = [&](TileCoord t, const BitTile& cells) {
            const BitTile* mask = sensable_plane_.find(t);
            if (!mask) return;
            Boxed<BitTile>& sensed = sensed_plane_[i].at(t);
            if (!sensed) sensed = std::make_unique<BitTile>();
            const int added = add_cells(*sensed, cells, *mask);
            sensed_cells_[i] += added;
            if (added > 0) sensed_by_any_ += add_cells(any_plane_.at(t), cells, *mask);
        };
        truth.for_each_footprint(view.team[i], add);
    }
}

std::int64_t Coverage::known_once() const {
    std::int64_t cells = 0;
    seen_.for_each([&](TileCoord, const Boxed<SeenTile>& tile) {
        if (tile)
            for (const std::uint64_t row : tile->seen.rows) cells += std::popcount(row);
    });
    return cells;
}

}  // namespace outrider
