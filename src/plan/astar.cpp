// A* over cells, with costs for closeness to walls. The heuristic is consistent; the queue is an array of buckets.
#include <algorithm>
#include <array>
#include <cmath>

#include "outrider/path.hpp"
#include "plan/path_planner.hpp"
#include "plan/search_memory.hpp"
#include "plan/steps.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t bucket_width = 128;

constexpr std::uint8_t from_nowhere = 8;

struct Node {
    SearchTile* tile;
    std::uint32_t key, cost;
};

/// Nodes by estimate; within a bucket the last comes first. The answer is exact: the search ends only when no bucket
/// that could hold a better path is left.
class Buckets {
  public:
    void clear() {
        for (std::size_t i = 0; i < used_; ++i) buckets_[i].clear();
        used_ = 0;
    }
    void push(std::size_t bucket, SearchTile* tile, std::uint32_t key, std::uint32_t cost) {
        if (bucket >= buckets_.size()) buckets_.resize(std::max(bucket + 1, 2 * buckets_.size()));
        used_ = std::max(used_, bucket + 1);
        buckets_[bucket].push_back({tile, key, cost});
    }
    std::size_t size() const { return used_; }
    std::vector<Node>& operator[](std::size_t i) { return buckets_[i]; }

  private:
    std::vector<std::vector<Node>> buckets_;
    std::size_t used_ = 0;
};

/// For each direction of the step into a cell (the last entry: no step), the directions of a next step that can be
/// worthwhile: the cell before it and that one's straight neighbours cost less to reach from the cell before it.
constexpr std::array<std::uint8_t, 9> onward = [] {
    std::array<std::uint8_t, 9> table{};
    for (std::size_t d = 0; d < 9; ++d)
        for (std::size_t e = 0; e < 8; ++e) {
            const int x = d < 8 ? steps[d].x + steps[e].x : 2, y = d < 8 ? steps[d].y + steps[e].y : 2;  // from there
            if (x * x + y * y > 1) table[d] = static_cast<std::uint8_t>(table[d] | 1u << e);
        }
    return table;
}();

/// Traversable cells around a cell; its own bit is set, whatever the map says.
unsigned traversable_around(SearchMemory& memory, SearchTile& tile, int column, int row) {
    unsigned around = 1u << 4;
    if (column > 0 && column < 63 && row > 0 && row < 63) {
        const std::uint64_t* pass = &(*tile.traversable)[static_cast<std::size_t>(row - 1)];
        for (int k = 0; k < 3; ++k) around |= static_cast<unsigned>(pass[k] >> (column - 1) & 7) << (3 * k);
        return around;
    }
    for (int k = 0; k < 9; ++k) {
        const int x = column + k % 3 - 1, y = row + k / 3 - 1;
        const NavTile::Rows& rows = *memory.at(tile, x, y).traversable;
        around |= static_cast<unsigned>(rows[static_cast<std::size_t>(y & 63)] >> (x & 63) & 1) << k;
    }
    return around;
}

}  // namespace

Path PathPlanner::clearest(const NavMap& nav, Cell start, Cell goal, std::uint32_t bound) const {
    return cheapest(nav, start, goal, bound, options_.wall_cost);
}

