// How reachability spreads over a NavMap, a word of 64 cells at a time.
#include <algorithm>
#include <array>

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

/// Queues the rows into which the reached cells `now` of a row can spread.
void NavMap::push_around(TileCoord t, int row, std::uint64_t now) {
    queue_.emplace_back(row == 63 ? TileCoord{t.x, t.y + 1} : t, (row + 1) & 63);
    queue_.emplace_back(row == 0 ? TileCoord{t.x, t.y - 1} : t, (row - 1) & 63);
    if (now & 1) queue_.emplace_back(TileCoord{t.x - 1, t.y}, row);
    if (now >> 63) queue_.emplace_back(TileCoord{t.x + 1, t.y}, row);
}

/// Spreads reachability from the queued rows: into each row from the rows and tiles beside it, then onwards.
void NavMap::flood() {
    const auto reached_at = [&](TileCoord t, int row) -> std::uint64_t {
        const NavTile* tile = tiles_.find({t.x, t.y + (row >> 6)});
        return tile ? tile->reached[static_cast<std::size_t>(row & 63)] : 0;
    };
    while (!queue_.empty()) {
        const auto [t, row] = queue_.back();
        queue_.pop_back();
        const NavTile* tile = tiles_.find(t);
        if (!tile) continue;
        const auto i = static_cast<std::size_t>(row);
        const std::uint64_t pass = tile->pass[i], before = tile->reached[i];
        if (!(pass & ~before)) continue;
        ++counters_.words_flooded;
        const std::uint64_t seeds = before | reached_at(t, row + 1) | reached_at(t, row - 1) |
                                    reached_at({t.x - 1, t.y}, row) >> 63 | reached_at({t.x + 1, t.y}, row) << 63;
        const std::uint64_t now = fill_runs(seeds & pass, pass);
        if (now == before) continue;
        tiles_.edit(t).reached[i] = now;
        if (touched_.empty() || touched_.back() != t) touched_.push_back(t);
        push_around(t, row, now);
    }
}

}  // namespace outrider
