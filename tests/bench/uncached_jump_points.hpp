// The yardstick for jump points: the search of this project as it was before it kept what leads on from jump points
// between searches. Used by the benchmarks alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "outrider/detail/nav_map.hpp"
#include "outrider/error.hpp"
#include "outrider/path.hpp"
#include "plan/straighten.hpp"

namespace outrider {

class UncachedJumpPoints {
  public:
    /// A start that is believed to be blocked counts as passable: the robot stands there.
    UncachedJumpPoints(const NavMap& nav, Cell start, std::span<const Cell> goals, int max_expansions = 4'000'000);

    PathStatus find(std::size_t goal, std::uint32_t bound = no_bound);
    int find_next(std::uint32_t bound = no_bound);
    PathStatus known(std::size_t goal) const;
    std::uint32_t cost(std::size_t goal) const;
    Path path(std::size_t goal) const;
    int expansions() const { return expansions_; }

  private:
    /// A cell with the tiles that it lies in.
    struct Place {
        std::int32_t tile;  ///< index into tiles_
        std::int32_t column, row;
        bool operator==(const Place&) const = default;
    };
    struct Node {
        Cell cell;
        Cell came;  ///< the straight direction of arrival; {0, 0}: all directions are open
        std::uint32_t cost;
        std::int32_t parent;
    };
    struct Entry {
        std::uint64_t rank;  ///< estimate, then the farther one first
        std::int32_t node;
        Entry(std::uint32_t estimate, std::uint32_t cost, std::int32_t n)
            : rank(std::uint64_t{estimate} << 32 | ~cost), node(n) {}
        std::uint32_t estimate() const { return static_cast<std::uint32_t>(rank >> 32); }
        /// For a heap with the best on top; equal ones: the earlier one.
        bool operator<(const Entry& o) const { return rank != o.rank ? rank > o.rank : node > o.node; }
    };
    struct Goal {
        Cell cell;
        std::int32_t node = -1;  ///< where it was found
        bool blocked = false;
    };
    struct Tile {
        const NavTile* nav = nullptr;
        const JumpBlocks* jump_blocks = nullptr;
        bool goal = false;  ///< a goal that was not found yet lies in it
    };

    Place place(Cell c) const;
    Cell cell(Place p) const;
    Place step(Place p, Cell d) const;
    bool pass(Place p) const;
    Tile& tile(std::int32_t index);
    void load(Tile& t, std::int32_t index);
    template <int dx, int dy>
    bool jump(Place& p);
    std::uint64_t goal_bits(std::int32_t tile, bool horizontal, int line) const;
    void reach(Cell at, Cell came, std::uint32_t cost, std::int32_t parent);
    template <int dx, int dy>
    void straight(std::int32_t parent, Place from, Cell at, std::uint32_t cost);
    void straight(std::int32_t parent, Place from, Cell at, std::uint32_t cost, Cell d);
    template <int dx, int dy>
    void diagonal(std::int32_t parent, Cell at, std::uint32_t cost, bool from_blocked);
    void diagonal(std::int32_t parent, Cell at, std::uint32_t cost, Cell d, bool from_blocked = false);
    std::uint32_t estimate(Cell c) const;
    std::uint32_t& best_cost(Cell c);
    bool goal_at(Cell c) const;
    void expand();

