// outrider log
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "base/output.hpp"
#include "base/percentile.hpp"
#include "cli/commands.hpp"
#include "cli/log_mcap.hpp"
#include "grid/known_grid.hpp"
#include "log/exports.hpp"
#include "log/geotiff.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "log/victim_events.hpp"
#include "outrider/detail/nav_map.hpp"
#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "plan/path_planner.hpp"
#include "scenario/victims.hpp"
#include "sensor_log/ros_map.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

void print_info(LogReader& log) {
    for (const auto& [key, value] : log.meta())
        if (key != "scenario") fmt::print("{:<16}{}\n", key, value);
    for (const ProvenancePart& part : log.provenance().parts) fmt::print("{:<16}{}\n", "decided by", part.text());
    const LogSteps steps = log.steps();
    fmt::print("{:<16}{}{}\n", "steps", steps.metrics.size(),
               log.meta().contains("end_reason") ? "" : "; the run was cut off here, the log has no end");
    for (const std::string& damaged : steps.damaged) fmt::print("{:<16}{}\n", "damaged", damaged);
    for (const std::string& damaged : log.damaged_parts()) fmt::print("{:<16}{}\n", "damaged", damaged);
}

void print_events(LogReader& log) {
    fmt::print("step,kind,robot,json\n");
    for (const LogReader::Event& e : log.events()) {
        fmt::print("{},{},{},{}\n", e.step, e.kind, e.robot, csv_field(e.json));
    }
}

/// How long a seek to a step takes, wherever it is.
void print_seeks(LogReader& log, int count) {
    using Clock = std::chrono::steady_clock;
    const auto seconds_since = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    const auto opening = Clock::now();
    Replay replay(log);
    const double opened_s = seconds_since(opening);
    Statement end = log.database().prepare("SELECT max(last) FROM waist");
    if (!end.step() || end.is_null(0)) fail("{}: the log holds no steps", log.path());
    const auto steps = static_cast<std::uint32_t>(end.integer(0) + 1);
    Rng rng(1, 0, Purpose::placement, 0);
    std::vector<double> seeks_ms;
    for (int k = 0; k < count; ++k) {
        const auto step = static_cast<int>(rng.below(steps));
        const auto start = Clock::now();
        if (replay.seek(step)) seeks_ms.push_back(1000 * seconds_since(start));
    }
    for (const std::string& damaged : replay.damaged()) fmt::print("{:<16}{}\n", "damaged", damaged);
    if (seeks_ms.empty()) fail("{}: no step can be read", log.path());
    std::sort(seeks_ms.begin(), seeks_ms.end());
    fmt::print(
        "{} seeks to random steps of {}, {} robots: median {:.1f} ms, p99 {:.1f} ms, at most {:.1f} ms; opened in "
        "{:.1f} ms\n",
        seeks_ms.size(), steps, log.robots(), percentile(seeks_ms, 0.5), percentile(seeks_ms, 0.99), seeks_ms.back(),
        1000 * opened_s);
}

void write_file(const std::string& path, bool force, const std::string& text) {
    OutputFile file(path, force);
    file.write(text);
    file.commit();
    fmt::print("{}\n", path);
}

