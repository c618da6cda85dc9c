// Sweep files: TOML (docs/sweeps.md).
#pragma once

#include <string>

#include "batch/sweep_plan.hpp"

namespace outrider {

/// Reads a sweep file and the maps, suites and scenarios that it names. Throws Error with file, line and column.
SweepPlan read_sweep(const std::string& path, int shards = 0);

}  // namespace outrider
