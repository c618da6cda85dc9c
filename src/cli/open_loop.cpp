// outrider run --replay LOG: another strategy on the percepts of an old log.
#include <fmt/ranges.h>

#include <cstdio>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "cli/interrupt.hpp"
#include "cli/logged.hpp"
#include "cli/run_flags.hpp"
#include "log/open_loop.hpp"
#include "log/open_loop_log.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "pictures/belief_picture.hpp"
#include "recording/sensor_log_run.hpp"

namespace outrider {
namespace {

void print_differences(const Logged& logged, const OpenLoop& loop) {
    if (loop.first < 0) {
        print_plain("the same decisions in all steps\n");
        return;
    }
    const auto name = [&](std::size_t i) { return logged.scenario.robots[i].name; };
    std::vector<std::string> first;
    for (const RobotId robot : loop.first_robots) first.push_back(name(static_cast<std::size_t>(robot)));
    print_plain("first difference at step {}: {}\n\n", loop.first, fmt::join(first, ", "));
    print_plain("{:<12}{:>16}{:>24}\n", "robot", "first at step", "decides otherwise in");
    for (std::size_t i = 0; i < loop.robots.size(); ++i) {
        const Differences& d = loop.robots[i];
        print_plain("{:<12}{:>16}{:>24}\n", name(i), d.first < 0 ? std::string("never") : std::to_string(d.first),
                    fmt::format("{} of {} steps", d.steps, d.alive));
    }
}

/// Walls and free cells of a map, in the smallest grid that holds them.
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

/// Throws Error where one of these flags is given.
void expect_without(const RunFlags& flags, std::initializer_list<const char*> others, const char* why) {
    for (const char* other : others)
        if (given(flags, other)) fail("--{} does not go with {}", other, why);
}

/// Settings of [slam], as --set gives them.
std::vector<Setting> slam_settings(const std::vector<std::string>& set) {
    std::vector<Setting> settings;
    for (const std::string& text : set)
        for (Setting& s : parse_settings(text, "--set")) {
            if (!s.key.starts_with("slam."))
                fail("--set {}: with the log of a real robot, expected an option of [slam]", text);
            settings.push_back(std::move(s));
        }
    return settings;
}

void print_notes(const SensorLog& log) {
    for (const std::string& note : log.notes) print_aside("note: {}\n", note);
    if (log.odd > 0) print_aside("note: {} odd lines are left out, first {}\n", log.odd, log.first_odd);
}

/// Returns how often the robot took another goal than before. Writes a row for each step.
int follow(SensorLogRun& run, std::int64_t steps, OutputFile* csv, const std::atomic<bool>& interrupted) {
    const Belief& belief = run.robot().belief();
    int goals = 0;
    std::optional<Point> last;
    if (csv) csv->write("step,x_m,y_m,yaw_deg,goal_x_m,goal_y_m,done\n");
    while (run.progress().steps < steps && !interrupted && run.step()) {
        const auto& goal = belief.latest(belief.self()).goal;
        goals += goal && goal != last;
        last = goal;
        if (!csv) continue;
        const Pose& p = belief.pose();
        csv->write(fmt::format("{},{:.4f},{:.4f},{:.3f},{},{}\n", run.progress().steps - 1, p.x, p.y, degrees(p.yaw),
                               goal ? fmt::format("{:.2f},{:.2f}", goal->x, goal->y) : ",",
                               run.progress().decisions[0].done));
    }
    return goals;
}

void print_recorded(const std::string& file, const std::string& strategy, const SensorLogRun& run, int goals) {
    std::int64_t known = 0;
    run.robot().map().cells().for_each([&](TileCoord, const CellTile& tile) { known += tile.known.count(); });
    print_plain("{}: {} scans, strategy {}\n", file, run.progress().steps, strategy);
    print_plain("known                {:.1f} m2\n", static_cast<double>(known) * recorded_cell_m * recorded_cell_m);
    print_plain("goals                {} different ones in a row\n", goals);
    print_plain("hash of all steps    {}\n", run.progress().digest.hex());
}

/// On the log of a real robot: the goals of this strategy at every scan.
int run_on_sensor_log(const RunFlags& flags, const std::string& file) {
    expect_without(flags, {"scenario", "map", "import-mresim", "import-positions", "robots", "foxglove"},
                   "the log of a real robot");
    if (flags.log.given && (flags.log.value != "full" || !flags.log_file))
        fail("--log {}: with --replay a log is always full; give --log-file FILE", flags.log.value);
    RecordedOptions options;
    options.strategy = flags.scenario.strategy.value_or("nearest");
    options.slam = slam_settings(flags.scenario.set);
    options.seed = static_cast<std::uint64_t>(flags.scenario.seed.value_or(1));
    expect_distinct(flags, {"csv", "png", "log-file"}, {file});
    const std::unique_ptr<OutputFile> csv = flags.csv ? std::make_unique<OutputFile>(*flags.csv, flags.force) : nullptr;
    if (flags.png) OutputFile(*flags.png, flags.force);
    const RobotOptions robot = robot_options(options);

    const std::atomic<bool>& interrupted = catch_interrupts();
    SensorLog log = read_sensor_log(file, robot.slam.seed);
    set_range(flags.range, log);
    print_notes(log);
    allow_typed(options.strategy, "--strategy");
    if (flags.log_file) prepare_database(*flags.log_file, flags.force);
    SensorLogRun run(log, options, flags.log_file.value_or(""), interrupted);
    const int goals = follow(run, flags.scenario.steps.value_or(INT32_MAX), csv.get(), interrupted);
    if (interrupted) {
        print_plain(
            "interrupted after {} of {} scans; {}\n", run.progress().steps, log.scans.size(),
            run.progress().steps > 0 ? "what follows, and what is written, is about these" : "nothing is written");
        if (run.progress().steps == 0) return 130;
    }
    print_recorded(file, options.strategy, run, goals);
    run.finish();
    if (csv) csv->commit();
    if (flags.png) {
        OutputFile out(*flags.png, flags.force);
        out.write(encode_png(draw_belief(run.robot(), run.progress().decisions[0], frame_of(run.robot().map()),
                                         options.strategy + " on " + file)));
        out.commit();
    }
    if (flags.log_file)
        print_plain("log                  {}\ndigest               {}\n", *flags.log_file,
                    LogReader(*flags.log_file).digest().hex());
    return interrupted ? 130 : 0;
}

/// The rows of the steps, each with the goal in the log and the new one.
class DifferenceRows {
  public:
    DifferenceRows(const std::string& path, bool force, const Logged& logged, const Replay& then)
        : file_(path, force), logged_(logged), then_(then) {
        file_.write("step,robot,name,differs,then_x_m,then_y_m,now_x_m,now_y_m\n");
    }
    void add(const StepView& view, const std::vector<std::uint8_t>& differs) {
        for (std::size_t i = 0; i < view.team.size(); ++i)
            if (view.percepts[i].alive)
                file_.write(fmt::format("{},{},{},{},{},{}\n", view.step, i, csv_field(logged_.scenario.robots[i].name),
                                        differs[i], goal_of(then_.team()[i]), goal_of(view.team[i])));
    }
    void commit() {
        file_.commit();
        print_plain("\ncsv                  {}\n", file_.path());
    }

