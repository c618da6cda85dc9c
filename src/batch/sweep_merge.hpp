// From the shards of a sweep to one file of results, and what is done so far.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "batch/sweep_shard.hpp"

namespace outrider {

struct ShardStatus {
    int shard = 0;
    std::int64_t runs = 0, done = 0, failed = 0;  ///< failed ones are among the done
    bool busy = false;                            ///< a worker on this machine has it
};
/// Of every shard, in order. Throws Error as open_shard does.
std::vector<ShardStatus> sweep_status(const std::string& folder, const SweepPlan& plan);

struct MergeReport {
    std::int64_t runs = 0, done = 0, failed = 0;
    std::string digest;
    std::vector<std::pair<std::int64_t, std::string>> failures;  ///< the first twenty: run, why
    bool complete() const { return done == runs && failed == 0; }
};
/// Writes one SQLite file with the plan, a row per finished run in the plan's order, and the timings in a table of
/// their own: the same whatever the shards and the order in which they were run. Throws Error when a shard belongs to
/// another plan or program or a row to another scenario; what is missing is counted.
MergeReport merge_sweep(const std::string& folder, const SweepPlan& plan, const std::string& output, bool overwrite);

/// Canonical hash of results, all tables but timing.
std::string results_digest(Database& db);

}  // namespace outrider