/// The tracks of the mobile robots for GPS and GIS programs, and for CARMEN's programs the scans that a full log holds.
void export_tracks(LogReader& log, const Scenario& s, const LogSteps& steps, const std::string& folder, bool force,
                   const std::optional<Placement>& placement) {
    const Point offset = s.team_origin_m();
    const double cell_m = s.walls.lattice().cell_m;
    std::vector<Track> tracks;
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        if (s.robots[i].body.speed_mps == 0) continue;
        Track& track = tracks.emplace_back();
        track.name = s.robots[i].name;
        track.role = role_names[static_cast<std::size_t>(s.robots[i].role)];
        for (std::size_t k = 0; k < steps.poses.size(); ++k) {
            if (k == 0 || steps.steps[k] > steps.steps[k - 1] + 1) track.parts.emplace_back();
            const double seconds = (steps.steps[k] + 1) * s.run.step_s;
            track.parts.back().emplace_back(seconds, steps.poses[k][i].position() + offset);
        }
    }
    write_file(folder + "/tracks.gpx", force, gpx_of(tracks, placement.value_or(Placement{}), s.name));
    write_file(folder + "/tracks.mif", force,
               mif_of(tracks, placement, s.walls.width() * cell_m, s.walls.height() * cell_m));
    write_file(folder + "/tracks.mid", force, mid_of(tracks));
    if (log.meta().at("level") != "full") return;
    Replay replay(log);
    std::vector<CarmenLog> carmen;
    for (const Briefing& briefing : replay.briefings()) carmen.emplace_back(briefing, offset);
    // The percepts of a step are taken where the step before ended.
    std::vector<Pose> truth = replay.scenario().start_poses();
    const TrueView view(truth, replay.team());
    std::string curves = "step,robot,name,curve,value\n";
    const std::size_t none = curves.size();
    for (std::size_t k = 0; k < steps.steps.size(); ++k) {
        if (replay.seek(steps.steps[k]))
            for (std::size_t i = 0; i < carmen.size(); ++i) {
                if (replay.percepts()[i].alive)
                    carmen[i].add(replay.percepts()[i], view.pose(replay.team()[i], replay.team()[i].belief().pose()),
                                  truth[i]);
                for (const Overlay& o : replay.decisions()[i].overlays)
                    if (o.meaning == Overlay::Meaning::curve)
                        curves += fmt::format("{},{},{},{},{}\n", steps.steps[k], i, csv_field(s.robots[i].name),
                                              csv_field(o.layer), csv_field(o.text));
            }
        truth = steps.poses[k];
    }
    for (std::size_t i = 0; i < carmen.size(); ++i)
        if (!replay.briefings()[i].sensors.empty())
            write_file(fmt::format("{}/carmen_{}.log", folder, i), force, carmen[i].text());
    if (curves.size() > none) write_file(folder + "/curves.csv", force, curves);
    for (const std::string& damaged : replay.damaged())
        print_aside("note: left out of the scans, damaged: {}\n", damaged);
}

/// What each robot knew at the end of a full log, on the cells of the map; nothing for other logs.
std::vector<Grid<std::uint8_t>> last_beliefs(LogReader& log, const Scenario& s, const LogSteps& steps) {
    std::vector<Grid<std::uint8_t>> out;
    if (log.meta().at("level") != "full" || steps.steps.empty()) return out;
    Replay replay(log);
    if (!replay.seek(steps.steps.back())) {
        print_aside("note: no belief_N is written: step {} cannot be read\n", steps.steps.back());
        return out;
    }
    TrueView view(s.start_poses(), replay.team());
    view.update(replay.team());
    for (const Robot& robot : replay.team()) {
        const KnownMap& map = view.map(robot);
        auto& cells = out.emplace_back(s.walls.width(), s.walls.height(), GeoCell::unknown, s.walls.lattice());
        for (std::size_t k = 0; k < cells.cells().size(); ++k) {
            const Cell at = cells.cell(k) - s.team_origin();
            if (map.is_occupied(at)) cells.cells()[k] = GeoCell::wall;
            if (map.is_free(at)) cells.cells()[k] = GeoCell::free;
        }
    }
    return out;
}

/// The true map and, of a full log, what each robot knew at its end.
void export_geotiff(const Scenario& s, const std::vector<Grid<std::uint8_t>>& beliefs, const std::string& folder,
                    bool force, const std::optional<Placement>& placement) {
    const auto put = [&](const std::string& name, const Grid<std::uint8_t>& cells) {
        write_file(fmt::format("{}/{}.tif", folder, name), force, geotiff_of(cells, placement));
    };
    Grid<std::uint8_t> truth(s.walls.width(), s.walls.height(), GeoCell::free, s.walls.lattice());
    for (std::size_t k = 0; k < truth.cells().size(); ++k)
        if (s.walls[truth.cell(k)]) truth.cells()[k] = GeoCell::wall;
    put("truth", truth);
    for (std::size_t i = 0; i < beliefs.size(); ++i) put(fmt::format("belief_{}", i), beliefs[i]);
}

/// The way from the base station over what it knew to be free at the end, corner by corner; empty: none is known.
std::vector<Point> route_to(const Scenario& s, const Grid<std::uint8_t>& belief, Point at) {
    Grid<std::uint8_t> blocked(s.walls.width(), s.walls.height(), 1, s.walls.lattice());
    for (std::size_t k = 0; k < blocked.cells().size(); ++k) blocked.cells()[k] = belief.cells()[k] != GeoCell::free;
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(known_grid(blocked), s.start_cell(0));
    const Path path = PathPlanner().shortest(nav, s.start_cell(0), s.walls.lattice().cell_of(at));
    std::vector<Point> out;
    for (std::size_t k = 0; k < path.cells.size(); ++k) {
        const bool corner = k == 0 || k + 1 == path.cells.size() ||
                            path.cells[k + 1] - path.cells[k] != path.cells[k] - path.cells[k - 1];
        if (corner) out.push_back(s.walls.lattice().centre(path.cells[k]));
    }
    return out;
}

