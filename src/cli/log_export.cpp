#include "cli/log_export.hpp"
#include "messages/victim_options.hpp"
#include "scenario/exclusions.hpp"

#include <algorithm>

#include "base/output.hpp"
#include "grid/known_grid.hpp"
#include "log/geotiff.hpp"
#include "log/replay.hpp"
#include "metrics/true_view.hpp"
#include "outrider/detail/nav_map.hpp"
#include "plan/path_planner.hpp"
#include "scene/victim_events.hpp"
#include "sensor_log/ros_map.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

void write_file(const std::string& path, bool force, const std::string& text) {
    OutputFile file(path, force);
    file.write(text);
    file.commit();
    print_plain("{}\n", path);
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
    if (log.level() != LogLevel::full) return;
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
    if (log.level() != LogLevel::full || steps.steps.empty()) return out;
    Replay replay(log);
    if (!replay.seek(steps.steps.back())) {
        print_aside("note: no belief_N is written: step {} cannot be read\n", steps.steps.back());
        return out;
    }
    TrueView view(s.start_poses(), replay.team());
    view.update(replay.team());
    const Cell origin = s.team_origin();
    for (const Robot& robot : replay.team()) {
        const KnownMap& map = view.map(robot);
        auto& cells = out.emplace_back(s.walls.width(), s.walls.height(), GeoCell::unknown, s.walls.lattice());
        for (std::size_t k = 0; k < cells.cells().size(); ++k) {
            const Cell at = cells.cell(k) - origin;
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
    if (!has_part(s, "victims")) return;
    VictimList list;
    for (const LogReader::Event& e : log.events()) list.add(e.step, e.kind, e.json);
    std::string text = "victim,x_m,y_m,id,status,state,reported_step,decided_step\n";
    std::vector<FoundPlace> places;
    for (std::size_t k = 0; k < list.list().size(); ++k) {
        const ListedVictim& victim = list.list()[k];
        const FoundVictim& v = victim.found;
        const Point at = v.at + s.team_origin_m();
        const bool on_map = s.walls.contains(s.walls.lattice().cell_of(at));
        const std::string_view status = v.status >= 0 && v.status < std::ssize(victim_status_names)
                                            ? victim_status_names[static_cast<std::size_t>(v.status)]
                                            : std::string_view();
        text += fmt::format("{},{:.3f},{:.3f},{},{},{},{},{}\n", k, at.x, at.y, v.id < 0 ? "" : fmt::format("{}", v.id),
                            status, victim_state_names[static_cast<std::size_t>(v.state)], v.first_step,
                            victim.decided_step < 0 ? "" : fmt::format("{}", victim.decided_step));
        if (v.state != VictimState::confirmed) continue;
        places.push_back({fmt::format("victim {}", k), status.empty() ? "status not known" : std::string(status), at,
                          beliefs.empty() || !on_map ? std::vector<Point>() : route_to(s, beliefs.front(), at)});
    }
    write_file(folder + "/victims.csv", force, text);
    write_file(folder + "/victims.gpx", force, places_gpx_of(places, placement.value_or(Placement{}), s.name));
}

}  // namespace

void export_log(LogReader& log, const std::string& folder, bool force, const std::optional<Placement>& placement) {
    const Scenario s = log.scenario();
    const LogSteps steps = log.steps();
    const Point origin = s.team_origin_m();
    const auto name = [&](const std::optional<Index<Robot>>& robot) {
        return robot ? csv_field(robot->in(s.robots).name) : std::string("team");
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
        text += fmt::format("{},{},{},{}\n", e.step, csv_field(e.kind), name(e.robot), csv_field(e.json));
    write_file(folder + "/events.csv", force, text);

    text = "name,robot,value\n";
    std::vector<LogReader::SummaryRow> rows = log.summary();
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::pair(std::string_view(a.name), a.robot ? a.robot->number() : -1) <
               std::pair(std::string_view(b.name), b.robot ? b.robot->number() : -1);
    });
    for (const LogReader::SummaryRow& row : rows)
        text += fmt::format("{},{},{}\n", csv_field(row.name), name(row.robot),
                            row.value ? fmt::format("{}", *row.value) : "");
    write_file(folder + "/summary.csv", force, text);
    Scenario exported = s;
    // Beside it; what it says holds, whatever the options were that the map was read by.
    exported.map = MapOptions{.file = "map.yaml", .cell_m = s.map.cell_m, .channels = s.map.channels};
    write_file(folder + "/scenario.toml", force, exported.resolved());
    write_map(folder + "/map.yaml", MapFile{s.walls, s.map_origin}, force);
    print_plain("{}/map.yaml\n", folder);
    const std::vector<Grid<std::uint8_t>> beliefs = last_beliefs(log, s, steps);
    for (std::size_t i = 0; i < beliefs.size(); ++i) {
        write_ros_map(folder, fmt::format("belief_{}", i), beliefs[i], force, s.map_origin);
        print_plain("{}/belief_{}.yaml\n", folder, i);
    }
    export_geotiff(s, beliefs, folder, force, placement);
    export_victims(log, s, beliefs, folder, force, placement);
    for (const std::string& damaged : steps.damaged) print_aside("note: left out, damaged: {}\n", damaged);
    for (const std::string& damaged : log.damaged_parts()) print_aside("note: left out, damaged: {}\n", damaged);
}

}  // namespace outrider
