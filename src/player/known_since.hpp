// Since when each cell was known to a robot, or to some, on a raster that may be coarser than its map.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "outrider/detail/known_map.hpp"

namespace outrider {

/// Of a cell, in which a page stores where things are.
inline constexpr double player_parts = 16;

/// What a page draws of maps: squares of `factor` x `factor` cells, the lowest row first.
struct PlayerRaster {
    Cell low;                   ///< the lower left cell
    int width = 0, height = 0;  ///< in squares
    int factor = 1;
    /// Squares `times` as large.
    PlayerRaster joined(int times) const {
        return {low, (width + times - 1) / times, (height + times - 1) / times, factor * times};
    }
    std::size_t size() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};
/// The finest raster of a map with at most so many squares.
PlayerRaster player_raster(const Grid<std::uint8_t>& walls, std::size_t most);

/// A value for each square, as bytes: for each a symbol (0: as to the left, 1: as below, 2: another one), then the
/// other ones as differences to the value on the left. Outside of the raster values are 0.
std::string encode_squares(const std::vector<std::uint32_t>& values, int width);

class KnownSince {
  public:
    explicit KnownSince(const PlayerRaster& raster) : raster_(raster), since_(raster.size()), walls_(raster.size()) {}

    /// Notes the cells of a map that became known since the cursor was here last; `step`: counted from 1.
    void note(const KnownMap& map, ChangeCursor& cursor, std::uint32_t step);
    /// Walls, and what is known after all, as these maps show them now: places that moved when a loop was closed count
    /// where they are in the end.
    void settle(const std::vector<const KnownMap*>& maps);

    /// By square: 0 never known, otherwise twice the step from which on it was known, and 1 more where there is a wall
    /// in the end. Merged to squares `coarser` times as large.
    std::vector<std::uint32_t> values(int coarser = 1) const;

  private:
    template <class Visit>
    void for_each_square(TileCoord t, const BitTile& cells, Visit&& visit) const;

    PlayerRaster raster_;
    std::vector<std::uint32_t> since_;
    std::vector<std::uint8_t> walls_;
    TileTable<BitTile> noted_;
};

}  // namespace outrider
