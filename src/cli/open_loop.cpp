#include "cli/open_loop.hpp"

#include <fmt/ranges.h>

#include <cstdio>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "cli/logged.hpp"
#include "outrider/error.hpp"
#include "run/open_loop.hpp"
#include "run/open_loop_log.hpp"

namespace outrider {
namespace {

void print_differences(const Logged& logged, const OpenLoop& loop) {
    if (loop.first < 0) {
        fmt::print("the same decisions in all steps\n");
        return;
    }
    const auto name = [&](std::size_t i) { return logged.scenario.robots[i].name; };
    std::vector<std::string> first;
    for (const RobotId robot : loop.first_robots) first.push_back(name(static_cast<std::size_t>(robot)));
    fmt::print("first difference at step {}: {}\n\n", loop.first, fmt::join(first, ", "));
    fmt::print("{:<12}{:>16}{:>24}\n", "robot", "first at step", "decides otherwise in");
    for (std::size_t i = 0; i < loop.robots.size(); ++i) {
        const Differences& d = loop.robots[i];
        fmt::print("{:<12}{:>16}{:>24}\n", name(i), d.first < 0 ? std::string("never") : std::to_string(d.first),
                   fmt::format("{} of {} steps", d.steps, d.alive));
    }
}

}  // namespace

int run_open_loop(const cxxopts::ParseResult& result) {
    for (const char* option :
         {"scenario", "map", "import-mresim", "import-positions", "robots", "seed", "steps", "set", "png"})
        if (result.count(option))
            fail("--{} does not go with --replay: all but the strategy is as the log says", option);
    if (result.count("log") &&
        (log_level(result["log"].as<std::string>()) != LogLevel::full || !result.count("log-file")))
        fail("--log {}: with --replay a log is always full; give --log-file FILE", result["log"].as<std::string>());
    const auto file = result["replay"].as<std::string>();
    expect_distinct(result, {"csv", "log-file"}, {file});
    Logged logged(file);
    Replay then(logged.log);
    Scenario scenario = logged.scenario;
    if (result.count("strategy")) {
        scenario.script.reset();  // what robots decide now is asked for, not where they stood
        for (RobotEntry& r : scenario.robots)
            if (r.role != Role::base) r.strategy = result["strategy"].as<std::string>();
    }
    const std::unique_ptr<OutputFile> csv =
        result.count("csv") ? std::make_unique<OutputFile>(result["csv"].as<std::string>(), result.count("force") > 0)
                            : nullptr;
    if (csv) csv->write("step,robot,name,differs,then_x_m,then_y_m,now_x_m,now_y_m\n");
    std::optional<OpenLoopLog> log;
    if (result.count("log-file")) {
        const auto path = result["log-file"].as<std::string>();
        prepare_database(path, result.count("force") > 0);
        log.emplace(path, logged.log, scenario, then.briefings());
    }
    const auto goal_of = [&](const Robot& robot) {
        const auto& goal = robot.belief().latest(robot.belief().self()).goal;
        if (!goal) return std::string(",");
        const Point p = logged.on_map(*goal);
        return fmt::format("{},{}", p.x, p.y);
    };

    if (!result.count("quiet"))
        fmt::print(stderr,
                   "open loop: the robots perceive what was perceived in the log, whatever they decide now; what they "
                   "decide is compared and leads nowhere\n");
    const ThreadLimit limit(static_cast<int>(whole_number(result, "threads", 1, 256).value_or(1)));
    const OpenLoop loop = run_open_loop(
        then, scenario,
        [&](const StepView& view, const std::vector<std::uint8_t>& differs) {
            if (log) log->add(view, then);
            for (std::size_t i = 0; csv && i < view.team.size(); ++i)
                if (view.percepts[i].alive)
                    csv->write(fmt::format("{},{},{},{},{},{}\n", view.step, i, scenario.robots[i].name, differs[i],
                                           goal_of(then.team()[i]), goal_of(view.team[i])));
        },
        log.has_value());
    if (log) log->finish();
    if (loop.cut_short)
        fmt::print(stderr, "note: it ends where the log is damaged: {}\n", fmt::join(then.damaged(), "; "));
    fmt::print("{}: {} steps, strategy {}\n", logged.scenario.name, loop.steps,
               result.count("strategy") ? result["strategy"].as<std::string>() : "as in the log");
    print_differences(logged, loop);
    if (csv) {
        csv->commit();
        fmt::print("\ncsv                  {}\n", csv->path());
    }
    if (log)
        fmt::print("\nlog                  {}\ndigest               {}\n", log->path(),
                   LogReader(log->path()).digest().hex());
    return 0;
}

}  // namespace outrider
