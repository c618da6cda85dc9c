#include "outrider/radio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "outrider/math.hpp"

namespace outrider {

double link_range_m(RangeRule rule, double range_a_m, double range_b_m) {
    switch (rule) {
        case RangeRule::min:
            return std::min(range_a_m, range_b_m);
        case RangeRule::sum:
            return range_a_m + range_b_m;
        case RangeRule::first:
            return range_a_m;
    }
    return 0;
}

double path_loss_dbm(const RadioOptions& radio, double range_m, double distance_m, int walls) {
    if (distance_m <= 0) return std::numeric_limits<double>::infinity();
    return radio.reference_dbm - 10 * radio.exponent * log10(distance_m / range_m) -
           std::min(walls, radio.max_walls) * radio.wall_db;
}

int walls_allowed(const RadioOptions& radio, double range_m, double distance_m) {
    if (!(path_loss_dbm(radio, range_m, distance_m, 0) > radio.cutoff_dbm)) return -1;
    if (path_loss_dbm(radio, range_m, distance_m, radio.max_walls) > radio.cutoff_dbm)
        return std::numeric_limits<int>::max();
    int low = 0, high = radio.max_walls;  // linked at low, not linked at high
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (path_loss_dbm(radio, range_m, distance_m, middle) > radio.cutoff_dbm ? low : high) = middle;
    }
    return low;
}

double max_link_m(const RadioOptions& radio, double range_m) {
    if (radio.model != RadioModel::path_loss) return range_m;
    return range_m * pow(10, (radio.reference_dbm - radio.cutoff_dbm) / (10 * radio.exponent)) * (1 + 1e-9);
}

}  // namespace outrider
