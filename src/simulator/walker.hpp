// Somebody who walks about.
#pragma once

#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// Somebody who walks along a way and back again, for ever.
class Walker {
  public:
    /// way: at least one point; the walk begins at the first.
    Walker(std::vector<Point> path, double speed_mps);
    Point at(double time_s) const;
    /// From a place to the nearest point of the way.
    double away_m(Point p) const;

  private:
    std::vector<Point> path_;
    std::vector<double> reached_m_;  // by point: the way to it
    double speed_mps_;
};

}  // namespace outrider
