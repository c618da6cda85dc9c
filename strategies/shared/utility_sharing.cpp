#include "shared/utility_sharing.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

bool in_sight(const MapView& map, Cell a, Cell b) {
    return walk_segment({a.x + 0.5, a.y + 0.5}, {b.x + 0.5, b.y + 0.5},
                        [&](Cell c, double) { return !map.is_occupied(c); });
}

}  // namespace

void VisibilityModel::learn(const Belief& belief) {
    if (kind_ == Visibility::linear) return;
    const double cell_m = belief.map().lattice().cell_m;
    for (const Scan& scan : belief.percept().scans) {
        const SensorSpec& sensor = belief.briefing().sensors[static_cast<std::size_t>(scan.sensor)];
        const auto classes = whole<std::size_t>(sensor.max_range_m / cell_m / class_cells_) + 1;
        if (reached_.size() < classes) reached_.resize(classes, 0);
        for (const std::uint16_t range : scan.ranges) {
            if (range == Scan::no_information) continue;
            const double cells = beam_length_m(sensor, range) / cell_m;
            const auto last = std::min(classes - 1, static_cast<std::size_t>(cells / class_cells_));
            for (std::size_t i = 0; i <= last; ++i) ++reached_[i];
        }
    }
}

double VisibilityModel::operator()(double distance_cells, double range_cells) const {
    if (distance_cells >= range_cells) return 0;
    if (kind_ == Visibility::linear || reached_.empty()) return 1 - distance_cells / range_cells;
    const auto i = static_cast<std::size_t>(distance_cells / class_cells_);
    return i >= reached_.size()
               ? 0
               : static_cast<double>(reached_[i]) / static_cast<double>(std::max<std::uint64_t>(1, reached_[0]));
}

std::vector<int> share_by_utility(const Belief& belief, const CostMatrix& costs, const std::vector<Cell>& goals,
                                  const UtilitySharing& options, const VisibilityModel& visibility,
                                  std::vector<double>& utilities, OwnWorth* own) {
    if (utilities.empty()) utilities.assign(goals.size(), 1);
    double most = 1;
    for (std::size_t r = 0; r < costs.rows(); ++r)
        for (std::size_t g = 0; g < goals.size(); ++g)
            if (costs(r, g) < no_path) most = std::max(most, costs(r, g));
    const auto take = [&](Cell goal) {
        for (std::size_t g = 0; g < goals.size(); ++g) {
            const double d = std::sqrt(static_cast<double>(squared_distance(goal, goals[g])));
            if (const double p = visibility(d, options.range_cells); p > 0 && in_sight(belief.map(), goal, goals[g]))
                utilities[g] -= p;
        }
    };
    for (const Cell goal : options.committed) take(goal);
    const auto worth_of = [&](std::size_t r, std::size_t g) {
        return costs(r, g) == no_path ? -no_path : utilities[g] - options.beta * (costs(r, g) / most);
    };
    std::vector<int> assigned(costs.rows(), -1);
    for (;;) {
        double best = -no_path;
        std::size_t row = 0, column = 0;
        for (std::size_t r = 0; r < costs.rows(); ++r)
            for (std::size_t g = 0; g < goals.size() && assigned[r] < 0; ++g) {
                if (costs(r, g) == no_path) continue;
                const double worth = worth_of(r, g);
                if (worth <= best) continue;
                best = worth;
                row = r;
                column = g;
            }
        if (best == -no_path) return assigned;
        assigned[row] = static_cast<int>(column);
        if (own && own->row == row)
            for (std::size_t g = 0; g < goals.size(); ++g) own->goals.push_back(worth_of(row, g));
        take(goals[column]);
    }
}

}  // namespace outrider
