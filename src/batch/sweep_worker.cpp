#include "batch/sweep_worker.hpp"

#include <time.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <set>

#include "base/child_process.hpp"
#include "base/parallel.hpp"
#include "outrider/error.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

using Clock = std::chrono::steady_clock;

/// CPU time of this thread and of the programs that it has started and ended: a run has a thread of its own.
double run_cpu_s() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec) + ended_programs_cpu_s();
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The scenarios of the latest pairs of map and cell: neighbouring runs share them.
class Scenarios {
  public:
    explicit Scenarios(const SweepPlan& plan) : plan_(plan) {}
    /// Throws what sweep_scenario does.
    std::shared_ptr<const SweepScenario> get(int map, int cell) {
        const std::lock_guard lock(mutex_);
        const auto at = std::find_if(latest_.begin(), latest_.end(),
                                     [&](const Entry& e) { return e.map == map && e.cell == cell; });
        if (at != latest_.end()) {
            latest_.splice(latest_.begin(), latest_, at);
        } else {
            latest_.push_front({map, cell, std::make_shared<SweepScenario>(sweep_scenario(plan_, map, cell))});
            if (latest_.size() > 64) latest_.pop_back();
        }
        return latest_.front().scenario;
    }

  private:
    struct Entry {
        int map, cell;
        std::shared_ptr<const SweepScenario> scenario;
    };
    const SweepPlan& plan_;
    std::mutex mutex_;
    std::list<Entry> latest_;
};

/// Hands out the remaining runs, shard by shard, and stores their results.
class RunQueue {
  public:
    RunQueue(const std::string& folder, const SweepPlan& plan, const SweepWork& work)
        : folder_(folder), plan_(plan), work_(work), runs_(plan), locks_(folder) {
        for (int shard = work.worker; shard <= plan.shards; shard += work.workers) {
            if (!locks_.take(shard)) fail("{}: another worker is busy with shard {} of {}", folder, shard, plan.shards);
            shards_.push_back(shard);
            outcome_.progress.of += plan.first_of(shard) - plan.first_of(shard - 1);
        }
        if (!work.mix) expect_unchanged();
        for (const int shard : shards_) count_done(shard);
        outcome_.progress.begun_with = outcome_.progress.done;
    }

    struct Task {
        SweepRun run;
        int shard;
        std::shared_ptr<ShardWriter> writer;
    };
    /// The next run, or nothing when there is none or it is time to stop.
    std::optional<Task> next() {
        const std::lock_guard lock(mutex_);
        for (;;) {
            if (failure_ || !refusal_.empty()) return {};
            if (!writer_) {
                if (at_ == shards_.size()) return {};
                writer_ = std::make_shared<ShardWriter>(folder_, plan_, shards_[at_], work_.retry);
                next_ = plan_.first_of(shards_[at_] - 1);
            }
            const int shard = shards_[at_];
            while (next_ < plan_.first_of(shard) && writer_->has(next_)) ++next_;
            if (next_ < plan_.first_of(shard)) {
                if (time_to_stop()) {
                    outcome_.stopped = true;
                    return {};
                }
                return Task{runs_.at(next_++), shard, writer_};
            }
            writers_.push_back(std::move(writer_));
            writer_ = nullptr;
            ++at_;
            close_complete();
        }
    }

    void file(const Task& task, const std::optional<RunRecord>& record,
              const std::function<void(const SweepProgress&)>& progress) {
        const std::lock_guard lock(mutex_);
        if (!record) {
            outcome_.stopped = true;
            return;
        }
        if (failure_) return;
        if (!work_.mix) {  // what a program says of itself shows only in a run
            refusal_ = refusal_.empty() ? changes_since(reported_, record->provenance) : refusal_;
            if (!refusal_.empty()) return;
        }
        note_versions(record->provenance);
        try {
            task.writer->add(*record);
        } catch (...) {  // a full disk: later results could not be written either
            failure_ = std::current_exception();
            return;
        }
        ++outcome_.progress.done;
        if (!record->error.empty()) note_failure(record->run.id, record->error);
        outcome_.progress.elapsed_s = seconds_since(begun_);
        if (progress) progress(outcome_.progress);
    }

    /// Nothing more is handed out, since this has changed.
    void refuse(const std::string& changes) {
        const std::lock_guard lock(mutex_);
        refusal_ = changes;
    }

