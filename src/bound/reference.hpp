// How far from the best possible: what no team can do faster, and what a team that knows the map does.
#pragma once

#include <atomic>

#include "bound/lower_bounds.hpp"
#include "robot/tour_plan.hpp"

namespace outrider {

/// A second of effort stands for so many evaluations, about what a core does for four robots in an office.
inline constexpr std::int64_t evaluations_per_second = 10'000;

struct ReferenceOptions {
    std::int64_t evaluations = 30 * evaluations_per_second;
    std::uint64_t seed = 1;
    const std::atomic<bool>* interrupted = nullptr;  ///< returns the best so far
};

struct Reference {
    std::string plan;  ///< the file
    /// Measured in a run of the plan; not a number: never reached.
    std::array<double, bound_shares.size()> steps;
};

/// The scenario with the strategy tour(plan=FILE) for all that explore.
Scenario with_plan(Scenario scenario, const std::string& plan);

/// Makes a plan for T99, writes it to the file, and drives it in the simulator: what is not seen there that the quick
/// model took for seen is asked for on top, in three rounds, and the best of the measured runs counts. The same
/// scenario, evaluations and seed give the same plan on every machine. Throws Error, also where bound_task() does.
Reference make_plan(const Scenario& scenario, const std::string& file, const ReferenceOptions& options);

}  // namespace outrider
