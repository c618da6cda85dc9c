// outrider slam
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/slam/slam_report.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "sensor_log/saved_map.hpp"

namespace outrider {
namespace {

struct SlamFlags {
    std::optional<std::string> log, robot, scanner, png, map_in, start, range, map, trajectory, relations, against,
        save, go_on;
    Defaulted<std::string> method{"scan_match"};
    std::vector<std::string> set;
    std::optional<std::int64_t> seed;
    std::optional<int> threads;
    bool matchers = false, json = false, force = false;
    void fields(Flags& f) {
        f.positional("log", log);
        f("method", method, "M",
          "scan_match, particle, particle_shared, hyper, manifold or localise; see outrider options");
        f("set", set, "key=value", "set an option of [slam], e.g. --set update_m=0.2; may be repeated");
        f("seed", seed, std::int64_t{0}, INT64_MAX, "S", "seed of all random numbers");
        f("threads", threads, 1, 256, "N", "at most so many threads");
        f("robot", robot, "NAME",
          "of a log of several robots: this one; of a bag the one whose topics begin with /NAME/");
        f("scanner", scanner, "NAME",
          "of a log of USARSim, or a folder, with several scanners: this one (in a folder, its file); otherwise that "
          "with the most readings");
        f("png", png, "FILE", "draw the map and the path");
        f("map-in", map_in, "FILE",
          "localise: the map, .png (a pixel is cell_m wide, the lower left corner is the origin), .yaml of ROS, or "
          ".g2o of --save");
        f("save", save, "FILE.g2o", "keep the map: scans, where they were taken, and what was measured between them");
        f("continue", go_on, "FILE.g2o", "go on in a map that was kept, where it ended or from --start");
        f("start", start, "X,Y,DEG",
          "localise and --continue: the first pose in metres and degrees, or unknown: to be found in the map");
        f("range", range, "M",
          "readings of so many metres and more mean that nothing was seen; otherwise found out from the log");
        f("map", map, "DIR", "write map.pgm and map.yaml for ROS into this folder");
        f("trajectory", trajectory, "FILE",
          "write a pose for each record: time, x, y, yaw, its covariance, how well its scan fitted, and whether it was "
          "lost");
        f("relations", relations, "FILE",
          "checked relative poses, to measure the error: t1 t2 dx dy dz roll pitch yaw");
        f("against", against, "FILE", "with --relations, a trajectory of another system, to compare with");
        f("matchers", matchers, "with --relations, how well the matchers of points do on these pairs of scans");
        f("json", json, "what was found as JSON, instead of the text");
        f("force", force, "overwrite files that exist");
    }
};

SlamOptions slam_options(const SlamFlags& flags) {
    SlamOptions options;
    std::vector<Setting> settings = settings_of(flags.set);
    settings.insert(settings.begin(), {"method", flags.method.value, "--method"});
    SettingReader reader(settings);
    options.fields(reader);
    reader.expect_all_used();
    if (flags.map_in) options.map = *flags.map_in;
    if ((options.method == SlamMethod::localise) == options.map.empty())
        fail("{}", options.map.empty() ? "--method localise: expected --map-in FILE, the map to localise in"
                                       : "--map-in: only --method localise takes a map");
    if (options.method == SlamMethod::known) fail("--method known: a log does not say the true poses; see --help");
    return options;
}

/// --start X,Y,DEG; nothing: unknown.
std::optional<Pose> first_pose(const std::string& start) {
    if (start == "unknown") return {};
    double x = 0, y = 0, yaw = 0;
    char rest = 0;
    if (std::sscanf(start.c_str(), "%lf,%lf,%lf%c", &x, &y, &yaw, &rest) != 3 || !(std::abs(x) < 1e6) ||
        !(std::abs(y) < 1e6) || !(std::abs(yaw) < 1e6))
        fail("--start {}: expected X,Y,DEG in metres and degrees, or unknown", start);
    return Pose{x, y, wrap_angle(std::remainder(radians(yaw), 2 * pi))};
}

SlamChecks read_checks(const SlamFlags& flags) {
    SlamChecks checks;
    if (flags.relations) checks.relations = read_relations(*flags.relations);
    if (flags.against) checks.against = read_trajectory(*flags.against);
    return checks;
}

void write_outputs(const SlamFlags& flags, const SlamRun& run, const SlamOptions& slam) {
    if (flags.trajectory) {
        OutputFile out(*flags.trajectory, flags.force);
        out.write(trajectory_text(run));
        out.commit();
    }
    if (flags.png) {
        OutputFile out(*flags.png, flags.force);
        out.write(encode_png(slam_picture(run, fmt::format("{}: {}", flags.log->substr(flags.log->rfind('/') + 1),
                                                           slam_method_names[static_cast<std::size_t>(slam.method)]))));
        out.commit();
    }
    if (flags.map) write_slam_map(*flags.map, run, flags.force);
}

/// The maps that a run begins with.
struct Given {
    Grid<std::uint8_t> to_localise_in;
    std::optional<SavedMap> saved;
    std::optional<PatchGraph> patches;  // of it
};

Given read_given(const SlamFlags& flags, const SlamOptions& slam) {
    Given given;
    if (!slam.map.empty()) given.to_localise_in = read_given_map(slam.map, slam.cell_m);
    if (flags.go_on) {
        given.saved = read_saved_map(*flags.go_on);
        given.patches = patches_of(*given.saved);
    }
    return given;
}

SlamBegin begin_of(const SlamFlags& flags, const Given& given, SlamOptions& slam) {
    SlamBegin begin;
    if (!slam.map.empty()) begin.given = &given.to_localise_in;
    if (given.patches) {
        begin.before = &*given.patches;
        begin.pose = given.saved->last();
    }
    if (!flags.start) return begin;
    const std::optional<Pose> start = first_pose(*flags.start);
    if (start) begin.pose = *start;
    if (start && begin.given && !begin.given->contains(begin.given->lattice().cell_of(start->position())))
        fail("--start {}: that is outside of the map {}", *flags.start, slam.map);
    if (begin.given && !start) slam.start = SlamStart::unknown;
    begin.unknown = begin.before && !start;
    return begin;
}

/// Throws Error where something is missing or two files are the same, before anything is read.
void expect_files(const SlamFlags& flags) {
    if (!flags.log) fail("expected outrider slam LOG; see outrider slam --help");
    if (flags.against && !flags.relations) fail("--against: expected --relations, too");
    if (flags.matchers && !flags.relations) fail("--matchers: expected --relations, too");
    if (flags.start && !flags.go_on && flags.method.value != "localise")
        fail("--start: expected --method localise or --continue, a map in which it is");
    for (const auto* kept : {&flags.save, &flags.go_on})
        if (*kept && flags.method.value == "localise")
            fail("--{}: the method localise draws no map", kept == &flags.save ? "save" : "continue");
    std::vector<std::string> inputs{*flags.log};
    for (const auto* input : {&flags.relations, &flags.against, &flags.map_in, &flags.go_on})
        if (*input) inputs.push_back(**input);
    expect_distinct(flags, {"png", "trajectory", "save"}, inputs);
}

int slam_on(const SlamFlags& flags) {
    expect_files(flags);
    SlamOptions slam = slam_options(flags);
    if (flags.start) first_pose(*flags.start);
    for (const auto* output : {&flags.png, &flags.trajectory, &flags.save})
        if (*output) OutputFile(**output, flags.force);
    const SlamChecks checks = read_checks(flags);

    const std::atomic<bool>& interrupted = catch_interrupts();
    std::optional<Work> work(std::in_place, terminal_text("reading {}", *flags.log));
    SensorLog log = read_sensor_log(*flags.log, slam.seed, flags.robot.value_or(""), flags.scanner.value_or(""));
    work.reset();
    set_range(flags.range, log);
    if (!flags.json) print_log(log);
    const double before_mb = peak_mb();
    const ThreadLimit limit(flags.threads.value_or(1));
    const Given given = read_given(flags, slam);
    const SlamBegin begin = begin_of(flags, given, slam);
    work.emplace(terminal_text("slam"));
    const auto progress = [&](std::size_t done) { work->at(done, log.entries.size(), "records"); };
    const SlamRun run = run_slam(log, slam, static_cast<std::uint64_t>(flags.seed.value_or(1)), begin, &interrupted,
                                 Work::watched() ? progress : std::function<void(std::size_t)>{});
    work.reset();
    if (!run.whole) {
        if (!flags.json || run.scans == 0)
            print_plain("interrupted          after {} of {} scans; {}\n", run.scans, log.scans.size(),
                        run.scans > 0 ? "what follows, and what is written, is about these" : "nothing is written");
        if (run.scans == 0) return 130;
    }
    if (!run.placed && run.whole)
        fail("{}: the place of the robot in {} was not found in {} scans; nothing is written", *flags.log, *flags.go_on,
             run.scans);
    std::vector<MatcherRow> matchers;
    if (flags.matchers) matchers = matcher_table(log, checks.relations, run.trajectory);
    if (flags.json) {
        print_plain("{}", Lines{slam_json(log, run, slam, checks, matchers)});
    } else {
        print_run(run, slam, before_mb);
        if (flags.relations) print_relations(checks, run.trajectory);
        if (flags.matchers) print_matchers(matchers);
    }
    write_outputs(flags, run, slam);
    if (flags.save && run.placed) {
        OutputFile out(*flags.save, flags.force);
        out.write(write_saved_map(map_to_save(log, run, given.saved ? &*given.saved : nullptr)));
        out.commit();
    }
    return run.whole ? 0 : 130;
}

}  // namespace

Subcommand slam_command() {
    return subcommand<SlamFlags, slam_on>(
        {"slam",
         "Find the path of a real robot and draw its map, from a log of odometry and scans: CARMEN\n"
         "(FLASER, RLASER, ROBOTLASER1, RAWLASER1, ODOM), GMapping (.gfs), USARSim (SEN and STA lines), CSV,\n"
         "rosbag2 (.db3, .mcap, or its folder), bags of ROS 1, MCAP with Foxglove's messages, rows of x, y,\n"
         "yaw and readings, each of these texts also compressed by gzip, or a folder with a file\n"
         "for each sensor (rows of a time and readings; odometry.txt: time, x, y, yaw).\n\n"
         "  outrider slam intel.log --png intel.png --trajectory intel.txt\n"
         "  outrider slam intel.log --set update_m=0.01,update_deg=0.5 --relations intel.relations\n"
         "  outrider slam run.mcap --robot r1 --png r1.png\n"
         "  outrider slam usarsim.txt --scanner Scanner1 --png look.png\n"
         "  outrider slam monday.log --save house.g2o\n"
         "  outrider slam tuesday.log --continue house.g2o --start unknown --save house2.g2o\n"
         "  outrider slam again.log --method localise --map-in intel_map/map.yaml --start unknown\n",
         "[OPTION...] LOG"},
        "find the path of a real robot and draw its map, from its log");
}

}  // namespace outrider
