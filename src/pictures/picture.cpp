#include "pictures/picture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "metrics/metrics.hpp"
#include "pictures/map_canvas.hpp"
#include "pictures/scene_picture.hpp"
#include "scenario/feature.hpp"
#include "scenario/placement.hpp"
#include "simulator/sim_driver.hpp"
#include "world/world.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_names = 24;  // of robots in a legend

void robot_entries(MapCanvas& picture, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size() && i < most_names; ++i) picture.entry(robot_colour(i), names[i]);
    if (names.size() > most_names) picture.entry(ink::paper, fmt::format("and {} more", names.size() - most_names));
    picture.next_line();
}

/// Cells that a disc overlaps when its centre is in one of `cells`; radius in cells.
Grid<std::uint8_t> covered_by(const Grid<std::uint8_t>& cells, double radius) {
    Grid<std::uint8_t> free = cells;
    for (std::uint8_t& cell : free.cells()) cell = cell != 0;
    Grid<std::uint8_t> out = grow_walls(free, radius);
    // grow_walls takes the outside for a wall, too; the map's border is not among our cells.
    const int r = static_cast<int>(std::ceil(radius + 0.5));
    for (std::size_t i = 0; i < out.cells().size(); ++i) {
        const Cell c = out.cell(i) - out.origin();
        const int edge = std::min({c.x, c.y, out.width() - 1 - c.x, out.height() - 1 - c.y});
        if (edge > r || !out.cells()[i]) continue;
        bool near = false;
        for (int dy = -r; dy <= r && !near; ++dy)
            for (int dx = -r; dx <= r && !near; ++dx)
                near = std::hypot(std::max(0.0, std::abs(dx) - 0.5), std::max(0.0, std::abs(dy) - 0.5)) < radius &&
                       cells.get(out.cell(i) + Cell{dx, dy}, 0);
        out.cells()[i] = near || cells.cells()[i];
    }
    return out;
}

}  // namespace

void TrackRecorder::on_step(const StepView&) {
    const std::vector<Body>& bodies = driver_.world().bodies();
    tracks_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::vector<Point>& path = driver_.last_move(static_cast<RobotId>(i)).path;
        tracks_[i].insert(tracks_[i].end(), path.begin(), path.end());
        tracks_[i].push_back(bodies[i].pose.position());
    }
}

Moment moment_of(const Simulation& simulation, const std::vector<std::vector<Point>>& tracks, scene::Stage& stage) {
    std::vector<Point> positions;
    std::vector<std::uint8_t> alive;
    for (const Body& body : simulation.driver().world().bodies()) {
        positions.push_back(body.pose.position());
        alive.push_back(body.alive);
    }
    const TrueView& truth = simulation.metrics().truth();
    scene::Scene scene;
    if (const Run& run = simulation.progress(); run.steps > 0) {
        const std::vector<Pose> poses = simulation.driver().world().poses();
        scene = stage.all({last_step(run), truth, poses});
    }
    return {simulation.driver().world().walls(),
            simulation.sensable(),
            simulation.team(),
            std::move(positions),
            tracks,
            truth,
            std::move(alive),
            std::move(scene)};
}

Raster draw_run(const Moment& moment, const std::string& caption) {
    const auto& [walls, sensable, team, positions, tracks, truth, alive, scene] = moment;
    const auto start = [&](std::size_t i) {
        const Robot& robot = moment.team[i];
        return moment.truth.own_point(robot, robot.belief().briefing().start.position());
    };
    MapCanvas picture(walls);
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        bool seen = false;
        for (std::size_t r = 0; r < team.size(); ++r) seen = seen || (alive[r] && truth.map(team[r]).is_free(c));
        picture.cell(c, walls[c] ? ink::wall : seen ? ink::known : sensable[c] ? ink::unknown : ink::unreachable);
    }
    paint_areas(picture, scene);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (!team[i].belief().briefing().me().mobile || tracks[i].empty()) continue;
        std::vector<Point> line{picture.pixel(start(i))};
        for (const Point p : tracks[i]) line.push_back(picture.pixel(p));
        picture.canvas().line(line, picture.line_width(), robot_colour(i), 0.85);
    }
    for (std::size_t i = 0; i < team.size(); ++i)
        if (team[i].belief().briefing().is_base()) picture.base(positions[i]);
    for (std::size_t i = 0; i < team.size(); ++i) {  // above the bases, to which robots come home
        const Briefing& briefing = team[i].belief().briefing();
        if (!briefing.me().mobile) continue;
        const Colour colour = robot_colour(i);
        picture.canvas().ring(picture.pixel(start(i)), picture.mark(), 2, colour);
        picture.canvas().disc(picture.pixel(positions[i]), picture.mark() + 1.5, ink::paper);
        picture.canvas().disc(picture.pixel(positions[i]), picture.mark(), colour);
    }
    paint_marks(picture, scene);

    picture.caption(caption);
    std::vector<std::string> names;
    for (const TeamMember& m : team[0].belief().briefing().team()) names.push_back(m.name);
    robot_entries(picture, names);
    picture.entry(ink::known, "known");
    picture.entry(ink::unknown, "not known");
    picture.entry(ink::unreachable, "cannot be sensed");
    picture.entry(ink::wall, "wall");
    paint_legend(picture, scene);
    picture.scale_bar();
    picture.next_line();
    picture.caption("A ring is where a robot started, a dot where it ended; black squares are base stations.");
    return picture.finish();
}

