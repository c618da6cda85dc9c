// Many path queries: are they right, and how long do they take?
#pragma once

#include <string>

#include "outrider/path.hpp"
#include "plan/path_planner.hpp"

namespace outrider {

/// In words, for a message.
std::string_view status_text(PathStatus status);

/// CPU time of this thread.
double cpu_us();

/// Random queries between connected cells: how much longer than the shortest the paths are, and how long they take,
/// with A* for comparison. Returns 1 when a path is not found, or shorter than the shortest; 130 when interrupted.
int run_random_queries(const std::string& map_file, const PlanOptions& plan, std::size_t count, std::uint64_t seed,
                       bool json);

/// The queries of a scenario file of MovingAI, or about `sample` of them when that is not 0. 1 when a length is wrong.
int run_scen_queries(const std::string& file, const PlanOptions& plan, std::size_t sample, bool json);

}  // namespace outrider
