// The pixels of a tile of the map: known cells, which robots know them, and marks. At full size and at halves of it.
#pragma once

#include "grid/grid.hpp"
#include "scene/theme.hpp"
#include "view/history.hpp"
#include "view/layers.hpp"
#include "view/maps.hpp"
#include "view/visits.hpp"

namespace outrider::view {

/// Red, green, blue, opacity, by rows from the bottom; level k has 64 >> k pixels a side.
struct TilePixels {
    static constexpr int levels = 7;
    std::array<std::vector<std::uint32_t>, levels> level;
};

/// The data to paint.
struct MapState {
    const Maps& maps;
    const History& history;
    int now = 0;                     ///< the present step, for ages
    const Visits* visits = nullptr;  ///< none: no visits
    /// Instead of the maps, what the team and the bases knew at the past step `now`.
    bool past = false;
};

class Painter {
  public:
    /// `walls`: in the team's frame; nothing is painted outside of them.
    Painter(const Grid<std::uint8_t>& walls, std::vector<std::uint8_t> bases);

    /// Reads from the layers what to show; to be called when they or the theme changed.
    void plan(const Layers& layers, const Theme& theme);
    /// The plan that robots were given, in the team's frame: 0 says nothing, 1 free, 2 wall.
    void set_prior(const Grid<std::uint8_t>& plan);
    /// The world changed: from now on the cell is a wall, or is not.
    void set_wall(Cell c, bool wall);
    void paint(TileCoord t, const MapState& state, TilePixels& out) const;
    /// Whether the tile's colours change with every step.
    bool ages() const { return age_; }
    /// The robots whose visits are painted, by number; empty: none.
    const std::vector<std::uint8_t>& visitors() const { return visitors_; }

    TileCoord low() const { return low_; }    ///< the lowest tile of the map
    TileCoord high() const { return high_; }  ///< the highest one

  private:
    struct Bits {
        BitTile wall, inside, prior_free, prior_wall;
    };
    /// What is true of the cells of a row, as bits.
    struct Row {
        std::uint64_t inside = 0, true_wall = 0, free = 0, wall = 0, safe = 0, frontier = 0, skeleton = 0, at_base = 0;
        std::uint64_t ahead = 0, behind = 0, wrong = 0, cleared = 0;
    };
    Row row_of(const Bits& truth, std::size_t row, const std::vector<const RobotTile*>& tiles) const;
    Row past_row(const Bits& truth, std::size_t row, const std::vector<const RobotTile*>& tiles,
                 const TileHistory* since, int now) const;
    Colour tinted(Colour colour, const std::vector<const RobotTile*>& tiles, std::size_t row, std::size_t column) const;

    TileTable<Bits> truth_;
    TileCoord low_, high_;
    std::vector<std::uint8_t> bases_;
    std::vector<std::size_t> free_, safe_, frontier_, skeleton_, difference_, wrong_, cleared_;  // robots
    std::vector<std::uint8_t> visitors_;
    bool walls_ = true, prior_ = false, undelivered_ = false, tint_ = false, age_ = false;
    const Theme* theme_ = nullptr;
};

/// The colour of an unknown cell that the plan shows as a wall, or as free.
Colour prior_colour(const Theme& theme, bool wall);
/// The colour of a cell that has been known for so many steps.
Colour age_colour(const Theme& theme, int steps);
/// The colour of a cell that was passed this many times, at least once.
Colour visits_colour(const Theme& theme, std::uint32_t times);
/// Of a cell that a camera has cleared.
Colour cleared_colour(const Theme& theme, Colour cell);

}  // namespace outrider::view
