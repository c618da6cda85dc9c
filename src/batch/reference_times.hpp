// What a team that knows the map would take for the runs of a sweep (bound/reference.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "batch/sweep_plan.hpp"
#include "bound/reference.hpp"

namespace outrider {

/// Steps of the plan and of the bound, by number of the run.
using ReferenceTimes = std::map<std::int64_t, TourPlan::Times>;

/// Plans for these runs, kept in `folder` and made where missing, as many at a time as there are cores. Runs that
/// differ in their strategy alone share one. `progress`: called after each run, by one thread at a time. Interrupted,
/// it ends early. Throws Error where no plan can be made (docs/bounds.md).
ReferenceTimes reference_times(const SweepPlan& plan, const std::vector<std::int64_t>& runs, const std::string& folder,
                               const ReferenceOptions& options,
                               const std::function<void(std::size_t done, std::size_t of)>& progress);

}  // namespace outrider
