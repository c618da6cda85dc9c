#include "batch/statistics/power.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "batch/statistics/sign_flip.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double wanted = 0.8;  // probability

double square(double x) { return x * x; }

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
}

/// Sum of squares around the mean; 0 where it differs from 0 by rounding only.
double around_mean(const std::vector<double>& values) {
    const double centre = mean_of(values);
    double squares = 0, largest = 0;
    for (const double v : values) {
        squares += square(v - centre);
        largest = std::max(largest, std::abs(v));
    }
    return squares <= square(1e-9 * largest) ? 0 : squares;
}

}  // namespace

Spread spread_of(std::span<const double> differences, std::span<const int> maps) {
    OUTRIDER_CHECK(differences.size(), ==, maps.size());
    std::map<int, std::vector<double>> by_map;
    for (std::size_t i = 0; i < differences.size(); ++i) by_map[maps[i]].push_back(differences[i]);
    std::vector<double> means;
    double within = 0, freedom = 0, one_over_n = 0;
    for (const auto& [map, values] : by_map) {
        within += around_mean(values);
        freedom += static_cast<double>(values.size() - 1);
        one_over_n += 1 / static_cast<double>(values.size());
        means.push_back(mean_of(values));
    }
    const double count = static_cast<double>(means.size()), variance_within = freedom > 0 ? within / freedom : 0;
    // Means of maps scatter by what lies between the maps and by what is left of the scatter within.
    const double variance_between =
        count > 1 ? around_mean(means) / (count - 1) - variance_within * one_over_n / count : 0;
    return {std::sqrt(std::max(0.0, variance_between)), std::sqrt(variance_within)};
}

std::optional<double> smallest_found(const Spread& spread, const PlannedTest& planned) {
    if (planned.maps == 0 || planned.pairs_per_map == 0 || planned.tests == 0) return {};
    // p comes in steps; the largest below the level is the level that is used.
    const double step = smallest_p(planned.maps);
    const double steps = std::ceil(significance_level / static_cast<double>(planned.tests) / step) - 1;
    if (steps < 1) return {};
    const double maps = static_cast<double>(planned.maps);
    const double z = normal_quantile(1 - steps * step / 2);
    // Guenther 1981: the normal formula with z^2 / 2 fewer maps is that of the t test.
    double errors = (z + normal_quantile(wanted)) / std::sqrt(maps - z * z / 2);
    // Where only one outcome is clear enough, all maps must have the same sign.
    if (steps == 1) errors = std::max(errors, normal_quantile(std::pow(wanted, 1 / maps)));
    return errors *
           std::sqrt(square(spread.between) + square(spread.within) / static_cast<double>(planned.pairs_per_map));
}

std::size_t maps_to_find(double difference, const Spread& spread, PlannedTest planned) {
    for (planned.maps = 1; planned.maps <= 10'000; ++planned.maps)
        if (const std::optional<double> found = smallest_found(spread, planned); found && *found <= difference)
            return planned.maps;
    return 0;
}

}  // namespace outrider
