#include "batch/sweep_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/output.hpp"

namespace outrider {
namespace {

std::string shell_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

int tasks_of(const SweepPlan& plan, const ScriptOptions& options) {
    return options.tasks > 0 ? std::min(options.tasks, plan.shards) : plan.shards;
}

constexpr std::string_view slurm = R"(#!/bin/sh
# Sweep '{name}': {runs} runs in {shards} shards, by {tasks} tasks. Run this file; it submits the tasks as an array and a
# merge that follows them, whatever becomes of them. Submitted again, it does what is left.
#   {file_hint}
set -eu
DIR={folder}
OUTRIDER={program}
mkdir -p "$DIR/log"
tasks=$(sbatch --parsable <<'TASK'
#!/bin/sh
#SBATCH --job-name={job}
#SBATCH --array=1-{tasks}
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@120
#SBATCH --output={task_log}
{more}DIR={folder}
OUTRIDER={program}
# Only this shell is told when the time is over; it tells the worker, which finishes its run and ends with 75.
worker="" asked=""
trap 'asked=1; [ -n "$worker" ] && kill -TERM "$worker" 2>/dev/null' TERM
"$OUTRIDER" sweep run "$DIR" --shard "$SLURM_ARRAY_TASK_ID/{tasks}" --jobs "${{SLURM_CPUS_PER_TASK:-1}}" --quiet{allow} &
worker=$!
[ -n "$asked" ] && kill -TERM "$worker" 2>/dev/null
code=0
wait "$worker" || code=$?
while kill -0 "$worker" 2>/dev/null; do
    code=0
    wait "$worker" || code=$?
done
# Work is left: come back; but not when the user has cancelled the task.
job="${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"
if [ "$code" = 75 ] && scontrol show job "$job" | grep -q JobState=RUNNING; then
    scontrol requeue "$job" && sleep 30
fi
exit "$code"
TASK
)
merge=$(sbatch --parsable <<MERGE
#!/bin/sh
#SBATCH --job-name={job}-merge
#SBATCH --dependency=afterany:$tasks
#SBATCH --output={merge_log}
{more}"$OUTRIDER" sweep merge "$DIR" -o "$DIR/results.sqlite" --force
MERGE
)
echo "tasks $tasks, merge $merge"
)";

constexpr std::string_view gnu_parallel = R"(#!/bin/sh
# Sweep '{name}': {runs} runs in {shards} shards, by {tasks} workers, as many at a time as there are cores (JOBS=N: N).
# Run this file; run again, it does what is left. Merges what is there and ends with the number of workers that were
# stopped or had runs that failed.
set -u
DIR={folder}
OUTRIDER={program}
mkdir -p "$DIR/log"
parallel --quote --jobs "${{JOBS:-100%}}" --joblog "$DIR/log/parallel.txt" --resume-failed \
    --termseq TERM,600000,KILL,25 \
    "$OUTRIDER" sweep run "$DIR" --shard {{}}/{tasks} --jobs 1 --quiet{allow} ::: $(seq 1 {tasks})
code=$?
"$OUTRIDER" sweep merge "$DIR" -o "$DIR/results.sqlite" --force || [ "$code" != 0 ] || code=1
exit "$code"
)";

std::string job_name(const std::string& name) {
    std::string out = "outrider-";
    for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '-';
    return out;
}

}  // namespace

std::string slurm_script(const SweepPlan& plan, const ScriptOptions& o) {
    std::string more;
    if (!o.time.empty()) more += "#SBATCH --time=" + o.time + "\n";
    if (!o.more.empty()) more += o.more + "\n";
    return fmt::format(fmt::runtime(slurm), fmt::arg("name", file_name(plan.name)), fmt::arg("runs", plan.runs()),
                       fmt::arg("shards", plan.shards), fmt::arg("tasks", tasks_of(plan, o)),
                       fmt::arg("allow", o.allow_external ? " --allow-external" : ""),
                       fmt::arg("file_hint", "squeue shows them; outrider sweep status DIR shows how far they are"),
                       fmt::arg("folder", shell_quoted(o.folder)), fmt::arg("program", shell_quoted(o.program)),
                       fmt::arg("job", job_name(plan.name)),
                       fmt::arg("task_log", shell_quoted(o.folder + "/log/%a.txt")),
                       fmt::arg("merge_log", shell_quoted(o.folder + "/log/merge.txt")), fmt::arg("more", more));
}

std::string parallel_script(const SweepPlan& plan, const ScriptOptions& o) {
    return fmt::format(fmt::runtime(gnu_parallel), fmt::arg("name", file_name(plan.name)),
                       fmt::arg("runs", plan.runs()), fmt::arg("shards", plan.shards),
                       fmt::arg("tasks", tasks_of(plan, o)),
                       fmt::arg("allow", o.allow_external ? " --allow-external" : ""),
                       fmt::arg("folder", shell_quoted(o.folder)), fmt::arg("program", shell_quoted(o.program)));
}

}  // namespace outrider