/// Whom the base station learned of: all as CSV, those who were confirmed as GPX, of a full log with the ways there.
void export_victims(LogReader& log, const Scenario& s, const std::vector<Grid<std::uint8_t>>& beliefs,
                    const std::string& folder, bool force, const std::optional<Placement>& placement) {
    if (!s.has_victims()) return;
    VictimList list;
    for (const LogReader::Event& e : log.events()) list.add(e.step, e.kind, e.json);
    std::string text = "victim,x_m,y_m,id,status,state,reported_step,decided_step\n";
    std::vector<FoundPlace> places;
    for (std::size_t k = 0; k < list.list().size(); ++k) {
        const ListedVictim& victim = list.list()[k];
        const FoundVictim& v = victim.found;
        const Point at = v.at + s.team_origin_m();
        const std::string_view status = v.status >= 0 && v.status < std::ssize(victim_status_names)
                                            ? victim_status_names[static_cast<std::size_t>(v.status)]
                                            : std::string_view();
        text += fmt::format("{},{:.3f},{:.3f},{},{},{},{},{}\n", k, at.x, at.y, v.id < 0 ? "" : fmt::format("{}", v.id),
                            status, victim_state_names[static_cast<std::size_t>(v.state)], v.first_step,
                            victim.decided_step < 0 ? "" : fmt::format("{}", victim.decided_step));
        if (v.state != VictimState::confirmed) continue;
        places.push_back({fmt::format("victim {}", k), status.empty() ? "status not known" : std::string(status), at,
                          beliefs.empty() ? std::vector<Point>() : route_to(s, beliefs.front(), at)});
    }
    write_file(folder + "/victims.csv", force, text);
    write_file(folder + "/victims.gpx", force, places_gpx_of(places, placement.value_or(Placement{}), s.name));
}

/// Every table as CSV, and the maps for ROS. Positions are metres from the lower left corner of the map.
void export_log(LogReader& log, const std::string& folder, bool force, const std::optional<Placement>& placement) {
    const Scenario s = log.scenario();
    const LogSteps steps = log.steps();
    const Point origin = s.team_origin_m();
    const auto name = [&](RobotId robot) {
        return robot < 0 ? std::string("team") : csv_field(s.robots[static_cast<std::size_t>(robot)].name);
    };
    prepare_output(folder + "/robots.csv", force);
    std::string text = "robot,name,role,strategy,start_x_m,start_y_m\n";
    for (std::size_t i = 0; i < s.robots.size(); ++i)
        text += fmt::format("{},{},{},{},{},{}\n", i, csv_field(s.robots[i].name),
                            role_names[static_cast<std::size_t>(s.robots[i].role)], csv_field(s.robots[i].strategy),
                            s.robots[i].x_m, s.robots[i].y_m);
    write_file(folder + "/robots.csv", force, text);

    text = step_csv_header();
    for (const StepMetrics& r : steps.metrics) text += step_csv_row(r);
    write_file(folder + "/steps.csv", force, text);

    if (!steps.poses.empty()) {
        text = "step,robot,name,x_m,y_m,yaw_rad\n";
        for (std::size_t k = 0; k < steps.poses.size(); ++k)
            for (std::size_t i = 0; i < steps.poses[k].size(); ++i) {
                const Pose& p = steps.poses[k][i];
                text += fmt::format("{},{},{},{},{},{}\n", steps.steps[k], i, csv_field(s.robots[i].name),
                                    p.x + origin.x, p.y + origin.y, p.yaw);
            }
        write_file(folder + "/poses.csv", force, text);
        export_tracks(log, s, steps, folder, force, placement);
    }
    text = "step,kind,robot,json\n";
    for (const LogReader::Event& e : log.events())
        text += fmt::format("{},{},{},{}\n", e.step, e.kind, name(e.robot), csv_field(e.json));
    write_file(folder + "/events.csv", force, text);

    text = "name,robot,value\n";
    Statement row = log.database().prepare("SELECT name, robot, value FROM summary ORDER BY name, robot");
    while (row.step())
        text += fmt::format("{},{},{}\n", row.bytes(0), name(static_cast<RobotId>(row.integer(1))),
                            row.is_null(2) ? "" : fmt::format("{}", row.number(2)));
    write_file(folder + "/summary.csv", force, text);
    Scenario exported = s;
    exported.map.file = "map.yaml";  // beside it
    write_file(folder + "/scenario.toml", force, exported.resolved());
    write_map(folder + "/map.yaml", MapFile{s.walls, {}}, force);
    fmt::print("{}/map.yaml\n", folder);
    const std::vector<Grid<std::uint8_t>> beliefs = last_beliefs(log, s, steps);
    for (std::size_t i = 0; i < beliefs.size(); ++i) {
        write_ros_map(folder, fmt::format("belief_{}", i), beliefs[i], force);
        fmt::print("{}/belief_{}.yaml\n", folder, i);
    }
    export_geotiff(s, beliefs, folder, force, placement);
    export_victims(log, s, beliefs, folder, force, placement);
    for (const std::string& damaged : steps.damaged) print_aside("note: left out, damaged: {}\n", damaged);
    for (const std::string& damaged : log.damaged_parts()) print_aside("note: left out, damaged: {}\n", damaged);
}

