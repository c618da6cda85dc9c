// Strategies side by side on the same maps, starts and random numbers.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "batch/difference.hpp"
#include "robot/tour_plan.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// A run of one strategy; `values` in the order of Comparison::metrics.
struct RunResult {
    std::string map;
    std::uint64_t seed = 0;
    std::vector<double> values;  ///< not a number: a time that was never reached, or a metric that is not defined
    std::string end_reason;      ///< run_failed: nothing is defined
};

inline constexpr std::string_view run_failed = "failed";

struct Comparison {
    std::vector<std::string> metrics, strategies, maps;
    int step_limit = 0;
    int done = 0, of = 0;               ///< runs; fewer are done when it was interrupted
    std::vector<std::string> failures;  ///< of runs that threw: which, and why; they count as done
    std::vector<std::vector<RunResult>>
        runs;  ///< by strategy; the k-th of each is the same map, start and seed; whole pairs only

    /// Of plans that know the map, for the k-th runs (bound/reference.hpp); empty: not asked for.
    std::vector<TourPlan::Times> reference;

    /// A metric of all runs of a strategy. Times never reached count as one step more than the limit: longer than any
    /// time reached. Not a number: another metric that is not defined for the run, such as return_steps of a run whose
    /// robots did not return.
    std::vector<double> values(std::size_t strategy, std::size_t metric) const;
    /// Where the runs of each pair were.
    std::vector<PairPlace> places() const;
    /// How many runs of a strategy never reached this metric's time.
    int censored(std::size_t strategy, std::size_t metric) const;
};

/// Whether less of a metric is better.
bool less_is_better(std::string_view metric);

/// Runs every strategy on every scenario with seeds 1 ... `seeds`. Starts are moved at random by up to five cells,
/// headings are random, by the seed and for all strategies alike. Runs are independent and go in parallel.
/// progress(done, of) is called now and then. When interrupted it stops early and returns the starts that all
/// strategies have run, and their maps. A run that throws counts as failed. Throws Error for a metric that the runs of
/// a scenario do not have.
Comparison compare(const std::vector<Scenario>& scenarios, const std::vector<std::string>& strategies, int seeds,
                   int threads, const std::vector<std::string>& metrics, const std::function<void(int, int)>& progress,
                   const std::atomic<bool>* interrupted = nullptr);

/// Throws Error for a metric that runs of the scenario do not have: those of scan matching, where no robot does any.
void expect_metrics(const Scenario& scenario, const std::vector<std::string>& metrics);

/// The scenario with another strategy for all explorers; whatever the seed decides is drawn anew.
Scenario variant(const Scenario& base, const std::string& strategy, std::uint64_t seed);

}  // namespace outrider
