#include "features/ground/floor_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace outrider {

void FloorCell::add(double z) {
    low_ = count_ == 0 ? z : std::min(low_, z);
    high_ = count_ == 0 ? z : std::max(high_, z);
    ++count_;
    const double off = z - mean_;
    mean_ += off / count_;
    squares_ += off * (z - mean_);
}

FloorState FloorCell::state() const {
    constexpr int least_points = 10;
    constexpr double most_deviation_m = 0.018, most_spread_m = 0.08, rounding_m = 1e-9;
    if (count_ < least_points) return FloorState::unknown;
    const bool varies = squares_ / count_ > most_deviation_m * most_deviation_m;
    return varies && high_ - low_ > most_spread_m + rounding_m ? FloorState::step : FloorState::free;
}

std::vector<Cell> find_steps(const WallField& walls, const Relief& relief, Point origin,
                             std::span<const Point> directions, double base_m, double max_length) {
    constexpr int lowest_deg = -30, highest_deg = 10;
    constexpr double beyond = 1e-6;  // cells: a point on the side of a block belongs to the block
    std::map<Cell, FloorCell> cells;
    std::vector<double> lengths(directions.size());
    const std::vector<Point> ahead(directions.size(), Point{1, 0});  // all beams point down alike
    for (int deg = lowest_deg; deg <= highest_deg; ++deg) {
        const double rise = rise_of(radians(deg)), stretch = std::sqrt(1 + rise * rise);
        cast_tilted(walls, relief, origin, directions, ahead, {rise, 0}, base_m, max_length, lengths);
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            if (!(lengths[i] <= max_length)) continue;
            const double away = lengths[i] / stretch;
            const Point at = origin + directions[i] * (away + beyond);
            const Cell c{static_cast<int>(std::floor(at.x)), static_cast<int>(std::floor(at.y))};
            if (!walls.wall(c)) cells[c].add(base_m + rise * relief.lattice().metres(away));
        }
    }
    std::vector<Cell> steps;
    for (const auto& [c, floor] : cells)
        if (floor.state() == FloorState::step) steps.push_back(c);
    std::sort(steps.begin(), steps.end(), [](Cell a, Cell b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
    return steps;
}

}  // namespace outrider
