// Sweep files: TOML (docs/sweeps.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "batch/sweep_plan.hpp"

namespace outrider {

/// Reads a sweep file and the maps, suites and scenarios that it names. Throws Error with file, line and column.
SweepPlan read_sweep(const std::string& path, int shards = 0);

/// The file that a name of a scenario or suite means: a path, from `folder` or from here; or a name in environments/,
/// or in the folder above that of a sweep file. The name itself when there is none.
std::string file_of(const std::string& name, const std::string& folder);

/// The maps of a scenario or suite. Starts are moved by five cells and headings are random unless they say otherwise.
std::vector<SweepMap> sweep_maps(const std::string& name, const std::string& folder, const std::vector<Setting>& over);

}  // namespace outrider