    const NavMap& nav_;
    std::vector<Goal> goals_;
    int budget_, expansions_ = 0;
    bool cut_ = false;                 // something lies beyond most_cost
    std::uint32_t enough_ = no_bound;  // what the only goal costs at most: paths that cost more are not followed
    TileCoord min_;
    std::int32_t width_, height_;
    std::vector<Tile> tiles_;  // of the map, with a rim of empty ones
    std::vector<Node> nodes_;
    std::vector<Entry> open_;
    std::vector<std::pair<std::uint32_t, int>> waiting_;  // cost and index of goals found but not returned yet
    std::vector<std::pair<Cell, std::uint32_t>> costs_;   // open addressing; cost 0: empty (stored plus one)
    std::size_t stored_ = 0;
};

namespace uncached {

/// In cells: a goal this near is first tried by direct paths, whose cost bounds the search.
inline constexpr int directly = 64;

inline const NavTile empty_tile{};
inline const JumpBlocks blocked_stops = [] {
    JumpBlocks t;
    for (NavTile::Rows* plane : {&t.east, &t.west, &t.north, &t.south}) plane->fill(~std::uint64_t{0});
    for (NavTile::Rows& plane : t.diagonal) plane.fill(0);
    return t;
}();

}  // namespace uncached

inline UncachedJumpPoints::Tile& UncachedJumpPoints::tile(std::int32_t index) {
    Tile& t = tiles_[static_cast<std::size_t>(index)];
    if (!t.nav) [[unlikely]]
        load(t, index);
    return t;
}

inline UncachedJumpPoints::UncachedJumpPoints(const NavMap& nav, Cell start, std::span<const Cell> goals,
                                              int max_expansions)
    : nav_(nav), budget_(max_expansions), costs_(128) {
    // The map's tiles with a rim of one around them and around the start: no move ever leaves it. From far outside no
    // move leads anywhere: the start alone.
    const TileCoord from = tile_of(start);
    const bool alone = nav.far_outside(start);
    const auto& [low, high] = alone ? std::pair(from, from) : nav.extent();
    min_ = {std::min(low.x, from.x) - 1, std::min(low.y, from.y) - 1};
    width_ = std::max(high.x, from.x) + 2 - min_.x;
    height_ = std::max(high.y, from.y) + 2 - min_.y;
    tiles_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    for (const Cell c : goals) {
        goals_.push_back({c, -1, !nav.passable(c) && c != start});
        if (!goals_.back().blocked && !alone) tiles_[static_cast<std::size_t>(place(c).tile)].goal = true;
    }
    if (goals.size() == 1 && !goals_[0].blocked && std::abs(goals[0].x - start.x) <= uncached::directly &&
        std::abs(goals[0].y - start.y) <= uncached::directly && can_go_directly(nav, start, goals[0]))
        enough_ = octile_cost(start, goals[0]);
    reach(start, {0, 0}, 0, -1);
}

inline void UncachedJumpPoints::load(Tile& t, std::int32_t index) {
    const TileCoord at{min_.x + index % width_, min_.y + index / width_};
    const NavTile* known = nav_.tile(at);
    t.nav = known ? known : &uncached::empty_tile;
    t.jump_blocks = known ? &nav_.jump_blocks(at) : &uncached::blocked_stops;
}

inline UncachedJumpPoints::Place UncachedJumpPoints::place(Cell c) const {
    const TileCoord t = tile_of(c);
    return {(t.y - min_.y) * width_ + t.x - min_.x, column_in_tile(c), row_in_tile(c)};
}
inline Cell UncachedJumpPoints::cell(Place p) const {
    return cell_of({min_.x + p.tile % width_, min_.y + p.tile / width_}, p.column, p.row);
}
/// The place one step away.
inline UncachedJumpPoints::Place UncachedJumpPoints::step(Place p, Cell d) const {
    const int column = p.column + d.x, row = p.row + d.y;
    return {p.tile + (row >> 6) * width_ + (column >> 6), column & 63, row & 63};
}
inline bool UncachedJumpPoints::pass(Place p) const {
    const NavTile* nav = const_cast<UncachedJumpPoints*>(this)->tile(p.tile).nav;
    return nav->pass[static_cast<std::size_t>(p.row)] >> p.column & 1;
}

inline bool UncachedJumpPoints::goal_at(Cell c) const {
    return std::any_of(goals_.begin(), goals_.end(), [&](const Goal& g) { return g.cell == c && g.node < 0; });
}

/// Bits of the goals in a line of a tile.
inline std::uint64_t UncachedJumpPoints::goal_bits(std::int32_t tile, bool horizontal, int line) const {
    std::uint64_t bits = 0;
    for (const Goal& g : goals_)
        if (const Place at = place(g.cell); g.node < 0 && at.tile == tile && (horizontal ? at.row : at.column) == line)
            bits |= std::uint64_t{1} << (horizontal ? at.column : at.row);
    return bits;
}

/// Moves p to the next jump point, or goal, in a straight line; false when a blocked cell comes first.
template <int dx, int dy>
inline bool UncachedJumpPoints::jump(Place& p) {
    constexpr bool horizontal = dx != 0, up = dx + dy > 0;
    constexpr auto plane =
        horizontal ? (up ? &JumpBlocks::east : &JumpBlocks::west) : (up ? &JumpBlocks::north : &JumpBlocks::south);
    const int line = horizontal ? p.row : p.column, from = horizontal ? p.column : p.row;
    const std::int32_t onwards = dx + dy * width_;
    std::uint64_t mask = up ? ~std::uint64_t{1} << from : (std::uint64_t{1} << from) - 1;  // cells still ahead
    for (;; mask = ~std::uint64_t{0}, p.tile += onwards) {
        const Tile& here = tile(p.tile);
        std::uint64_t jump_blocks = (here.jump_blocks->*plane)[static_cast<std::size_t>(line)];
        if (here.goal) [[unlikely]]
            jump_blocks |= goal_bits(p.tile, horizontal, line);
        jump_blocks &= mask;
        if (!jump_blocks) continue;
        const int at = up ? std::countr_zero(jump_blocks) : 63 - std::countl_zero(jump_blocks);
        (horizontal ? p.column : p.row) = at;
        return here.nav->pass[static_cast<std::size_t>(p.row)] >> p.column & 1;
    }
}

/// A lower bound of what remains: to the nearest goal that was not found yet.
inline std::uint32_t UncachedJumpPoints::estimate(Cell c) const {
    std::uint32_t least = no_bound;
    for (const Goal& g : goals_)
        if (g.node < 0 && !g.blocked) least = std::min(least, octile_cost(c, g.cell));
    return least;
}

/// The least cost at which a cell was reached; no_bound when it was not.
inline std::uint32_t& UncachedJumpPoints::best_cost(Cell c) {
    if (2 * stored_ >= costs_.size()) {
        const auto old = std::exchange(costs_, decltype(costs_)(2 * costs_.size()));
        stored_ = 0;
        for (const auto& [at, cost] : old)
            if (cost > 0) best_cost(at) = cost;
    }
    const auto hash =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(c.x)) << 32 | static_cast<std::uint32_t>(c.y);
    for (std::size_t i = (hash * 0x9E3779B97F4A7C15) >> 32;; ++i) {
        auto& [at, cost] = costs_[i & (costs_.size() - 1)];
        if (cost > 0 && at != c) continue;
        if (cost == 0) {
            at = c;
            cost = no_bound;
            ++stored_;
        }
        return cost;
    }
}

