// How much unknown area would be seen from a cell.
#pragma once

#include <vector>

#include "outrider/map.hpp"

namespace outrider {

/// In cells, by a sensor that looks all around: rays pass what is free or unknown and end at walls, known or of the
/// prior map. Each of the rays stands for a sector of the same angle.
double unknown_in_sight(const MapView& map, Cell from, double range_cells, int rays);

/// The same without a prior map. It follows the changes of one map: a place is looked at again only after a change near
/// its rays.
class UnknownInSight {
  public:
    explicit UnknownInSight(double range_cells) : range_cells_(range_cells) {}
    double range_cells() const { return range_cells_; }
    double operator()(const KnownMap& map, Cell from, int rays);

  private:
    void forget_changed(const KnownMap& map);

    struct Look {
        Cell from;
        int rays = 0;
        double area = 0;
        Cell low, high;  ///< of the box that holds all cells on its rays
    };
    double range_cells_;
    std::vector<Look> looks_;
    ChangeCursor cursor_;
};

}  // namespace outrider
