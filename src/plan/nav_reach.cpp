// How reachability spreads over a NavMap, a word of 64 cells at a time.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "outrider/detail/nav_map.hpp"

namespace outrider {
namespace {

constexpr int window_size = 64;

/// Passable ones of 64 x 64 cells anywhere: bit i of word j is the cell `corner` + (i, j). Rows first to last are
/// filled.
NavTile::Rows passable_window(const NavMap& nav, Cell corner, int first, int last) {
    NavTile::Rows rows{};
    const int column = column_in_tile(corner);
    for (int j = first; j <= last;) {
        const TileCoord t = tile_of(corner + Cell{0, j});
        const NavTile *left = nav.tile(t), *right = column > 0 ? nav.tile({t.x + 1, t.y}) : nullptr;
        for (int i = (corner.y + j) & 63; i < tile_size && j <= last; ++i, ++j) {
            const auto row = static_cast<std::size_t>(i);
            std::uint64_t word = left ? left->pass[row] >> column : 0;
            if (right) word |= right->pass[row] << (64 - column);
            rows[static_cast<std::size_t>(j)] = word;
        }
    }
    return rows;
}

/// Whether all these cells of a window are connected within its rows first to last, which hold them.
bool all_connected(const NavTile::Rows& cells, const NavTile::Rows& pass, int first, int last) {
    NavTile::Rows flooded{};
    const auto low = static_cast<std::size_t>(first), high = static_cast<std::size_t>(last);
    const auto seed = static_cast<std::size_t>(
        std::find_if(cells.begin(), cells.end(), [](std::uint64_t word) { return word != 0; }) - cells.begin());
    if (seed == cells.size()) return true;
    flooded[seed] = cells[seed] & (~cells[seed] + 1);
    const auto all_reached = [&] {
        for (std::size_t i = low; i <= high; ++i)
            if (cells[i] & ~flooded[i]) return false;
        return true;
    };
    for (bool more = true; more;) {  // up and down until nothing is added
        more = false;
        const auto visit = [&](std::size_t i) {
            const std::uint64_t beside = (i > low ? flooded[i - 1] : 0) | (i < high ? flooded[i + 1] : 0);
            const std::uint64_t now = fill_runs((flooded[i] | beside) & pass[i], pass[i]);
            more = more || now != flooded[i];
            flooded[i] = now;
        };
        for (std::size_t i = low; i <= high; ++i) visit(i);
        for (std::size_t i = high + 1; i-- > low;) visit(i);
        if (all_reached()) return true;
    }
    return false;
}

/// Whether passable cells are connected within a window around them.
bool connected_nearby(const NavMap& nav, const std::vector<Cell>& cells) {
    if (cells.empty()) return true;
    Cell low = cells[0], high = low;
    for (const Cell c : cells) {
        low = {std::min(low.x, c.x), std::min(low.y, c.y)};
        high = {std::max(high.x, c.x), std::max(high.y, c.y)};
    }
    if (std::max(high.x - low.x, high.y - low.y) >= window_size) return false;
    const Cell corner{(low.x + high.x - window_size + 1) / 2, (low.y + high.y - window_size + 1) / 2};
    NavTile::Rows bits{};
    for (const Cell c : cells) bits[static_cast<std::size_t>(c.y - corner.y)] |= std::uint64_t{1} << (c.x - corner.x);
    // Most ways around are short: a few rows first.
    constexpr int few = 6;
    const int first = std::max(0, low.y - corner.y - few), last = std::min(window_size - 1, high.y - corner.y + few);
    if (all_connected(bits, passable_window(nav, corner, first, last), first, last)) return true;
    return all_connected(bits, passable_window(nav, corner, 0, window_size - 1), 0, window_size - 1);
}

/// Sorted cells in pieces that are 4-connected.
std::vector<std::vector<Cell>> pieces_of(const std::vector<Cell>& cells) {
    std::vector<std::vector<Cell>> pieces;
    std::vector<std::uint8_t> taken(cells.size(), 0);
    const auto take = [&](Cell c) {
        const auto at = static_cast<std::size_t>(std::lower_bound(cells.begin(), cells.end(), c) - cells.begin());
        if (at < cells.size() && cells[at] == c && !std::exchange(taken[at], 1)) pieces.back().push_back(c);
    };
    for (std::size_t k = 0; k < cells.size(); ++k) {
        if (taken[k]) continue;
        pieces.emplace_back();
        take(cells[k]);
        for (std::size_t i = 0; i < pieces.back().size(); ++i)
            for (const Cell d : {Cell{1, 0}, Cell{0, 1}, Cell{-1, 0}, Cell{0, -1}}) take(pieces.back()[i] + d);
    }
    return pieces;
}

}  // namespace

/// Whether losing the lost cells can have cut something off. Paths through a piece of them can lead around it where the
/// passable 4-neighbours of the piece are connected: of a single cell within the ring of its 8 neighbours, of any piece
/// within 64 x 64 cells.
bool NavMap::can_split() {
    static constexpr std::array<Cell, 8> ring{{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
    std::sort(lost_.begin(), lost_.end());
    const auto connected_around = [&](Cell c) {
        int arcs = 0;  // stretches of passable ring cells that hold a 4-neighbour
        for (std::size_t k = 0; k < 8; k += 2) {
            const Cell side = c + ring[k];
            if (std::binary_search(lost_.begin(), lost_.end(), side)) return false;
            const bool goes_on = passable(c + ring[k + 1]) && passable(c + ring[(k + 2) % 8]);
            if (passable(side) && !goes_on) ++arcs;
        }
        return arcs <= 1;
    };
    std::vector<Cell> lost;
    std::copy_if(lost_.begin(), lost_.end(), std::back_inserter(lost), [&](Cell c) { return !connected_around(c); });
    const auto cuts = [&](const std::vector<Cell>& piece) {
        std::vector<Cell> sides;
        for (const Cell c : piece)
            for (std::size_t k = 0; k < 8; k += 2)
                if (reached(c + ring[k])) sides.push_back(c + ring[k]);
        return !connected_nearby(*this, sides);
    };
    const auto pieces = pieces_of(lost);
    return std::any_of(pieces.begin(), pieces.end(), cuts);
}

/// Rows of a tile into which reachability may spread from beside them.
void NavMap::let_in(TileCoord t, std::uint64_t rows) {
    if (!rows) return;
    std::uint64_t& waiting = waiting_.at(t);
    if (!waiting) waiting_tiles_.push_back(t);
    waiting |= rows;
}

void NavMap::forget_waiting() {
    for (const TileCoord t : waiting_tiles_) *waiting_.find(t) = 0;
    waiting_tiles_.clear();
}

/// Spreads reachability from the rows that wait: into each row from the rows and tiles beside it, then onwards.
/// Finishes a tile, lowest row first, before the next. `note`: frontier cells that it reaches, as changes.
void NavMap::flood(bool note) {
    while (!waiting_tiles_.empty()) {
        const TileCoord t = waiting_tiles_.back();
        waiting_tiles_.pop_back();
        std::uint64_t waiting = std::exchange(*waiting_.find(t), 0);
        const NavTile* tile = tiles_.find(t);
        if (!tile) continue;
        const NavTile::Rows& here = reached_rows(t);
        for (std::size_t i = 0; i < tile_size; ++i)
            if (!(tile->pass[i] & ~here[i])) waiting &= ~(std::uint64_t{1} << i);
        if (!waiting) continue;
        NavTile::Rows reached = here;
        const NavTile::Rows &left = reached_rows({t.x - 1, t.y}), &right = reached_rows({t.x + 1, t.y}),
                            &below = reached_rows({t.x, t.y - 1}), &above = reached_rows({t.x, t.y + 1});
        std::uint64_t grown = 0, to_left = 0, to_right = 0;
        while (waiting) {
            const int row = std::countr_zero(waiting);
            waiting &= waiting - 1;
            const auto i = static_cast<std::size_t>(row);
            const std::uint64_t pass = tile->pass[i], before = reached[i];
            if (!(pass & ~before)) continue;
            ++counters_.words_flooded;
            std::uint64_t seeds = before;
            seeds |= row < 63 ? reached[i + 1] : above[0];
            seeds |= row > 0 ? reached[i - 1] : below[63];
            seeds |= left[i] >> 63 | right[i] << 63;
            if (!(seeds & pass & ~before)) {
                // Nothing comes in from outside; a part of the row may still have opened beside what was reached.
                const std::uint64_t beside = before << 1 | before >> 1;
                if (!(beside & pass & ~before)) continue;
            }
            const std::uint64_t now = fill_runs(seeds & pass, pass), news = now & ~before;
            reached[i] = now;
            const std::uint64_t bit = std::uint64_t{1} << row;
            grown |= bit;
            if (note && tile->frontier[i] & news) frontier_changes_.add({t, row, tile->frontier[i] & news});
            if (news & 1) to_left |= bit;
            if (news >> 63) to_right |= bit;
            if (row < 63 && news & tile->pass[i + 1] & ~reached[i + 1]) waiting |= bit << 1;
            if (row > 0 && news & tile->pass[i - 1] & ~reached[i - 1]) waiting |= bit >> 1;
        }
        if (!grown) continue;
        ++version_;
        reached_.put(t, reached);
        let_in({t.x - 1, t.y}, to_left);
        let_in({t.x + 1, t.y}, to_right);
        if (grown & 1) let_in({t.x, t.y - 1}, std::uint64_t{1} << 63);
        if (grown >> 63) let_in({t.x, t.y + 1}, 1);
    }
}

}  // namespace outrider