inline void UncachedJumpPoints::reach(Cell at, Cell came, std::uint32_t cost, std::int32_t parent) {
    std::uint32_t& best = best_cost(at);
    if (cost + 1 >= best) return;  // stored plus one: zero marks an empty slot
    best = cost + 1;
    const std::uint32_t rest = estimate(at);
    if (rest == no_bound || cost + rest > enough_) return;
    if (rest == 0 && goals_.size() == 1) enough_ = cost;
    nodes_.push_back({at, came, cost, parent});
    open_.emplace_back(cost + rest, cost, static_cast<std::int32_t>(nodes_.size() - 1));
    std::push_heap(open_.begin(), open_.end());
}

template <int dx, int dy>
inline void UncachedJumpPoints::straight(std::int32_t parent, Place from, Cell at, std::uint32_t cost) {
    const Place start = from;
    if (!jump<dx, dy>(from)) return;
    // Whole tiles, and the rest.
    const int way = dx != 0 ? dx * (from.column - start.column) + 64 * (from.tile - start.tile) * dx
                            : dy * (from.row - start.row) + 64 * ((from.tile - start.tile) / width_) * dy;
    reach({at.x + dx * way, at.y + dy * way}, {dx, dy}, cost + straight_cost * static_cast<std::uint32_t>(way), parent);
}

inline void UncachedJumpPoints::straight(std::int32_t parent, Place from, Cell at, std::uint32_t cost, Cell d) {
    if (d.x > 0) return straight<1, 0>(parent, from, at, cost);
    if (d.x < 0) return straight<-1, 0>(parent, from, at, cost);
    if (d.y > 0) return straight<0, 1>(parent, from, at, cost);
    straight<0, -1>(parent, from, at, cost);
}

/// Every jump point that a diagonal, followed by one straight line, leads to. from_blocked: the first step, out of a
/// cell that is believed to be blocked, was found to be allowed.
template <int dx, int dy>
inline void UncachedJumpPoints::diagonal(std::int32_t parent, Cell at, std::uint32_t cost, bool from_blocked) {
    constexpr auto direction = static_cast<std::size_t>((dx > 0 ? 1 : 0) + (dy > 0 ? 2 : 0));
    Place p = place(at);
    for (const Tile* here = &tile(p.tile);; from_blocked = false) {
        if (!(here->jump_blocks->diagonal[direction][static_cast<std::size_t>(p.row)] >> p.column & 1) && !from_blocked)
            return;
        p.column += dx;
        p.row += dy;
        if ((p.column | p.row) & ~63) {
            p.tile += (p.row >> 6) * width_ + (p.column >> 6);
            p.column &= 63;
            p.row &= 63;
            here = &tile(p.tile);
        }
        at = at + Cell{dx, dy};
        cost += diagonal_cost;
        if (enough_ != no_bound && cost + octile_cost(at, goals_[0].cell) > enough_) return;
        if (here->goal && goal_at(at)) [[unlikely]]
            reach(at, {0, 0}, cost, parent);
        straight<dx, 0>(parent, p, at, cost);
        straight<0, dy>(parent, p, at, cost);
    }
}

inline void UncachedJumpPoints::diagonal(std::int32_t parent, Cell at, std::uint32_t cost, Cell d, bool from_blocked) {
    if (d.y > 0)
        return d.x > 0 ? diagonal<1, 1>(parent, at, cost, from_blocked)
                       : diagonal<-1, 1>(parent, at, cost, from_blocked);
    d.x > 0 ? diagonal<1, -1>(parent, at, cost, from_blocked) : diagonal<-1, -1>(parent, at, cost, from_blocked);
}

