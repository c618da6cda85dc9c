// A straight move into a cell can only be worth a turn where a wall just ended beside it: the cell diagonally behind is
// blocked and the cell beside is free; JumpBlocks marks these. Diagonal moves need both cells beside them free, so
// nothing is ever forced on them, and their turns need no nodes of their own (pruned intermediates).
#include "plan/jump_graph.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "outrider/path.hpp"

namespace outrider {
namespace {

const NavTile empty_tile{};
const JumpBlocks all_blocked = [] {
    JumpBlocks t;
    for (NavTile::Rows* plane : {&t.east, &t.west, &t.north, &t.south}) plane->fill(~std::uint64_t{0});
    for (NavTile::Rows& plane : t.diagonal) plane.fill(0);
    return t;
}();

/// By the last two bits of an arrival.
constexpr std::array<Cell, 4> ahead{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
/// More hops than this (32 MB) are forgotten when the map changes, as are those of which half were dropped.
constexpr std::size_t most_hops = 1 << 22;

Cell left_of(Cell d) { return {-d.y, d.x}; }

std::size_t hash_of(Cell c) {
    const auto bits =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(c.x)) << 32 | static_cast<std::uint32_t>(c.y);
    return static_cast<std::size_t>((bits * 0x9E3779B97F4A7C15) >> 32);
}

}  // namespace

void JumpGraph::follow(const NavMap& nav, Cell start) {
    const auto& [low, high] = nav.extent();
    const TileCoord from = tile_of(start);
    enlarge({std::min(low.x, from.x) - 1, std::min(low.y, from.y) - 1},
            {std::max(high.x, from.x) + 1, std::max(high.y, from.y) + 1});
    const RowChanges changes = nav.changes_since(seen_);
    if (changes.everything || nav_.it != &nav)
        for (Tile& t : tiles_) t.loaded = 0;
    nav_.it = &nav;
    version_ = static_cast<std::uint32_t>(nav.version()) + 1;  // 0: not loaded
    if (changes.none()) return;
    ++now_;
    if (changes.everything || hops_.size() > most_hops || 2 * dropped_ > hops_.size()) forget_hops();
    for (const RowChange& change : changes.list) {
        // What rays find in a tile depends on the cells beside it, too.
        const int below = change.row == 0, above = change.row == tile_size - 1;
        const auto before = static_cast<int>(change.cells & 1), after = static_cast<int>(change.cells >> 63);
        for (int dy = -below; dy <= above; ++dy)
            for (int dx = -before; dx <= after; ++dx) {
                const TileCoord t{change.tile.x + dx, change.tile.y + dy};
                if (t.x >= min_.x && t.y >= min_.y && t.x < min_.x + width_ && t.y < min_.y + height_)
                    tiles_[index_of(t)].changed = now_;
            }
    }
}

void JumpGraph::enlarge(TileCoord low, TileCoord high) {
    const TileCoord min = min_;
    const std::int32_t width = width_, height = height_;
    if (width > 0) {
        const TileCoord last{min.x + width - 1, min.y + height - 1};
        if (low.x >= min.x && low.y >= min.y && high.x <= last.x && high.y <= last.y) return;
        low = {std::min(low.x, min.x), std::min(low.y, min.y)};
        high = {std::max(high.x, last.x), std::max(high.y, last.y)};
    }
    min_ = low;
    width_ = high.x - low.x + 1;
    height_ = high.y - low.y + 1;
    std::vector<Tile> tiles(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    for (std::int32_t i = 0; i < width * height; ++i)
        tiles[index_of({min.x + i % width, min.y + i / width})] = tiles_[static_cast<std::size_t>(i)];
    tiles_ = std::move(tiles);
}

void JumpGraph::forget_hops() {
    for (Point& p : points_) p.known = {};
    known_.clear();
    hops_.clear();
    dropped_ = 0;
}

void JumpGraph::load(Tile& t, std::int32_t index) {
    const TileCoord at = coordinate(index);
    const NavTile* known = nav_.it->tile(at);
    t.nav = known ? known : &empty_tile;
    t.jump_blocks = known ? &nav_.it->jump_blocks(at) : &all_blocked;
    t.loaded = version_;
}

std::uint32_t JumpGraph::point(Cell c) {
    if (2 * points_.size() >= index_.size()) index_points();
    for (std::size_t i = hash_of(c);; ++i) {
        std::uint32_t& entry = index_[i & (index_.size() - 1)];
        if (entry == 0) {
            points_.push_back({c});
            entry = static_cast<std::uint32_t>(points_.size());
        }
        if (points_[entry - 1].cell == c) return entry - 1;
    }
}

void JumpGraph::index_points() {
    index_.assign(std::max<std::size_t>(128, 2 * index_.size()), 0);
    for (std::size_t p = 0; p < points_.size(); ++p) {
        std::size_t i = hash_of(points_[p].cell);
        while (index_[i & (index_.size() - 1)] != 0) ++i;
        index_[i & (index_.size() - 1)] = static_cast<std::uint32_t>(p + 1);
    }
}

std::unique_ptr<JumpGraph::Marks> JumpGraph::lend_marks() {
    if (idle_marks_.it.empty()) idle_marks_.it.push_back(std::make_unique<Marks>());
    std::unique_ptr<Marks> marks = std::move(idle_marks_.it.back());
    idle_marks_.it.pop_back();
    if (++marks->search == 0) *marks = {1, {}};  // the numbers are used up: the old marks would count again
    return marks;
}

/// Cells from one place to another on a line.
template <int dx, int dy>
int JumpGraph::between(Place from, Place to) const {
    if (dx != 0) return dx * (to.column - from.column + 64 * (to.tile - from.tile));
    return dy * (to.row - from.row + 64 * ((to.tile - from.tile) / width_));
}

/// Moves p to the next jump point in a straight line; false when a blocked cell comes first, at which it then is.
template <int dx, int dy>
bool JumpGraph::jump(Place& p) {
    constexpr bool horizontal = dx != 0, up = dx + dy > 0;
    constexpr auto plane =
        horizontal ? (up ? &JumpBlocks::east : &JumpBlocks::west) : (up ? &JumpBlocks::north : &JumpBlocks::south);
    const int line = horizontal ? p.row : p.column, from = horizontal ? p.column : p.row;
    const std::int32_t onwards = dx + dy * width_;
    std::uint64_t mask = up ? ~std::uint64_t{1} << from : (std::uint64_t{1} << from) - 1;  // cells still ahead
    for (;; mask = ~std::uint64_t{0}, p.tile += onwards) {
        const Tile& here = tile(p.tile);
        const std::uint64_t stops = (here.jump_blocks->*plane)[static_cast<std::size_t>(line)] & mask;
        if (stops == 0) continue;
        const int at = up ? std::countr_zero(stops) : 63 - std::countl_zero(stops);
        (horizontal ? p.column : p.row) = at;
        return here.nav->pass[static_cast<std::size_t>(p.row)] >> p.column & 1;
    }
}

/// Adds the jump point that a straight line from a cell leads to.
template <int dx, int dy>
inline void JumpGraph::straight(Place from, Cell at, std::uint32_t cost) {
    constexpr Arrival direction = dx > 0 ? 0 : dx < 0 ? 1 : dy > 0 ? 2 : 3;
    Place to = from;
    const bool found = jump<dx, dy>(to);
    if (to.tile != from.tile) {
        const TileCoord t = coordinate(to.tile);
        low_ = {std::min(low_.x, t.x), std::min(low_.y, t.y)};
        high_ = {std::max(high_.x, t.x), std::max(high_.y, t.y)};
    }
    if (!found) return;
    const int cells = between<dx, dy>(from, to);
    hops_.push_back({4 * point({at.x + dx * cells, at.y + dy * cells}) + direction,
                     cost + straight_cost * static_cast<std::uint32_t>(cells)});
}

void JumpGraph::straight(Place from, Cell at, Cell d) {
    if (d.x > 0) return straight<1, 0>(from, at, 0);
    if (d.x < 0) return straight<-1, 0>(from, at, 0);
    if (d.y > 0) return straight<0, 1>(from, at, 0);
    straight<0, -1>(from, at, 0);
}

/// Adds every jump point that a diagonal, followed by one straight line, leads to; returns the diagonal's cells.
/// from_blocked: the first step, out of a cell that is believed to be blocked, was found to be allowed.
template <int dx, int dy>
int JumpGraph::diagonal(Cell at, bool from_blocked) {
    constexpr auto direction = static_cast<std::size_t>((dx > 0 ? 1 : 0) + (dy > 0 ? 2 : 0));
    Place p = place(at);
    std::uint32_t cost = 0;
    int cells = 0;
    for (const Tile* here = &tile(p.tile);; from_blocked = false) {
        if (!(here->jump_blocks->diagonal[direction][static_cast<std::size_t>(p.row)] >> p.column & 1) && !from_blocked)
            return cells;
        p.column += dx;
        p.row += dy;
        at = at + Cell{dx, dy};
        if ((p.column | p.row) & ~63) {
            p = place(at);
            here = &tile(p.tile);
            const TileCoord t = tile_of(at);
            low_ = {std::min(low_.x, t.x), std::min(low_.y, t.y)};
            high_ = {std::max(high_.x, t.x), std::max(high_.y, t.y)};
        }
        cost += diagonal_cost;
        ++cells;
        straight<dx, 0>(p, at, cost);
        straight<0, dy>(p, at, cost);
    }
}

int JumpGraph::diagonal(Cell at, Cell d, bool from_blocked) {
    if (d.y > 0) return d.x > 0 ? diagonal<1, 1>(at, from_blocked) : diagonal<-1, 1>(at, from_blocked);
    return d.x > 0 ? diagonal<1, -1>(at, from_blocked) : diagonal<-1, -1>(at, from_blocked);
}

bool JumpGraph::can_leave_blocked(Place p, Cell d) {
    return !pass(p) && pass(step(p, {d.x, 0})) && pass(step(p, {0, d.y})) && pass(step(p, d));
}

std::span<const JumpGraph::Hop> JumpGraph::leave(Cell start) {
    const std::size_t first = hops_.size();
    const Place at = place(start);
    for (const Cell d : ahead) straight(at, start, d);
    for (const Cell d : {Cell{1, 1}, Cell{-1, 1}, Cell{1, -1}, Cell{-1, -1}})
        diagonal(start, d, can_leave_blocked(at, d));
    from_start_.assign(hops_.begin() + static_cast<std::ptrdiff_t>(first), hops_.end());
    hops_.resize(first);
    return from_start_;
}

JumpGraph::Onward JumpGraph::onward(Arrival arrival) {
    const std::uint32_t index = points_[arrival / 4].known[arrival % 4];
    if (index > 0 && still_holds(known_[index - 1])) return known_[index - 1].onward;
    if (index > 0) dropped_ += known_[index - 1].onward.count;
    const Cell c = points_[arrival / 4].cell, d = ahead[arrival % 4];
    Onward onward;
    onward.first = static_cast<std::uint32_t>(hops_.size());
    low_ = high_ = tile_of(c);
    const Place at = place(c), behind = step(at, Cell{} - d);
    straight(at, c, d);
    for (std::size_t k = 0; k < 2; ++k) {
        const Cell side = k == 0 ? left_of(d) : Cell{} - left_of(d);
        if (!pass(step(at, side)) || pass(step(behind, side))) continue;
        straight(at, c, side);
        onward.diagonal[k] = diagonal(c, d + side);
    }
    onward.count = static_cast<std::uint32_t>(hops_.size()) - onward.first;
    const Known known{onward, low_, high_, now_, now_};
    if (index > 0) {
        known_[index - 1] = known;
    } else {
        known_.push_back(known);
        points_[arrival / 4].known[arrival % 4] = static_cast<std::uint32_t>(known_.size());
    }
    return onward;
}

bool JumpGraph::still_holds(Known& known) const {
    if (known.checked == now_) return true;
    for (int y = known.low.y; y <= known.high.y; ++y)
        for (int x = known.low.x; x <= known.high.x; ++x)
            if (tiles_[index_of({x, y})].changed > known.found) return false;
    known.checked = now_;
    return true;
}

/// Whether so many cells in a straight line from p can be passed.
template <int dx, int dy>
bool JumpGraph::line(Place p, int cells) {
    while (cells > 0) {
        const Place before = p;
        const bool free = jump<dx, dy>(p);
        cells -= between<dx, dy>(before, p);
        if (!free) return cells < 0;
    }
    return true;
}

bool JumpGraph::line(Cell from, Cell d, int cells) {
    if (d.x > 0) return line<1, 0>(place(from), cells);
    if (d.x < 0) return line<-1, 0>(place(from), cells);
    return d.y > 0 ? line<0, 1>(place(from), cells) : line<0, -1>(place(from), cells);
}

bool JumpGraph::sees(Cell start, Cell goal) {
    const Cell offset = goal - start, sign{(offset.x > 0) - (offset.x < 0), (offset.y > 0) - (offset.y < 0)};
    const int across = std::abs(offset.x), up = std::abs(offset.y), both = std::min(across, up);
    const auto direction = static_cast<std::size_t>((sign.x > 0 ? 1 : 0) + (sign.y > 0 ? 2 : 0));
    Cell at = start;
    for (int k = 0; k < both; ++k, at = at + sign) {
        const Place p = place(at);
        const bool free =
            tile(p.tile).jump_blocks->diagonal[direction][static_cast<std::size_t>(p.row)] >> p.column & 1;
        if (!free && !(k == 0 && can_leave_blocked(p, sign))) return false;
    }
    if (across == up) return true;
    return line(at, across > up ? Cell{sign.x, 0} : Cell{0, sign.y}, std::max(across, up) - both);
}

bool JumpGraph::sees(Arrival arrival, const Onward& onward, Cell goal) {
    const Cell c = points_[arrival / 4].cell, d = ahead[arrival % 4], left = left_of(d), offset = goal - c;
    const int forth = offset.x * d.x + offset.y * d.y, beside = offset.x * left.x + offset.y * left.y;
    if (forth < 0) return false;
    if (beside == 0) return line(c, d, forth);
    const int aside = std::abs(beside), both = std::min(forth, aside);
    if (onward.diagonal[beside > 0 ? 0 : 1] < both) return false;  // no turn, or none so long
    const Cell side = beside > 0 ? left : Cell{} - left, turn = d + side;
    const Cell corner{c.x + both * turn.x, c.y + both * turn.y};
    if (forth == aside) return true;
    return forth > aside ? line(corner, d, forth - both) : line(corner, side, aside - both);
}

}  // namespace outrider
