// Scripts that run the shards of a sweep elsewhere.
#pragma once

#include <string>

#include "batch/sweep_plan.hpp"

namespace outrider {

struct ScriptOptions {
    std::string program, folder;  ///< absolute paths
    bool allow_external = false;  ///< workers may start the programs that the plan names
    int tasks = 0;                ///< workers; 0: one for each shard
    std::string time;             ///< limit of a task, as Slurm writes it; empty: that of the partition
    std::string more;             ///< further lines "#SBATCH ..." for tasks and merge
};

/// A script to be run by hand: submits an array of workers and a merge after it. A task that is stopped by a signal, or
/// runs out of time, ends with 75 and is queued again; so is a task whose node failed.
std::string slurm_script(const SweepPlan& plan, const ScriptOptions& options);

/// A script that runs the workers through GNU parallel on this machine; started again, it goes on where it was.
std::string parallel_script(const SweepPlan& plan, const ScriptOptions& options);

}  // namespace outrider
