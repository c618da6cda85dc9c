#include "batch/compare_sweep.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "batch/sweep_maps.hpp"
#include "batch/sweep_mistakes.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {

SweepPlan comparison_plan(const std::vector<std::string>& strategies, const std::vector<std::string>& maps, int seeds,
                          const std::vector<std::string>& metrics, const std::vector<Setting>& over,
                          const std::string& command) {
    SweepPlan plan;
    plan.name = fmt::format("{} on {}", fmt::join(strategies, ", "), fmt::join(maps, ", "));
    plan.plain_seeds = true;
    for (int i = 1; i <= seeds; ++i) plan.starts.push_back(i);
    plan.axes = {"team.strategy"};
    for (const std::string& s : strategies) {
        SweepCell& cell = plan.cells.emplace_back();
        cell.label = s;
        cell.values = {toml_quoted(s)};
        cell.config.set({"team.strategy", s, "compare"});
    }
    plan.report = {"team.strategy", metrics};
    plan.metrics = team_metrics();
    for (const std::string& m : metrics)
        if (std::find(plan.metrics.begin(), plan.metrics.end(), m) == plan.metrics.end()) plan.metrics.push_back(m);
    for (const std::string& name : maps)
        for (SweepMap& map : sweep_maps({"--map", name, "--map"}, "", over)) plan.maps.push_back(std::move(map));
    plan.source = command;
    std::vector<NamedMap> named;
    for (const SweepMap& map : plan.maps) named.push_back({"--map", map.name, content_of(map)});
    expect_distinct(named);
    complete_plan(plan, 0);
    for (std::size_t m = 0; m < plan.maps.size(); ++m)
        expect_metrics(sweep_scenario(plan, static_cast<int>(m), 0).scenario, metrics);
    return plan;
}

Comparison comparison_of(Results& results, const std::vector<std::string>& metrics) {
    const SweepPlan& plan = results.plan();
    Comparison out;
    out.metrics = metrics;
    for (const SweepMap& map : plan.maps) out.maps.push_back(map.name);
    for (const SweepCell& cell : plan.cells) out.strategies.push_back(cell.label);
    out.done = static_cast<int>(results.done());
    out.of = static_cast<int>(results.planned().runs());
    out.runs.assign(plan.cells.size(), std::vector<RunResult>(results.pairs()));
    const SweepRuns runs(results.planned());
    for (std::size_t c = 0; c < plan.cells.size(); ++c) {
        out.step_limit = std::max(out.step_limit, results.step_limit(c));
        for (std::size_t pair = 0; pair < results.pairs(); ++pair) {
            const SweepRun run = runs.at(results.run_of(c, pair));
            out.runs[c][pair].map = plan.maps[static_cast<std::size_t>(run.map)].name;
            out.runs[c][pair].seed = run.seed;
        }
    }
    for (const std::string& metric : metrics) {
        const std::vector<std::vector<double>> values = results.metric(metric);
        for (std::size_t c = 0; c < values.size(); ++c)
            for (std::size_t pair = 0; pair < values[c].size(); ++pair)
                out.runs[c][pair].values.push_back(values[c][pair]);
    }
    Statement rows = results.database().prepare("SELECT id, end_reason FROM run");
    while (rows.step()) {
        const auto [cell, pair] = results.place_of(rows.integer(0));
        out.runs[cell][pair].end_reason = rows.bytes(1);
    }
    return out;
}

}  // namespace outrider
