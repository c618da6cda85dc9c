// How high the floor is.
#pragma once

#include <cstdint>

#include "grid/grid.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

class Relief {
  public:
    /// Levels from 0 to 65535 by cell, of which the highest stands for `top_m` metres.
    Relief(const Grid<std::uint16_t>& levels, double top_m);

    const Lattice& lattice() const { return height_m_.lattice(); }
    /// Metres; outside it is as high as at the border.
    double at(Cell c) const;
    /// Between the middles of cells the height changes evenly. p: metres.
    double at(Point p) const;
    /// By how much the floor rises per metre to the right and upwards on the map, under a body with this radius.
    Point gradient(Point p, double radius_m) const;

  private:
    Grid<float> height_m_;
};

}  // namespace outrider