  private:
    std::string goal_of(const Robot& robot) const {
        const auto& goal = robot.belief().latest(robot.belief().self()).goal;
        if (!goal) return ",";
        const Point p = logged_.on_map(*goal);
        return fmt::format("{},{}", p.x, p.y);
    }
    OutputFile file_;
    const Logged& logged_;
    const Replay& then_;
};

void expect_replay_flags(const RunFlags& flags) {
    expect_without(flags,
                   {"scenario", "map", "import-mresim", "import-positions", "robots", "seed", "steps", "set", "png",
                    "range", "operator", "foxglove"},
                   "--replay: all but the strategy is as the log says");
    if (flags.log.given && (flags.log.value != "full" || !flags.log_file))
        fail("--log {}: with --replay a log is always full; give --log-file FILE", flags.log.value);
    expect_within("threads", flags.threads, 1, 256);
    expect_distinct(flags, {"csv", "log-file"}, {*flags.replay});
}

/// The scenario of the log, with another strategy if one is given.
Scenario scenario_of(const Logged& logged, const std::optional<std::string>& strategy) {
    Scenario scenario = logged.scenario;
    if (!strategy) return scenario;
    scenario.script.reset();  // the robots are to decide now, not to repeat their recorded poses
    for (RobotEntry& r : scenario.robots)
        if (r.role != Role::base) r.strategy = *strategy;
    return scenario;
}

}  // namespace

int run_open_loop(const RunFlags& flags) {
    if (is_sensor_log(*flags.replay)) return run_on_sensor_log(flags, *flags.replay);
    expect_replay_flags(flags);
    const std::atomic<bool>& interrupted = catch_interrupts();
    Logged logged(*flags.replay);
    Replay then(logged.log);
    const Scenario scenario = scenario_of(logged, flags.scenario.strategy);
    std::optional<DifferenceRows> csv;
    if (flags.csv) csv.emplace(*flags.csv, flags.force, logged, then);
    std::optional<OpenLoopLog> log;
    if (flags.log_file) {
        prepare_database(*flags.log_file, flags.force);
        log.emplace(*flags.log_file, logged.log, scenario, then.briefings());
    }

    if (!flags.quiet)
        print_aside(
            "open loop: the robots perceive what was perceived in the log, whatever they decide now; what they "
            "decide is compared and leads nowhere\n");
    const ThreadLimit limit(flags.threads.value_or(1));
    const OpenLoop loop = run_open_loop(
        then, scenario,
        [&](const StepView& view, const std::vector<std::uint8_t>& differs) {
            if (log) log->add(view, then);
            if (csv) csv->add(view, differs);
        },
        log.has_value(), &interrupted);
    if (log) log->finish(loop.interrupted);
    if (loop.interrupted)
        print_plain("interrupted after {} of {} steps{}\n", loop.steps, logged.length(),
                    log ? fmt::format("; the new log ends after {}, with its last whole chunk", log->steps()) : "");
    if (loop.cut_short) print_aside("note: it ends where the log is damaged: {}\n", fmt::join(then.damaged(), "; "));
    print_plain("{}: {} steps, strategy {}\n", logged.scenario.name, loop.steps,
                flags.scenario.strategy.value_or("as in the log"));
    print_differences(logged, loop);
    if (csv) csv->commit();
    if (log)
        print_plain("\nlog                  {}\ndigest               {}\n", log->path(),
                    LogReader(log->path()).digest().hex());
    return loop.interrupted ? 130 : 0;
}

}  // namespace outrider
