#include "world/sensable.hpp"

#include <algorithm>
#include <functional>

#include "base/bits.hpp"
#include "outrider/ray.hpp"
#include "world/components.hpp"

namespace outrider {
namespace {

/// Whether the cell c can be seen from one of the cells within `range` cells.
bool sees_any(const Grid<std::uint8_t>& walls, const Grid<std::uint8_t>& cells, Cell c, double range) {
    return find_view(
        c, range, [&](Cell at) { return walls.get(at, 1) != 0; }, [&](Cell at) { return cells[at] != 0; },
        [](Cell) { return true; });
}

/// The cells that are no walls.
CellBits open_bits(const WallField& field) {
    CellBits out(field.width() - 2, field.height() - 2, field.origin() + Cell{1, 1});
    for (int y = 0; y < out.height(); ++y) {
        const std::uint8_t* row = field.data() + std::ptrdiff_t{y + 1} * field.width() + 1;
        for (int word = 0; word < out.words(); ++word)
            out.row(y)[word] = nonzero_bits(row + 64 * word, std::min(64, out.width() - 64 * word));
    }
    return out;
}

}  // namespace

Reach find_reach(const Terrain& terrain, const Explorer& e) {
    Reach reach{e.radius_m, e.range_m, {}, {}};
    const CellBits open = connected_bits(open_bits(terrain.field()), {&e.start, 1});
    if (e.radius_m == 0) {
        reach.cells = bytes_of(open, terrain.lattice());
        return reach;
    }
    const Grid<std::uint8_t>& walls = terrain.walls();
    const double radius = walls.lattice().cells(e.radius_m), range = walls.lattice().cells(e.range_m);
    reach.cells = connected_cells(grow_walls(walls, radius), {e.start});
    reach.seen = Grid<std::uint8_t>(walls.width(), walls.height(), 0, walls.lattice(), walls.origin());
    // Search outwards from the reachable cells, through cells that count: 0 not visited, 1 counts, 2 does not count.
    Grid<std::uint8_t> looked = reach.cells;
    std::vector<Cell> queue;
    for (std::size_t i = 0; i < reach.cells.cells().size(); ++i)
        if (reach.cells.cells()[i]) queue.push_back(reach.cells.cell(i));
    while (!queue.empty()) {
        const Cell c = queue.back();
        queue.pop_back();
        reach.seen[c] = 1;
        for (const Cell d : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}}) {
            const Cell n = c + d;
            if (!open.test(n) || looked[n]) continue;
            looked[n] = sees_any(walls, reach.cells, n, range) ? 1 : 2;
            if (looked[n] == 1) queue.push_back(n);
        }
    }
    return reach;
}

std::shared_ptr<const Grid<std::uint8_t>> sensable_cells(std::shared_ptr<const Terrain> terrain,
                                                         const std::vector<Explorer>& explorers) {
    std::vector<const Reach*> reaches;
    for (const Explorer& e : explorers) {
        const Reach* reach = &terrain->reach(e);
        if (std::find(reaches.begin(), reaches.end(), reach) == reaches.end()) reaches.push_back(reach);
    }
    if (reaches.size() == 1) return {std::move(terrain), &reaches[0]->sensable()};
    const WallField& field = terrain->field();
    auto all = std::make_shared<Grid<std::uint8_t>>(field.width() - 2, field.height() - 2, 0, terrain->lattice(),
                                                    field.origin() + Cell{1, 1});
    for (const Reach* reach : reaches)
        std::transform(reach->sensable().cells().begin(), reach->sensable().cells().end(), all->cells().begin(),
                       all->cells().begin(), std::bit_or<std::uint8_t>());
    return all;
}

Grid<std::uint8_t> sensable_cells(const Grid<std::uint8_t>& walls, const std::vector<Explorer>& explorers) {
    return *sensable_cells(Terrain::of(walls, walls.origin()), explorers);
}

}  // namespace outrider
