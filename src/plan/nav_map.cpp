#include "outrider/nav_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace outrider {
namespace {

/// Older changes are dropped in bulk beyond this; whoever is further behind begins anew.
constexpr std::size_t change_limit = 1 << 16;

/// A tile of the map with its eight neighbours: words of its planes as if there were no tile edges.
class Around {
  public:
    Around(const KnownMap& map, TileCoord t) {
        for (int dy = -1, i = 0; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx, ++i) tiles_[static_cast<std::size_t>(i)] = map.tile({t.x + dx, t.y + dy});
    }
    bool nothing() const {
        return std::all_of(tiles_.begin(), tiles_.end(), [](const CellTile* t) { return t == nullptr; });
    }
    /// Words of row `row` (-64 ... 127) in the tile and in those to its left and right.
    struct Row {
        std::uint64_t before, here, after;
        /// Bit i: the cell one to the left (right) of i.
        std::uint64_t left() const { return here << 1 | before >> 63; }
        std::uint64_t right() const { return here >> 1 | after << 63; }
        /// Bit i: any cell within `reach` columns of i.
        std::uint64_t spread(int reach) const {
            std::uint64_t out = here;
            for (int d = 1; d <= reach; ++d) out |= here << d | before >> (64 - d) | here >> d | after << (64 - d);
            return out;
        }
    };
    Row known(int row) const {
        return words(row, [](const CellTile& t, std::size_t i) { return t.known.rows[i]; });
    }
    Row walls(int row) const {
        return words(row, [](const CellTile& t, std::size_t i) { return t.occupied.rows[i]; });
    }
    Row safe_free(int row) const {
        return words(row, [](const CellTile& t, std::size_t i) { return t.safe.rows[i] & ~t.occupied.rows[i]; });
    }

  private:
    template <class Word>
    Row words(int row, Word word) const {
        const CellTile* const* tiles = &tiles_[static_cast<std::size_t>(3 * ((row >> 6) + 1))];
        const auto i = static_cast<std::size_t>(row & 63);
        return {tiles[0] ? word(*tiles[0], i) : 0, tiles[1] ? word(*tiles[1], i) : 0,
                tiles[2] ? word(*tiles[2], i) : 0};
    }
    std::array<const CellTile*, 9> tiles_;
};

/// Rows of a 64-row mask, each with its neighbours up to `reach`; what leaves the tile goes to below and above.
struct SpreadRows {
    std::uint64_t here, below = 0, above = 0;
    SpreadRows(std::uint64_t rows, int reach) : here(rows) {
        for (int d = 1; d <= reach; ++d) {
            here |= rows << d | rows >> d;
            above |= rows >> (64 - d);
            below |= rows << (64 - d);
        }
    }
};

}  // namespace

NavMap::NavMap(FrontierKind kind, double radius_cells, bool through_unknown)
    : kind_(kind), through_unknown_(through_unknown) {
    // A wall cell blocks a body at distance (dx, dy) when the disc reaches into its square.
    for (int dy = 0; radius_cells > 0.5 && std::max(0.0, dy - 0.5) < radius_cells; ++dy) {
        int reach = 0;
        while (std::hypot(reach + 0.5, std::max(0.0, dy - 0.5)) < radius_cells) ++reach;
        body_.push_back(reach);
    }
}

void NavMap::update(const KnownMap& map, Cell at) {
    if (changes_.size() >= change_limit) {
        changes_.erase(changes_.begin(), changes_.begin() + change_limit / 2);
        first_change_ += change_limit / 2;
    }
    if (touched_.size() >= change_limit) {
        touched_.erase(touched_.begin(), touched_.begin() + change_limit / 2);
        first_touched_ += change_limit / 2;
    }
    collect_dirty_rows(map);
    touched_.insert(touched_.end(), dirty_tiles_.begin(), dirty_tiles_.end());
    for (const TileCoord t : dirty_tiles_) {
        DirtyRows& dirty = *dirty_.find(t);
        compute_rows(map, t, dirty.rows);
        dirty.rows = 0;
    }
    dirty_tiles_.clear();

    const Cell seed = foothold(at);
    std::vector<std::pair<TileCoord, NavTile::Rows>> before;  // what was reached, when that begins anew
    if (!reached(seed) || can_split()) {
        ++counters_.rebuilds;
        queue_.clear();
        tiles_.for_each([&](TileCoord t, const NavTile& tile) { before.emplace_back(t, tile.reached); });
        for (const auto& [t, reached] : before) tiles_.edit(t).reached.fill(0);
        if (passable(seed)) {
            tiles_.edit(tile_of(seed)).reached[static_cast<std::size_t>(row_in_tile(seed))] |= std::uint64_t{1}
                                                                                               << column_in_tile(seed);
            queue_.emplace_back(tile_of(seed), row_in_tile(seed));
            push_around(tile_of(seed), row_in_tile(seed), ~std::uint64_t{0});
        }
    }
    lost_.clear();
    const std::size_t touched = touched_.size();
    flood();
    if (before.empty()) return;
    touched_.resize(touched);  // most of what was reached is so again
    for (const auto& [t, reached] : before)
        if (tiles_.find(t)->reached != reached) touched_.push_back(t);
}

