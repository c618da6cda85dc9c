// outrider branch
#include <algorithm>
#include <filesystem>

#include "arguments/arguments.hpp"
#include "arguments/own_strategies.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/logged.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "robot/switch_strategy.hpp"
#include "simulation/simulation.hpp"

namespace outrider {
namespace {

struct BranchFlags {
    std::optional<std::string> file, strategy, log_file;
    std::optional<int> step, threads;
    std::vector<std::string> robot, set;
    Defaulted<std::string> log{"full"};
    bool force = false;
    void fields(Flags& f) {
        f.positional("file", file);
        f("step", step, 0, INT32_MAX, "N", "the step in which the other way begins");
        f("strategy", strategy, "\"name(option=value)\"",
          "who decides from then on; it begins without knowing what was decided before");
        f("robot", robot, "R", "of this robot alone, a name or a number; may be repeated");
        f("set", set, "key=value",
          "an option that takes effect at step N or later: robot.r2.dies_at_step=120, run.steps=2000; may be repeated");
        f("log", log, "LEVEL", "what the new log holds: metrics, poses or full").choose(log_level_names);
        f("o,log-file", log_file, "FILE",
          "the log of the new run; otherwise a new name beside the old one: LOG_stepN.sqlite");
        f("threads", threads, 0, 256, "N", "threads; the result is the same");
        allow_external(f);
        f("force", force, "overwrite a log that exists");
    }
};

/// The settings of --set. A log states the options of each robot: those of the whole team are set for each.
std::vector<Setting> settings_for(const std::vector<std::string>& set) {
    std::vector<Setting> all = settings_of(set);
    for (std::size_t i = 0, given = all.size(); i < given; ++i) {
        Setting each = all[i];
        if (each.key == "comm.range_m")
            each.key = "robot.*.radio_range_m";
        else if (each.key.starts_with("body.") || each.key.starts_with("sensor."))
            each.key = "robot.*." + each.key;
        else
            continue;
        all.push_back(each);
    }
    return all;
}

/// The scenario of the log, other from the step on.
Scenario branched(Logged& logged, const BranchFlags& flags) {
    Scenario s = logged.log.scenario(settings_for(flags.set));
    if (!flags.strategy) return s;
    const std::string then = typed_strategy(*flags.strategy, "--strategy");
    make_strategy(then, "--strategy", s.map.cell_m);
    std::vector<RobotId> chosen;
    for (const std::string& name : flags.robot) chosen.push_back(logged.robot(name));
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        RobotEntry& robot = s.robots[i];
        const bool wanted = chosen.empty()
                                ? robot.role != Role::base && robot.body.speed_mps > 0
                                : std::find(chosen.begin(), chosen.end(), static_cast<RobotId>(i)) != chosen.end();
        if (!wanted) continue;
        // A branch of a branch: what decided before that step.
        const std::vector<std::string> before = switched_between(robot.strategy, robot.name);
        if (before.size() > 1)
            fail("the log is a branch itself: robot '{}' has the strategy {}; branch the log that it came from",
                 robot.name, robot.strategy);
        robot.strategy = switch_text(robot.strategy, then, *flags.step);
        make_strategy(robot.strategy, "--strategy", s.map.cell_m);
    }
    return s;
}

/// This name; otherwise one beside the log that was free: run_step120.sqlite, run_step120_2.sqlite, ...
TakenName take_branch_name(const std::optional<std::string>& file, bool force, const std::string& log, int step) {
    if (file) {
        prepare_database(*file, force);
        return TakenName(*file);
    }
    const std::filesystem::path path(log);
    const std::string stem = (path.parent_path() / path.stem()).string();
    return TakenName(
        [&](int k) { return fmt::format("{}_step{}{}.sqlite", stem, step, k == 1 ? "" : fmt::format("_{}", k)); });
}

/// Steps of 90 and 99 % and what is known in the end, of a run.
std::string in_short(const std::vector<StepMetrics>& steps) {
    std::string out = fmt::format("{} steps", steps.size());
    for (const double share : {0.9, 0.99}) {
        const auto at =
            std::find_if(steps.begin(), steps.end(), [&](const StepMetrics& m) { return m.team_share >= share; });
        out += fmt::format(", {:.0f} % {}", 100 * share, at == steps.end() ? "never" : fmt::format("at {}", at->step));
    }
    return out + fmt::format(", base knows {:.2f} %", steps.empty() ? 0 : 100 * steps.back().base_share);
}

int branch(const BranchFlags& flags) {
    if (!flags.file || !flags.step) fail("expected outrider branch LOG --step N --strategy X | --set key=value");
    const std::string& file = *flags.file;
    if (!flags.strategy && flags.set.empty())
        fail("expected --strategy or --set: what is to be other from step {} on", *flags.step);
    if (!flags.robot.empty() && !flags.strategy)
        fail("--robot says for whom --strategy is; options of a robot: --set robot.NAME.key=value");
    if (flags.log.value == "none") fail("--log none: expected a level that holds something");
    Logged logged(file);
    logged.expect_closed_loop();
    if (logged.scenario.script) fail("{}: its robots follow a script: nobody decides", file);
    expect_within("step", *flags.step, 0, logged.length());
    expect_distinct(flags, {"log-file"}, {file});
    const Scenario scenario = branched(logged, flags);
    expect_programs_allowed(scenario);
    const TakenName taken = take_branch_name(flags.log_file, flags.force, file, *flags.step);
    const std::string& output = taken.path();

    SimulationOptions options;
    options.threads = flags.threads.value_or(0);
    options.interrupted = &catch_interrupts();
    options.log_level = log_level(flags.log.value);
    options.log_path = output;
    for (const OperatorOrder& order : logged.orders)
        if (order.step < *flags.step) options.orders.push_back(order);
    std::optional<Simulation> run(std::in_place, scenario, options);
    Simulation& sim = *run;
    HashCheck check(logged.steps);
    StepCount count(logged.length());
    sim.add_observer(count);
    sim.add_observer(check);
    while (!sim.done()) {
        sim.step();
        if (!check.divergence() || check.divergence()->step >= *flags.step) continue;
        const int at = check.divergence()->step;
        run.reset();
        std::filesystem::remove(output);
        fail("the run is another one from step {} on, before step {}: {}", at, *flags.step,
             flags.set.empty() ? "the new strategy needs marks on maps that the old ones did not keep, or the program "
                                 "decides otherwise than the one that wrote the log (outrider rerun)"
                               : "--set takes options that take effect at that step or later");
    }
    const EndReason end = sim.finish();
    const std::string first = check.divergence() ? fmt::format("the same up to step {}", check.divergence()->step - 1)
                                                 : "the same in all steps";
    print_plain("{}\nbefore   {}\nbranch   {}\nlog      {}\n", first, in_short(logged.steps.metrics),
                in_short(sim.metrics().steps()), output);
    print_plain("\nside by side: outrider replay {} {} --html both.html\n", shell_word(file), shell_word(output));
    return end == EndReason::interrupted ? 130 : 0;
}

}  // namespace

Subcommand branch_command() {
    return subcommand<BranchFlags, branch>(
        {"branch",
         "Run a log again up to a step and go on from there with another strategy, or with options that take effect "
         "later: what would have happened? It is checked that all is as in the log before that step.\n",
         "[OPTION...] LOG --step N --strategy X | --set key=value"},
        "go on from a step of a log with another strategy or option");
}

}  // namespace outrider
