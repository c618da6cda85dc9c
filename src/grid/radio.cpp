#include "outrider/radio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grid/ir2_radio.hpp"
#include "outrider/geometry.hpp"

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

namespace {

double free_space_dbm(const RadioOptions& radio, double range_m, double distance_m) {
    if (distance_m <= 0) return std::numeric_limits<double>::infinity();
    return radio.reference_dbm - 10 * radio.exponent * log10(distance_m / range_m);
}

double behind_walls(const RadioOptions& radio, double free_dbm, int walls) {
    return free_dbm - std::min(walls, radio.max_walls) * radio.wall_db;
}

}  // namespace

double path_loss_dbm(const RadioOptions& radio, double range_m, double distance_m, int walls) {
    return behind_walls(radio, free_space_dbm(radio, range_m, distance_m), walls);
}

int walls_allowed(const RadioOptions& radio, double range_m, double distance_m) {
    const double free_dbm = free_space_dbm(radio, range_m, distance_m);
    const auto linked = [&](int walls) { return behind_walls(radio, free_dbm, walls) > radio.cutoff_dbm; };
    if (!linked(0)) return -1;
    if (linked(radio.max_walls)) return std::numeric_limits<int>::max();
    int low = 0, high = radio.max_walls;  // linked at low, not linked at high
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (linked(middle) ? low : high) = middle;
    }
    return low;
}

double max_link_m(const RadioOptions& radio, double range_m) {
    if (radio.model == RadioModel::ir2)
        return std::min(range_m, ir2_near_m * pow(10, (-20 - 31 - ir2_cutoff_dbm) / 20) * (1 + 1e-9));
    if (radio.model != RadioModel::path_loss) return range_m;
    return range_m * pow(10, (radio.reference_dbm - radio.cutoff_dbm) / (10 * radio.exponent)) * (1 + 1e-9);
}

}  // namespace outrider
