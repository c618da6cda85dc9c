// A rectangle of tiles while it is thinned. What lies around it is known to thin as it did before.
#pragma once

#include <vector>

#include "outrider/nav_map.hpp"

namespace outrider {

/// In which round of thinning each cell of a tile went: never_set, a round, or stays.
using RoundsTile = std::array<std::uint16_t, tile_size * tile_size>;
inline constexpr std::uint16_t never_set = 0, stays = 0xffff;

class Thinning {
  public:
    /// The lowest and the highest tile.
    Thinning(TileCoord low, TileCoord high);

    /// The cells of a tile inside before the first round.
    void set_input(TileCoord t, const NavTile::Rows& rows);
    /// A cell around, at most two cells off, and when it goes.
    void set_around(Cell c, std::uint16_t round);
    /// All rounds, until nothing changes any more. Words looked at.
    std::uint64_t run();
    /// When a cell inside went.
    std::uint16_t round(Cell c) const { return rounds_[inside(c)]; }
    /// The same for a row of a tile, 64 cells; and those of them that stay.
    const std::uint16_t* rounds(TileCoord t, int row) const { return &rounds_[inside(cell_of(t, 0, row))]; }
    std::uint64_t left(TileCoord t, int row) const {
        return words_[at(t.x - low_.x, (t.y - low_.y) * tile_size + row)];
    }

  private:
    std::size_t inside(Cell c) const {
        return static_cast<std::size_t>(c.y - low_.y * tile_size) * static_cast<std::size_t>(width_ * tile_size) +
               static_cast<std::size_t>(c.x - low_.x * tile_size);
    }
    int stride() const { return width_ + 4; }
    /// The word of column x (-2 ... width + 1, in tiles) and row y (-2 ... rows + 1).
    std::size_t at(int x, int y) const { return static_cast<std::size_t>((y + 2) * stride() + x + 2); }
    bool thin(std::uint16_t round, std::uint64_t& looked);

    TileCoord low_;
    int width_, rows_;                  // in tiles; in cells
    std::vector<std::uint64_t> words_;  // two rows and words more on each side
    std::vector<std::uint64_t> turns_;  // likewise: cells around which off turns into on exactly once
    std::vector<std::uint64_t> goes_;   // cells that go in this round
    std::vector<char> active_;          // rows in which something changed in the last round
    std::vector<std::uint16_t> rounds_;
    std::vector<std::pair<std::uint16_t, Cell>> around_;  // cells outside that go
};

}  // namespace outrider
