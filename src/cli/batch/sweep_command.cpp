// outrider sweep
#include "cli/batch/sweep_command.hpp"

#include <fmt/ranges.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "arguments/arguments.hpp"
#include "base/child_process.hpp"
#include "base/output.hpp"
#include "base/progress.hpp"
#include "batch/sweep_merge.hpp"
#include "batch/sweep_script.hpp"
#include "batch/sweep_worker.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

constexpr int exit_stopped = 75;  // work is left: run it again

std::atomic<bool> stop{false}, abandon{false};
std::atomic<int> stop_signal{0};

extern "C" void on_stop(int signal) {
    if (stop) abandon = true;  // asked twice
    stop = true;
    stop_signal = signal;
}

/// "50m", "90s", "2h", "90" in seconds.
double duration(const std::string& text) {
    double value = 0;
    char unit = 's', end = 0;
    const int read = std::sscanf(text.c_str(), "%lf%c%c", &value, &unit, &end);
    const double factor = unit == 's' ? 1 : unit == 'm' ? 60 : unit == 'h' ? 3600 : 0;
    if (read < 1 || read > 2 || factor == 0 || !(value > 0) || value > 1e9)
        fail("--time-budget {}: expected a time such as 90s, 50m or 2h", text);
    return value * factor;
}

void read_shard(const std::string& text, SweepWork& work) {
    char end = 0;
    if (std::sscanf(text.c_str(), "%d/%d%c", &work.worker, &work.workers, &end) != 2 || work.worker < 1 ||
        work.workers < work.worker)
        fail("--shard {}: expected i/N, the i-th of N workers, such as 1/4", text);
}

void print_failures(const std::vector<std::pair<std::int64_t, std::string>>& failures, std::int64_t count,
                    const std::string& folder) {
    for (const auto& [run, why] : failures) print_aside("failed: run {}: {}\n", run, why);
    if (count > static_cast<std::int64_t>(failures.size()))
        print_aside("failed: {} more\n", count - static_cast<std::int64_t>(failures.size()));
    if (count > 0)
        print_aside("outrider sweep rerun {} --run N shows one; sweep run --retry tries them again\n",
                    shell_word(folder));
}

struct RunSweepFlags {
    std::optional<std::string> dir, shard, time_budget;
    std::optional<int> jobs;
    bool retry = false, mix = false, quiet = false;
    void fields(Flags& f) {
        f.positional("dir", dir);
        allow_external(f);
        f("shard", shard, "i/N", "be the i-th of N workers; each takes every N-th shard");
        f("jobs", jobs, 0, 256, "K", "runs at a time; 0: one per core");
        f("time-budget", time_budget, "50m", "begin no run after that time and end with 75");
        f("retry", retry, "run again what failed");
        f("mix", mix,
          "go on although the program, a strategy or an external program has changed since the plan: runs are "
          "kept apart by what decided, and reports name it");
        f("quiet", quiet, "no progress");
    }
};

int do_sweep(const RunSweepFlags& flags) {
    if (!flags.dir) fail("expected outrider sweep run DIR; see outrider sweep run --help");
    SweepWork work;
    if (flags.shard) read_shard(*flags.shard, work);
    work.jobs = flags.jobs.value_or(0);
    if (flags.time_budget) work.budget_s = duration(*flags.time_budget);
    work.retry = flags.retry;
    work.mix = flags.mix;
    const SweepPlan plan = read_plan(*flags.dir);
    expect_programs_allowed(plan);
    return run_sweep_here(*flags.dir, plan, work, flags.quiet);
}

struct StatusFlags {
    std::optional<std::string> dir;
    bool json = false;
    void fields(Flags& f) {
        f.positional("dir", dir);
        f("json", json, "as JSON");
    }
};

/// Progress of all shards together, and how many of them are complete or being worked on.
struct WholeStatus {
    ShardStatus all;
    int busy = 0, complete = 0;
    explicit WholeStatus(const std::vector<ShardStatus>& shards) {
        for (const ShardStatus& s : shards) {
            all.runs += s.runs;
            all.done += s.done;
            all.failed += s.failed;
            busy += s.busy;
            complete += s.done == s.runs;
        }
    }
};

void print_json(const SweepPlan& plan, const ShardStatus& all, const std::vector<ShardStatus>& shards) {
    print_plain("{{\"name\": {}, \"runs\": {}, \"done\": {}, \"failed\": {}, \"shards\": [", toml_quoted(plan.name),
                all.runs, all.done, all.failed);
    for (const ShardStatus& s : shards)
        print_plain("{}{{\"shard\": {}, \"runs\": {}, \"done\": {}, \"failed\": {}, \"busy\": {}}}",
                    s.shard > 1 ? ", " : "", s.shard, s.runs, s.done, s.failed, s.busy);
    print_plain("]}}\n");
}

