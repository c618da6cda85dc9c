// Lengths that no way falls below, over the corners of cells: twelve thirteenths of a cell for an edge, seventeen for a
// diagonal, is at most the straight line, whatever its direction; and a taut way bends at corners of walls only, so
// that nothing adds up along it.
#pragma once

#include <span>
#include <vector>

#include "grid/grid.hpp"

namespace outrider {

class LeastPaths {
  public:
    /// From any point of any of these cells through cells of `open` that are nonzero.
    LeastPaths(const Grid<std::uint8_t>& open, std::span<const Cell> from);
    /// To any point of a cell, in cells; infinite: it cannot be reached.
    double to(Cell cell) const;

  private:
    std::size_t corner(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_ + 1) + static_cast<std::size_t>(x);
    }
    int width_, height_;
    Cell origin_;
    std::vector<int> paths_;  // by corner, in thirteenths of a cell
};

}  // namespace outrider
