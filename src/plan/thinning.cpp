#include "plan/thinning.hpp"

#include <algorithm>

#include "base/wide.hpp"

namespace outrider {
namespace {

/// The eight neighbours of the cells of a word, from north clockwise; `up`: from a row to the one above.
struct Neighbours {
    std::uint64_t n, ne, e, se, s, sw, w, nw;
    Neighbours(const std::uint64_t* here, std::ptrdiff_t up)
        : n(here[up]),
          ne(east(here + up)),
          e(east(here)),
          se(east(here - up)),
          s(here[-up]),
          sw(west(here - up)),
          w(west(here)),
          nw(west(here + up)) {}
    static std::uint64_t west(const std::uint64_t* p) { return p[0] << 1 | p[-1] >> 63; }
    static std::uint64_t east(const std::uint64_t* p) { return p[0] >> 1 | p[1] << 63; }
};

/// Bits that are set in exactly one of eight words.
std::uint64_t exactly_one(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, std::uint64_t e,
                          std::uint64_t f, std::uint64_t g, std::uint64_t h) {
    const std::uint64_t ab = a | b, cd = c | d, ef = e | f, gh = g | h;
    const std::uint64_t two = (a & b) | (c & d) | (e & f) | (g & h) | (ab & cd) | (ef & gh) | ((ab | cd) & (ef | gh));
    return (ab | cd | ef | gh) & ~two;
}
/// Bits that are set in two of eight words at least.
std::uint64_t two_of(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, std::uint64_t e,
                     std::uint64_t f, std::uint64_t g, std::uint64_t h) {
    const std::uint64_t ab = a | b, cd = c | d, ef = e | f, gh = g | h;
    return (a & b) | (c & d) | (e & f) | (g & h) | (ab & cd) | (ef & gh) | ((ab | cd) & (ef | gh));
}

/// Of `count` words side by side: cells around which, going around, off turns into on exactly once.
OUTRIDER_WIDE void find_turns(const std::uint64_t* words, std::uint64_t* turns, std::ptrdiff_t up, int count) {
    for (int x = 0; x < count; ++x) {
        const Neighbours b(words + x, up);
        turns[x] = exactly_one(~b.n & b.ne, ~b.ne & b.e, ~b.e & b.se, ~b.se & b.s, ~b.s & b.sw, ~b.sw & b.w,
                               ~b.w & b.nw, ~b.nw & b.n);
    }
}

/// Likewise: cells that go. They have two to six neighbours and one turn around them, and a neighbour to the north,
/// west or east is missing or the northern one has not one turn, and likewise to the west.
OUTRIDER_WIDE void find_goers(const std::uint64_t* words, const std::uint64_t* turns, std::uint64_t* goes,
                              std::ptrdiff_t up, int count) {
    for (int x = 0; x < count; ++x) {
        const Neighbours b(words + x, up);
        const std::uint64_t some = two_of(b.n, b.ne, b.e, b.se, b.s, b.sw, b.w, b.nw);
        const std::uint64_t not_all = two_of(~b.n, ~b.ne, ~b.e, ~b.se, ~b.s, ~b.sw, ~b.w, ~b.nw);
        const std::uint64_t north_turns = turns[x + up], west_turns = turns[x] << 1 | turns[x - 1] >> 63;
        goes[x] =
            words[x] & some & not_all & turns[x] & ~(b.n & b.w & b.e & north_turns) & ~(b.n & b.w & b.s & west_turns);
    }
}

}  // namespace

Thinning::Thinning(TileCoord low, TileCoord high)
    : low_(low), width_(high.x - low.x + 1), rows_((high.y - low.y + 1) * tile_size) {
    const auto words = static_cast<std::size_t>((rows_ + 4) * stride());
    words_.resize(words);
    turns_.resize(words);
    goes_.resize(words);
    rounds_.resize(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(width_ * tile_size));
}

void Thinning::set_input(TileCoord t, const NavTile::Rows& rows) {
    using Eight = std::array<std::uint16_t, 8>;
    static constexpr auto first_rounds = [] {  // of eight cells, by which of them are set
        std::array<Eight, 256> table{};
        for (std::size_t bits = 0; bits < table.size(); ++bits)
            for (std::size_t i = 0; i < 8; ++i) table[bits][i] = bits >> i & 1 ? stays : never_set;
        return table;
    }();
    for (int row = 0; row < tile_size; ++row) {
        const std::uint64_t bits = rows[static_cast<std::size_t>(row)];
        words_[at(t.x - low_.x, (t.y - low_.y) * tile_size + row)] = bits;
        std::uint16_t* round = &rounds_[inside(cell_of(t, 0, row))];
        for (int i = 0; i < 8; ++i) std::copy_n(first_rounds[bits >> (8 * i) & 255].begin(), 8, round + 8 * i);
    }
}

void Thinning::set_around(Cell c, std::uint16_t round) {
    if (round == never_set) return;
    words_[at((c.x >> 6) - low_.x, c.y - low_.y * tile_size)] |= std::uint64_t{1} << column_in_tile(c);
    if (round != stays) around_.emplace_back(round, c);
}

std::uint64_t Thinning::run() {
    std::sort(around_.begin(), around_.end());
    active_.assign(static_cast<std::size_t>(rows_ + 4), 1);
    std::uint64_t looked = 0;
    auto leaves = around_.begin();
    for (std::uint16_t round = 1; round < stays; ++round) {
        const bool changed = thin(round, looked);
        const auto first = leaves;
        for (; leaves != around_.end() && leaves->first == round; ++leaves) {
            const Cell c = leaves->second;
            words_[at((c.x >> 6) - low_.x, c.y - low_.y * tile_size)] &= ~(std::uint64_t{1} << column_in_tile(c));
            active_[static_cast<std::size_t>(c.y - low_.y * tile_size + 2)] = 1;
        }
        if (!changed && leaves == first && leaves == around_.end()) break;
    }
    return looked;
}

/// One round: all cells that may go by the state before it. Whether one did.
bool Thinning::thin(std::uint16_t round, std::uint64_t& looked) {
    // Row y is looked at when something changed at most two rows away.
    std::vector<char> look(active_.size(), 0);
    for (std::size_t y = 0; y < active_.size(); ++y)
        if (active_[y])
            std::fill(look.begin() + std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(y) - 2, 0),
                      look.begin() + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(y) + 3, std::ssize(look)),
                      char{1});
    const auto wanted = [&](int y) { return look[static_cast<std::size_t>(y + 2)] != 0; };
    // Rows that follow each other are one line of words; what is found for the words between them is not used.
    const int up = stride();
    for (int y = 0; y < rows_;) {
        if (!wanted(y)) {
            ++y;
            continue;
        }
        const int first = y;
        while (y < rows_ && wanted(y)) ++y;
        // The row after the run, too: its turns are looked up by the last one.
        find_turns(&words_[at(-1, first)], &turns_[at(-1, first)], up, (y - first) * up + width_ + 1);
    }
    bool any = false;
    const std::size_t row_cells = static_cast<std::size_t>(width_) * tile_size;
    std::fill(active_.begin(), active_.end(), 0);
    for (int y = 0; y < rows_;) {
        if (!wanted(y)) {
            ++y;
            continue;
        }
        const int first = y;
        while (y < rows_ && wanted(y)) ++y;
        find_goers(&words_[at(0, first)], &turns_[at(0, first)], &goes_[at(0, first)], up,
                   (y - first - 1) * up + width_);
        looked += static_cast<std::uint64_t>((y - first) * width_);
    }
    for (int y = 0; y < rows_; ++y) {
        if (!wanted(y)) continue;
        const std::uint64_t* goes = &goes_[at(0, y)];
        std::uint64_t* words = &words_[at(0, y)];
        std::uint16_t* rounds = &rounds_[static_cast<std::size_t>(y) * row_cells];
        std::uint64_t some = 0;
        for (int x = 0; x < width_; ++x, rounds += tile_size) {
            std::uint64_t gone = goes[x];
            if (!gone) continue;
            some |= gone;
            words[x] &= ~gone;
            for (; gone; gone &= gone - 1) rounds[std::countr_zero(gone)] = round;
        }
        active_[static_cast<std::size_t>(y + 2)] = some != 0;
        any = any || some != 0;
    }
    return any;
}

}  // namespace outrider
