// What outrider slam prints.
#pragma once

#include <optional>
#include <vector>

#include "sensor_log/matcher_table.hpp"
#include "sensor_log/slam_log.hpp"

namespace outrider {

/// The reference for the trajectory found. Read before the work, so that a mistake in it is noticed at once.
struct SlamChecks {
    std::vector<Relation> relations;
    std::optional<std::vector<TimedPose>> against;
};

/// Peak memory of the process, in MB.
double peak_mb();

/// What was read, and what is odd about it.
void print_log(const SensorLog& log);
/// How a run went; `log_mb`: the peak memory before it.
void print_run(const SlamRun& run, const SlamOptions& slam, double log_mb);
/// The errors of checked relations, and how they differ from those of the other trajectory, if there is one.
void print_relations(const SlamChecks& checks, const std::vector<TimedPose>& trajectory);
void print_matchers(const std::vector<MatcherRow>& rows);

/// The same as JSON: what was read, how the run went, and where there are checks, the errors of both trajectories.
std::string slam_json(const SensorLog& log, const SlamRun& run, const SlamOptions& slam, const SlamChecks& checks,
                      const std::vector<MatcherRow>& matchers);

}  // namespace outrider
