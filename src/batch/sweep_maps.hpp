// The maps of a sweep: of scenarios and suites, or generated for it.
#pragma once

#include <string>
#include <vector>

#include "base/config.hpp"
#include "batch/sweep_axes.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {

/// The maps of the scenario or suite named by a setting: its value; its place is for messages. Starts are moved by five
/// cells and headings are random unless the scenario or suite sets them.
std::vector<SweepMap> sweep_maps(const Setting& named, const std::string& folder, const std::vector<Setting>& over);

/// The seeds in a list or range. Throws Error; also for a seed given twice.
std::vector<std::int64_t> start_numbers(const Values& seeds);

/// The maps of a [[family]] of a sweep file. Throws Error.
std::vector<SweepMap> family_maps(ConfigTable table, const std::vector<Setting>& over);

}  // namespace outrider
