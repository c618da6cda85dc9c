// A comparison as a sweep: the same runs, kept in a folder, so that a report can be made of them.
#pragma once

#include <string>
#include <vector>

#include "batch/compare.hpp"
#include "batch/results.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {

/// The plan whose runs are those of compare() with seeds 1 ... `seeds`. `command`: as the user typed it. Throws Error.
SweepPlan comparison_plan(const std::vector<std::string>& strategies, const std::vector<std::string>& maps, int seeds,
                          const std::vector<std::string>& metrics, const std::vector<Setting>& over,
                          const std::string& command);

/// The result of compare(), read from the results of its sweep.
Comparison comparison_of(Results& results, const std::vector<std::string>& metrics);

}  // namespace outrider
