#include "world/sensable.hpp"

#include <algorithm>
#include <functional>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

/// Whether the cell c can be seen from one of the cells within `range` cells.
bool sees_any(const Grid<std::uint8_t>& walls, const Grid<std::uint8_t>& cells, Cell c, double range) {
    return find_view(
        c, range, [&](Cell at) { return walls.get(at, 1) != 0; }, [&](Cell at) { return cells[at] != 0; },
        [](Cell) { return true; });
}

}  // namespace

Grid<std::uint8_t> sensable_cells(const Grid<std::uint8_t>& walls, const std::vector<Explorer>& explorers) {
    Grid<std::uint8_t> sensable(walls.width(), walls.height(), 0, walls.lattice(), walls.origin());
    struct Done {
        double radius_m, range_m;
        Grid<std::uint8_t> reach;
    };
    std::vector<Done> done;
    for (const Explorer& e : explorers) {
        const bool again = std::any_of(done.begin(), done.end(), [&](const Done& d) {
            return d.radius_m == e.radius_m && (e.radius_m == 0 || d.range_m == e.range_m) && d.reach.get(e.start, 0);
        });
        if (again) continue;  // of the same kind, in the same part of the map as an earlier one
        const Grid<std::uint8_t> open = connected_cells(walls, {e.start});
        const double radius = walls.lattice().cells(e.radius_m), range = walls.lattice().cells(e.range_m);
        done.push_back(
            {e.radius_m, e.range_m, radius > 0 ? connected_cells(grow_walls(walls, radius), {e.start}) : open});
        const Grid<std::uint8_t>& reach = done.back().reach;
        if (radius == 0) {
            std::transform(reach.cells().begin(), reach.cells().end(), sensable.cells().begin(),
                           sensable.cells().begin(), std::bit_or<std::uint8_t>());
            continue;
        }
        // Outwards from the reach, through cells that count: 0 not looked at, 1 counts, 2 does not.
        Grid<std::uint8_t> seen = reach;
        std::vector<Cell> queue;
        for (std::size_t i = 0; i < reach.cells().size(); ++i)
            if (reach.cells()[i]) queue.push_back(reach.cell(i));
        while (!queue.empty()) {
            const Cell c = queue.back();
            queue.pop_back();
            sensable[c] = 1;
            for (const Cell d : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}}) {
                const Cell n = c + d;
                if (!open.contains(n) || !open[n] || seen[n]) continue;
                seen[n] = sees_any(walls, reach, n, range) ? 1 : 2;
                if (seen[n] == 1) queue.push_back(n);
            }
        }
    }
    return sensable;
}

}  // namespace outrider
