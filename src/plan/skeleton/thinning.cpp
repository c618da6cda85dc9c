#include "plan/skeleton/thinning.hpp"

#include <algorithm>
#include <bit>

#include "base/wide.hpp"

namespace outrider {
namespace {

constexpr std::uint64_t all_cells = ~std::uint64_t{0};
const ThinnedTile never_set;
enum Side { south_west, south, south_east, west, own, east, north_west, north, north_east };

/// The eight neighbours of the cells of a word, from north clockwise. The words of a row follow those of the one below.
struct Neighbours {
    std::uint64_t n, ne, e, se, s, sw, w, nw;
    Neighbours(const std::uint64_t* west, const std::uint64_t* here, const std::uint64_t* east)
        : n(here[1]),
          ne(here[1] >> 1 | east[1] << 63),
          e(here[0] >> 1 | east[0] << 63),
          se(here[-1] >> 1 | east[-1] << 63),
          s(here[-1]),
          sw(here[-1] << 1 | west[-1] >> 63),
          w(here[0] << 1 | west[0] >> 63),
          nw(here[1] << 1 | west[1] >> 63) {}
};

/// Bits that are set in exactly one of eight words.
std::uint64_t exactly_one(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, std::uint64_t e,
                          std::uint64_t f, std::uint64_t g, std::uint64_t h) {
    const std::uint64_t ab = a | b, cd = c | d, ef = e | f, gh = g | h;
    const std::uint64_t two = (a & b) | (c & d) | (e & f) | (g & h) | (ab & cd) | (ef & gh) | ((ab | cd) & (ef | gh));
    return (ab | cd | ef | gh) & ~two;
}

/// Of words on top of each other, with those to the west and east: cells around which, going around, off turns into on
/// exactly once.
OUTRIDER_WIDE void turns_of(const std::uint64_t* west, const std::uint64_t* here, const std::uint64_t* east,
                            std::uint64_t* turns, int count) {
    for (int y = 0; y < count; ++y) {
        const Neighbours b(west + y, here + y, east + y);
        turns[y] = exactly_one(~b.n & b.ne, ~b.ne & b.e, ~b.e & b.se, ~b.se & b.s, ~b.s & b.sw, ~b.sw & b.w,
                               ~b.w & b.nw, ~b.nw & b.n);
    }
}

/// Likewise: cells that are removed. They have two to six neighbours and one turn around them, and a neighbour to the
/// north, west or east is missing or the northern one has not one turn, and likewise to the west.
OUTRIDER_WIDE void goers_of(const std::uint64_t* west, const std::uint64_t* here, const std::uint64_t* east,
                            const std::uint64_t* west_turns, const std::uint64_t* turns, std::uint64_t* goes,
                            int count) {
    for (int y = 0; y < count; ++y) {
        const Neighbours b(west + y, here + y, east + y);
        // With one turn the neighbours are one piece: two of them, if there are two, stand side by side.
        const std::uint64_t two =
            (b.n & (b.ne | b.nw)) | (b.e & (b.ne | b.se)) | (b.s & (b.se | b.sw)) | (b.w & (b.sw | b.nw));
        const std::uint64_t seven =
            (b.n | (b.ne & b.nw)) & (b.e | (b.ne & b.se)) & (b.s | (b.se & b.sw)) & (b.w | (b.sw & b.nw));
        const std::uint64_t left_turns = turns[y] << 1 | west_turns[y] >> 63;
        goes[y] =
            here[y] & two & ~seven & turns[y] & ~(b.n & b.w & b.e & turns[y + 1]) & ~(b.n & b.w & b.s & left_turns);
    }
}

constexpr auto bit_of_row = [] {
    NavTile::Rows bits{};
    for (std::size_t y = 0; y < bits.size(); ++y) bits[y] = std::uint64_t{1} << y;
    return bits;
}();

/// Takes cells out of a tile. Rows with such cells; those with some in column 0; in columns 62 or 63.
OUTRIDER_WIDE void take_away(std::uint64_t* words, const NavTile::Rows& goes, std::uint64_t& rows, std::uint64_t& west,
                             std::uint64_t& east) {
    std::uint64_t any = 0, low = 0, high = 0;
    for (std::size_t y = 0; y < goes.size(); ++y) {
        const std::uint64_t bits = goes[y], last = bits >> 62;
        words[y] &= ~bits;
        // Without a branch, all bits or none: wide registers have no such comparison everywhere.
        any |= (0 - ((bits | (0 - bits)) >> 63)) & bit_of_row[y];
        low |= (0 - (bits & 1)) & bit_of_row[y];
        high |= (0 - ((last | last >> 1) & 1)) & bit_of_row[y];
    }
    rows = any;
    west = low;
    east = high;
}
OUTRIDER_WIDE void subtract(const std::uint64_t* words, const NavTile::Rows& less, NavTile::Rows& difference) {
    for (std::size_t y = 0; y < less.size(); ++y) difference[y] = words[y] & ~less[y];
}
/// Whether some cell differs: in columns 0, in any, in 62 or 63; each in rows 0 or 1, in any, in row 63.
OUTRIDER_WIDE void compare(const std::uint64_t* words, const NavTile::Rows& before, std::uint64_t& low,
                           std::uint64_t& every, std::uint64_t& high) {
    std::uint64_t any = 0;
    for (std::size_t y = 0; y < before.size(); ++y) any |= words[y] ^ before[y];
    low = (words[0] ^ before[0]) | (words[1] ^ before[1]);
    high = words[63] ^ before[63];
    every = any;
}
OUTRIDER_WIDE void put_in(NavTile::Rows& rows, const NavTile::Rows& more) {
    for (std::size_t y = 0; y < rows.size(); ++y) rows[y] |= more[y];
}
OUTRIDER_WIDE void find_later(const NavTile::Rows& bits, bool set, NavTile::Rows& equal, NavTile::Rows& later) {
    if (set) {
        for (std::size_t y = 0; y < bits.size(); ++y) equal[y] &= bits[y];
    } else {
        for (std::size_t y = 0; y < bits.size(); ++y) {
            later[y] |= equal[y] & bits[y];
            equal[y] &= ~bits[y];
        }
    }
}

/// Calls visit(first, count) for runs of rows with a bit, eight at a time.
template <class Visit>
void for_runs(std::uint64_t rows, Visit&& visit) {
    for (int first = 0; first < tile_size;) {
        if ((rows >> first & 255) == 0) {
            first += 8;
            continue;
        }
        int end = first + 8;
        while (end < tile_size && (rows >> end & 255) != 0) end += 8;
        visit(first, end - first);
        first = end;
    }
}

}  // namespace

void ThinnedTile::left_after(int round, NavTile::Rows& left) const {
    left = stay;
    if (round >= last) return;
    NavTile::Rows equal;
    equal.fill(all_cells);
    for (std::size_t k = rounds.size(); k-- > 0;) find_later(rounds[k], round >> k & 1, equal, left);
}

Thinning::Thinning(Before before) : before_(std::move(before)) { nothing_.around.fill(&nothing_); }

/// Its cells, and what it changed, are left to the caller.
Thinning::Block* Thinning::add(TileCoord t, const ThinnedTile* before) {
    Block& b = blocks_.emplace_back();
    b.at = t;
    b.before = before;
    last_ = std::max(last_, before->last);
    for (int k = 0; k < 9; ++k) {
        Block** other = at_.find({t.x + k % 3 - 1, t.y + k / 3 - 1});
        Block* beside = k == own ? &b : other && *other ? *other : &nothing_;
        b.around[static_cast<std::size_t>(k)] = beside;
        if (beside != &nothing_) beside->around[static_cast<std::size_t>(8 - k)] = &b;
    }
    return at_.at(t) = &b;
}

void Thinning::set_input(TileCoord t, const NavTile::Rows& rows) {
    Block& b = *add(t, before_(t));
    std::copy(rows.begin(), rows.end(), b.words.begin() + 1);
    b.live = true;
    b.changed = {all_cells, all_cells, all_cells};
}

/// The blocks around a live one, as they were after that round.
void Thinning::add_around(Block& b, int round) {
    for (int k = 0; k < 9; ++k) {
        const TileCoord t{b.at.x + k % 3 - 1, b.at.y + k / 3 - 1};
        if (b.around[static_cast<std::size_t>(k)] != &nothing_) continue;
        // A tile without a cell of its own still holds the rows of the tiles above and below it, for those beside it.
        const ThinnedTile* before = before_(t);
        Block& beside = *add(t, before ? before : &never_set);
        NavTile::Rows left;
        beside.before->left_after(round, left);
        std::copy(left.begin(), left.end(), beside.words.begin() + 1);
        share_rows(beside);
        beside.words[0] = beside.around[south]->words[tile_size];
        std::copy_n(beside.around[north]->words.begin() + 1, 2, beside.words.begin() + tile_size + 1);
    }
}

/// Copies the outermost rows to the blocks beyond.
void Thinning::share_rows(Block& b) {
    if (b.around[north] != &nothing_) b.around[north]->words[0] = b.words[tile_size];
    if (b.around[south] != &nothing_)
        std::copy_n(b.words.begin() + 1, 2, b.around[south]->words.begin() + tile_size + 1);
}

std::uint64_t Thinning::run() {
    for (std::size_t i = 0, live = blocks_.size(); i < live; ++i) {
        share_rows(blocks_[i]);
        add_around(blocks_[i], 0);
        mark_dirty(blocks_[i], 1);
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i) join_where_other(blocks_[i], 0);
    std::uint64_t looked = 0;
    for (int round = 1; round <= last_; ++round) {
        for (Block& b : blocks_) {
            b.look = 0;
            if (b.stirred == round && (b.live || b.around[east]->live)) find_turns(b);
        }
        for (Block& b : blocks_)
            if (b.live && b.look) looked += find_goers(b);
        for (Block& b : blocks_) {
            b.changed = {};
            if (b.live ? b.look == 0 : round > b.before->last) continue;
            if (!b.live) {
                NavTile::Rows left;
                b.before->left_after(round, left);
                subtract(&b.words[1], left, b.goes);
            }
            remove_deletable(b, round);
            if (b.changed.any == 0) continue;
            share_rows(b);
            mark_dirty(b, round + 1);
        }
        for (std::size_t i = 0; i < blocks_.size(); ++i) join_where_other(blocks_[i], round);
    }
    for (Block& b : blocks_) std::copy_n(b.words.begin() + 1, tile_size, b.now.stay.begin());
    return looked;
}

/// Whether a cell goes depends on the cells from one row below to two above it, and from two columns to the west to one
/// to the east.
void Thinning::find_turns(Block& b) {
    const auto rows = [&](Side west_of, Side at, Side east_of) {
        return b.around[at]->changed.any | b.around[west_of]->changed.east | b.around[east_of]->changed.west;
    };
    const std::uint64_t here = rows(west, own, east), above = rows(north_west, north, north_east),
                        below = rows(south_west, south, south_east);
    const std::uint64_t next = here | here << 1 | here >> 1 | above << 63 | below >> 63;
    b.look = next | here >> 2 | above << 62;
    const std::uint64_t *w = &b.around[west]->words[1], *m = &b.words[1], *e = &b.around[east]->words[1];
    for_runs(next,
             [&](int y, int count) { turns_of(w + y, m + y, e + y, &b.turns[static_cast<std::size_t>(y)], count); });
    if (here >> 63 || (above & 3)) turns_of(w + tile_size, m + tile_size, e + tile_size, &b.turns[tile_size], 1);
}

std::uint64_t Thinning::find_goers(Block& b) {
    std::uint64_t looked = 0;
    b.goes.fill(0);
    const std::uint64_t *w = &b.around[west]->words[1], *m = &b.words[1], *e = &b.around[east]->words[1];
    for_runs(b.look, [&](int y, int count) {
        const auto at = static_cast<std::size_t>(y);
        goers_of(w + y, m + y, e + y, &b.around[west]->turns[at], &b.turns[at], &b.goes[at], count);
        looked += static_cast<std::uint64_t>(count);
    });
    return looked;
}

void Thinning::remove_deletable(Block& b, int round) {
    take_away(&b.words[1], b.goes, b.changed.any, b.changed.west, b.changed.east);
    if (b.changed.any == 0 || !b.live) return;
    b.now.last = round;
    b.now.rounds.resize(static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(round))));
    for (std::size_t k = 0; k < b.now.rounds.size(); ++k)
        if (round >> k & 1) put_in(b.now.rounds[k], b.goes);
}