int show_status(const StatusFlags& flags) {
    if (!flags.dir) fail("expected outrider sweep status DIR [--json]");
    const SweepPlan plan = read_plan(*flags.dir);
    const std::vector<ShardStatus> shards = sweep_status(*flags.dir, plan);
    const WholeStatus whole(shards);
    const ShardStatus& all = whole.all;
    if (flags.json)
        print_json(plan, all, shards);
    else
        print_plain("{}: {} of {} runs done ({:.1f} %), {} failed; {} of {} shards complete, {} being worked on\n",
                    plan.name, all.done, all.runs, 100 * static_cast<double>(all.done) / static_cast<double>(all.runs),
                    all.failed, whole.complete, plan.shards, whole.busy);
    return 0;
}

struct MergeFlags {
    std::optional<std::string> dir, output;
    bool force = false;
    void fields(Flags& f) {
        f.positional("dir", dir);
        f("o,output", output, "RESULTS.sqlite", "the file");
        f("force", force, "overwrite a file that exists");
    }
};

int merge_into(const MergeFlags& flags) {
    if (!flags.dir || !flags.output) fail("expected outrider sweep merge DIR -o RESULTS.sqlite");
    const MergeReport report = merge_sweep(*flags.dir, read_plan(*flags.dir), *flags.output, flags.force);
    print_plain("{}: {} of {} runs, {} failed, digest {}\n", *flags.output, report.done, report.runs, report.failed,
                report.digest);
    print_failures(report.failures, report.failed, *flags.dir);
    return report.complete() ? 0 : 1;
}

struct EmitFlags {
    std::optional<std::string> kind, dir, time;
    std::optional<int> tasks;
    bool allow_external = false;
    void fields(Flags& f) {
        f.positional("kind", kind);
        f.positional("dir", dir);
        f("tasks", tasks, 1, 1000, "N", "workers; otherwise one for each shard");
        f("allow-external", allow_external, "let the workers start the programs that the plan names");
        f("time", time, "LIMIT", "slurm: time limit of a task; longer sweeps are queued again");
    }
};

int emit_script(const EmitFlags& flags) {
    if ((flags.kind != "slurm" && flags.kind != "parallel") || !flags.dir)
        fail("expected outrider sweep emit slurm DIR, or emit parallel DIR");
    const SweepPlan plan = read_plan(*flags.dir);
    ScriptOptions script;
    script.folder = fs::canonical(*flags.dir).string();
    script.program = fs::canonical("/proc/self/exe").string();
    script.tasks = flags.tasks.value_or(0);
    script.allow_external = flags.allow_external;
    if (flags.time) script.time = *flags.time;
    print_plain("{}", Lines{flags.kind == "slurm" ? slurm_script(plan, script) : parallel_script(plan, script)});
    return 0;
}

struct RerunRunFlags {
    std::optional<std::string> dir, log_file;
    std::optional<std::int64_t> run;
    bool force = false;
    void fields(Flags& f) {
        f.positional("dir", dir);
        allow_external(f);
        f("run", run, std::int64_t{0}, INT64_MAX, "N", "its number");
        f("log-file", log_file, "FILE", "the log");
        f("force", force, "overwrite a file that exists");
    }
};

int rerun_run(const RerunRunFlags& flags) {
    if (!flags.dir || !flags.run || !flags.log_file) fail("expected outrider sweep rerun DIR --run N --log-file FILE");
    const std::string& folder = *flags.dir;
    const SweepPlan plan = read_plan(folder);
    expect_within("run", flags.run, 0, plan.runs() - 1);
    const SweepRun run = SweepRuns(plan).at(*flags.run);
    SimulationOptions sim_options;
    sim_options.log_path = *flags.log_file;
    const DoneRun then = done_run(folder, plan, run.id);
    const SweepScenario base = sweep_scenario(plan, run.map, run.cell);
    expect_programs_allowed(base.scenario);
    prepare_database(sim_options.log_path, flags.force);
    sim_options.interrupted = &catch_interrupts();
    Provenance now = provenance_of(base.scenario, &plan.provenance);
    Simulation sim(seeded(base, run.seed), sim_options);
    const EndReason reason = sim.run();
    print_plain("run {}: {} on {}, start {}, repetition {}, seed {}\n", run.id,
                plan.cells[static_cast<std::size_t>(run.cell)].label, plan.maps[static_cast<std::size_t>(run.map)].name,
                run.start, run.repetition, run.seed);
    print_plain("ended after {} steps: {}\nlog {}\n", sim.progress().steps,
                end_reason_texts[static_cast<std::size_t>(reason)], sim_options.log_path);
    if (reason == EndReason::interrupted) return 130;
    if (then.steps_hash.empty() || then.steps_hash == sim.progress().digest.hex()) return 0;
    now.add(reported_versions(sim.scenario(), sim.team()));
    const std::string changes = changes_since(plan.provenance, now);
    print_aside(
        "outrider: these are not the steps that the run had in the sweep{}\n",
        then.fingerprint.empty() && plan.program != program_id()
            ? fmt::format(", which was made by another program ({}) than this one ({})", plan.program, program_id())
        : then.fingerprint == now.fingerprint() ? ", although the same library and strategies decided"
        : changes.empty()                       ? ", in which something else decided (sweep run --mix)"
                                                : fmt::format("; since it was planned, {}", changes));
    return 1;
}

