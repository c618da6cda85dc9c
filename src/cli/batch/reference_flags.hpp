// --reference FOLDER of commands: how far from a team that knows the map.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments/arguments.hpp"
#include "batch/compare.hpp"
#include "batch/reference_times.hpp"
#include "batch/results.hpp"
#include "bound/reference.hpp"
#include "metrics/metrics.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

struct ReferenceFlags {
    std::optional<std::string> folder;
    std::optional<int> seconds;
    void fields(Flags& f);
    /// Before a run: throws Error where no plan can be made for the scenario, and as options().
    void expect_fits(const Scenario& scenario) const;
    /// Throws Error where --seconds stands alone.
    ReferenceOptions options() const;
};

/// Gives a comparison whose runs are done the times of plans for its starts, where they are asked for; plans that are
/// missing are made. What goes wrong with them is said, and the comparison does without. False: interrupted.
bool add_reference(Comparison& comparison, const std::vector<Scenario>& scenarios, const ReferenceFlags& flags,
                   int threads);

/// Plans for runs of a sweep; empty: nobody asked. Throws Error where none can be made for a run, and RunFailure when
/// it is interrupted.
ReferenceTimes references_of(const SweepPlan& plan, const std::vector<std::int64_t>& runs, const ReferenceFlags& flags);
/// For those that are done.
ReferenceTimes references_of(const Results& results, const ReferenceFlags& flags);

/// Times of the plan for a run, where they are asked for; none: not, or interrupted. Throws as kept_plan().
std::optional<TourPlan::Times> reference_of(const Scenario& scenario, const ReferenceFlags& flags);
/// T90 and T99 of the team beside those of the plan: {"t99_team", "304, 1.78 x plan (171), at most 6.3 x the best
/// possible (48)"}.
std::vector<std::pair<std::string, std::string>> reference_rows(const std::vector<StepMetrics>& steps,
                                                                const TourPlan::Times& reference);
/// The same of a run that has ended, and where the steps went.
void print_reference(const Simulation& sim, const TourPlan::Times& reference);

}  // namespace outrider
