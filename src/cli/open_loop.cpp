#include "cli/open_loop.hpp"

#include <fmt/ranges.h>

#include <cstdio>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "cli/interrupt.hpp"
#include "cli/logged.hpp"
#include "log/open_loop.hpp"
#include "log/open_loop_log.hpp"
#include "outrider/error.hpp"
#include "pictures/belief_picture.hpp"
#include "sensor_log/sensor_log_driver.hpp"
#include "sensor_log/slam_log.hpp"

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

/// Walls and free cells of a map, in a grid that just holds them.
Grid<std::uint8_t> frame_of(const KnownMap& map) {
    Cell low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    map.cells().for_each([&](TileCoord t, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (int column = 0; column < tile_size; ++column)
                if (const Cell c = cell_of(t, column, row); tile.known.test(c)) {
                    low = {std::min(low.x, c.x), std::min(low.y, c.y)};
                    high = {std::max(high.x, c.x), std::max(high.y, c.y)};
                }
    });
    if (low.x > high.x) low = high = {0, 0};
    return {high.x - low.x + 1, high.y - low.y + 1, 0, map.lattice(), low};
}

/// The log of a real robot: where it would have gone by this strategy, at every scan.
int run_on_sensor_log(const cxxopts::ParseResult& result, const std::string& file) {
    for (const char* option : {"scenario", "map", "import-mresim", "import-positions", "robots", "log", "log-file"})
        if (result.count(option)) fail("--{} does not go with the log of a real robot", option);
    const std::string strategy = result.count("strategy") ? result["strategy"].as<std::string>() : "nearest";
    expect_distinct(result, {"csv", "png"}, {file});
    const bool force = result.count("force") > 0;
    RobotOptions options;
    options.slam.method = SlamMethod::scan_match;
    std::vector<Setting> settings;
    if (result.count("set"))
        for (const std::string& text : result["set"].as<std::vector<std::string>>())
            for (Setting& s : parse_settings(text, "--set")) {
                if (!s.key.starts_with("slam."))
                    fail("--set {}: with the log of a real robot, expected an option of [slam]", text);
                s.key.erase(0, 5);
                settings.push_back(std::move(s));
            }
    SettingReader reader(settings, "slam.");
    options.slam.fields(reader);
    reader.expect_all_used();
    const auto seed = static_cast<std::uint64_t>(whole_number(result, "seed", 0, INT64_MAX).value_or(1));
    const auto steps = whole_number(result, "steps", 1, 10'000'000).value_or(INT32_MAX);
    const std::unique_ptr<OutputFile> csv =
        result.count("csv") ? std::make_unique<OutputFile>(result["csv"].as<std::string>(), force) : nullptr;
    if (result.count("png")) OutputFile(result["png"].as<std::string>(), force);

    if (options.slam.method == SlamMethod::localise) {
        if (options.slam.map.empty()) fail("--set slam.method=localise: expected slam.map = FILE, too");
        options.given_map =
            std::make_shared<const Grid<std::uint8_t>>(read_given_map(options.slam.map, options.slam.cell_m));
    }
    const std::atomic<bool>& interrupted = catch_interrupts();
    SensorLog log = read_sensor_log(file, options.slam.seed);
    set_range(result, log);
    for (const std::string& note : log.notes) print_aside("note: {}\n", note);
    if (log.odd > 0) print_aside("note: {} odd lines are left out, first {}\n", log.odd, log.first_odd);
    SensorLogDriver driver(log);
    std::vector<Robot> team;
    const Briefing briefing = driver.briefing(0.1);
    team.emplace_back(briefing, options, make_strategy(strategy, "--strategy", briefing.lattice.cell_m), seed);
    const Belief& belief = team[0].belief();
    if (csv) csv->write("step,x_m,y_m,yaw_deg,goal_x_m,goal_y_m,done\n");
    Run run{driver, team, {}, {}};
    run.limits.steps = INT32_MAX;
    int goals = 0;
    std::optional<Point> last;
    while (run.steps < steps && !interrupted && step(run) != EndReason::log_ended) {
        const auto& goal = belief.latest(belief.self()).goal;
        goals += goal && goal != last;
        last = goal;
        if (!csv) continue;
        const Pose& p = belief.pose();
        csv->write(fmt::format("{},{:.4f},{:.4f},{:.3f},{},{}\n", run.steps - 1, p.x, p.y, degrees(p.yaw),
                               goal ? fmt::format("{:.2f},{:.2f}", goal->x, goal->y) : ",", run.decisions[0].done));
    }
    if (interrupted) {
        fmt::print("interrupted after {} of {} scans; {}\n", run.steps, log.scans.size(),
                   run.steps > 0 ? "what follows, and what is written, is about these" : "nothing is written");
        if (run.steps == 0) return 130;
    }
    std::int64_t known = 0;
    belief.map().cells().for_each([&](TileCoord, const CellTile& tile) { known += tile.known.count(); });
    fmt::print("{}: {} scans, strategy {}\n", file, run.steps, strategy);
    fmt::print("known                {:.1f} m2\n", static_cast<double>(known) * 0.01);
    fmt::print("goals                {} different ones in a row\n", goals);
    fmt::print("hash of all steps    {}\n", run.digest.hex());
    if (csv) csv->commit();
    if (result.count("png")) {
        OutputFile out(result["png"].as<std::string>(), force);
        out.write(encode_png(draw_belief(team[0], run.decisions[0], frame_of(belief.map()), strategy + " on " + file)));
        out.commit();
    }
    return interrupted ? 130 : 0;
}

}  // namespace

