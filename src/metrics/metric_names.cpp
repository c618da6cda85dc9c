// Metrics by name, and rows per step as CSV.
#include <fmt/core.h>
#include <cmath>

#include <algorithm>

#include "metrics/group.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "outrider/options.hpp"

namespace outrider {
namespace {

/// Names of the metrics for which `wanted` holds.
template <class Wanted>
std::vector<std::string> names_of(Wanted wanted) {
    std::vector<std::string> out;
    for (const MetricInfo& m : summary_metrics())
        if (wanted(m)) out.emplace_back(m.name);
    return out;
}

[[noreturn]] void fail_unknown(std::string_view name, std::string_view where, const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known);
    fail("{}: unknown metric '{}'; {}", where, name,
         near.empty() ? "see outrider metrics" : fmt::format("did you mean '{}'?", near));
}

}  // namespace

const MetricInfo* find_metric(std::string_view name) {
    const auto at = std::find_if(summary_metrics().begin(), summary_metrics().end(),
                                 [&](const MetricInfo& m) { return m.name == name; });
    return at == summary_metrics().end() ? nullptr : &*at;
}

const MetricInfo& expect_metric(std::string_view name, std::string_view where) {
    if (const MetricInfo* metric = find_metric(name)) return *metric;
    fail_unknown(name, where, names_of([](const MetricInfo&) { return true; }));
}

const MetricInfo& expect_team_metric(std::string_view name, std::string_view where) {
    const MetricInfo* metric = find_metric(name);
    if (metric && metric->of_team) return *metric;
    if (metric) fail("{}: the metric '{}' is of each robot alone; expected one of the team", where, name);
    fail_unknown(name, where, names_of([](const MetricInfo& m) { return m.of_team != nullptr; }));
}

bool can_be(const MetricInfo& metric, double value) {
    constexpr double most_steps = 1e7, most_robots = 1e6, most = 1e15, rounding = 1e-9;
    if (std::isnan(value)) return true;
    if (metric.is(MetricInfo::time_to)) return value >= 0 && value <= most_steps;
    if (metric.unit == "steps" || metric.unit == "robot-steps") return value >= 0 && value <= most_steps * most_robots;
    if (metric.unit == "share" && metric.name != "overlap") return value >= -rounding && value <= 1 + rounding;
    return std::abs(value) <= most;
}

std::vector<std::string> team_metrics() {
    return names_of([](const MetricInfo& m) { return m.of_team && m.always(); });
}

std::string step_csv_header() {
    std::string out;
    for (const MetricInfo& m : step_metrics()) (out += out.empty() ? "" : ",") += m.name;
    return out + "\n";
}

std::string step_csv_row(const StepMetrics& row) {
    std::string out;
    for (const MetricInfo& m : step_metrics()) out += fmt::format("{}{}", out.empty() ? "" : ",", m.of_step(row));
    return out + "\n";
}

double SummaryWords::operator[](std::string_view metric) const {
    for (const SummaryValue& v : values_)
        if (v.metric->name == metric && v.robot < 0) return v.value;
    return std::nan("");
}

std::string SummaryWords::whole(std::string_view metric) const {
    const double v = (*this)[metric];
    return std::isnan(v) ? std::string("-") : fmt::format("{:.0f}", v);
}

std::string SummaryWords::percent(std::string_view metric) const {
    return fmt::format("{:.2f} %", 100 * (*this)[metric]);
}

}  // namespace outrider
