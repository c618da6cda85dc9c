#include "features/floor_plan/plan.hpp"

#include <cmath>

#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "scenario/scenario.hpp"

namespace outrider {
namespace {

using Plan = Grid<std::uint8_t>;

constexpr auto unknown_cell = static_cast<std::uint8_t>(PlanCell::unknown),
               free_cell = static_cast<std::uint8_t>(PlanCell::free),
               wall_cell = static_cast<std::uint8_t>(PlanCell::wall);

/// The plan as it is laid over the map: turned and scaled around its middle, then shifted. What lies beyond its edges
/// is unknown.
Plan placed(const Plan& plan, const PriorOptions& o) {
    if (o.shift_x_m == 0 && o.shift_y_m == 0 && o.turn_deg == 0 && o.scale == 1) return plan;
    Plan out(plan.width(), plan.height(), unknown_cell, plan.lattice());
    const Point middle{plan.width() / 2.0, plan.height() / 2.0};
    const Point shift{plan.lattice().cells(o.shift_x_m), plan.lattice().cells(o.shift_y_m)};
    const auto [s, c] = sin_cos(-radians(o.turn_deg));
    for (std::size_t i = 0; i < out.cells().size(); ++i) {
        const Cell at = out.cell(i);
        const Point p = Point{at.x + 0.5, at.y + 0.5} - middle - shift;
        const Point from = middle + Point{c * p.x - s * p.y, s * p.x + c * p.y} * (1 / o.scale);
        const Cell source{static_cast<int>(std::floor(from.x)), static_cast<int>(std::floor(from.y))};
        out.cells()[i] = plan.get(source, unknown_cell);
    }
    return out;
}

/// Calls visit(first cell, last cell, random numbers) for each square of `side_m`, by row, then column.
template <class Visit>
void for_each_square(const Plan& plan, double side_m, std::uint64_t seed, int stream, Visit&& visit) {
    const int side = std::max(1, static_cast<int>(std::lround(plan.lattice().cells(side_m))));
    std::uint32_t k = 0;
    for (int y = 0; y < plan.height(); y += side)
        for (int x = 0; x < plan.width(); x += side) {
            Rng rng(seed, -1, Purpose::prior, stream, k++);
            visit(Cell{x, y}, Cell{std::min(x + side, plan.width()) - 1, std::min(y + side, plan.height()) - 1}, rng);
        }
}

/// Every draw is made, whatever the shares: a plan that misses more walls misses those as well.
void spoil(Plan& plan, const PriorOptions& o, std::uint64_t seed) {
    constexpr double wall_side_m = 2, unknown_side_m = 6;
    if (o.missing_walls > 0 || o.invented_walls > 0)
        for_each_square(plan, wall_side_m, seed, 0, [&](Cell low, Cell high, Rng& rng) {
            const bool misses = rng.uniform() < o.missing_walls, invents = rng.uniform() < o.invented_walls,
                       upright = rng.below(2) == 0;
            const Cell middle{(low.x + high.x) / 2, (low.y + high.y) / 2};
            for (Cell c = low; c.y <= high.y; ++c.y)
                for (c.x = low.x; c.x <= high.x; ++c.x) {
                    if (misses && plan[c] == wall_cell) plan[c] = free_cell;
                    if (invents && (upright ? c.x == middle.x : c.y == middle.y) && plan[c] == free_cell)
                        plan[c] = wall_cell;
                }
        });
    if (o.unknown_share > 0)
        for_each_square(plan, unknown_side_m, seed, 1, [&](Cell low, Cell high, Rng& rng) {
            if (rng.uniform() >= o.unknown_share) return;
            for (Cell c = low; c.y <= high.y; ++c.y)
                for (c.x = low.x; c.x <= high.x; ++c.x) plan[c] = unknown_cell;
        });
}

}  // namespace

std::shared_ptr<const Plan> read_prior(const Scenario& s, const std::string& path) {
    Plan plan = read_plan(s.map, path);
    if (plan.width() != s.walls.width() || plan.height() != s.walls.height())
        fail("{}: the plan has {} x {} cells, the map {} x {}; expected the same size", path, plan.width(),
             plan.height(), s.walls.width(), s.walls.height());
    return std::make_shared<const Plan>(placed(plan, s.features.get<PriorOptions>()));
}

std::shared_ptr<const Plan> draw_prior(const Scenario& s) {
    Plan plan(s.walls.width(), s.walls.height(), free_cell, s.walls.lattice());
    for (std::size_t i = 0; i < plan.cells().size(); ++i)
        if (s.walls.cells()[i]) plan.cells()[i] = wall_cell;
    spoil(plan, s.features.get<PriorOptions>(), s.run.seed);
    return std::make_shared<const Plan>(placed(plan, s.features.get<PriorOptions>()));
}

}  // namespace outrider
