// How far the runs of a sweep are from plans that know the map, and where their steps went.
#include <algorithm>
#include <cmath>

#include "batch/report/report_tables.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// A run beside its plan.
struct Beside {
    std::size_t pair;
    const TourPlan::Times& times;
};

/// The runs of a cell whose plan reached the k-th share.
std::vector<Beside> beside_plans(const Results& r, std::size_t cell, std::size_t k, const ReferenceTimes& plans) {
    std::vector<Beside> out;
    for (std::size_t pair = 0; pair < r.pairs(); ++pair) {
        const auto own = r.there(cell, pair) ? plans.find(r.run_of(cell, pair)) : plans.end();
        if (own != plans.end() && !std::isnan(own->second.plan[k])) out.push_back({pair, own->second});
    }
    return out;
}

/// Between a number and never it is never.
Scalar quantile_or_never(std::vector<double> v, double p) {
    std::sort(v.begin(), v.end());
    const double value = v[static_cast<std::size_t>(std::ceil(p * static_cast<double>(v.size() - 1)))];
    if (std::isinf(value)) return Missing{"never"};
    return Number{value};
}

/// A table with a row for each cell, by group.
void add_rows(ReportTable& out, const Analysis& a, std::vector<std::vector<TableCell>> rows) {
    for (const CellGroup& g : a.groups) {
        out.shown.section(g.label);
        for (const std::size_t c : g.cells) {
            rows[c].insert(rows[c].begin(), a.name_of(c));
            out.shown.add(std::move(rows[c]));
        }
    }
}

}  // namespace

ReportTable reference_table(Results& r, const Analysis& a, const ReferenceTimes& plans) {
    ReportTable out;
    if (plans.empty()) return out;
    out.note =
        "Times of the team as multiples of those of a plan that knows the map, run by run: median [quartiles]; below, "
        "how many times the best possible they are at most (a lower bound for every team; docs/bounds.md). A run that "
        "never got there is farther off than any other; runs whose plan never did are left out.";
    out.shown.columns.resize(1);
    out.numbers.columns = named_columns(
        {"metric", "group", "cell", "runs", "quartile_low", "median", "quartile_high", "over_bound_median"});
    std::vector<std::vector<TableCell>> rows(r.plan().cells.size());
    for (std::size_t k = bound_metrics.size(); k-- > 0;) {
        const std::string metric(bound_metrics[k]);
        if (std::find(r.plan().metrics.begin(), r.plan().metrics.end(), metric) == r.plan().metrics.end())
            fail("--reference: the sweep did not store {}; expected it among its metrics", metric);
        out.shown.columns.push_back({metric, TableCell(metric).add("\n").small("x plan")});
        const std::vector<std::vector<double>> all = r.metric(metric);
        for (const CellGroup& g : a.groups)
            for (const std::size_t c : g.cells) {
                std::vector<double> over_plan, over_bound;
                for (const auto& [pair, times] : beside_plans(r, c, k, plans)) {
                    const double steps = std::isnan(all[c][pair]) ? INFINITY : all[c][pair];
                    over_plan.push_back(steps / std::max(1.0, times.plan[k]));
                    over_bound.push_back(steps / std::max(1.0, times.bound[k]));
                }
                if (over_plan.empty()) {
                    rows[c].emplace_back(Missing{});
                    continue;
                }
                const Scalar low = quantile_or_never(over_plan, 0.25), median = quantile_or_never(over_plan, 0.5),
                             high = quantile_or_never(over_plan, 0.75), bound = quantile_or_never(over_bound, 0.5);
                rows[c].emplace_back(median).add(" ").small(Range{low, high}).add("\n").small("at most ");
                rows[c].back().small(std::visit([](const auto& v) { return Value(v); }, bound)).small(" x the best");
                out.numbers.add({metric, g.label, a.name_of(c), over_plan.size(), low, median, high, bound});
            }
    }
    add_rows(out, a, std::move(rows));
    return out;
}

ReportTable lost_steps_table(Results& r, const Analysis& a, const ReferenceTimes& plans) {
    ReportTable out;
    const std::string time(bound_metrics.back());
    std::vector<std::vector<std::vector<double>>> spent;
    for (const std::string_view name : spent_names) {
        const std::string metric = fmt::format("spent_{}", name);
        if (std::find(r.plan().metrics.begin(), r.plan().metrics.end(), metric) == r.plan().metrics.end()) return out;
        spent.push_back(r.metric(metric));
    }
    if (plans.empty()) return out;
    out.note =
        "Steps to " + time +
        " more than the plan's, and what they were spent on more than in its run (spent_* of docs/metrics.md): means "
        "over the runs that got there.";
    out.shown.columns.resize(1);
    out.shown.columns.push_back({"lost", "lost steps"});
    for (const std::string_view name : spent_names) out.shown.columns.push_back({std::string(name), std::string(name)});
    out.numbers.columns = named_columns({"group", "cell", "runs", "lost"});
    for (const std::string_view name : spent_names) out.numbers.columns.push_back({std::string(name), {}});
    const std::vector<std::vector<double>> all = r.metric(time);
    std::vector<std::vector<TableCell>> rows(r.plan().cells.size());
    for (const CellGroup& g : a.groups)
        for (const std::size_t c : g.cells) {
            std::array<double, 1 + spent_names.size()> more{};  // in all, by cause
            double runs = 0;
            for (const auto& [pair, times] : beside_plans(r, c, bound_metrics.size() - 1, plans)) {
                if (std::isnan(all[c][pair])) continue;
                ++runs;
                more[0] += all[c][pair] - times.plan.back();
                for (std::size_t k = 0; k < spent_names.size(); ++k) more[1 + k] += spent[k][c][pair] - times.spent[k];
            }
            std::vector<TableCell> numbers{g.label, a.name_of(c), static_cast<std::int64_t>(runs)};
            for (const double sum : more) {
                const TableCell cell = runs > 0 ? TableCell(Number{sum / runs}) : TableCell(Missing{});
                rows[c].push_back(cell);
                numbers.push_back(cell);
            }
            out.numbers.add(std::move(numbers));
        }
    add_rows(out, a, std::move(rows));
    return out;
}

}  // namespace outrider
