#include "plan/thinning.hpp"

#include <algorithm>

namespace outrider {
namespace {

/// Bits of words that hold at least one, and at least two, of several bits.
struct Tally {
    std::uint64_t one = 0, two = 0;
    void add(std::uint64_t bits) {
        two |= one & bits;
        one |= bits;
    }
};

/// The eight neighbours of the cells of a word, from north clockwise.
struct Neighbours {
    std::array<std::uint64_t, 8> at;
    /// above, here, below: three words each, from west to east.
    Neighbours(const std::uint64_t* above, const std::uint64_t* here, const std::uint64_t* below) {
        const auto west = [](const std::uint64_t* w) { return w[0] << 1 | w[-1] >> 63; };
        const auto east = [](const std::uint64_t* w) { return w[0] >> 1 | w[1] << 63; };
        at = {above[0], east(above), east(here), east(below), below[0], west(below), west(here), west(above)};
    }
    std::uint64_t north() const { return at[0]; }
    std::uint64_t east() const { return at[2]; }
    std::uint64_t south() const { return at[4]; }
    std::uint64_t west() const { return at[6]; }
    /// Whether going around, off turns into on exactly once.
    std::uint64_t turn_once() const {
        Tally turns;
        for (std::size_t k = 0; k < 8; ++k) turns.add(~at[k] & at[(k + 1) % 8]);
        return turns.one & ~turns.two;
    }
    /// Whether two to six of them are on.
    std::uint64_t two_to_six() const {
        Tally on, off;
        for (const std::uint64_t bits : at) {
            on.add(bits);
            off.add(~bits);
        }
        return on.two & off.two;
    }
};

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
    for (int row = 0; row < tile_size; ++row) {
        const std::uint64_t bits = rows[static_cast<std::size_t>(row)];
        words_[at(t.x - low_.x, (t.y - low_.y) * tile_size + row)] = bits;
        std::uint16_t* round = &rounds_[inside(cell_of(t, 0, row))];
        for (int column = 0; column < tile_size; ++column) round[column] = bits >> column & 1 ? stays : never_set;
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
    std::vector<char> look(active_.size(), 0);
    for (std::size_t y = 0; y < active_.size(); ++y)
        if (active_[y])
            for (std::size_t k = std::max<std::size_t>(y, 2) - 2; k < std::min(y + 3, look.size()); ++k) look[k] = 1;
    const auto wanted = [&](int y) { return look[static_cast<std::size_t>(y + 2)] != 0; };
    const std::ptrdiff_t up = stride();
    for (int y = 0; y <= rows_; ++y) {
        if (!wanted(y) && !wanted(y - 1)) continue;
        for (int x = -1; x < width_; ++x) {
            const std::uint64_t* here = &words_[at(x, y)];
            if (*here) turns_[at(x, y)] = Neighbours(here + up, here, here - up).turn_once();
        }
    }
    bool any = false;
    for (int y = 0; y < rows_; ++y) {
        if (!wanted(y)) continue;
        for (int x = 0; x < width_; ++x) {
            const std::size_t i = at(x, y);
            const std::uint64_t *here = &words_[i], *turns = &turns_[i];
            goes_[i] = 0;
            if (*here == 0) continue;
            ++looked;
            const Neighbours n(here + up, here, here - up);
            const std::uint64_t north_turns = turns[up], west_turns = turns[0] << 1 | turns[-1] >> 63;
            goes_[i] = *here & n.two_to_six() & *turns & ~(n.north() & n.west() & n.east() & north_turns) &
                       ~(n.north() & n.west() & n.south() & west_turns);
        }
    }
    std::fill(active_.begin(), active_.end(), 0);
    for (int y = 0; y < rows_; ++y) {
        if (!wanted(y)) continue;
        for (int x = 0; x < width_; ++x) {
            const std::size_t i = at(x, y);
            std::uint64_t gone = std::exchange(goes_[i], 0);
            if (!gone) continue;
            any = true;
            active_[static_cast<std::size_t>(y + 2)] = 1;
            words_[i] &= ~gone;
            const Cell first{(low_.x + x) * tile_size, low_.y * tile_size + y};
            for (; gone; gone &= gone - 1)
                rounds_[inside(first) + static_cast<std::size_t>(std::countr_zero(gone))] = round;
        }
    }
    return any;
}

}  // namespace outrider
