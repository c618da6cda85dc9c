// The true walls, with the distance from each cell to the nearest wall: it lets rays skip free space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid/grid.hpp"

namespace outrider {

class WallField {
  public:
    WallField() = default;
    /// walls: nonzero cells block; everything outside of the grid is a wall as well. Cells are those of the grid's
    /// frame.
    explicit WallField(const Grid<std::uint8_t>& walls) : WallField(walls, walls.origin()) {}
    /// The same in a frame in which their lower left cell is `origin`.
    WallField(const Grid<std::uint8_t>& walls, Cell origin);
    /// The grid that it was made of; walls are 1.
    Grid<std::uint8_t> walls(const Lattice& lattice) const;

    /// The world changed: these cells, inside of the grid, are walls from now on, or free. Only distances around them
    /// are computed anew.
    void set(std::span<const Cell> cells, bool wall);
    /// How often that happened.
    std::uint64_t changes() const { return changes_; }

    /// Chebyshev distance, in cells, from c to the nearest wall; 0 in a wall and outside; at most 255. A ray in c is
    /// free for at least the next distance - 1 columns.
    int distance(Cell c) const {
        const int x = c.x - origin_.x, y = c.y - origin_.y;
        if (x < 0 || y < 0 || x >= width_ || y >= height_) return 0;
        return distances_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
    }
    bool wall(Cell c) const { return distance(c) == 0; }
    /// Contiguous runs of wall cells on the line between the centres of a and b; the same from b to a. Stops counting
    /// above `limit`.
    int walls_between(Cell a, Cell b, int limit) const;

    // For the casting kernels: row-major with a ring of wall around the grid, readable three bytes beyond the end.
    const std::uint8_t* data() const { return distances_.data(); }
    int width() const { return width_; }
    int height() const { return height_; }
    Cell origin() const { return origin_; }

  private:
    std::uint8_t* row(int y) {
        return distances_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
    }

    int width_ = 0, height_ = 0;
    Cell origin_;
    std::vector<std::uint8_t> distances_;
    std::uint64_t changes_ = 0;
};

}  // namespace outrider
