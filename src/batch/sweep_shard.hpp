// The results that a worker writes for one shard: DIR/shards/0001.sqlite, written by one worker at a time.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "batch/sweep_plan.hpp"
#include "metrics/metrics.hpp"

namespace outrider {

/// What is kept of a run.
struct RunRecord {
    SweepRun run;
    std::string error;  ///< why it failed; empty: it did not
    std::string end_reason, scenario, steps_hash;
    Provenance provenance;         ///< what decided; empty: it failed before
    std::vector<double> values;    ///< in the order of SweepPlan::metrics; not a number: never reached
    std::string curve;             ///< see curve_of
    double cpu_s = 0, wall_s = 0;  ///< never part of a comparison
};

/// The column of a table of runs that holds steps_hash: "digest" in files of earlier versions, which is something else.
std::string steps_hash_column(Database& db, const std::string& table, const std::string& schema = "main");

/// The column with the fingerprint of what decided in a run, or an empty text: files of version 1 have none.
std::string fingerprint_column(Database& db, const std::string& table, const std::string& schema = "main");

/// What the team and the base knew at `points` equally spaced steps from 0 to the step limit, the last value held: all
/// of the team, then all of the base, as little-endian 16-bit shares of 65535. Empty for 0 points.
std::string curve_of(const std::vector<StepMetrics>& steps, int step_limit, int points);
/// The shares again.
struct Curves {
    std::vector<double> team, base;
};
Curves read_curve(std::string_view bytes);

/// Locks on the shards of a folder, across processes; the system frees them when their owner dies.
class ShardLocks {
  public:
    enum class Mode {
        take,
        look  ///< only asks; works in a folder where nothing can be written
    };
    explicit ShardLocks(const std::string& folder, Mode mode = Mode::take);
    ~ShardLocks();
    ShardLocks(const ShardLocks&) = delete;
    ShardLocks& operator=(const ShardLocks&) = delete;
    /// False when another process holds it.
    bool take(int shard);
    /// Whether another process holds it.
    bool taken(int shard) const;

  private:
    int file_;  // -1: looked at, and there is none
};

std::string shard_path(const std::string& folder, int shard);

/// Writes the results of a shard. After commit() everything passed to add() is on disk; before, none or all of it.
class ShardWriter {
  public:
    /// Opens or creates the file; adds what was recorded of crashes. Throws Error when it belongs to another plan or
    /// program, RunFailure when it cannot be written. retry: deletes the results of failed runs.
    ShardWriter(const std::string& folder, const SweepPlan& plan, int shard, bool retry);
    /// Whether there is a result of the run, failed or not.
    bool has(std::int64_t run) const { return done_[static_cast<std::size_t>(run - first_)]; }
    /// Adds a result; commits what has gathered for a second, and the result of a long run at once.
    void add(const RunRecord& record);
    void commit();

  private:
    void take_in_crashes(const SweepPlan& plan, const std::string& notes);

    Database db_;
    std::int64_t first_;
    std::vector<bool> done_;
    std::optional<Statement> insert_, timing_;
    std::set<std::string> provenances_;  // whose parts are stored
    bool open_ = false;
    std::chrono::steady_clock::time_point begun_{};
};

/// Opens a shard for reading. Throws Error when it belongs to another plan or program.
Database open_shard(const std::string& folder, const SweepPlan& plan, int shard);
/// A run that is done: the hash of its steps and the fingerprint of what decided; empty when it is not, or failed.
struct DoneRun {
    std::string steps_hash, fingerprint;
};
DoneRun done_run(const std::string& folder, const SweepPlan& plan, std::int64_t run);

/// The run that this thread is busy with, for a crash to name; and the handler that writes it down.
void note_run(const std::string& folder, int shard, std::int64_t run);
void install_crash_notes();

}  // namespace outrider
