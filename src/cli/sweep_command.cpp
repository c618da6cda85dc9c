// outrider sweep
#include "cli/sweep_command.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "arguments/arguments.hpp"
#include "base/child_process.hpp"
#include "base/output.hpp"
#include "batch/sweep_file.hpp"
#include "batch/sweep_merge.hpp"
#include "batch/sweep_script.hpp"
#include "batch/sweep_worker.hpp"
#include "cli/interrupt.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

constexpr int exit_stopped = 75;  // work is left: come back

std::atomic<bool> stop{false}, abandon{false};
std::atomic<int> stop_signal{0};

extern "C" void on_stop(int signal) {
    if (stop) abandon = true;  // asked twice
    stop = true;
    stop_signal = signal;
}

std::string clock_text(double s) {
    const auto whole = static_cast<std::int64_t>(std::ceil(s));
    return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                        : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
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
        print_aside("outrider sweep rerun {} --run N shows one; sweep run --retry tries them again\n", folder);
}

int plan_sweep(const Arguments& arguments) {
    cxxopts::Options options("outrider sweep plan", "Write the plan of a sweep: every run, in a fixed order.\n");
    options.add_options()("file", "", cxxopts::value<std::string>())("o,output", "folder of the sweep",
                                                                     cxxopts::value<std::string>(), "DIR")(
        "shards", "parts that workers take; otherwise as the file says, or about fifty runs each",
        cxxopts::value<std::string>(), "N");
    options.parse_positional({"file"});
    options.positional_help("SWEEP.toml -o DIR");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("file") || !result->count("output"))
        fail("expected outrider sweep plan SWEEP.toml -o DIR; see outrider sweep plan --help");
    const auto folder = (*result)["output"].as<std::string>();
    const SweepPlan plan = read_sweep((*result)["file"].as<std::string>(),
                                      static_cast<int>(whole_number(*result, "shards", 1, 1000).value_or(0)));
    write_plan(plan, folder);
    fmt::print("{}: {} runs: {} maps x {} starts x {} cells{}, in {} shards\n", folder, plan.runs(), plan.maps.size(),
               plan.starts.size(), plan.cells.size(),
               plan.repetitions > 1 ? fmt::format(" x {} repetitions", plan.repetitions) : "", plan.shards);
    fmt::print("Run it with  outrider sweep run {}\n", folder);
    return 0;
}

int run_sweep_command(const Arguments& arguments) {
    cxxopts::Options options("outrider sweep run",
                             "Do what is left of a sweep. Stopped or killed, it goes on where it was.\n\n"
                             "Exit codes: 0 all done, 1 some runs failed, 2 a mistake, 75 stopped with work left.\n");
    options.add_options()("dir", "", cxxopts::value<std::string>())(
        "shard", "be the i-th of N workers; each takes every N-th shard", cxxopts::value<std::string>(), "i/N")(
        "jobs", "runs at a time; 0: one per core", cxxopts::value<std::string>(), "K")(
        "time-budget", "begin no run after that time and end with 75", cxxopts::value<std::string>(), "50m")(
        "retry", "run again what failed")("quiet", "no progress");
    options.parse_positional({"dir"});
    options.positional_help("DIR");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("dir")) fail("expected outrider sweep run DIR; see outrider sweep run --help");
    const auto folder = (*result)["dir"].as<std::string>();
    SweepWork work;
    if (result->count("shard")) read_shard((*result)["shard"].as<std::string>(), work);
    work.jobs = static_cast<int>(whole_number(*result, "jobs", 0, 256).value_or(0));
    if (result->count("time-budget")) work.budget_s = duration((*result)["time-budget"].as<std::string>());
    work.retry = result->count("retry") > 0;
    return run_sweep_here(folder, read_plan(folder), work, result->count("quiet") > 0);
}

