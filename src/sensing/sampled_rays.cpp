#include "sensing/sampled_rays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "outrider/error.hpp"

namespace outrider {
namespace {

/// The length at which a ray through cell c enters it; 0 when it begins in it.
double entry_of(Cell c, Point origin, Point direction) {
    const auto along = [](double from, double step, int cell) {
        if (step > 0) return (cell - from) / step;
        return step < 0 ? (cell + 1 - from) / step : 0.0;
    };
    return std::max({0.0, along(origin.x, direction.x, c.x), along(origin.y, direction.y, c.y)});
}

}  // namespace

void sample_rays(const WallField& walls, Point origin, std::span<const Point> directions, double max_length,
                 std::span<double> lengths) {
    OUTRIDER_CHECK(directions.size(), ==, lengths.size());
    for (std::size_t i = 0; i < directions.size(); ++i) {
        if (!std::isfinite(lengths[i])) continue;
        const Point d = directions[i];
        double found = std::numeric_limits<double>::infinity();
        // All points before the exact end are free.
        for (double m = std::max(1.0, std::ceil(lengths[i])); m <= max_length; ++m) {
            const Cell c{static_cast<int>(std::floor(origin.x + m * d.x)),
                         static_cast<int>(std::floor(origin.y + m * d.y))};
            if (!walls.wall(c)) continue;
            found = entry_of(c, origin, d);
            break;
        }
        // The same wall cell: the exact ray's number, to the last bit.
        if (std::abs(found - lengths[i]) > 1e-9) lengths[i] = found;
    }
}

}  // namespace outrider
