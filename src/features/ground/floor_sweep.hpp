// A scanner that looks up and down, and what the points on the floor say of its cells.
// Source: the rule for rescue robots on step fields, after the variance and spread of heights in a cell
// (docs/realism.md).
#pragma once

#include <span>
#include <vector>

#include "features/ground/tilt.hpp"

namespace outrider {

enum class FloorState : std::uint8_t { unknown, free, step };

/// The heights of points in one cell, in metres.
class FloorCell {
  public:
    void add(double z);
    /// unknown: fewer than 10 points. step: their variance is more than 18 mm squared, and they are more than 80 mm
    /// apart. Else free.
    FloorState state() const;

  private:
    int count_ = 0;
    double mean_ = 0, squares_ = 0, low_ = 0, high_ = 0;  // squares_: of the distances to the mean
};

/// The cells with a step that a sweep over pitches of -30 to +10 degrees, one by one, sees; by row, then column.
/// origin: in cells; directions: unit vectors of the beams; base_m: height of the scanner, which is kept level.
std::vector<Cell> find_steps(const WallField& walls, const Relief& relief, Point origin,
                             std::span<const Point> directions, double base_m, double max_length);

}  // namespace outrider