/// Blocks beside b that may from now on lose other cells than before, because the cells of b near them differ.
void Thinning::join_where_other(Block& b, int round) {
    if (!b.live || (b.changed.any == 0 && round > b.before->last)) return;
    const auto repeats = [&](const Block* beside) {
        return beside != &nothing_ && !beside->live && beside->before != &never_set;
    };
    if (std::none_of(b.around.begin(), b.around.end(), repeats)) return;
    NavTile::Rows before;
    b.before->left_after(round, before);
    std::array<std::uint64_t, 3> other;  // cells, by the rows that reach to the south, anywhere, to the north
    compare(&b.words[1], before, other[0], other[1], other[2]);
    constexpr std::array<std::uint64_t, 3> columns{1, all_cells,
                                                   std::uint64_t{3} << 62};  // that reach to the west, to the east
    for (std::size_t k = 0; k < 9; ++k) {
        Block* beside = b.around[k];
        if (!repeats(beside) || (other[k / 3] & columns[k % 3]) == 0) continue;
        beside->live = true;
        ThinnedTile& now = beside->now;
        now.last = std::min(round, beside->before->last);
        now.rounds = beside->before->rounds;
        NavTile::Rows later;
        std::copy_n(beside->words.begin() + 1, tile_size, later.begin());
        for (NavTile::Rows& bits : now.rounds) subtract(bits.data(), later, bits);
        mark_dirty(*beside, round + 1);
        beside->changed = {all_cells, all_cells, all_cells};
        add_around(*beside, round);
    }
}

/// What changed in a block is looked at in that round there and around it.
void Thinning::mark_dirty(Block& b, int round) {
    for (Block* beside : b.around) beside->stirred = round;
    last_ = std::max(last_, round);
}

}  // namespace outrider
