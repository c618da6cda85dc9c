#include "batch/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "batch/compare.hpp"
#include "metrics/metric_list.hpp"

namespace outrider {
namespace {

std::string short_key(const std::string& axis) { return axis == "team.strategy" ? "strategy" : axis; }

void find_groups(const SweepPlan& plan, Analysis& out) {
    if (plan.axes.empty()) {
        out.groups.emplace_back();  // a single cell, unless different programs decided in its runs
        for (std::size_t c = 0; c < plan.cells.size(); ++c) {
            out.compared.push_back(plan.cells[c].label);
            out.groups[0].cells.push_back(c);
            out.series.push_back(c);
        }
        return;
    }
    const auto axis = static_cast<std::size_t>(std::find(plan.axes.begin(), plan.axes.end(), plan.report.compare) -
                                               plan.axes.begin());
    // The further axes of a zip follow its first one: they do not tell groups apart.
    std::vector<std::size_t> telling;
    const auto follows = [&](std::size_t k, std::size_t leader) {
        std::set<std::string> alone;
        std::set<std::pair<std::string, std::string>> together;
        for (const SweepCell& c : plan.cells) {
            alone.insert(c.values[leader]);
            together.emplace(c.values[leader], c.values[k]);
        }
        return together.size() == alone.size();
    };
    for (std::size_t k = 0; k < plan.axes.size(); ++k) {
        if (k == axis) continue;
        const bool along = follows(k, axis);
        if (along ||
            std::any_of(telling.begin(), telling.end(), [&](std::size_t leader) { return follows(k, leader); })) {
            const auto same = [&](const SweepCell& c) { return c.values[k] == plan.cells[0].values[k]; };
            if (!std::all_of(plan.cells.begin(), plan.cells.end(), same))
                (along ? out.along : out.others_along).push_back(short_key(plan.axes[k]));
            continue;
        }
        telling.push_back(k);
        out.others.push_back(short_key(plan.axes[k]));
    }
    std::map<std::vector<std::string>, std::size_t> group_of;
    for (std::size_t c = 0; c < plan.cells.size(); ++c) {
        const SweepCell& cell = plan.cells[c];
        std::vector<std::string> key;
        std::string label;
        for (const std::size_t k : telling) {
            key.push_back(cell.values[k]);
            label += fmt::format("{}{} = {}", label.empty() ? "" : ", ", short_key(plan.axes[k]), bare(cell.values[k]));
        }
        const auto [at, fresh] = group_of.emplace(key, out.groups.size());
        if (fresh) out.groups.push_back({label, {}});
        out.groups[at->second].cells.push_back(c);
        const std::string name = bare(cell.values[axis]);
        auto series = std::find(out.compared.begin(), out.compared.end(), name);
        if (series == out.compared.end()) series = out.compared.insert(series, name);
        out.series.push_back(static_cast<std::size_t>(series - out.compared.begin()));
    }
}

CellSummary summarise(const Results& results, std::size_t cell, const std::string& metric,
                      const std::vector<double>& values) {
    CellSummary s;
    s.cell = cell;
    s.metric = metric;
    std::vector<double> sample;
    std::vector<int> maps;
    const bool time = is_time_to(metric);
    for (std::size_t pair = 0; pair < values.size(); ++pair) {
        s.undefined += std::isnan(values[pair]) && results.there(cell, pair);
        if (std::isnan(values[pair])) continue;
        sample.push_back(values[pair]);
        maps.push_back(results.map_of(pair));
        s.never += time && values[pair] > results.step_limit(cell);
    }
    s.runs = sample.size();
    if (sample.empty()) {
        s.median = s.low = s.high = s.iqm.value = s.iqm.interval.low = s.iqm.interval.high = std::nan("");
        return s;
    }
    s.median = value_quantile(results, metric, sample, 0.5);
    s.low = value_quantile(results, metric, sample, 0.25);
    s.high = value_quantile(results, metric, sample, 0.75);
    s.iqm = stratified_iqm(sample, maps, 0.95);
    return s;
}

}  // namespace

std::string bare(const std::string& value) {
    if (value.size() < 2 || value.front() != '"') return value;
    std::string out;
    for (std::size_t i = 1; i + 1 < value.size(); ++i) {
        if (value[i] == '\\' && (value[i + 1] == '"' || value[i + 1] == '\\')) ++i;
        out += value[i];
    }
    return out;
}

std::vector<double> test_values(const Results& results, std::size_t cell, const std::string& metric,
                                std::vector<double> values) {
    if (is_time_to(metric))
        for (std::size_t pair = 0; pair < values.size(); ++pair)
            if (std::isnan(values[pair]) && results.there(cell, pair)) values[pair] = results.longest_limit() + 1.0;
    return values;
}

double value_quantile(const Results& results, const std::string& metric, std::span<const double> values, double p) {
    return is_time_to(metric) ? time_quantile(values, p, results.longest_limit()) : quantile(values, p);
}

std::size_t tests_of(const SweepPlan& plan) {
    Analysis a;
    find_groups(plan, a);
    std::size_t pairs = 0;
    for (const CellGroup& g : a.groups) {
        const std::size_t n = g.cells.size();
        pairs += a.compared.size() <= most_all_pairs ? n * (n - 1) / 2 : n - 1;
    }
    return pairs * plan.report.metrics.size();
}

Analysis analyse(Results& results) {
    const SweepPlan& plan = results.plan();
    Analysis out;
    out.axis = short_key(plan.report.compare);
    find_groups(plan, out);
    out.all_pairs = out.compared.size() <= most_all_pairs;
    std::vector<std::vector<CellSummary>> summaries(out.groups.size());
    std::vector<std::vector<PairTest>> tests(out.groups.size());
    std::vector<PairPlace> places;
    for (std::size_t pair = 0; pair < results.pairs(); ++pair)
        places.push_back({results.map_of(pair), results.start_of(pair)});
    for (const std::string& metric : plan.report.metrics) {
        expect_team_metric(metric, results.path());
        std::vector<std::vector<double>> values = results.metric(metric);
        for (std::size_t c = 0; c < values.size(); ++c)
            values[c] = test_values(results, c, metric, std::move(values[c]));
        for (std::size_t g = 0; g < out.groups.size(); ++g) {
            const std::vector<std::size_t>& cells = out.groups[g].cells;
            for (const std::size_t c : cells) summaries[g].push_back(summarise(results, c, metric, values[c]));
            for (std::size_t i = 0; i < (out.all_pairs ? cells.size() : 1); ++i)
                for (std::size_t k = i + 1; k < cells.size(); ++k) {
                    const std::size_t a = cells[i], b = cells[k];
                    tests[g].push_back({compare_samples(values[a], values[b], places, less_is_better(metric),
                                                        results.common_start(a, b)),
                                        g, a, b, metric});
                }
        }
    }
    for (auto& group : summaries) out.summaries.insert(out.summaries.end(), group.begin(), group.end());
    for (auto& group : tests) out.tests.insert(out.tests.end(), group.begin(), group.end());
    std::vector<Difference*> made;
    for (PairTest& t : out.tests) made.push_back(&t);
    adjust(made);
    return out;
}

}  // namespace outrider
