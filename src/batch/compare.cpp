#include "batch/compare.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/parallel.hpp"
#include "outrider/error.hpp"
#include "run/placement.hpp"
#include "run/simulation.hpp"

namespace outrider {

bool less_is_better(std::string_view metric) {
    return !metric.starts_with("auc_") && !metric.starts_with("final_") && metric != "base_awareness" &&
           metric != "efficiency" && metric != "balance" && metric != "connected_share";
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
    place_team(s, notes);  // whoever has a place keeps it; jitter and headings by the seed
    return s;
}

std::vector<double> Comparison::values(std::size_t strategy, std::size_t metric) const {
    std::vector<double> out;
    for (const RunResult& run : runs[strategy])
        out.push_back(std::isnan(run.values[metric]) ? step_limit + 1.0 : run.values[metric]);
    return out;
}

int Comparison::censored(std::size_t strategy, std::size_t metric) const {
    return static_cast<int>(std::count_if(runs[strategy].begin(), runs[strategy].end(),
                                          [&](const RunResult& run) { return std::isnan(run.values[metric]); }));
}

Comparison compare(const std::vector<Scenario>& scenarios, const std::vector<std::string>& strategies, int seeds,
                   int threads, const std::vector<std::string>& metrics,
                   const std::function<void(int, int)>& progress) {
    Comparison out;
    out.metrics = metrics;
    out.strategies = strategies;
    for (const Scenario& s : scenarios) {
        out.maps.push_back(s.name);
        out.step_limit = std::max(out.step_limit, s.run.steps);
    }
    const int per_strategy = static_cast<int>(scenarios.size()) * seeds,
              all = per_strategy * static_cast<int>(strategies.size());
    out.runs.assign(strategies.size(), std::vector<RunResult>(static_cast<std::size_t>(per_strategy)));
    std::mutex mutex;
    int done = 0;
    const ThreadLimit limit(threads);
    parallel_for(all, [&](int job) {
        // Pairs next to each other: what is there when somebody stops can be compared.
        const auto strategy = static_cast<std::size_t>(job) % strategies.size();
        const auto k = static_cast<std::size_t>(job) / strategies.size();
        const Scenario& base = scenarios[k / static_cast<std::size_t>(seeds)];
        const std::uint64_t seed = k % static_cast<std::size_t>(seeds) + 1;
        SimulationOptions options;
        options.threads = 1;
        Simulation sim(variant(base, strategies[strategy], seed), options);
        const EndReason reason = sim.run();
        RunResult& run = out.runs[strategy][k];
        run.map = base.name;
        run.seed = seed;
        run.end_reason = end_reason_names[static_cast<std::size_t>(reason)];
        const std::vector<SummaryValue> summary = sim.metrics().summary(reason, base.run.steps);
        for (const std::string& name : metrics)
            for (const SummaryValue& v : summary)
                if (v.robot < 0 && v.metric->name == name) run.values.push_back(v.value);
        OUTRIDER_CHECK(run.values.size(), ==, metrics.size());
        const std::lock_guard lock(mutex);
        if (progress) progress(++done, all);
    });
    return out;
}

}  // namespace outrider
