#include "features/changes/falling_debris.hpp"

#include <cmath>

namespace outrider {
namespace {

/// The free cells of a disc around the middle of a cell.
std::vector<Cell> free_disc(const Grid<std::uint8_t>& walls, Cell middle, double radius_cells) {
    std::vector<Cell> cells;
    const int reach = static_cast<int>(std::floor(radius_cells));
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx)
            if (const Cell c = middle + Cell{dx, dy};
                std::hypot(dx, dy) <= radius_cells && walls.contains(c) && !walls[c])
                cells.push_back(c);
    return cells;
}

}  // namespace

FallingDebris::FallingDebris(const Grid<std::uint8_t>& walls, RandomSteps when, Rng places)
    : walls_(walls), when_(when), places_(places) {
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        const auto wall = [&](Cell d) { return walls.get(c + d, 1) != 0; };
        if (!walls[c] && (wall({1, 0}) || wall({-1, 0}) || wall({0, 1}) || wall({0, -1}))) at_walls_.push_back(c);
    }
}

std::vector<Cell> FallingDebris::fall(int step) {
    if (at_walls_.empty() || !when_.at(step)) return {};
    const Cell middle = at_walls_[places_.below(static_cast<std::uint32_t>(at_walls_.size()))];
    const double radius_m = places_.uniform(0.1, 0.3);
    std::vector<Cell> heap = free_disc(walls_, middle, walls_.lattice().cells(radius_m));
    for (Cell& c : heap) c = c + moved_;
    return heap;
}

}  // namespace outrider
