// outrider slam
#include <sys/resource.h>

#include <cmath>
#include <cstdio>

#include <fmt/ranges.h>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "sensor_log/matcher_table.hpp"
#include "sensor_log/slam_log.hpp"

namespace outrider {
namespace {

/// Peak memory of the process, in MB.
double peak_mb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct SlamFlags {
    std::optional<std::string> log, png, map_in, start, range, map, trajectory, relations, against;
    Defaulted<std::string> method{"scan_match"};
    std::vector<std::string> set;
    std::optional<std::int64_t> seed;
    std::optional<int> threads;
    bool matchers = false, force = false;
    void fields(Flags& f) {
        f.positional("log", log);
        f("method", method, "M", "scan_match, particle, particle_shared, hyper or localise; see outrider options");
        f("set", set, "key=value", "set an option of [slam], e.g. --set update_m=0.2; may be repeated");
        f("seed", seed, std::int64_t{0}, INT64_MAX, "S", "seed of all random numbers");
        f("threads", threads, 1, 256, "N", "at most so many threads");
        f("png", png, "FILE", "draw the map and the way");
        f("map-in", map_in, "FILE",
          "localise: the map, .png (a pixel is cell_m wide, the lower left corner is the origin) or .yaml of ROS");
        f("start", start, "X,Y,DEG", "localise: the first pose in metres and degrees, or unknown");
        f("range", range, "M",
          "readings of so many metres and more mean that nothing was seen; otherwise found out from the log");
        f("map", map, "DIR", "write map.pgm and map.yaml for ROS into this folder");
        f("trajectory", trajectory, "FILE", "write lines of time, x, y and yaw: a pose for each record");
        f("relations", relations, "FILE",
          "checked relative poses, to measure the error: t1 t2 dx dy dz roll pitch yaw");
        f("against", against, "FILE", "with --relations, a trajectory of another system, to compare with");
        f("matchers", matchers, "with --relations, how well the matchers of points do on these pairs of scans");
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

/// --start X,Y,DEG or unknown.
Pose first_pose(const std::optional<std::string>& start, SlamOptions& options) {
    if (!start) return {};
    if (options.method != SlamMethod::localise) fail("--start: only --method localise takes a first pose");
    if (*start == "unknown") {
        options.start = SlamStart::unknown;
        return {};
    }
    double x = 0, y = 0, yaw = 0;
    char rest = 0;
    if (std::sscanf(start->c_str(), "%lf,%lf,%lf%c", &x, &y, &yaw, &rest) != 3 || !(std::abs(x) < 1e6) ||
        !(std::abs(y) < 1e6) || !(std::abs(yaw) < 1e6))
        fail("--start {}: expected X,Y,DEG in metres and degrees, or unknown", *start);
    return {x, y, wrap_angle(std::remainder(radians(yaw), 2 * pi))};
}

void print_ranges(const SensorLog& log) {
    std::vector<double> ranges;
    for (const RecordedScan& scan : log.scans)
        if (std::find(ranges.begin(), ranges.end(), scan.max_range_m) == ranges.end() && ranges.size() < 8)
            ranges.push_back(scan.max_range_m);
    for (const double range : ranges)
        if (range > 0)
            fmt::print("nothing seen         readings of {:.3g} m and more\n", range);
        else
            fmt::print("nothing seen         no reading is taken to mean that; see --range\n");
}

/// How often odometry turns from one scan to the next by more than half of the field of view.
std::size_t count_blind_turns(const SensorLog& log) {
    std::size_t turns = 0;
    const LogEntry* last = nullptr;
    for (const LogEntry& entry : log.entries) {
        if (entry.scan < 0) continue;
        const RecordedScan& scan = log.scans[static_cast<std::size_t>(entry.scan)];
        const double view = scan.step_angle * static_cast<double>(scan.ranges.size());
        if (last && std::abs(wrap_angle(entry.odometry.yaw - last->odometry.yaw)) > std::abs(view) / 2) ++turns;
        last = &entry;
    }
    return turns;
}

void print_log(const SensorLog& log) {
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : log.kinds) kinds.push_back(fmt::format("{} {}", count, kind));
    fmt::print("log                  {}: {}\n", log.path, fmt::join(kinds, ", "));
    std::vector<Pose> mounts;
    for (const RecordedScan& scan : log.scans)
        if (std::find(mounts.begin(), mounts.end(), scan.mount) == mounts.end() && mounts.size() < 8)
            mounts.push_back(scan.mount);
    for (const Pose& m : mounts)
        if (m != Pose{})
            fmt::print("scanner              {:.3f} m ahead and {:.3f} m left of the centre, turned by {:.1f} deg\n",
                       m.x, m.y, degrees(m.yaw));
    print_ranges(log);
    if (const std::size_t turns = count_blind_turns(log); turns > 0)
        fmt::print(
            "note                 in {} places of {} the log turns by more than half of what the scanner sees from "
            "one scan to the next: there the two have little in common to match\n",
            turns, log.scans.size());
    for (const std::string& note : log.notes) fmt::print("note                 {}\n", note);
    if (log.odd > 0) fmt::print("odd lines            {}, first {}\n", log.odd, log.first_odd);
    if (log.backward > 0) fmt::print("stamps backward      {}\n", log.backward);
}

void print_errors(const char* name, const RelationErrors& e) {
    if (e.metres.empty()) {
        fmt::print("{:<21}not measured: of no relation do both stamps belong to exactly one pose within 5.5 ms\n",
                   name);
        return;
    }
    const MeanAndDeviation m = mean_and_deviation(e.metres), d = mean_and_deviation(e.degrees);
    fmt::print("{:<21}{:.4f} +- {:.4f} m, {:.3f} +- {:.3f} deg ({} relations, largest {:.3f} m)\n", name, m.mean,
               m.deviation, d.mean, d.deviation, e.metres.size(), *std::max_element(e.metres.begin(), e.metres.end()));
}

void print_difference(const char* unit, const std::vector<double>& a, const std::vector<double>& b) {
    const PairedDifference d = paired_bootstrap(a, b);
    fmt::print("  difference         {:+.4f} {} (95 %: {:+.4f} ... {:+.4f}): {}\n", d.mean, unit, d.low, d.high,
               d.high < 0  ? "this one is better"
               : d.low > 0 ? "the other one is better"
                           : "not certain");
}

/// The reference for the trajectory found. Read before the work, so that a mistake in it is noticed at once.
struct Checks {
    std::vector<Relation> relations;
    std::optional<std::vector<TimedPose>> against;
};

Checks read_checks(const SlamFlags& flags) {
    Checks checks;
    if (flags.relations) checks.relations = read_relations(*flags.relations);
    if (flags.against) checks.against = read_trajectory(*flags.against);
    return checks;
}

void print_relations(const Checks& checks, const std::vector<TimedPose>& trajectory) {
    const RelationErrors mine = relation_errors(trajectory, checks.relations);
    print_errors("relations", mine);
    if (!checks.against) return;
    const RelationErrors other = relation_errors(*checks.against, checks.relations);
    print_errors("of the other one", other);
    std::vector<double> a, b, c, d;  // of the relations that both have
    for (std::size_t i = 0, j = 0; i < mine.used.size() && j < other.used.size();) {
        if (mine.used[i] == other.used[j]) {
            a.push_back(mine.metres[i]);
            b.push_back(other.metres[j]);
            c.push_back(mine.degrees[i]);
            d.push_back(other.degrees[j]);
        }
        const std::size_t at = mine.used[i];
        i += at <= other.used[j];
        j += other.used[j] <= at;
    }
    if (a.empty()) return;
    print_difference("m", a, b);
    print_difference("deg", c, d);
}

void print_matchers(const std::vector<MatcherRow>& rows) {
    fmt::print("matchers of points   pairs, converged, median m and deg, iterations: from odometry; from 0.3 m off\n");
    for (const MatcherRow& r : rows) {
        fmt::print("  {:<19}", slam_matcher_names[static_cast<std::size_t>(r.matcher)]);
        for (const MatcherRow::Seeds& s : {r.near, r.far})
            fmt::print("{:4} {:4} {:7.4f} {:6.3f} {:5.1f}   ", s.pairs, s.converged, s.median_m, s.median_deg,
                       s.mean_iterations);
        fmt::print("pass the gate: {} of {} right, {} of {} wrong\n", r.right_accepted, r.right, r.wrong_accepted,
                   r.wrong);
    }
}

void print_spells(const SlamRun& run) {
    constexpr std::size_t most = 5;
    const double start = run.trajectory.empty() ? 0 : run.trajectory.front().time_s;
    std::vector<std::string> spells;
    for (const SlamRun::Spell& s : run.spells)
        spells.push_back(fmt::format("from {:.1f} s {}", s.lost_s - start,
                                     std::isinf(s.found_s) ? "on" : fmt::format("to {:.1f} s", s.found_s - start)));
    const std::size_t more = spells.size() > most ? spells.size() - most : 0;
    spells.resize(spells.size() - more);
    if (!spells.empty())
        fmt::print("lost                 {}{}\n", fmt::join(spells, ", "),
                   more > 0 ? fmt::format(", and {} times more", more) : "");
}

void print_run(const SlamRun& run, const SlamOptions& slam, double log_mb) {
    const SlamCounters& counted = run.slam->counters();
    const double updates = static_cast<double>(std::max<std::uint64_t>(1, counted.updates));
    fmt::print("method               {}\n", slam_method_names[static_cast<std::size_t>(slam.method)]);
    fmt::print("updates              {} of {} scans; {} wide searches, {} of them won; odometry believed {} times\n",
               counted.updates, run.scans, counted.searches, counted.recovered, counted.rejected);
    if (counted.patches > 0)
        fmt::print("patches              {}, {} relations; loops tried {}, closed {}, of these taken back {}\n",
                   counted.patches, counted.relations, counted.closures_tried, counted.closures_accepted,
                   counted.closures_undone);
    print_spells(run);
    if (counted.impossible > 0) fmt::print("motions left out     {}\n", counted.impossible);
    if (run.ends == 0) fmt::print("note                 no beam hit anything: the poses are those of odometry\n");
    fmt::print(
        "time                 {:.3f} ms CPU per update, {:.3f} ms per scan, {:.3f} s in all; longest {:.1f} ms\n",
        run.cpu_s * 1e3 / updates, run.cpu_s * 1e3 / static_cast<double>(std::max<std::size_t>(1, run.scans)),
        run.cpu_s, run.longest_update_s * 1e3);
    fmt::print("memory               {:.1f} MB more than with the log alone, {:.1f} MB in all; map {:.1f} MB\n",
               peak_mb() - log_mb, peak_mb(), static_cast<double>(run.slam->map().bytes()) / 1e6);
}

void write_outputs(const SlamFlags& flags, const SlamRun& run, const SlamOptions& slam) {
    if (flags.trajectory) {
        OutputFile out(*flags.trajectory, flags.force);
        for (const TimedPose& p : run.trajectory)
            out.write(fmt::format("{:.6f} {:.6f} {:.6f} {:.6f}\n", p.time_s, p.pose.x, p.pose.y, p.pose.yaw));
        out.commit();
    }
    if (flags.png) {
        OutputFile out(*flags.png, flags.force);
        out.write(encode_png(slam_picture(run.slam->map(), run.trajectory,
                                          fmt::format("{}: {}", flags.log->substr(flags.log->rfind('/') + 1),
                                                      slam_method_names[static_cast<std::size_t>(slam.method)]))));
        out.commit();
    }
    if (flags.map) write_slam_map(*flags.map, run.slam->map(), flags.force);
}

/// Throws Error where something is missing or two files are the same, before anything is read.
void expect_files(const SlamFlags& flags) {
    if (!flags.log) fail("expected outrider slam LOG; see outrider slam --help");
    if (flags.against && !flags.relations) fail("--against: expected --relations, too");
    if (flags.matchers && !flags.relations) fail("--matchers: expected --relations, too");
    std::vector<std::string> inputs{*flags.log};
    for (const auto* input : {&flags.relations, &flags.against})
        if (*input) inputs.push_back(**input);
    expect_distinct(flags, {"png", "trajectory"}, inputs);
}

int slam_on(const SlamFlags& flags) {
    expect_files(flags);
    SlamOptions slam = slam_options(flags);
    const Pose start = first_pose(flags.start, slam);
    for (const auto* output : {&flags.png, &flags.trajectory})
        if (*output) OutputFile(**output, flags.force);
    const Checks checks = read_checks(flags);

    const std::atomic<bool>& interrupted = catch_interrupts();
    SensorLog log = read_sensor_log(*flags.log, slam.seed);
    set_range(flags.range, log);
    print_log(log);
    const double before_mb = peak_mb();
    const ThreadLimit limit(flags.threads.value_or(1));
    const Grid<std::uint8_t> given = slam.map.empty() ? Grid<std::uint8_t>{} : read_given_map(slam.map, slam.cell_m);
    if (flags.start && slam.start != SlamStart::unknown && !given.contains(given.lattice().cell_of(start.position())))
        fail("--start {}: that is outside of the map {}", *flags.start, slam.map);
    const SlamRun run = run_slam(log, slam, static_cast<std::uint64_t>(flags.seed.value_or(1)),
                                 slam.map.empty() ? nullptr : &given, start, &interrupted);
    if (!run.whole) {
        fmt::print("interrupted          after {} of {} scans; {}\n", run.scans, log.scans.size(),
                   run.scans > 0 ? "what follows, and what is written, is about these" : "nothing is written");
        if (run.scans == 0) return 130;
    }
    print_run(run, slam, before_mb);
    if (flags.relations) print_relations(checks, run.trajectory);
    if (flags.matchers) print_matchers(matcher_table(log, checks.relations, run.trajectory));
    write_outputs(flags, run, slam);
    return run.whole ? 0 : 130;
}

}  // namespace

Subcommand slam_command() {
    return subcommand<SlamFlags, slam_on>(
        {"slam",
         "Find the way of a real robot and draw its map, from a log of odometry and scans: CARMEN\n"
         "(FLASER, RLASER, ROBOTLASER1, RAWLASER1, ODOM), CSV, or rosbag2 (.db3 or .mcap).\n\n"
         "  outrider slam intel.log --png intel.png --trajectory intel.txt\n"
         "  outrider slam intel.log --set update_m=0.01,update_deg=0.5 --relations intel.relations\n"
         "  outrider slam again.log --method localise --map-in intel_map/map.yaml --start unknown\n",
         "[OPTION...] LOG"},
        "find the way of a real robot and draw its map, from its log");
}

}  // namespace outrider
