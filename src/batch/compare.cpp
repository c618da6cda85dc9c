#include "batch/compare.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/parallel.hpp"
#include "batch/results.hpp"
#include "metrics/groups/groups.hpp"
#include "metrics/metric_list.hpp"
#include "metrics/metrics.hpp"
#include "outrider/error.hpp"
#include "scenario/exclusions.hpp"
#include "scenario/placement.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

namespace {

/// Keeps what can be compared: starts that all strategies have run, and the maps with such starts.
void keep_pairs(Comparison& c) {
    std::vector<std::vector<RunResult>> kept(c.runs.size());
    for (std::size_t k = 0; k < c.runs[0].size(); ++k) {
        const auto there = [&](const std::vector<RunResult>& runs) { return !runs[k].end_reason.empty(); };
        if (!std::all_of(c.runs.begin(), c.runs.end(), there)) continue;
        for (std::size_t s = 0; s < kept.size(); ++s) kept[s].push_back(std::move(c.runs[s][k]));
    }
    c.runs = std::move(kept);
    std::erase_if(c.maps, [&](const std::string& map) {
        return std::none_of(c.runs[0].begin(), c.runs[0].end(), [&](const RunResult& r) { return r.map == map; });
    });
}

/// False when it was interrupted.
bool do_run(Scenario scenario, const std::vector<std::string>& metrics, const std::atomic<bool>* interrupted,
            RunResult& run) {
    SimulationOptions options;
    options.threads = 1;
    options.interrupted = interrupted;
    Simulation sim(std::move(scenario), options);
    const EndReason reason = sim.run();
    if (reason == EndReason::interrupted) return false;
    const std::vector<SummaryValue> summary = sim.metrics().summary(reason, sim.scenario().run.steps);
    for (const std::string& name : metrics)
        for (const SummaryValue& v : summary)
            if (v.robot < 0 && v.metric->name == name) run.values.push_back(v.value);
    OUTRIDER_CHECK(run.values.size(), ==, metrics.size());
    run.end_reason = end_reason_names[static_cast<std::size_t>(reason)];
    return true;
}

/// Whether the metric is a time that the run never reached.
bool never(const RunResult& run, std::size_t metric) {
    return std::isnan(run.values[metric]) && run.end_reason != run_failed;
}

}  // namespace

bool less_is_better(std::string_view metric) {
    return !expect_metric(metric, "compare").is(MetricInfo::more_is_better);
}

void expect_metrics(const Scenario& s, const std::vector<std::string>& metrics) {
    const bool own_frames = s.start.frame == StartFrame::unknown;
    const bool match = s.slam.method != SlamMethod::known &&
                       std::any_of(s.robots.begin(), s.robots.end(),
                                   [](const RobotEntry& r) { return r.role != Role::base && r.sees_m() > 0; });
    for (const MetricInfo& m : summary_metrics()) {
        if (std::find(metrics.begin(), metrics.end(), m.name) == metrics.end()) continue;
        if (m.group == &localisation_metrics && !match && !own_frames)
            fail("--metric {}: the robots of '{}' match no scans; it needs --set slam.method=scan_match or another one",
                 m.name, s.name);
        if (m.group->part.empty()) continue;
        const ScenarioPart& part = expect_part(m.group->part, "--metric");
        if (part.given(s).empty())
            fail("--metric {}: '{}' has no {}; it needs {}", m.name, s.name, part.name, part.example);
    }
}

Scenario variant(const Scenario& base, const std::string& strategy, std::uint64_t seed) {
    Scenario s = base;
    s.run.seed = seed;
    s.team.strategy = strategy;
    s.start.jitter_cells = std::max(s.start.jitter_cells, 5);
    s.start.random_heading = true;
    for (RobotEntry& r : s.robots)
        if (r.role != Role::base) r.strategy = strategy;
    Notes notes;
    place_team(s, notes);  // robots with a given place keep it; the seed decides jitter and headings
    return s;
}

std::vector<double> Comparison::values(std::size_t strategy, std::size_t metric) const {
    std::vector<double> out;
    const bool time = is_time_to(metrics[metric]);
    for (const RunResult& run : runs[strategy])
        out.push_back(time && never(run, metric) ? step_limit + 1.0 : run.values[metric]);
    return out;
}

std::vector<PairPlace> Comparison::places() const {
    std::vector<PairPlace> out;
    for (const RunResult& run : runs[0]) {
        const auto map = std::find(maps.begin(), maps.end(), run.map) - maps.begin();
        out.push_back({static_cast<int>(map), static_cast<std::int64_t>(run.seed)});
    }
    return out;
}

int Comparison::censored(std::size_t strategy, std::size_t metric) const {
    if (!is_time_to(metrics[metric])) return 0;
    return static_cast<int>(std::count_if(runs[strategy].begin(), runs[strategy].end(),
                                          [&](const RunResult& run) { return never(run, metric); }));
}

Comparison compare(const std::vector<Scenario>& scenarios, const std::vector<std::string>& strategies, int seeds,
                   int threads, const std::vector<std::string>& metrics, const std::function<void(int, int)>& progress,
                   const std::atomic<bool>* interrupted) {
    for (const Scenario& s : scenarios) expect_metrics(s, metrics);
    Comparison out;
    out.metrics = metrics;
    out.strategies = strategies;
    for (const Scenario& s : scenarios) {
        out.maps.push_back(s.name);
        out.step_limit = std::max(out.step_limit, s.run.steps);
    }
    const int per_strategy = static_cast<int>(scenarios.size()) * seeds;
    out.of = per_strategy * static_cast<int>(strategies.size());
    out.runs.assign(strategies.size(), std::vector<RunResult>(static_cast<std::size_t>(per_strategy)));
    std::mutex mutex;
    const ThreadLimit limit(threads);
    parallel_for(out.of, [&](int job) {
        if (interrupted && interrupted->load()) return;
        // Pairs are next to each other in the order: whatever is done when it is interrupted can be compared.
        const auto strategy = static_cast<std::size_t>(job) % strategies.size();
        const auto k = static_cast<std::size_t>(job) / strategies.size();
        const Scenario& base = scenarios[k / static_cast<std::size_t>(seeds)];
        const std::uint64_t seed = k % static_cast<std::size_t>(seeds) + 1;
        RunResult run{base.name, seed, {}, std::string(run_failed)};
        std::string failure;
        try {
            if (!do_run(variant(base, strategies[strategy], seed), metrics, interrupted, run)) return;
        } catch (const std::exception& error) {
            failure = fmt::format("{} on {}, start {}: {}", strategies[strategy], base.name, seed, error.what());
            run.values.assign(metrics.size(), std::nan(""));
        }
        out.runs[strategy][k] = std::move(run);
        const std::lock_guard lock(mutex);
        if (!failure.empty()) out.failures.push_back(std::move(failure));
        ++out.done;
        if (progress) progress(out.done, out.of);
    });
    std::sort(out.failures.begin(), out.failures.end());
    if (out.done < out.of) keep_pairs(out);
    return out;
}

}  // namespace outrider