int status_sweep(const Arguments& arguments) {
    cxxopts::Options options("outrider sweep status", "How far a sweep is.\n");
    options.add_options()("dir", "", cxxopts::value<std::string>())("json", "as JSON");
    options.parse_positional({"dir"});
    options.positional_help("DIR");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("dir")) fail("expected outrider sweep status DIR [--json]");
    const auto folder = (*result)["dir"].as<std::string>();
    const SweepPlan plan = read_plan(folder);
    const std::vector<ShardStatus> shards = sweep_status(folder, plan);
    ShardStatus all;
    int busy = 0, complete = 0;
    for (const ShardStatus& s : shards) {
        all.runs += s.runs;
        all.done += s.done;
        all.failed += s.failed;
        busy += s.busy;
        complete += s.done == s.runs;
    }
    if (result->count("json")) {
        fmt::print("{{\"name\": {}, \"runs\": {}, \"done\": {}, \"failed\": {}, \"shards\": [", toml_quoted(plan.name),
                   all.runs, all.done, all.failed);
        for (const ShardStatus& s : shards)
            fmt::print("{}{{\"shard\": {}, \"runs\": {}, \"done\": {}, \"failed\": {}, \"busy\": {}}}",
                       s.shard > 1 ? ", " : "", s.shard, s.runs, s.done, s.failed, s.busy);
        fmt::print("]}}\n");
    } else {
        fmt::print("{}: {} of {} runs done ({:.1f} %), {} failed; {} of {} shards complete, {} being worked on\n",
                   plan.name, all.done, all.runs, 100 * static_cast<double>(all.done) / static_cast<double>(all.runs),
                   all.failed, complete, plan.shards, busy);
    }
    return 0;
}

int merge_command(const Arguments& arguments) {
    cxxopts::Options options("outrider sweep merge",
                             "Gather the results of a sweep in one SQLite file. Exit code 1 when some are missing.\n");
    options.add_options()("dir", "", cxxopts::value<std::string>())(
        "o,output", "the file", cxxopts::value<std::string>(), "RESULTS.sqlite")("force",
                                                                                 "overwrite a file that exists");
    options.parse_positional({"dir"});
    options.positional_help("DIR -o RESULTS.sqlite");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("dir") || !result->count("output")) fail("expected outrider sweep merge DIR -o RESULTS.sqlite");
    const auto folder = (*result)["dir"].as<std::string>(), output = (*result)["output"].as<std::string>();
    const MergeReport report = merge_sweep(folder, read_plan(folder), output, result->count("force") > 0);
    fmt::print("{}: {} of {} runs, {} failed, digest {}\n", output, report.done, report.runs, report.failed,
               report.digest);
    print_failures(report.failures, report.failed, folder);
    return report.complete() ? 0 : 1;
}

int emit_sweep(const Arguments& arguments) {
    cxxopts::Options options("outrider sweep emit", "Print a script that runs a sweep: slurm or parallel.\n");
    options.add_options()("kind", "", cxxopts::value<std::string>())("dir", "", cxxopts::value<std::string>())(
        "tasks", "workers; otherwise one for each shard", cxxopts::value<std::string>(), "N")(
        "time", "slurm: time limit of a task; longer sweeps are queued again", cxxopts::value<std::string>(), "LIMIT");
    options.parse_positional({"kind", "dir"});
    options.positional_help("slurm|parallel DIR");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    const std::string kind = result->count("kind") ? (*result)["kind"].as<std::string>() : std::string();
    if ((kind != "slurm" && kind != "parallel") || !result->count("dir"))
        fail("expected outrider sweep emit slurm DIR, or emit parallel DIR");
    const auto folder = (*result)["dir"].as<std::string>();
    const SweepPlan plan = read_plan(folder);
    ScriptOptions script;
    script.folder = fs::canonical(folder).string();
    script.program = fs::canonical("/proc/self/exe").string();
    script.tasks = static_cast<int>(whole_number(*result, "tasks", 1, 1000).value_or(0));
    if (result->count("time")) script.time = (*result)["time"].as<std::string>();
    fmt::print("{}", kind == "slurm" ? slurm_script(plan, script) : parallel_script(plan, script));
    return 0;
}

