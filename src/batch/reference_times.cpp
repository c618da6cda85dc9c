#include "batch/reference_times.hpp"

#include <algorithm>
#include <mutex>
#include <thread>
#include <tuple>

#include "base/parallel.hpp"

namespace outrider {

ReferenceTimes reference_times(const SweepPlan& plan, const std::vector<std::int64_t>& runs, const std::string& folder,
                               const ReferenceOptions& options,
                               const std::function<void(std::size_t, std::size_t)>& progress) {
    // Runs of one start mostly share their plan: one after the other, so that it is made once.
    std::map<std::tuple<int, std::int64_t, int>, std::vector<SweepRun>> by_start;
    const SweepRuns all(plan);
    for (const std::int64_t id : runs) {
        const SweepRun run = all.at(id);
        by_start[run.pair()].push_back(run);
    }
    std::vector<const std::vector<SweepRun>*> starts;
    for (const auto& [start, same] : by_start) starts.push_back(&same);
    ReferenceTimes out;
    std::mutex mutex;
    const ThreadLimit threads(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
    parallel_for(static_cast<int>(starts.size()), [&](int i) {
        for (const SweepRun& run : *starts[static_cast<std::size_t>(i)]) {
            if (options.interrupted && *options.interrupted) return;
            const Scenario scenario = seeded(sweep_scenario(plan, run.map, run.cell), run.seed);
            const TourPlan made = kept_plan(scenario, folder, options);
            const std::lock_guard lock(mutex);
            out[run.id] = *made.times;
            progress(out.size(), runs.size());
        }
    });
    return out;
}

}  // namespace outrider
