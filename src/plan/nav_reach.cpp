// How reachability spreads over a NavMap, a word of 64 cells at a time.
#include <algorithm>
#include <array>
#include <utility>

#include "outrider/nav_map.hpp"

namespace outrider {

/// Whether losing the lost cells can have cut something off: the passable 4-neighbours of one are no longer connected
/// within the ring of its 8 neighbours, or two lost cells lie side by side.
bool NavMap::can_split() {
    static constexpr std::array<Cell, 8> ring{{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
    std::sort(lost_.begin(), lost_.end());
    for (const Cell c : lost_) {
        int arcs = 0;  // stretches of passable ring cells that hold a 4-neighbour
        for (std::size_t k = 0; k < 8; k += 2) {
            const Cell side = c + ring[k];
            if (std::binary_search(lost_.begin(), lost_.end(), side)) return true;
            const bool goes_on = passable(c + ring[k + 1]) && passable(c + ring[(k + 2) % 8]);
            if (passable(side) && !goes_on) ++arcs;
        }
        if (arcs > 1) return true;
    }
    return false;
}

/// Spreads reachability from the queued rows: into each row from the rows and tiles beside it, then onwards. Works a
/// tile off, lowest row first, before it goes on to the next.
void NavMap::flood() {
    const auto note = [&](TileCoord t, int row) {
        std::uint64_t& rows = waiting_.at(t);
        if (!rows) waiting_tiles_.push_back(t);
        rows |= std::uint64_t{1} << row;
    };
    for (const auto& [t, row] : queue_) note(t, row);
    queue_.clear();
    while (!waiting_tiles_.empty()) {
        const TileCoord t = waiting_tiles_.back();
        waiting_tiles_.pop_back();
        std::uint64_t waiting = std::exchange(*waiting_.find(t), 0);
        if (!tiles_.find(t)) continue;
        NavTile& tile = tiles_.edit(t);
        const NavTile *left = tiles_.find({t.x - 1, t.y}), *right = tiles_.find({t.x + 1, t.y}),
                      *below = tiles_.find({t.x, t.y - 1}), *above = tiles_.find({t.x, t.y + 1});
        std::uint64_t grown = 0, to_left = 0, to_right = 0, frontiers = 0;
        while (waiting) {
            const int row = std::countr_zero(waiting);
            waiting &= waiting - 1;
            const auto i = static_cast<std::size_t>(row);
            const std::uint64_t pass = tile.pass[i], before = tile.reached[i];
            if (!(pass & ~before)) continue;
            ++counters_.words_flooded;
            std::uint64_t seeds = before;
            if (row < 63)
                seeds |= tile.reached[i + 1];
            else if (above)
                seeds |= above->reached[0];
            if (row > 0)
                seeds |= tile.reached[i - 1];
            else if (below)
                seeds |= below->reached[63];
            if (left) seeds |= left->reached[i] >> 63;
            if (right) seeds |= right->reached[i] << 63;
            if (!(seeds & pass & ~before)) {
                // Nothing comes in from outside; a part of the row may still have opened beside what was reached.
                const std::uint64_t beside = before << 1 | before >> 1;
                if (!(beside & pass & ~before)) continue;
            }
            const std::uint64_t now = fill_runs(seeds & pass, pass), news = now & ~before;
            tile.reached[i] = now;
            const std::uint64_t bit = std::uint64_t{1} << row;
            grown |= bit;
            if (tile.frontier[i] & news) frontiers |= bit;
            if (news & 1) to_left |= bit;
            if (news >> 63) to_right |= bit;
            if (row < 63 && news & tile.pass[i + 1] & ~tile.reached[i + 1]) waiting |= bit << 1;
            if (row > 0 && news & tile.pass[i - 1] & ~tile.reached[i - 1]) waiting |= bit >> 1;
        }
        if (!grown) continue;
        ++version_;
        if (frontiers) touched_.push_back({t, frontiers});
        const auto pass_on = [&](TileCoord to, std::uint64_t rows) {
            if (!rows) return;
            std::uint64_t& more = waiting_.at(to);
            if (!more) waiting_tiles_.push_back(to);
            more |= rows;
        };
        if (left) pass_on({t.x - 1, t.y}, to_left);
        if (right) pass_on({t.x + 1, t.y}, to_right);
        if (below && grown & 1) pass_on({t.x, t.y - 1}, std::uint64_t{1} << 63);
        if (above && grown >> 63) pass_on({t.x, t.y + 1}, 1);
    }
}

}  // namespace outrider