std::vector<Subcommand> sweep_parts() {
    return {
        sweep_plan_command(),
        subcommand<RunSweepFlags, do_sweep>(
            {"sweep run",
             "Do what is left of a sweep. Stopped or killed, it goes on where it was.\n\n"
             "Exit codes: 0 all done, 1 some runs failed, 2 a mistake, 75 stopped with work left.\n",
             "[OPTION...] DIR"},
            "DIR: do what is left, on this machine or as one of several workers"),
        subcommand<StatusFlags, show_status>({"sweep status", "How far a sweep is.\n", "[OPTION...] DIR"},
                                             "DIR: how far it is"),
        subcommand<MergeFlags, merge_into>(
            {"sweep merge", "Gather the results of a sweep in one SQLite file. Exit code 1 when some are missing.\n",
             "[OPTION...] DIR -o RESULTS.sqlite"},
            "DIR -o RESULTS.sqlite: gather the results"),
        report_command(),
        subcommand<EmitFlags, emit_script>(
            {"sweep emit", "Print a script that runs a sweep: slurm or parallel.\n", "[OPTION...] slurm|parallel DIR"},
            "slurm|parallel DIR: print a script for a cluster, or for GNU parallel"),
        subcommand<RerunRunFlags, rerun_run>(
            {"sweep rerun", "Do one run of a sweep once more, with a log for outrider replay, why and log.\n",
             "[OPTION...] DIR --run N --log-file FILE"},
            "DIR --run N --log-file FILE: one run once more, with a log"),
    };
}

int sweep(const HelpPage& page, const Arguments& arguments) {
    return run_part(page, "many runs, from a plan to a report (docs/sweeps.md)", sweep_parts(), arguments);
}

}  // namespace

int run_sweep_here(const std::string& folder, const SweepPlan& plan, SweepWork work_to_do, bool quiet) {
    if (work_to_do.jobs == 0) work_to_do.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    work_to_do.stop = &stop;
    work_to_do.abandon = &abandon;
    break_off_waits(&abandon);
    std::signal(SIGTERM, on_stop);
    std::signal(SIGINT, on_stop);
    install_crash_notes();
    if (quiet) Work::hide();
    std::optional<Work> work(std::in_place, terminal_text("sweep"));
    double shown_s = 0;
    const SweepOutcome outcome = run_sweep(folder, plan, work_to_do, [&](const SweepProgress& p) {
        if (quiet || p.elapsed_s - shown_s < (Work::watched() ? 0.1 : 60)) return;
        shown_s = p.elapsed_s;
        const double rate = static_cast<double>(p.done - p.begun_with) / p.elapsed_s;
        const TerminalText text = terminal_text("{} of {} runs, {:.3g} runs/s, {} left{}", p.done, p.of, rate,
                                                time_text(static_cast<double>(p.of - p.done) / rate),
                                                p.failed > 0 ? fmt::format(", {} failed", p.failed) : "");
        Work::watched() ? work->at(text) : print_aside("{}\n", text.text());
    });
    work.reset();
    const SweepProgress& p = outcome.progress;
    if (!quiet || outcome.stopped || p.failed > 0)
        print_plain("{} of {} runs done, {} of them now in {}{}\n", p.done, p.of, p.done - p.begun_with,
                    time_text(p.elapsed_s), p.failed > 0 ? fmt::format("; {} failed", p.failed) : "");
    print_failures(outcome.failures, p.failed, folder);
    if (outcome.stopped) {
        print_plain("stopped; outrider sweep run {} goes on\n", shell_word(folder));
        return stop_signal == SIGINT ? 130 : exit_stopped;
    }
    return p.failed > 0 ? 1 : 0;
}

Subcommand sweep_command() {
    return {{"sweep", "Many runs, from a plan to a report.\n", "PART [ARGUMENTS]"},
            "many runs, on one machine or a cluster: plan, run, status, merge, report, emit",
            [] { return std::vector<FlagInfo>(); },
            sweep,
            sweep_parts};
}

}  // namespace outrider
