// How far from the best possible: what no team can do faster, and what a team that knows the map does.
#pragma once

#include <atomic>

#include "bound/lower_bounds.hpp"
#include "metrics/time_spent.hpp"
#include "robot/tour_plan.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

/// A second of effort stands for so many evaluations, about what a core does for four robots in an office.
inline constexpr std::int64_t evaluations_per_second = 10'000;

struct ReferenceOptions {
    std::int64_t evaluations = 30 * evaluations_per_second;
    std::uint64_t seed = 1;
    const std::atomic<bool>* interrupted = nullptr;  ///< returns the best so far
};

/// Makes a plan for T99, writes it to the file with its times, and drives it in the simulator: what is not seen there
/// that the quick model took for seen is asked for on top, in three rounds, and the best of the measured runs counts.
/// The same scenario, evaluations and seed give the same plan on every machine. `bounds`: of the scenario. Throws
/// Error, also where bound_task() does.
TourPlan make_plan(const Scenario& scenario, const LowerBounds& bounds, const std::string& file,
                   const ReferenceOptions& options);

/// What a run that has ended spent its steps to T99 on, in the order of Spent.
std::array<double, spent_names.size()> spent_of(const Simulation& sim);

/// The plan of a scenario, whatever its strategy, kept as FOLDER/HASH.json: made once, and anew where the effort or
/// the seed of the search was another. May be called from several threads and programs at once. Throws as make_plan().
TourPlan kept_plan(const Scenario& scenario, const std::string& folder, const ReferenceOptions& options);

}  // namespace outrider