int run_open_loop(const cxxopts::ParseResult& result) {
    if (result.count("replay") && is_sensor_log(result["replay"].as<std::string>()))
        return run_on_sensor_log(result, result["replay"].as<std::string>());
    for (const char* option :
         {"scenario", "map", "import-mresim", "import-positions", "robots", "seed", "steps", "set", "png", "range"})
        if (result.count(option))
            fail("--{} does not go with --replay: all but the strategy is as the log says", option);
    if (result.count("log") &&
        (log_level(result["log"].as<std::string>()) != LogLevel::full || !result.count("log-file")))
        fail("--log {}: with --replay a log is always full; give --log-file FILE", result["log"].as<std::string>());
    const auto file = result["replay"].as<std::string>();
    expect_distinct(result, {"csv", "log-file"}, {file});
    const std::atomic<bool>& interrupted = catch_interrupts();
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
        print_aside(
            "open loop: the robots perceive what was perceived in the log, whatever they decide now; what they "
            "decide is compared and leads nowhere\n");
    const ThreadLimit limit(static_cast<int>(whole_number(result, "threads", 1, 256).value_or(1)));
    const OpenLoop loop = run_open_loop(
        then, scenario,
        [&](const StepView& view, const std::vector<std::uint8_t>& differs) {
            if (log) log->add(view, then);
            for (std::size_t i = 0; csv && i < view.team.size(); ++i)
                if (view.percepts[i].alive)
                    csv->write(fmt::format("{},{},{},{},{},{}\n", view.step, i, csv_field(scenario.robots[i].name),
                                           differs[i], goal_of(then.team()[i]), goal_of(view.team[i])));
        },
        log.has_value(), &interrupted);
    if (log) log->finish(loop.interrupted);
    if (loop.interrupted)
        fmt::print("interrupted after {} of {} steps{}\n", loop.steps, logged.length(),
                   log ? fmt::format("; the new log ends after {}, with its last whole chunk", log->steps()) : "");
    if (loop.cut_short) print_aside("note: it ends where the log is damaged: {}\n", fmt::join(then.damaged(), "; "));
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
    return loop.interrupted ? 130 : 0;
}

}  // namespace outrider