void NavMap::share() {
    tiles_.share();
    stops_.for_each_item([](Stops& stops) {
        if (!stops.used) stops = {};
        stops.used = false;
    });
}

const NavTile::Rows& NavMap::traversable_rows(TileCoord t) const {
    static constexpr NavTile::Rows none{};
    static const NavTile::Rows all = [] {
        NavTile::Rows rows;
        rows.fill(~std::uint64_t{0});
        return rows;
    }();
    if (!through_unknown_) return tiles_.find(t) ? tiles_.find(t)->pass : none;
    if (const auto* rows = traversable_.find(t); rows && *rows) return **rows;
    const auto [low, high] = extent();
    return t.x < low.x - 1 || t.y < low.y - 1 || t.x > high.x + 1 || t.y > high.y + 1 ? none : all;
}

Cell NavMap::foothold(Cell at) const {
    const int reach = static_cast<int>(body_.size()) + 3;
    for (int k = 0; k <= reach; ++k)
        for (int dy = -k; dy <= k; ++dy)
            for (int dx = -k; dx <= k; dx += (dy == -k || dy == k) ? 1 : 2 * k)
                if (passable(at + Cell{dx, dy})) return at + Cell{dx, dy};
    return at;
}

std::pair<TileCoord, TileCoord> NavMap::extent() const {
    const auto [low, high] = tiles_.extent();
    return {low, high};
}

/// The rows that depend on what changed: a wall's influence on near2 and on the body reaches farthest.
void NavMap::collect_dirty_rows(const KnownMap& map) {
    const int reach = std::max(2, static_cast<int>(body_.size()) - 1);
    const auto add = [&](TileCoord t, std::uint64_t rows) {
        if (!rows) return;
        DirtyRows& dirty = dirty_.at(t);
        if (!dirty.rows) dirty_tiles_.push_back(t);
        dirty.rows |= rows;
    };
    const auto add_around = [&](TileCoord t, std::uint64_t rows, std::uint64_t columns) {
        counters_.rows_changed += static_cast<std::uint64_t>(std::popcount(rows));
        const SpreadRows spread(rows, reach);
        const std::uint64_t low = (std::uint64_t{1} << reach) - 1, high = low << (64 - reach);
        for (int dx = -1; dx <= 1; ++dx) {
            if ((dx < 0 && !(columns & low)) || (dx > 0 && !(columns & high))) continue;
            add({t.x + dx, t.y}, spread.here);
            add({t.x + dx, t.y - 1}, spread.below);
            add({t.x + dx, t.y + 1}, spread.above);
        }
    };
    Changes changes = map.changes_since(std::min(seen_, map.version()));
    if (map.generation() != generation_ || changes.everything) {
        tiles_ = {};
        stops_ = {};
        traversable_.clear();
        queue_.clear();
        lost_.clear();
        first_change_ = pass_version() + 1;
        changes_.clear();
        first_touched_ = version() + 1;
        touched_.clear();
        map.cells().for_each(
            [&](TileCoord t, const CellTile&) { add_around(t, ~std::uint64_t{0}, ~std::uint64_t{0}); });
    } else {
        for (const TileChange& change : changes.tiles) add_around(change.tile, change.rows, change.columns);
    }
    seen_ = map.version();
    generation_ = map.generation();
}

