// Works through the runs of a sweep: in parallel over runs, each run by itself.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "batch/sweep_shard.hpp"

namespace outrider {

struct SweepWork {
    int worker = 1, workers = 1;                 ///< takes every workers-th shard, beginning with `worker`
    int jobs = 1;                                ///< runs at a time
    double budget_s = 0;                         ///< begins no run after that; 0: no limit
    bool retry = false;                          ///< runs failed ones again
    bool mix = false;                            ///< also where something else decides now than when it was planned
    const std::atomic<bool>* stop = nullptr;     ///< finish the current runs, begin no others
    const std::atomic<bool>* abandon = nullptr;  ///< stop the current runs as well
};

struct SweepProgress {
    std::int64_t done = 0, failed = 0, of = 0;  ///< of this worker's shards; failed ones are among the done
    std::int64_t begun_with = 0;                ///< done before this worker began
    double elapsed_s = 0;
};

struct SweepOutcome {
    SweepProgress progress;
    bool stopped = false;                                        ///< before all was done
    std::vector<std::pair<std::int64_t, std::string>> failures;  ///< the first twenty: run, why
};

/// Runs what is not done yet. Results are on disk about a second later; a run that throws is recorded as failed and the
/// others go on. Throws Error when another worker has one of the shards; RunFailure when results cannot be written.
/// Unless `mix`, throws Error as well where what decides in a run that is left is not what the plan says: before
/// anything is run, or, of a program that is edited meanwhile, after the runs that go on; these are not kept.
/// progress is called after every run, by one thread at a time.
SweepOutcome run_sweep(const std::string& folder, const SweepPlan& plan, const SweepWork& work,
                       const std::function<void(const SweepProgress&)>& progress);

/// The result of one run; of its provenance what its programs say of themselves. Does not throw for what goes wrong in
/// it. Interrupted: no result.
std::optional<RunRecord> run_one(const SweepPlan& plan, const SweepScenario& base, const SweepRun& run,
                                 const std::atomic<bool>* interrupted = nullptr);

}  // namespace outrider