int rerun_run(const Arguments& arguments) {
    cxxopts::Options options("outrider sweep rerun",
                             "Do one run of a sweep once more, with a log for outrider replay, why and log.\n");
    options.add_options()("dir", "", cxxopts::value<std::string>())(
        "run", "its number", cxxopts::value<std::string>(), "N")("log-file", "the log", cxxopts::value<std::string>(),
                                                                 "FILE")("force", "overwrite a file that exists");
    options.parse_positional({"dir"});
    options.positional_help("DIR --run N --log-file FILE");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("dir") || !result->count("run") || !result->count("log-file"))
        fail("expected outrider sweep rerun DIR --run N --log-file FILE");
    const auto folder = (*result)["dir"].as<std::string>();
    const SweepPlan plan = read_plan(folder);
    const SweepRun run = SweepRuns(plan).at(*whole_number(*result, "run", 0, plan.runs() - 1));
    SimulationOptions sim_options;
    sim_options.log_path = (*result)["log-file"].as<std::string>();
    const std::string steps_then = steps_hash_of(folder, plan, run.id);
    prepare_database(sim_options.log_path, result->count("force") > 0);
    sim_options.interrupted = &catch_interrupts();
    Simulation sim(seeded(sweep_scenario(plan, run.map, run.cell), run.seed), sim_options);
    const EndReason reason = sim.run();
    fmt::print("run {}: {} on {}, start {}, repetition {}, seed {}\n", run.id,
               plan.cells[static_cast<std::size_t>(run.cell)].label, plan.maps[static_cast<std::size_t>(run.map)].name,
               run.start, run.repetition, run.seed);
    fmt::print("ended after {} steps: {}\nlog {}\n", sim.progress().steps,
               end_reason_texts[static_cast<std::size_t>(reason)], sim_options.log_path);
    if (reason == EndReason::interrupted) return 130;
    if (steps_then.empty() || steps_then == sim.progress().digest.hex()) return 0;
    print_aside(
        "outrider: these are not the steps that the run had in the sweep{}\n",
        plan.program == program_id()
            ? std::string()
            : fmt::format(", which was made by another program ({}) than this one ({})", plan.program, program_id()));
    return 1;
}

}  // namespace

int run_sweep_here(const std::string& folder, const SweepPlan& plan, SweepWork work, bool quiet) {
    if (work.jobs == 0) work.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    work.stop = &stop;
    work.abandon = &abandon;
    break_off_waits(&abandon);
    std::signal(SIGTERM, on_stop);
    std::signal(SIGINT, on_stop);
    install_crash_notes();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    double shown_s = 0;
    const SweepOutcome outcome = run_sweep(folder, plan, work, [&](const SweepProgress& p) {
        if (quiet || p.elapsed_s - shown_s < (terminal ? 0.1 : 60)) return;
        shown_s = p.elapsed_s;
        const double rate = static_cast<double>(p.done - p.begun_with) / p.elapsed_s;
        print_aside("{}{} of {} runs, {:.3g} runs/s, {} left{}{}", terminal ? "\r" : "", p.done, p.of, rate,
                    clock_text(static_cast<double>(p.of - p.done) / rate),
                    p.failed > 0 ? fmt::format(", {} failed", p.failed) : "", terminal ? "\x1b[K" : "\n");
    });
    if (terminal && !quiet) std::fputs("\r\x1b[K", stderr);
    const SweepProgress& p = outcome.progress;
    if (!quiet || outcome.stopped || p.failed > 0)
        fmt::print("{} of {} runs done, {} of them now in {}{}\n", p.done, p.of, p.done - p.begun_with,
                   clock_text(p.elapsed_s), p.failed > 0 ? fmt::format("; {} failed", p.failed) : "");
    print_failures(outcome.failures, p.failed, folder);
    if (outcome.stopped) {
        fmt::print("stopped; outrider sweep run {} goes on\n", folder);
        return stop_signal == SIGINT ? 130 : exit_stopped;
    }
    return p.failed > 0 ? 1 : 0;
}

int sweep_command(const Arguments& arguments) {
    struct Part {
        const char* name;
        int (*run)(const Arguments&);
        const char* what;
    };
    constexpr Part parts[] = {
        {"plan", plan_sweep, "SWEEP.toml -o DIR: write the plan"},
        {"run", run_sweep_command, "DIR: do what is left, on this machine or as one of several workers"},
        {"status", status_sweep, "DIR: how far it is"},
        {"merge", merge_command, "DIR -o RESULTS.sqlite: gather the results"},
        {"report", report_command, "DIR|RESULTS.sqlite -o REPORT.html: figures, tables, verdicts"},
        {"emit", emit_sweep, "slurm|parallel DIR: print a script for a cluster, or for GNU parallel"},
        {"rerun", rerun_run, "DIR --run N --log-file FILE: one run once more, with a log"},
    };
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
        std::puts("outrider sweep: many runs, from a plan to a report (docs/sweeps.md)\n");
        for (const Part& part : parts) fmt::print("  outrider sweep {:<8}{}\n", part.name, part.what);
        std::puts("\n  outrider sweep PART --help says more.");
        return 0;
    }
    std::vector<std::string> names;
    for (const Part& part : parts) {
        if (arguments[0] == part.name) return part.run({arguments.begin() + 1, arguments.end()});
        names.emplace_back(part.name);
    }
    const std::string near = nearest_name(arguments[0], names);
    fail("outrider sweep {}: expected {}{}", arguments[0], fmt::join(names, ", "),
         near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

}  // namespace outrider
