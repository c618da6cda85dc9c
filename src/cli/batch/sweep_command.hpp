// What the commands on sweeps share.
#pragma once

#include <string>

#include "batch/report/run_pages.hpp"
#include "batch/sweep_worker.hpp"

namespace outrider {

/// Runs the remaining runs of a sweep with progress on the terminal; stops at SIGTERM and SIGINT. Returns the exit
/// code: 0 all done, 1 some failed, 75 (130 after SIGINT) stopped.
int run_sweep_here(const std::string& folder, const SweepPlan& plan, SweepWork work, bool quiet);

/// Writes the pages of the runs beside the report, into REPORT-runs, and says so; those that are there when it is
/// interrupted.
RunPages pages_of(Results& results, const std::string& report, bool force);

}  // namespace outrider
