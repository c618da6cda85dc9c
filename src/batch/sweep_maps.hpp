// The maps of a sweep: of scenarios and suites, or generated for it.
#pragma once

#include <string>
#include <vector>

#include "batch/sweep_plan.hpp"

namespace outrider {

/// The file that a name of a scenario or suite means: a path, from `folder` or from here; or a name in environments/,
/// or in the folder above that of a sweep file. The name itself when there is none.
std::string file_of(const std::string& name, const std::string& folder);

/// The maps of a scenario or suite. Starts are moved by five cells and headings are random unless they say otherwise.
std::vector<SweepMap> sweep_maps(const std::string& name, const std::string& folder, const std::vector<Setting>& over);

/// The maps of a [[family]] of a sweep file. Throws Error.
std::vector<SweepMap> family_maps(ConfigTable table, const std::vector<Setting>& over);

}  // namespace outrider
