#include "plan/wall_distance.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "outrider/error.hpp"
#include "plan/spread_tree.hpp"

namespace outrider {
namespace {

/// Made once for each horizon that is used.
const SpreadTree& tree_for(int horizon) {
    static std::mutex mutex;
    static std::map<int, SpreadTree> trees;
    const std::lock_guard lock(mutex);
    return trees.try_emplace(horizon, horizon).first->second;
}

std::size_t key(Cell c) { return static_cast<std::size_t>(row_in_tile(c) << 6 | column_in_tile(c)); }

}  // namespace

/// The nearest wall of each cell as an offset from it.
struct WallDistance::Tile {
    struct Offset {
        std::int8_t x = 127, y = 127;  // 127: none
    };
    std::array<Offset, tile_size * tile_size> wall;
    BitTile walls;    ///< as far as update() has followed the map
    BitTile noted{};  ///< cells that stand in before_
};

/// Cells with a wall that may be their nearest, by squared distance.
struct WallDistance::Queue {
    struct Item {
        Cell cell, wall;
    };
    std::vector<std::vector<Item>> by_distance;
    int low = 0, high = -1;
    explicit Queue(int horizon) : by_distance(static_cast<std::size_t>(horizon * horizon + 1)) {}
    void push(int squared, Cell c, Cell wall) {
        by_distance[static_cast<std::size_t>(squared)].push_back({c, wall});
        low = high < low ? squared : std::min(low, squared);
        high = std::max(high, squared);
    }
};

WallDistance::WallDistance(int horizon_cells) : horizon_(horizon_cells) {
    OUTRIDER_CHECK(horizon_cells, >=, 1);
    OUTRIDER_CHECK(horizon_cells, <=, max_horizon_cells);
    tree_ = &tree_for(horizon_cells);
    queue_ = std::make_unique<Queue>(horizon_cells);
}
WallDistance::~WallDistance() = default;
WallDistance::WallDistance(const WallDistance&) = default;
WallDistance::WallDistance(WallDistance&&) noexcept = default;
WallDistance& WallDistance::operator=(WallDistance&&) noexcept = default;

WallDistance::Tile& WallDistance::tile(TileCoord t) {
    auto& entry = tiles_.at(t);
    if (!entry) entry = std::make_unique<Tile>();
    return *entry;
}

std::optional<Cell> WallDistance::nearest(Cell c) const {
    const auto* entry = tiles_.find(tile_of(c));
    if (!entry || !*entry) return {};
    const Tile::Offset offset = (*entry)->wall[key(c)];
    if (offset.x == 127) return {};
    return Cell{c.x + offset.x, c.y + offset.y};
}

int WallDistance::squared(Cell c) const {
    const auto wall = nearest(c);
    return wall ? static_cast<int>(squared_distance(c, *wall)) : none();
}

double WallDistance::cells(Cell c) const {
    const auto wall = nearest(c);
    return wall ? std::sqrt(static_cast<double>(squared_distance(c, *wall))) : horizon_;
}

void WallDistance::set(Cell c, std::optional<Cell> wall) {
    Tile& t = tile(tile_of(c));
    if (!t.noted.test(c)) {
        t.noted.set(c);
        before_.emplace_back(c, nearest(c));
    }
    t.wall[key(c)] =
        wall ? Tile::Offset{static_cast<std::int8_t>(wall->x - c.x), static_cast<std::int8_t>(wall->y - c.y)}
             : Tile::Offset{};
}

/// Walls added and removed since the last call.
WallDistance::Walls WallDistance::follow(const KnownMap& map) {
    Walls walls;
    const auto look = [&](TileCoord t, std::uint64_t rows) {
        const CellTile* now = map.tile(t);
        const auto* entry = tiles_.find(t);
        for (; rows; rows &= rows - 1) {
            const int row = std::countr_zero(rows);
            const auto i = static_cast<std::size_t>(row);
            const std::uint64_t walls_now = now ? now->occupied.rows[i] : 0,
                                walls_then = entry && *entry ? (*entry)->walls.rows[i] : 0;
            if (walls_now == walls_then) continue;
            Tile& mine = tile(t);
            entry = tiles_.find(t);
            mine.walls.rows[i] = walls_now;
            for (std::uint64_t bits = walls_now ^ walls_then; bits; bits &= bits - 1) {
                const int column = std::countr_zero(bits);
                (walls_now >> column & 1 ? walls.appeared : walls.vanished).push_back(cell_of(t, column, row));
            }
        }
    };
    const MapChanges changes = map.changes_since(seen_);
    if (changes.everything) {
        tiles_.clear();
        changes_.reset();
        ++counters_.rebuilds;
    }
    changes.for_each([&](const TileChange& change) { look(change.tile, change.rows); });
    return walls;
}

/// Takes a wall away from the cells that it is nearest to.
void WallDistance::forget(Cell wall, std::vector<Cell>& cleared) {
    std::vector<Cell> offsets{{0, 0}};
    while (!offsets.empty()) {
        const Cell offset = offsets.back();
        offsets.pop_back();
        ++counters_.touched;
        if (nearest(wall + offset) != wall) continue;
        set(wall + offset, {});
        cleared.push_back(wall + offset);
        for (const Cell step : tree_->steps_from(offset)) offsets.push_back(offset + step);
    }
}

/// Queues c when the wall is nearer to it than the one that it has.
void WallDistance::offer(Cell c, Cell wall) {
    ++counters_.touched;
    const auto distance = squared_distance(c, wall);
    if (distance > horizon_ * horizon_) return;
    if (const auto mine = nearest(c))
        if (std::pair(squared_distance(c, *mine), *mine) <= std::pair(distance, wall)) return;
    queue_->push(static_cast<int>(distance), c, wall);
}

void WallDistance::update(const KnownMap& map) {
    changes_.cut();
    const Walls walls = follow(map);
    std::vector<Cell> cleared;
    for (const Cell wall : walls.vanished) forget(wall, cleared);
    for (const Cell c : cleared)
        for (const Cell step : tree_->back_steps())
            if (const auto wall = nearest(c + step)) offer(c, *wall);
    for (const Cell wall : walls.appeared) offer(wall, wall);

    Queue& queue = *queue_;
    for (; queue.low <= queue.high; ++queue.low) {
        auto& items = queue.by_distance[static_cast<std::size_t>(queue.low)];
        while (!items.empty()) {  // what is queued meanwhile is farther
            const auto [c, wall] = items.back();
            items.pop_back();
            if (const auto mine = nearest(c);
                mine && std::pair(squared_distance(c, *mine), *mine) <= std::pair(squared_distance(c, wall), wall))
                continue;
            set(c, wall);
            for (const Cell step : tree_->steps_from(c - wall)) offer(c + step, wall);
        }
    }
    queue.low = 0;
    queue.high = -1;
    for (const auto& entry : before_) {
        const Cell c = entry.first;
        const std::optional<Cell>& wall = entry.second;
        tile(tile_of(c)).noted.reset(c);
        const auto now = nearest(c);
        if (now == wall) continue;
        ++counters_.changed;
        const auto squared_to = [&](const std::optional<Cell>& w) { return w ? squared_distance(c, *w) : none(); };
        if (squared_to(now) != squared_to(wall)) changes_.add(c);
    }
    before_.clear();
    if (before_.capacity() > change_cap) before_.shrink_to_fit();  // the first update may have set the whole map
}

}  // namespace outrider
