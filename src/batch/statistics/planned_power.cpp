#include "batch/statistics/planned_power.hpp"

#include <cmath>

#include "batch/analysis.hpp"

namespace outrider {
namespace {

/// Adds the variances of a pair of cells, in squares of the mean; false when the pair says nothing.
bool add_variances(const Results& results, const std::vector<double>& a, const std::vector<double>& b, Spread& sum) {
    std::vector<double> differences;
    std::vector<int> maps;
    double level = 0;
    for (std::size_t pair = 0; pair < a.size(); ++pair) {
        if (std::isnan(a[pair]) || std::isnan(b[pair])) continue;
        differences.push_back(difference(a[pair], b[pair]));
        maps.push_back(results.map_of(pair));
        level += (std::abs(a[pair]) + std::abs(b[pair])) / 2;
    }
    if (level == 0 || maps.front() == maps.back()) return false;
    for (double& d : differences) d *= static_cast<double>(differences.size()) / level;
    const Spread spread = spread_of(differences, maps);
    sum.between += spread.between * spread.between;
    sum.within += spread.within * spread.within;
    return true;
}

}  // namespace

Spread usual_spread(const std::string& metric) {
    if (is_time_to(metric)) return {0.07, 0.27};
    if (metric.starts_with("auc_")) return {0.01, 0.025};
    return {0.06, 0.15};
}

Spread measured_spread(Results& results, const std::string& metric) {
    std::vector<std::vector<double>> values = results.metric(metric);
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = test_values(results, c, metric, std::move(values[c]));
    const std::string& main = results.plan().report.metrics.at(0);
    Spread sum;
    double pairs = 0;
    for (const PairTest& t : analyse(results).tests)
        if (t.metric == main) pairs += add_variances(results, values[t.a], values[t.b], sum);
    if (pairs == 0)
        fail("{}: no spread of {} can be measured: no two cells have runs in common on two maps or more",
             results.path(), metric);
    return {std::sqrt(sum.between / pairs), std::sqrt(sum.within / pairs)};
}

PlannedPower planned_power(const SweepPlan& plan, const std::vector<Spread>& spreads) {
    OUTRIDER_CHECK(spreads.size(), ==, plan.report.metrics.size());
    PlannedPower out;
    out.planned = {plan.maps.size(), plan.starts.size() * static_cast<std::size_t>(plan.repetitions), tests_of(plan)};
    if (out.planned.tests == 0) fail("the sweep compares nothing: its report's axis has one value");
    for (std::size_t m = 0; m < spreads.size(); ++m) {
        MetricPower& power = out.metrics.emplace_back(MetricPower{plan.report.metrics[m], spreads[m], {}, {}});
        power.found = smallest_found(power.spread, out.planned);
        for (std::size_t k = 0; k < asked_differences.size(); ++k)
            power.maps[k] = maps_to_find(asked_differences[k], power.spread, out.planned);
    }
    return out;
}

}  // namespace outrider
