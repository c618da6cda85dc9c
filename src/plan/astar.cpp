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

/// What is known of a cell: that it is free, on slow ground or not; nothing; only what a prior map says.
enum Kind : std::size_t { known, rough, unknown, free_by_plan, wall_by_plan };
constexpr std::size_t kind_count = 5;

Kind kind_of(CellState prior) {
    switch (prior) {
        case CellState::unknown:
            return unknown;
        case CellState::free:
        case CellState::safe_free:
            return free_by_plan;
        case CellState::occupied:
        case CellState::safe_occupied:
            break;
    }
    return wall_by_plan;
}

/// How many times as much a step into one costs, at least once.
double cost_of_kind(std::size_t kind, const PlanOptions& options) {
    switch (kind) {
        case rough:
            return std::max(1.0, options.rough_cost);
        case unknown:
            return std::max(1.0, options.unknown_cost);
        case free_by_plan:
            return 1.5;
        case wall_by_plan:
            return 10;
        default:
            return 1;
    }
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

    // Cost of entering a cell, by what is known of it, its closeness to a wall (2: beside, 1: one farther, 0: clear)
    // and the kind of step.
    std::array<std::array<std::array<std::uint32_t, 2>, 3>, kind_count> entry_cost;
    for (std::size_t kind = 0; kind < kind_count; ++kind)
        for (std::size_t close = 0; close < 3; ++close)
            for (std::size_t diagonal = 0; diagonal < 2; ++diagonal)
                entry_cost[kind][close][diagonal] = static_cast<std::uint32_t>(
                    std::lround((diagonal ? diagonal_cost : straight_cost) * (1 + wall_cost * 0.5 * double(close)) *
                                cost_of_kind(kind, options_)));
    std::array<std::uint32_t, 8> least_cost;  // of a step, whatever it leads to
    for (std::size_t d = 0; d < 8; ++d) least_cost[d] = entry_cost[known][0][is_diagonal[d]];
    SearchMemory& memory = search_memory();
    memory.begin(nav);
    thread_local Buckets open;
    open.clear();
    SearchTile &start_tile = memory.tile(tile_of(start)), &goal_tile = memory.tile(tile_of(goal));
    const std::uint32_t goal_key = key_in_tile(goal);
    start_tile.set(key_in_tile(start), 0);
    start_tile.from[key_in_tile(start)] = no_step;
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
            for (unsigned moves = allowed_steps[traversable_around(memory, tile, column, row)] &
                                  worthwhile_steps[tile.from[from_key]];
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
                std::size_t kind = known;
                if (~next.nav->pass[i] >> (x & 63) & 1)
                    kind = kind_of(maps_.prior ? maps_.prior->state(to) : CellState::unknown);
                else if (maps_.rough && maps_.rough->marked(Mark::rough, to))
                    kind = rough;
                const std::uint32_t total = from_cost + entry_cost[kind][closeness][is_diagonal[d]];
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
    for (std::uint8_t d; (d = memory.tile(tile_of(path.cells.back())).from[key_in_tile(path.cells.back())]) != no_step;)
        path.cells.push_back(path.cells.back() - steps[d]);
    std::reverse(path.cells.begin(), path.cells.end());
    return path;
}

}  // namespace outrider
