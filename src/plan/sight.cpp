#include <optional>

#include "outrider/frontier.hpp"
#include "outrider/ray.hpp"

namespace outrider {
namespace {

bool is_wall(CellState state) { return state == CellState::occupied || state == CellState::safe_occupied; }

/// plan: whether there is one; robots without one pay nothing for it.
template <bool plan>
double in_sight(const MapView& map, Cell from, double range_cells, int rays) {
    double area = 0;
    const Point middle{from.x + 0.5, from.y + 0.5};
    const double sector = pi / rays;  // half of the angle: a sector of radius r has r^2 times that
    for (int k = 0; k < rays; ++k) {
        const auto [s, c] = sin_cos(2 * pi * (k + 0.5) / rays);
        double since = -1;  // where the present stretch of unknown cells began; -1: none
        const auto leave = [&](double t) {
            if (since >= 0) area += sector * (t * t - since * since);
            since = -1;
        };
        double end = range_cells;
        std::optional<Cell> block;  // the block that the ray is in, and its rows: a ray stays in a block for many steps
        std::span<const std::uint64_t> known, occupied;
        walk_ray(Ray(middle, {c, s}), range_cells, [&](Cell cell, double t) {
            if (const Cell here = block_of(cell); block != here) {
                block = here;
                known = map.known_rows(here);
                occupied = map.occupied_rows(here);
            }
            const auto row = static_cast<std::size_t>(cell.y & 63);
            const bool unknown = known.empty() || !(known[row] >> (cell.x & 63) & 1);
            if (!unknown) leave(t);
            if constexpr (plan)
                if (unknown && is_wall(map.prior(cell))) {
                    end = t;
                    return false;
                }
            if (unknown && since < 0) since = t;
            if (unknown || !(occupied[row] >> (cell.x & 63) & 1)) return true;
            end = t;
            return false;
        });
        leave(end);
    }
    return area;
}

}  // namespace

double unknown_in_sight(const MapView& map, Cell from, double range_cells, int rays) {
    return map.has_prior() ? in_sight<true>(map, from, range_cells, rays)
                           : in_sight<false>(map, from, range_cells, rays);
}

}  // namespace outrider