struct LogFlags {
    std::optional<std::string> what, file, output, mcap, geo;
    std::optional<int> count;
    bool ros2 = false, force = false;
    void fields(Flags& f) {
        f.positional("what", what);
        f.positional("file", file);
        f("o,output", output, "DIR", "with export: folder to write to");
        f("mcap", mcap, "FILE.mcap",
          "with export: write maps, scans, poses, goals, links and reasons of all steps for Foxglove");
        f("ros2", ros2, "with --mcap: as messages of ROS 2, for rviz and rosbag2");
        f("geo", geo, "LAT,LON[,BEARING]",
          "with export: where the lower left corner of the map lies on earth; none: metres, and 0 N, 0 E in GPX");
        f("count", count, 1, 1'000'000, "N", "with seek: how many");
        f("force", force, "with export: overwrite files that exist");
    }
};

int export_to(LogReader& log, const LogFlags& flags) {
    if (!flags.output && !flags.mcap) fail("nowhere to write to: give -o DIR, or --mcap FILE.mcap");
    std::optional<Placement> placement;
    if (flags.geo) placement = Placement::parse(*flags.geo);
    const int code = flags.mcap ? write_mcap(*flags.file, *flags.mcap, flags.ros2, flags.force) : 0;
    if (code != 130 && flags.output) export_log(log, *flags.output, flags.force, placement);
    return code;
}

int show_log(const LogFlags& flags) {
    if (!flags.what || !flags.file)
        fail("expected outrider log info LOG, or events, digest, seek or export; see outrider log --help");
    const std::string& what = *flags.what;
    constexpr std::array<std::string_view, 5> known{"info", "events", "digest", "seek", "export"};
    if (std::find(known.begin(), known.end(), what) == known.end())
        fail("outrider log {}: expected info, events, digest, seek or export", what);
    if (flags.mcap && what != "export") fail("--mcap: expected outrider log export LOG --mcap FILE.mcap");
    if (flags.ros2 && !flags.mcap) fail("--ros2: expected --mcap FILE.mcap, too");
    if (flags.mcap) expect_distinct(flags, {"mcap"}, {*flags.file});
    LogReader log(*flags.file);
    if (what == "info") print_info(log);
    if (what == "events") print_events(log);
    if (what == "digest") fmt::print("{}\n", log.digest().hex());
    if (what == "seek") print_seeks(log, flags.count.value_or(300));
    return what == "export" ? export_to(log, flags) : 0;
}

}  // namespace

Subcommand log_command() {
    return subcommand<LogFlags, show_log>(
        {"log",
         "What a log holds.\n\n  outrider log info LOG            where it is from, how far it goes\n"
         "  outrider log events LOG          what happened, as CSV\n"
         "  outrider log digest LOG          canonical hash of all but the timing: same scenario, seed and\n"
         "                                   version give the same digest\n"
         "  outrider log seek LOG            how long it takes to get to a random step of a full log\n"
         "  outrider log export LOG -o DIR   every table as CSV, the map for ROS and as GeoTIFF, the scenario,\n"
         "                                   tracks as GPX and MapInfo MIF/MID; of a full log a CARMEN log and\n"
         "                                   the last map of each robot, for ROS and as GeoTIFF\n"
         "  outrider log export LOG --mcap F.mcap [--ros2]   a full log for Foxglove, or for rviz\n",
         "[OPTION...] info|events|digest|seek|export LOG"},
        "what a log holds: info, events, digest, export");
}

}  // namespace outrider