namespace {

/// What a check found, cell by cell.
struct CheckedCells {
    CellBits free, reached, open, wide;  ///< open: can be sensed; wide: the largest body overlaps it somewhere
    CheckReport count() const;
    Raster draw(const Scenario& s, const CheckReport& report) const;
};

CheckReport CheckedCells::count() const {
    CheckReport report;
    const auto add = [](std::size_t& sum, std::uint64_t cells) {
        sum += static_cast<std::size_t>(std::popcount(cells));
    };
    for (int y = 0; y < free.height(); ++y)
        for (int w = 0; w < free.words(); ++w) {
            const std::uint64_t cells = free.row(y)[w], here = cells & reached.row(y)[w], seen = open.row(y)[w];
            add(report.free, cells);
            add(report.reached, here);
            add(report.only_seen, cells & ~here & seen);
            add(report.unseen, cells & ~here & ~seen);
            add(report.narrow, cells & ~wide.row(y)[w]);
        }
    report.walls = static_cast<std::size_t>(free.width()) * static_cast<std::size_t>(free.height()) - report.free;
    return report;
}

Raster CheckedCells::draw(const Scenario& s, const CheckReport& report) const {
    const Grid<std::uint8_t>& walls = s.walls;
    MapCanvas picture(walls);
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        picture.cell(c, !free.test(c)     ? ink::wall
                        : !wide.test(c)   ? ink::narrow
                        : reached.test(c) ? ink::known
                        : open.test(c)    ? ink::unknown
                                          : ink::unreachable);
    }
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        const Point at = walls.lattice().centre(s.start_cell(i));
        if (s.robots[i].role == Role::base) {
            picture.base(at);
        } else {
            picture.canvas().disc(picture.pixel(at), picture.mark() + 1.5, ink::paper);
            picture.canvas().disc(picture.pixel(at), picture.mark(), robot_colour(i));
        }
    }
    std::vector<std::string> names;
    for (const RobotEntry& r : s.robots) names.push_back(r.name);
    robot_entries(picture, names);
    picture.entry(ink::known, "a robot gets there");
    if (report.only_seen > 0) picture.entry(ink::unknown, "can only be seen");
    if (report.unseen > 0) picture.entry(ink::unreachable, "cannot be sensed");
    if (report.narrow > 0) picture.entry(ink::narrow, "too narrow for the robot");
    picture.entry(ink::wall, "wall");
    picture.scale_bar();
    return picture.finish();
}

}  // namespace

CheckReport check_scenario(const Scenario& s, bool with_picture) {
    std::vector<Cell> starts;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < s.robots.size(); ++i) {
        if (s.robots[i].body.speed_mps == 0) continue;
        starts.push_back(s.start_cell(i));
        if (s.robots[widest].body.radius_m <= s.robots[i].body.radius_m) widest = i;
    }
    const double radius = s.robots[widest].body.radius_m / s.map.cell_m;
    const auto around = [&](const CellBits& places) {  // the cells that the body overlaps in these places
        if (radius == 0) return places;
        Grid<std::uint8_t> cells(s.walls.width(), s.walls.height(), 0, s.walls.lattice(), s.walls.origin());
        places.for_each([&](Cell c) { cells[c] = 1; });
        return nonzero_bits(covered_by(cells, radius));
    };
    CellBits open = nonzero_bits(*sensable_cells(s));
    open.set_origin(s.walls.origin());
    const CellBits standing = open_bits(obstacles_of(s, widest));
    const CheckedCells cells{open_bits(s.walls), around(connected_bits(standing, starts)), open, around(standing)};
    CheckReport report = cells.count();
    for (const ScenarioFeature& feature : scenario_features()) {
        const auto counted = feature.counted ? feature.counted(s) : nullptr;
        if (!counted) continue;
        report.in_region = 0;
        for (std::size_t i = 0; i < s.walls.cells().size(); ++i)
            *report.in_region += !s.walls.cells()[i] && counted->cells()[i];
    }
    if (with_picture) report.picture = cells.draw(s, report);
    return report;
}

}  // namespace outrider
