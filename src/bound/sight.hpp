// Who can see what, in blocks of cells: a lattice coarse enough to keep all lines of sight of a map.
#pragma once

#include <vector>

#include "bound/bits.hpp"
#include "bound/task.hpp"
#include "outrider/ray.hpp"

namespace outrider {

/// Calls visit(cell) for each free cell on rays from the middle of `from`, a cell apart at their ends; a cell may come
/// several times.
template <class Visit>
void for_each_cell_in_sight(const Grid<std::uint8_t>& walls, Cell from, double range, Visit&& visit) {
    const int rays = static_cast<int>(std::ceil(2 * pi * range)) + 8;
    for (int k = 0; k < rays; ++k) {
        const auto [s, c] = sin_cos(2 * pi * k / rays);
        walk_ray(Ray({from.x + 0.5, from.y + 0.5}, {c, s}), range, [&](Cell at, double) {
            if (walls.get(at, 1)) return false;
            visit(at);
            return true;
        });
    }
}

/// Square blocks of cells over a map. Only blocks with nonzero cells have a number.
class Blocks {
  public:
    /// side: of a block, in cells. counted: those of the cells that count, of the same size.
    Blocks(const Grid<std::uint8_t>& cells, const Grid<std::uint8_t>& counted, int side);
    /// All cells count.
    Blocks(const Grid<std::uint8_t>& cells, int side) : Blocks(cells, cells, side) {}

    int side() const { return side_; }
    int columns() const { return columns_; }
    int rows() const { return rows_; }
    int count() const { return static_cast<int>(samples_.size()); }
    /// Of the blocks: column and row in the lattice of blocks.
    Cell block_of(Cell cell) const { return {(cell.x - origin_.x) / side_, (cell.y - origin_.y) / side_}; }
    Cell place(int block) const { return places_[static_cast<std::size_t>(block)]; }
    /// -1: all of its cells are zero.
    int number(Cell block) const {
        return block.x < 0 || block.y < 0 || block.x >= columns_ || block.y >= rows_
                   ? -1
                   : numbers_[static_cast<std::size_t>(block.y) * static_cast<std::size_t>(columns_) +
                              static_cast<std::size_t>(block.x)];
    }
    /// The cell that stands for it: of the nonzero ones, the nearest to its middle.
    Cell sample(int block) const { return samples_[static_cast<std::size_t>(block)]; }
    /// How many of its cells count.
    int weight(int block) const { return weights_[static_cast<std::size_t>(block)]; }

  private:
    int side_, columns_, rows_;
    Cell origin_;
    std::vector<int> numbers_, weights_;
    std::vector<Cell> samples_, places_;
};

/// The side of blocks at which whoever sees into a block is seen from its middle or from that of a block beside it.
int sure_side(const BoundTask& task);

/// For each block a set that holds all blocks from which a robot could come to know a cell of it, whatever its heading;
/// and, the other way round, all that it could see from there.
std::vector<BitBox> sights(const BoundTask& task, const Blocks& blocks);

}  // namespace outrider
