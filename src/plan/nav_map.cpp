#include "outrider/detail/nav_map.hpp"
#include "outrider/error.hpp"

#include <algorithm>
#include <cmath>

#include "plan/nav_rows.hpp"

namespace outrider {
namespace {

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
    OUTRIDER_CHECK(radius_cells, <=, max_radius_cells);
    // A wall cell blocks a body at distance (dx, dy) when the disc reaches into its square.
    for (int dy = 0; radius_cells > 0.5 && std::max(0.0, dy - 0.5) < radius_cells; ++dy) {
        int reach = 0;
        while (std::hypot(reach + 0.5, std::max(0.0, dy - 0.5)) < radius_cells) ++reach;
        body_.push_back(reach);
    }
    Hasher rules;
    rules(kind == FrontierKind::unsafe);
    for (const int reach : body_) rules(reach);
    rules_ = rules.result();
}

void NavMap::look_for(const TileTable<BitTile>* wanted) {
    if (wanted == wanted_) return;
    wanted_ = wanted;
    seen_ = {};  // everything is computed anew
}

void NavMap::update(const KnownMap& map, Cell at) {
    pass_changes_.cut();
    frontier_changes_.cut();
    collect_dirty_rows(map);
    version_ += dirty_tiles_.size();
    for (const TileCoord t : dirty_tiles_) {
        DirtyRows& dirty = *dirty_.find(t);
        compute_rows(map, t, dirty.rows);
        dirty.rows = 0;
    }
    dirty_tiles_.clear();

    const Cell seed = foothold(at);
    std::vector<std::pair<TileCoord, NavTile::Rows>> before;  // what was reached before a start from scratch
    const bool anew = !reached(seed) || can_split();
    if (anew) {
        ++counters_.rebuilds;
        ++version_;
        forget_waiting();
        reached_.for_each([&](TileCoord t, const NavTile::Rows& rows) { before.emplace_back(t, rows); });
        for (const auto& [t, rows] : before) reached_.put(t, {});
        if (passable(seed)) {
            const TileCoord t = tile_of(seed);
            const int row = row_in_tile(seed);
            const std::uint64_t bit = std::uint64_t{1} << row;
            reached_.edit(t)[static_cast<std::size_t>(row)] |= std::uint64_t{1} << column_in_tile(seed);
            // Its own row, and in case it is the only cell of that row those beside it.
            let_in(t, bit | bit << 1 | bit >> 1);
            if (row == 63) let_in({t.x, t.y + 1}, 1);
            if (row == 0) let_in({t.x, t.y - 1}, std::uint64_t{1} << 63);
            if (column_in_tile(seed) == 0) let_in({t.x - 1, t.y}, bit);
            if (column_in_tile(seed) == 63) let_in({t.x + 1, t.y}, bit);
        }
    }
    lost_.clear();
    flood(!anew);  // otherwise most of what was reached is so again
    if (!anew) return;
    // By row and column of blocks, then of tiles, like all that is reported of the whole map.
    auto reached_before = [&, next = before.begin()](TileCoord t) mutable -> const NavTile::Rows& {
        static constexpr NavTile::Rows none{};
        return next != before.end() && next->first == t ? (next++)->second : none;
    };
    reached_.for_each([&](TileCoord t, const NavTile::Rows& rows) {
        const NavTile::Rows& reached = reached_before(t);
        const NavTile& tile = *tiles_.find(t);
        for (std::size_t i = 0; i < tile_size; ++i)
            if (const std::uint64_t cells = (rows[i] ^ reached[i]) & tile.frontier[i])
                frontier_changes_.add({t, static_cast<int>(i), cells});
    });
}

void NavMap::share() {
    tiles_.share();
    reached_.share();
    ++version_;  // tiles are elsewhere now
}

void NavMap::drop_unused() {
    ++version_;
    jump_blocks_.for_each_item([](CachedBlocks& jump_blocks) {
        if (!jump_blocks.used) jump_blocks = {};
        jump_blocks.used = false;
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
        auto& [lowest, highest] = known_;
        lowest = {std::min(lowest.x, t.x), std::min(lowest.y, t.y)};
        highest = {std::max(highest.x, t.x), std::max(highest.y, t.y)};
        const SpreadRows spread(rows, reach);
        const std::uint64_t low = (std::uint64_t{1} << reach) - 1, high = low << (64 - reach);
        for (int dx = -1; dx <= 1; ++dx) {
            if ((dx < 0 && !(columns & low)) || (dx > 0 && !(columns & high))) continue;
            add({t.x + dx, t.y}, spread.here);
            add({t.x + dx, t.y - 1}, spread.below);
            add({t.x + dx, t.y + 1}, spread.above);
        }
    };
    const MapChanges changes = map.changes_since(seen_);
    if (changes.everything) {
        tiles_ = {};
        reached_ = {};
        jump_blocks_ = {};
        traversable_.clear();
        forget_waiting();
        lost_.clear();
        pass_changes_.reset();
        frontier_changes_.reset();
        known_ = nothing_known;
        ++version_;
    }
    changes.for_each([&](const TileChange& change) { add_around(change.tile, change.rows, change.columns); });
}

/// What follows from these tiles of the map, computed by whoever was the first to need it; nullptr where a tile of the
/// map has no name yet. Only as long as some robot holds the result is it found again.
Shared<NavTile> NavMap::tile_of_team(const KnownMap& map, TileCoord t) const {
    struct {
        std::array<Hash128, 9> around;
        Hash128 rules;
    } names{{}, rules_};
    for (int k = 0; k < 9; ++k) {
        const std::optional<Hash128> name = map.cells().name({t.x + k % 3 - 1, t.y + k / 3 - 1});
        if (!name) return nullptr;
        names.around[static_cast<std::size_t>(k)] = *name;
    }
    static constexpr char kind = 0;  // its address stands for these names in the pool
    const Hash128 name = hash_bytes(&names, sizeof names);
    if (auto found = find_node(&kind, name)) return std::static_pointer_cast<const Named<NavTile>>(std::move(found));
    const MapAround around(map, t);
    NavTile::Rows blocked;
    if (!body_.empty()) around.blocked_by(body_, {}, blocked);
    Shared<NavTile> tile(new Named<NavTile>);
    auto& node = const_cast<Named<NavTile>&>(*tile);  // nobody else has it yet
    find_nav_rows(around, {}, kind_ == FrontierKind::unsafe, body_.empty() ? nullptr : &blocked, node.data);
    node.name = hash_bytes(&node.data, sizeof node.data);
    return std::static_pointer_cast<const Named<NavTile>>(intern_node(&kind, name, intern(std::move(tile))));
}

void NavMap::compute_rows(const KnownMap& map, TileCoord t, std::uint64_t rows) {
    const NavTile* old = tiles_.find(t);
    const MapAround around(map, t);
    if (!old && around.nothing()) return;
    const RowRange range{std::countr_zero(rows), 63 - std::countl_zero(rows)};
    const Shared<NavTile> shared = together_ && !through_unknown_ && !wanted_ ? tile_of_team(map, t) : nullptr;
    if (shared && &shared->data == old) return;
    NavTile::Rows blocked;
    thread_local NavTile computed;  // only rows in the range are written and read
    if (!shared) {
        counters_.rows_computed += static_cast<std::uint64_t>(range.last - range.first + 1);
        if (!body_.empty()) around.blocked_by(body_, range, blocked);
        const std::optional<TilesAround> wanted = wanted_ ? std::optional(tiles_around(*wanted_, t)) : std::nullopt;
        find_nav_rows(around, range, kind_ == FrontierKind::unsafe, body_.empty() ? nullptr : &blocked, computed,
                      wanted ? &*wanted : nullptr);
    }
    const NavTile& now = shared ? shared->data : computed;
    if (through_unknown_) {
        auto& entry = traversable_.at(t);
        if (!entry) {
            entry = std::make_unique<NavTile::Rows>();
            entry->fill(~std::uint64_t{0});
        }
        for (int row = range.first; row <= range.last; ++row) {
            const auto i = static_cast<std::size_t>(row);
            (*entry)[i] = ~(around.walls(row) | (body_.empty() ? 0 : blocked[i]));
        }
    }

    static constexpr NavTile none{};
    const NavTile& before = old ? *old : none;
    const NavTile::Rows& reached = reached_rows(t);
    std::uint64_t lost_rows = 0, changed = old ? 0 : ~std::uint64_t{0}, changed_columns = 0, changed_rows = 0,
                  opened = 0;
    for (int row = range.first; row <= range.last; ++row) {
        const auto i = static_cast<std::size_t>(row);
        const std::uint64_t pass = now.pass[i], difference = pass ^ before.pass[i];
        const std::uint64_t closeness = (now.near1[i] ^ before.near1[i]) | (now.near2[i] ^ before.near2[i]);
        const std::uint64_t frontiers = (now.frontier[i] ^ before.frontier[i]) | (now.edge[i] ^ before.edge[i]);
        changed |= difference | closeness | frontiers;
        if (const std::uint64_t cells = frontiers | (closeness & now.edge[i])) frontier_changes_.add({t, row, cells});
        if (!difference) continue;
        if (reached[i] & ~pass) lost_rows |= std::uint64_t{1} << row;
        for (std::uint64_t gone = reached[i] & ~pass; gone; gone &= gone - 1)
            lost_.push_back(cell_of(t, std::countr_zero(gone), row));
        if (pass & difference) opened |= std::uint64_t{1} << row;
        pass_changes_.add({t, row, difference});
        changed_columns |= difference;
        changed_rows |= std::uint64_t{1} << row;
    }
    if (!changed) return;
    let_in(t, opened);
    const auto at_edge = [](int d, std::uint64_t lines) { return d == 0 || (d < 0 ? lines & 1 : lines >> 63) != 0; };
    for (int dy = -1; changed_rows && dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (at_edge(dx, changed_columns) && at_edge(dy, changed_rows))
                if (CachedBlocks* jump_blocks = jump_blocks_.find({t.x + dx, t.y + dy})) jump_blocks->valid = false;
    for (; lost_rows; lost_rows &= lost_rows - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(lost_rows));
        reached_.edit(t)[i] &= now.pass[i];
    }
    if (shared) return tiles_.adopt(t, shared);
    NavTile& tile = tiles_.edit(t);
    for (int row = range.first; row <= range.last; ++row) {
        const auto i = static_cast<std::size_t>(row);
        tile.pass[i] = now.pass[i];
        tile.near1[i] = now.near1[i];
        tile.near2[i] = now.near2[i];
        tile.frontier[i] = now.frontier[i];
        tile.edge[i] = now.edge[i];
    }
}

std::vector<TileCoord> NavMap::tiles_of(const RowChanges& changes) const {
    std::vector<TileCoord> tiles;
    if (changes.everything) tiles_.for_each([&](TileCoord t, const NavTile&) { tiles.push_back(t); });
    for (const RowChange& change : changes.list)  // of many rows of a tile, one after the other
        if (tiles.empty() || tiles.back() != change.tile) tiles.push_back(change.tile);
    std::sort(tiles.begin(), tiles.end());
    tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    return tiles;
}

}  // namespace outrider