void NavMap::compute_rows(const KnownMap& map, TileCoord t, std::uint64_t rows) {
    const Around around(map, t);
    const NavTile* old = tiles_.find(t);
    if (!old && around.nothing()) return;
    counters_.rows_computed += static_cast<std::uint64_t>(std::popcount(rows));
    static constexpr NavTile none{};
    NavTile now = old ? *old : none;
    NavTile::Rows* traversable = nullptr;
    if (through_unknown_) {
        auto& entry = traversable_.at(t);
        if (!entry) {
            entry = std::make_unique<NavTile::Rows>();
            entry->fill(~std::uint64_t{0});
        }
        traversable = entry.get();
    }

    const int low = std::countr_zero(rows), high = 63 - std::countl_zero(rows);
    std::array<std::uint64_t, tile_size + 4> spread1, spread2;  // walls of row i - 2, spread along the row
    for (int row = low - 2; row <= high + 2; ++row) {
        const Around::Row walls = around.walls(row);
        spread1[static_cast<std::size_t>(row + 2)] = walls.spread(1);
        spread2[static_cast<std::size_t>(row + 2)] = walls.spread(2);
    }
    for (; rows; rows &= rows - 1) {
        const int row = std::countr_zero(rows);
        const auto i = static_cast<std::size_t>(row);
        const Around::Row known = around.known(row), above = around.known(row + 1), below = around.known(row - 1);
        const std::uint64_t free = known.here & ~around.walls(row).here;
        const std::uint64_t near1 = spread1[i + 1] | spread1[i + 2] | spread1[i + 3];
        const std::uint64_t near2 = spread2[i] | spread2[i + 1] | spread2[i + 2] | spread2[i + 3] | spread2[i + 4];
        std::uint64_t blocked = 0;
        for (int dy = 1 - static_cast<int>(body_.size()); dy < static_cast<int>(body_.size()); ++dy)
            blocked |= around.walls(row + dy).spread(body_[static_cast<std::size_t>(std::abs(dy))]);
        const std::uint64_t unknown_beside = ~(above.here & below.here & known.left() & known.right());
        const std::uint64_t unknown_around =
            unknown_beside | ~(above.left() & above.right() & below.left() & below.right());
        std::uint64_t frontier = free & unknown_around;
        if (kind_ == FrontierKind::unsafe) {
            std::uint64_t safe_around = 0;
            for (int dy = -1; dy <= 1; ++dy) safe_around |= around.safe_free(row + dy).spread(1);
            frontier = free & ~around.safe_free(row).here & (unknown_around | safe_around);
        }
        const std::uint64_t pass = free & ~blocked;
        if (through_unknown_) (*traversable)[i] = ~(around.walls(row).here | blocked);
        for (std::uint64_t gone = now.reached[i] & ~pass; gone; gone &= gone - 1)
            lost_.push_back(cell_of(t, std::countr_zero(gone), row));
        if (pass & ~now.pass[i]) queue_.emplace_back(t, row);
        if (pass != now.pass[i]) changes_.push_back({t, row, pass ^ now.pass[i]});
        now.pass[i] = pass;
        now.near1[i] = near1;
        now.near2[i] = near2;
        now.frontier[i] = frontier;
        now.edge[i] = frontier & unknown_beside;
        now.reached[i] &= pass;
    }
    if (old && std::memcmp(&now, old, sizeof now) == 0) return;
    std::uint64_t changed_columns = 0, changed_rows = 0;
    for (std::size_t i = 0; i < now.pass.size(); ++i) {
        const std::uint64_t changed = now.pass[i] ^ (old ? old->pass[i] : 0);
        changed_columns |= changed;
        changed_rows |= std::uint64_t{changed != 0} << i;
    }
    const auto at_edge = [](int d, std::uint64_t lines) { return d == 0 || (d < 0 ? lines & 1 : lines >> 63) != 0; };
    for (int dy = -1; changed_rows && dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (at_edge(dx, changed_columns) && at_edge(dy, changed_rows))
                if (Stops* stops = stops_.find({t.x + dx, t.y + dy})) stops->valid = false;
    tiles_.edit(t) = now;
}

PassChanges NavMap::changes_since(std::uint64_t version) const {
    if (version < first_change_ || version > pass_version()) return {true, {}};
    return {false, std::span(changes_).subspan(static_cast<std::size_t>(version - first_change_))};
}

TileChanges NavMap::tiles_since(std::uint64_t version) const {
    if (version < first_touched_ || version > this->version()) return {true, {}};
    return {false, std::span(touched_).subspan(static_cast<std::size_t>(version - first_touched_))};
}

}  // namespace outrider
