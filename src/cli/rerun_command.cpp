// outrider rerun
#include <algorithm>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "base/programs.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/logged.hpp"
#include "log/replay.hpp"
#include "outrider/error.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

namespace {

struct RerunFlags {
    std::optional<std::string> file, log_file;
    std::optional<int> threads;
    Defaulted<std::string> log{"poses"};
    bool force = false;
    void fields(Flags& f) {
        f("threads", threads, 0, 256, "N", "threads; the result is the same");
        f("log", log, "LEVEL", "what the new log holds: metrics, poses or full").choose(log_level_names);
        allow_external(f);
        f("o,log-file", log_file, "FILE", "write a log of the new run");
        f("force", force, "overwrite a log that exists");
        f.positional("file", file);
    }
};

SimulationOptions options_of(const RerunFlags& flags, const Logged& logged) {
    SimulationOptions options;
    options.log_level = log_level(flags.log.value);
    options.threads = flags.threads.value_or(0);
    options.orders = logged.orders;
    options.stop_after = logged.length();
    options.log_path = flags.log_file.value_or("");
    return options;
}

/// What was decided stands in a full log: whether the robots' maps and messages follow from it as the log says.
int replay_recorded(Logged& logged, const std::string& why) {
    print_aside("note: {}; the decisions that the log holds are replayed instead\n", why);
    const std::atomic<bool>& interrupted = catch_interrupts();
    Replay replay(logged.log);
    HashCheck check(logged.steps);
    while (!interrupted && replay.next()) check.on_step(replay.view());
    if (const auto& d = check.divergence()) {
        print_plain("DAMAGED: at step {} the log's decisions do not lead to what it says of that step\n", d->step);
        return 1;
    }
    if (interrupted) print_plain("interrupted before step {}\n", replay.step() + 1);
    const int code = report(check, logged);
    return interrupted ? 130 : code;
}

/// Whether somebody decided who is not here: a program that drove robots, or stepped the simulation.
bool driven_from_outside(const Logged& logged) {
    const auto& robots = logged.scenario.robots;
    return logged.log.meta().contains("live") || std::any_of(robots.begin(), robots.end(), [](const RobotEntry& r) {
               return strategy_name(r.strategy) == "remote";
           });
}

int rerun(const RerunFlags& flags) {
    const std::string& file = expect_log(flags.file, "rerun");
    if (flags.log.given && !flags.log_file) fail("--log: nowhere to write to: give -o FILE");
    if (flags.log.value == "none") fail("--log none: leave it out to write no log");
    Logged logged(file);
    logged.expect_closed_loop();
    expect_distinct(flags, {"log-file"}, {file});
    if (driven_from_outside(logged)) {
        const std::string why = "other programs drove its robots, and cannot be run again";
        if (!logged.full() || flags.log_file) fail("{}: {}; only its full log could be checked", file, why);
        return replay_recorded(logged, why);
    }
    try {
        expect_programs_allowed(logged.scenario);
    } catch (const ProgramRefused& why) {
        if (!logged.full() || flags.log_file) throw;
        return replay_recorded(logged, why.what());
    }
    std::optional<TakenName> log_name;
    if (flags.log_file) log_name.emplace(take_log_name(flags.log_file, flags.force, logged.scenario));
    SimulationOptions options = options_of(flags, logged);
    options.interrupted = &catch_interrupts();
    Simulation sim(logged.scenario, options);
    HashCheck check(logged.steps);
    StepCount count(logged.length());
    sim.add_observer(count);
    sim.add_observer(check);
    const bool whole = sim.run() != EndReason::interrupted;
    if (!whole)
        print_plain("interrupted after {} of {} steps{}\n", sim.progress().steps, logged.length(),
                    flags.log_file ? "; the new log ends there: " + *flags.log_file : "");
    const int code = report(check, logged);
    return whole ? code : 130;
}

}  // namespace

Subcommand rerun_command() {
    return subcommand<RerunFlags, rerun>(
        {"rerun",
         "Run a log's scenario again and compare every step with the log: 0 the same, 1 diverged.\n\n"
         "  outrider rerun LOG --log full -o NEW   builds what a log of a lower level left out\n\n"
         "Programs that the log names start only with --allow-external; otherwise the decisions of a full log are "
         "replayed and compared.\n",
         "[OPTION...] LOG"},
        "run a log again and compare every step");
}

}  // namespace outrider
