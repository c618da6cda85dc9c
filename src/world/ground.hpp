// What the ground is like: how fast a body is on each cell, as a share of its speed on level floor. It does not hinder
// sight or radio.
#pragma once

#include <cstdint>
#include <memory>

#include "grid/grid.hpp"
#include "outrider/detail/tiles.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

class Ground {
  public:
    /// Per cent of the speed on level floor, 10 to 100, by cell of the world's frame; outside it is level.
    static constexpr int least = 10, level = 100;
    /// A cell on which a body is at most this fast is rough.
    static constexpr int most_rough = 75;

    explicit Ground(Grid<std::uint8_t> percent);

    double share(Cell c) const { return percent_.get(c, level) / 100.0; }
    bool rough(Cell c) const { return percent_.get(c, level) <= most_rough; }
    /// The rough cells, by tile.
    const TileTable<BitTile>& rough_cells() const { return rough_; }
    /// How many times as long as on level floor a way over rough cells takes, in the mean over them; 1: there are none.
    double rough_cost() const { return rough_cost_; }

    /// How far a body gets on the line from a to b, in metres, that makes `speed_mps` on level floor and has `time_s`,
    /// which is less afterwards.
    double drive(Point a, Point b, double speed_mps, double& time_s) const;
    /// Metres of the line from a to b over rough cells.
    double rough_m(Point a, Point b) const;

  private:
    Grid<std::uint8_t> percent_;
    TileTable<BitTile> rough_;
    double rough_cost_ = 1;
};

}  // namespace outrider