/// Expands the best node; the goals in its cell are then found.
inline void UncachedJumpPoints::expand() {
    std::pop_heap(open_.begin(), open_.end());
    const std::int32_t index = open_.back().node;
    open_.pop_back();
    const Node node = nodes_[static_cast<std::size_t>(index)];
    if (node.cost + 1 != best_cost(node.cell)) return;  // a shorter path was found since
    for (std::size_t g = 0; g < goals_.size(); ++g)
        if (goals_[g].node < 0 && goals_[g].cell == node.cell) {
            goals_[g].node = index;
            waiting_.emplace_back(node.cost, static_cast<int>(g));
        }
    ++expansions_;
    if (node.cost > most_cost) {
        cut_ = true;
        return;
    }
    const Place at = place(node.cell);
    if (node.came == Cell{0, 0}) {
        for (const Cell d : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}})
            straight(index, at, node.cell, node.cost, d);
        const bool blocked = !pass(at);  // the start
        for (const Cell d : {Cell{1, 1}, Cell{-1, 1}, Cell{1, -1}, Cell{-1, -1}})
            diagonal(index, node.cell, node.cost, d,
                     blocked && pass(step(at, {d.x, 0})) && pass(step(at, {0, d.y})) && pass(step(at, d)));
        return;
    }
    straight(index, at, node.cell, node.cost, node.came);
    const Place behind = step(at, Cell{} - node.came);
    for (const Cell side : {Cell{node.came.y, node.came.x}, Cell{-node.came.y, -node.came.x}})
        if (pass(step(at, side)) && !pass(step(behind, side))) {
            straight(index, at, node.cell, node.cost, side);
            diagonal(index, node.cell, node.cost, node.came + side);
        }
}

inline PathStatus UncachedJumpPoints::known(std::size_t goal) const {
    const Goal& g = goals_[goal];
    if (g.node >= 0) return PathStatus::found;
    if (g.blocked) return PathStatus::goal_blocked;
    if (open_.empty()) return cut_ ? PathStatus::gave_up : PathStatus::unreachable;
    return expansions_ >= budget_ ? PathStatus::gave_up : PathStatus::too_far;
}

inline PathStatus UncachedJumpPoints::find(std::size_t goal, std::uint32_t bound) {
    while (known(goal) == PathStatus::too_far && open_.front().estimate() <= bound) expand();
    const PathStatus status = known(goal);
    return status == PathStatus::found && cost(goal) > bound ? PathStatus::too_far : status;
}

inline int UncachedJumpPoints::find_next(std::uint32_t bound) {
    const auto nearest = [&] { return std::min_element(waiting_.begin(), waiting_.end()); };
    const auto more = [&] {  // a goal that was found waits until no open node can be as near
        const std::uint32_t limit = waiting_.empty() ? bound : std::min(bound, nearest()->first);
        return !open_.empty() && expansions_ < budget_ && open_.front().estimate() <= limit;
    };
    while (more()) expand();
    if (waiting_.empty() || nearest()->first > bound) return -1;
    const int goal = nearest()->second;
    waiting_.erase(nearest());
    return goal;
}

inline std::uint32_t UncachedJumpPoints::cost(std::size_t goal) const {
    const Goal& g = goals_[goal];
    if (g.node >= 0) return nodes_[static_cast<std::size_t>(g.node)].cost;
    if (g.blocked || open_.empty()) return no_bound;
    return std::max(open_.front().estimate(), octile_cost(nodes_[0].cell, g.cell));
}

inline Path UncachedJumpPoints::path(std::size_t goal) const {
    const auto node = [&](std::int32_t i) -> const Node& { return nodes_[static_cast<std::size_t>(i)]; };
    OUTRIDER_CHECK(goals_[goal].node, >=, 0);
    Path path{PathStatus::found, {goals_[goal].cell}, node(goals_[goal].node).cost};
    for (std::int32_t i = goals_[goal].node; node(i).parent >= 0; i = node(i).parent) {
        const Cell to = node(node(i).parent).cell;
        for (Cell c = path.cells.back(); c != to;
             path.cells.push_back(c)) {  // back: the straight part, then the diagonal
            const Cell d = to - c;
            const int ax = std::abs(d.x), ay = std::abs(d.y);
            c = c + Cell{ax >= ay ? (d.x > 0) - (d.x < 0) : 0, ay >= ax ? (d.y > 0) - (d.y < 0) : 0};
        }
    }
    std::reverse(path.cells.begin(), path.cells.end());
    return path;
}

}  // namespace outrider
