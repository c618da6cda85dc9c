// What the maps and starts of a planned sweep would show.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "batch/results.hpp"
#include "batch/statistics/power.hpp"

namespace outrider {

/// Differences, as shares of a metric's mean, for which a plan says how many maps they take.
inline constexpr std::array<double, 3> asked_differences{0.05, 0.1, 0.2};

struct MetricPower {
    std::string metric;
    Spread spread;                                             ///< as shares of the metric's mean
    std::optional<double> found;                               ///< smallest difference, as a share of the mean
    std::array<std::size_t, asked_differences.size()> maps{};  ///< that find each of asked_differences; 0: too many
};
struct PlannedPower {
    PlannedTest planned;
    std::vector<MetricPower> metrics;  ///< those of the plan's report
};

/// Spreads of what is usually compared, as shares of the mean (docs/sweeps.md says where they were measured).
Spread usual_spread(const std::string& metric);
/// The spread of a metric in the results of a sweep, as shares of its mean: of the pairs of cells that its report
/// tests, the mean of the variances. Throws Error when there is no such metric or only one map.
Spread measured_spread(Results& results, const std::string& metric);
/// `spreads`: of the metrics of the plan's report. Throws Error when the report compares nothing.
PlannedPower planned_power(const SweepPlan& plan, const std::vector<Spread>& spreads);

}  // namespace outrider
