// Tiles while they are thinned, round by round. Only tiles in which something changed since the last time are thinned
// anew; a tile beside them repeats its rounds of that time, and joins in the round in which a neighbour first differs.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "outrider/detail/nav_map.hpp"

namespace outrider {

/// How a tile was thinned.
struct ThinnedTile {
    NavTile::Rows stay{};               ///< cells that never went
    std::vector<NavTile::Rows> rounds;  ///< [k]: bit k of the round, from 1, in which a cell went; 0 for all others
    int last = 0;                       ///< the last round in which one went

    /// The cells that were left after that round; after round 0 all that were set.
    void left_after(int round, NavTile::Rows& left) const;
};

class Thinning {
  public:
    /// How a tile was thinned before; valid until run() ends. nullptr: no cell of it was ever set.
    using Before = std::function<const ThinnedTile*(TileCoord)>;
    explicit Thinning(Before before);

    /// The cells of a tile before the first round, where they changed. At most once for each tile.
    void set_input(TileCoord t, const NavTile::Rows& rows);
    /// All rounds, until nothing changes any more. Words looked at.
    std::uint64_t run();
    /// Calls visit(coordinate, thinned tile) for each tile that was thinned anew; once, after run().
    template <class Visit>
    void take(Visit&& visit) {
        for (Block& b : blocks_)
            if (b.live) visit(b.at, std::move(b.now));
    }

  private:
    /// Rows in which cells went in the last round; those in which columns 0, or 62 and 63, have some of them.
    struct Changed {
        std::uint64_t any = 0, west = 0, east = 0;
    };
    struct Block {
        TileCoord at;
        const ThinnedTile* before = nullptr;
        bool live = false;  // thinned anew; the others repeat their earlier rounds
        ThinnedTile now;
        std::array<Block*, 9> around{};                    // by row, then column; nothing_ where there is none
        std::array<std::uint64_t, tile_size + 3> words{};  // rows -1 ... 65, those outside as in the next blocks
        std::array<std::uint64_t, tile_size + 1> turns{};  // rows 0 ... 64: around which off turns into on once
        NavTile::Rows goes{};                              // in this round
        std::uint64_t look = 0;                            // rows in which some may go in this round
        Changed changed;
        int stirred = 0;  // the last round in which something had changed here or in a block beside it
    };

    Block* add(TileCoord t, const ThinnedTile* before);
    void add_around(Block& b, int round);
    void share_rows(Block& b);
    void find_turns(Block& b);
    std::uint64_t find_goers(Block& b);
    void remove_deletable(Block& b, int round);
    void join_where_other(Block& b, int round);
    void mark_dirty(Block& b, int round);

    Before before_;
    Block nothing_;
    std::deque<Block> blocks_;  // their addresses stay
    TileTable<Block*> at_;
    int last_ = 0;  // round in which something may change, as far as is known
};

}  // namespace outrider