    SweepOutcome finish() {
        if (failure_) std::rethrow_exception(failure_);
        for (const auto& writer : writers_) writer->commit();
        if (writer_) writer_->commit();
        if (!refusal_.empty()) fail_for(refusal_);
        outcome_.progress.elapsed_s = seconds_since(begun_);
        std::sort(outcome_.failures.begin(), outcome_.failures.end());
        return outcome_;
    }

  private:
    [[noreturn]] void fail_for(const std::string& changes) const {
        fail(
            "{0}: since the sweep was planned, {1}. Undo that, or plan again in another folder, or go on with outrider "
            "sweep run {0} --mix: runs that other programs decided are then kept apart, and reports name them",
            folder_, changes);
    }
    /// Throws Error where something has changed that decides in a run that is left.
    void expect_unchanged() {
        if (changes_since(plan_.provenance, provenance_now(plan_)).empty()) return;
        std::set<std::pair<int, int>> seen;
        for (const int shard : shards_) {
            std::vector<bool> done(static_cast<std::size_t>(plan_.first_of(shard) - plan_.first_of(shard - 1)));
            if (std::filesystem::exists(shard_path(folder_, shard))) {
                Database db = open_shard(folder_, plan_, shard);
                Statement rows =
                    db.prepare(work_.retry ? "SELECT run FROM result WHERE error = ''" : "SELECT run FROM result");
                while (rows.step())
                    done.at(static_cast<std::size_t>(rows.integer(0) - plan_.first_of(shard - 1))) = true;
            }
            for (std::int64_t id = plan_.first_of(shard - 1); id < plan_.first_of(shard); ++id) {
                if (done[static_cast<std::size_t>(id - plan_.first_of(shard - 1))]) continue;
                const SweepRun run = runs_.at(id);
                if (!seen.emplace(run.map, run.cell).second) continue;
                if (const std::string changes = changes_for(run); !changes.empty()) fail_for(changes);
            }
        }
    }
    std::string changes_for(const SweepRun& run) const {
        try {
            const Scenario scenario = sweep_scenario(plan_, run.map, run.cell).scenario;
            return changes_since(plan_.provenance, provenance_of(scenario, &plan_.provenance));
        } catch (const Error&) {
            return "";  // a cell that does not fit its map: it will fail
        }
    }
    /// Closes the files whose last result is stored.
    void close_complete() {
        for (std::size_t i = writers_.size(); i-- > 0;) {
            if (writers_[i].use_count() > 1) continue;
            try {
                writers_[i]->commit();
            } catch (...) {
                failure_ = std::current_exception();
                return;
            }
            writers_.erase(writers_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    bool time_to_stop() const {
        return (work_.stop && work_.stop->load()) || (work_.budget_s > 0 && seconds_since(begun_) > work_.budget_s);
    }
    void note_failure(std::int64_t run, const std::string& why) {
        ++outcome_.progress.failed;
        if (outcome_.failures.size() < 20) outcome_.failures.emplace_back(run, why);
    }
    void note_versions(const Provenance& provenance) {
        for (const ProvenancePart& part : provenance.parts)
            if (!part.version.empty()) reported_.add(part);
    }
    void count_done(int shard) {
        if (!std::filesystem::exists(shard_path(folder_, shard))) return;
        ShardWriter(folder_, plan_, shard, work_.retry);  // takes in crashes, forgets what is to be run again
        Database db = open_shard(folder_, plan_, shard);
        for (const Provenance& p : read_provenance(db)) note_versions(p);
        Statement count = db.prepare("SELECT count(*) FROM result"),
                  failed = db.prepare("SELECT run, error FROM result WHERE error <> '' ORDER BY run");
        if (count.step()) outcome_.progress.done += count.integer(0);
        while (failed.step()) note_failure(failed.integer(0), std::string(failed.bytes(1)));
    }

    const std::string& folder_;
    const SweepPlan& plan_;
    const SweepWork& work_;
    const SweepRuns runs_;
    ShardLocks locks_;
    const Clock::time_point begun_ = Clock::now();
    std::mutex mutex_;
    std::vector<int> shards_;
    std::size_t at_ = 0;
    std::int64_t next_ = 0;
    std::shared_ptr<ShardWriter> writer_;
    std::vector<std::shared_ptr<ShardWriter>> writers_;
    std::exception_ptr failure_;
    std::string refusal_;
    Provenance reported_;  // versions that programs said of themselves
    SweepOutcome outcome_;
};

/// The result of a run during which nothing changed of what decides in it: of a program that is edited meanwhile nobody
/// knows which of the two decided. `changes` since the sweep was planned, unless these are welcome: no result.
std::optional<RunRecord> run_unchanged(const SweepPlan& plan, const SweepScenario& base, const SweepRun& run,
                                       const SweepWork& work, std::string& changes) {
    std::optional<RunRecord> record;
    for (int tries = 0; tries < 3; ++tries) {
        const Provenance before = provenance_of(base.scenario, &plan.provenance);
        if (!work.mix) changes = changes_since(plan.provenance, before);
        if (!changes.empty()) return {};
        record = run_one(plan, base, run, work.abandon);
        if (!record) return {};
        record->provenance.add(before);
        const auto is_program = [](const ProvenancePart& part) { return part.kind == "program"; };
        if (std::none_of(before.parts.begin(), before.parts.end(), is_program)) return record;  // nothing else changes
        const Provenance after = provenance_of(base.scenario, &plan.provenance);
        if (after.fingerprint() == before.fingerprint()) return record;
        if (!work.mix) changes = changes_since(plan.provenance, after);
        if (!changes.empty()) return {};
        record->error = "its program changed while it went on: " + changes_since(before, after);
    }
    return record;
}

}  // namespace

std::optional<RunRecord> run_one(const SweepPlan& plan, const SweepScenario& base, const SweepRun& run,
                                 const std::atomic<bool>* interrupted) {
    RunRecord record;
    record.run = run;
    const auto begun = Clock::now();
    const double cpu_begun = run_cpu_s();
    try {
        SimulationOptions options;
        options.threads = 1;
        options.interrupted = interrupted;
        Simulation sim(seeded(base, run.seed), options);
        const EndReason reason = sim.run();
        if (reason == EndReason::interrupted) return {};
        record.provenance = reported_versions(sim.scenario(), sim.team());
        record.end_reason = end_reason_names[static_cast<std::size_t>(reason)];
        record.scenario = sim.scenario().hash().hex();
        record.steps_hash = sim.progress().digest.hex();
        const int limit = sim.scenario().run.steps;
        const std::vector<SummaryValue> summary = sim.metrics().summary(reason, limit);
        for (const std::string& name : plan.metrics) {
            const auto at = std::find_if(summary.begin(), summary.end(),
                                         [&](const SummaryValue& v) { return v.robot < 0 && v.metric->name == name; });
            record.values.push_back(at == summary.end() ? std::nan("") : at->value);
        }
        record.curve = curve_of(sim.metrics().steps(), limit, plan.curve_points);
    } catch (const std::exception& error) {
        record.error = error.what();
        if (record.error.empty()) record.error = "it failed";
    }
    record.values.resize(plan.metrics.size(), std::nan(""));
    record.cpu_s = run_cpu_s() - cpu_begun;
    record.wall_s = seconds_since(begun);
    return record;
}

SweepOutcome run_sweep(const std::string& folder, const SweepPlan& plan, const SweepWork& work,
                       const std::function<void(const SweepProgress&)>& progress) {
    if (plan.provenance.parts.empty())
        fail("{}: the plan was made by another program ({}) than this one ({}); plan again in another folder", folder,
             plan.program, program_id());
    if (work.workers > plan.shards || work.worker < 1 || work.worker > work.workers)
        fail("--shard {}/{}: expected at most {} workers, the number of shards of the plan", work.worker, work.workers,
             plan.shards);
    RunQueue queue(folder, plan, work);
    Scenarios scenarios(plan);
    const ThreadLimit limit(work.jobs);
    parallel_for(work.jobs, [&](int) {
        while (const auto task = queue.next()) {
            note_run(folder, task->shard, task->run.id);
            std::optional<RunRecord> record;
            std::string changes;
            try {
                record = run_unchanged(plan, *scenarios.get(task->run.map, task->run.cell), task->run, work, changes);
            } catch (const std::exception& error) {  // the cell's options do not fit the map
                record.emplace();
                record->run = task->run;
                record->error = error.what();
                record->values.assign(plan.metrics.size(), std::nan(""));
            }
            if (!changes.empty())
                queue.refuse(changes);
            else
                queue.file(*task, record, progress);
        }
    });
    return queue.finish();
}

}  // namespace outrider
