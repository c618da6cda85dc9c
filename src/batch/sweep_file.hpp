// Sweep files: TOML (docs/sweeps.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "batch/sweep_plan.hpp"

namespace outrider {

/// Reads a sweep file and the maps, suites and scenarios that it names. Throws Error with file, line and column.
SweepPlan read_sweep(const std::string& path, int shards = 0);

/// The maps of a scenario or suite: a path, from `folder`; or a name in environments/.
std::vector<SweepMap> sweep_maps(const std::string& name, const std::string& folder, const std::vector<Setting>& over);

}  // namespace outrider