Path PathPlanner::cheapest(const NavMap& nav, Cell start, Cell goal, std::uint32_t bound, double wall_cost) const {
    if (start == goal) return {PathStatus::found, {start}, 0};
    if (!nav.traversable(goal)) return {PathStatus::goal_blocked};
    if (nav.far_outside(start)) return {PathStatus::unreachable};
    const std::uint32_t lowest = octile_cost(start, goal);
    if (lowest > bound) return {PathStatus::too_far};

    // Cost of entering a cell, by what is known of it (1: nothing), its closeness to a wall (2: beside, 1: one farther,
    // 0: clear) and the kind of step.
    std::array<std::array<std::array<std::uint32_t, 2>, 3>, 2> entry_cost;
    for (std::size_t unknown = 0; unknown < 2; ++unknown)
        for (std::size_t close = 0; close < 3; ++close)
            for (std::size_t diagonal = 0; diagonal < 2; ++diagonal)
                entry_cost[unknown][close][diagonal] = static_cast<std::uint32_t>(
                    std::lround((diagonal ? diagonal_cost : straight_cost) * (1 + wall_cost * 0.5 * double(close)) *
                                (unknown ? std::max(1.0, options_.unknown_cost) : 1)));
    std::array<std::uint32_t, 8> least_cost;  // of a step, whatever it leads to
    for (std::size_t d = 0; d < 8; ++d)
        least_cost[d] = std::min(entry_cost[0][0][is_diagonal[d]], entry_cost[1][0][is_diagonal[d]]);
    SearchMemory& memory = search_memory();
    memory.begin(nav);
    thread_local Buckets open;
    open.clear();
    SearchTile &start_tile = memory.tile(tile_of(start)), &goal_tile = memory.tile(tile_of(goal));
    const std::uint32_t goal_key = key_in_tile(goal);
    start_tile.set(key_in_tile(start), 0);
    start_tile.from[key_in_tile(start)] = from_nowhere;
    open.push(0, &start_tile, key_in_tile(start), 0);

    int budget = options_.max_expansions;
    bool cut = false;  // something lies beyond most_cost
    for (std::size_t b = 0; b < open.size(); ++b) {
        const std::uint64_t least =
            std::uint64_t{lowest} + b * bucket_width;  // of any path through what is still queued
        if (least > std::min(goal_tile.get(goal_key), bound)) break;
        while (!open[b].empty()) {
            // Field by field, as it was stored just now: a wider load would wait for the stores.
            SearchTile& tile = *open[b].back().tile;
            const std::uint32_t from_key = open[b].back().key, from_cost = open[b].back().cost;
            open[b].pop_back();
            if (from_cost != tile.get(from_key)) continue;  // a cheaper path was found since
            // Once there is a path, only cheaper ones matter: of equally cheap ones the first is kept.
            const Cell at = cell_of(tile.at, static_cast<int>(from_key & 63), static_cast<int>(from_key >> 6));
            if (std::uint64_t{from_cost} + octile_cost(at, goal) >= goal_tile.get(goal_key)) continue;
            if (--budget < 0) return {PathStatus::gave_up};
            if (from_cost > most_cost) {
                cut = true;
                continue;
            }
            const int column = static_cast<int>(from_key & 63), row = static_cast<int>(from_key >> 6);
            const bool inside = column > 0 && column < 63 && row > 0 && row < 63;  // with all its neighbours
            for (unsigned moves =
                     allowed_steps[traversable_around(memory, tile, column, row)] & onward[tile.from[from_key]];
                 moves; moves &= moves - 1) {
                const auto d = static_cast<std::size_t>(std::countr_zero(moves));
                const int x = column + steps[d].x, y = row + steps[d].y;
                SearchTile& next = inside ? tile : memory.at(tile, x, y);
                const std::uint32_t key = static_cast<std::uint32_t>((y & 63) << 6 | (x & 63));
                const std::uint32_t before = next.get(key);
                if (from_cost + least_cost[d] >= before) continue;  // most steps lead back, or to cells already reached
                const Cell to = cell_of(next.at, x & 63, y & 63);
                const auto i = static_cast<std::size_t>(y & 63);
                const auto closeness = (next.nav->near1[i] >> (x & 63) & 1) + (next.nav->near2[i] >> (x & 63) & 1);
                const auto unknown = static_cast<std::size_t>(~next.nav->pass[i] >> (x & 63) & 1);
                const std::uint32_t total = from_cost + entry_cost[unknown][closeness][is_diagonal[d]];
                if (total >= before) continue;
                const std::uint64_t estimate = std::uint64_t{total} + octile_cost(to, goal);
                if (estimate > bound) continue;
                next.set(key, total);
                next.from[key] = static_cast<std::uint8_t>(d);
                open.push((estimate - lowest) / bucket_width, &next, key, total);
            }
        }
    }
    const std::uint32_t cost = goal_tile.get(goal_key);
    if (cost == unseen_cost && cut) return {PathStatus::gave_up};
    if (cost == unseen_cost) return {bound == no_bound ? PathStatus::unreachable : PathStatus::too_far};

    Path path{PathStatus::found, {goal}, cost};
    for (std::uint8_t d;
         (d = memory.tile(tile_of(path.cells.back())).from[key_in_tile(path.cells.back())]) != from_nowhere;)
        path.cells.push_back(path.cells.back() - steps[d]);
    std::reverse(path.cells.begin(), path.cells.end());
    return path;
}

}  // namespace outrider
