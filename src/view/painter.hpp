// The pixels of a tile of the map: what is known, to whom, and what is marked. At full size and at halves of it.
#pragma once

#include "outrider/grid.hpp"
#include "view/history.hpp"
#include "view/layers.hpp"
#include "view/maps.hpp"
#include "view/theme.hpp"

namespace outrider::view {

/// Red, green, blue, opacity, by rows from the bottom; level k has 64 >> k pixels a side.
struct TilePixels {
    static constexpr int levels = 7;
    std::array<std::vector<std::uint32_t>, levels> level;
};

class Painter {
  public:
    /// `walls`: in the team's frame; nothing is painted outside of them.
    Painter(const Grid<std::uint8_t>& walls, std::vector<std::uint8_t> bases);

    /// Reads what is to be shown from the layers; to be called when they or the theme changed.
    void plan(const Layers& layers, const Theme& theme);
    /// `now`: the present step, for ages.
    void paint(TileCoord t, const Maps& maps, History& history, int now, TilePixels& out) const;
    /// Whether the tile's colours change with every step.
    bool ages() const { return age_; }

    TileCoord low() const { return low_; }    ///< the lowest tile of the map
    TileCoord high() const { return high_; }  ///< the highest one

  private:
    struct Bits {
        BitTile wall, inside;
    };
    TileTable<Bits> truth_;
    TileCoord low_, high_;
    std::vector<std::uint8_t> bases_;
    std::vector<std::size_t> free_, safe_, frontier_, skeleton_;  // robots
    bool walls_ = true, undelivered_ = false, tint_ = false, age_ = false;
    const Theme* theme_ = nullptr;
};

/// The colour of a cell that has been known for so many steps.
Colour age_colour(const Theme& theme, int steps);

}  // namespace outrider::view
