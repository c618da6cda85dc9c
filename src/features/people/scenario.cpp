#include "features/people/scenario.hpp"

#include <algorithm>
#include <cmath>

#include "features/people/options.hpp"
#include "features/people/world.hpp"
#include "grid/known_grid.hpp"
#include "outrider/detail/nav_map.hpp"
#include "outrider/error.hpp"
#include "outrider/ray.hpp"
#include "outrider/rng.hpp"
#include "plan/path_planner.hpp"
#include "robot/robot_options.hpp"
#include "scenario/feature.hpp"
#include "world/world.hpp"

namespace outrider {
namespace {

constexpr int stations = 4;  ///< between which somebody walks by paths
constexpr int turns = 40;    ///< of somebody who walks at random, before he goes back
constexpr double leg_m = 8;  ///< the longest that he goes straight on

const CrowdOptions& crowd_of(const Scenario& s) { return s.features.get<CrowdOptions>(); }

/// The floor on which people can stand.
struct Floor {
    Grid<std::uint8_t> blocked;  ///< nonzero: too near to a wall
    std::vector<Cell> cells;     ///< that are not, in one piece

    Cell any(Rng& rng) const { return cells[rng.below(static_cast<std::uint32_t>(cells.size()))]; }
    Point centre(Cell c) const { return blocked.lattice().centre(c); }
};

Floor floor_of(const Scenario& s) {
    Floor floor{grow_walls(s.walls, s.walls.lattice().cells(crowd_of(s).radius_m)), {}};
    // The first robot may stand closer to a wall than people do: the floor begins where they can stand nearest to it.
    const Cell start = s.team_origin();
    Cell seed = start;
    std::int64_t nearest = -1;
    for (std::size_t i = 0; i < floor.blocked.cells().size(); ++i) {
        if (floor.blocked.cells()[i]) continue;
        const Cell c = floor.blocked.cell(i);
        const std::int64_t away = squared_distance(c, start);
        if (nearest >= 0 && away >= nearest) continue;
        nearest = away;
        seed = c;
    }
    if (nearest < 0) fail("crowd.people = {}: no place on the map is wide enough for a person", crowd_of(s).people);
    const Grid<std::uint8_t> reached = connected_cells(floor.blocked, {seed});
    for (std::size_t i = 0; i < reached.cells().size(); ++i)
        if (reached.cells()[i]) floor.cells.push_back(reached.cell(i));
    return floor;
}

std::vector<Point> tour(const Floor& floor, const NavMap& nav, const PathPlanner& planner, Rng& rng) {
    Cell at = floor.any(rng);
    std::vector<Point> corners{floor.centre(at)};
    for (int k = 1; k < stations; ++k) {
        const Cell to = floor.any(rng);
        const Path path = planner.shortest(nav, at, to);
        for (std::size_t i = 1; i < path.cells.size(); ++i) corners.push_back(floor.centre(path.cells[i]));
        if (path) at = to;
    }
    return corners;
}

std::vector<Point> stroll(const Floor& floor, Rng& rng) {
    const Lattice& lattice = floor.blocked.lattice();
    std::vector<Point> path{floor.centre(floor.any(rng))};
    for (int k = 0; k < turns; ++k) {
        const Point from = path.back();
        const auto [s, c] = sin_cos(rng.uniform(-pi, pi));
        double free = lattice.cells(leg_m);
        walk_ray(Ray(lattice.to_cells(from), {c, s}), free, [&](Cell cell, double t) {
            if (!floor.blocked.get(cell, 1)) return true;
            free = std::max(0.0, t - 0.01);
            return false;
        });
        path.push_back(from + Point{c, s} * lattice.metres(free));
    }
    return path;
}

void check_crowd(const Scenario& s) {
    if (crowd_of(s).people == 0) return;
    if (crowd_of(s).radius_m / s.map.cell_m > 30)
        fail("crowd.radius_m = {}: a radius of more than 30 cells; a cell is {} m", crowd_of(s).radius_m, s.map.cell_m);
    floor_of(s);
}

std::string given_people(const Scenario& s) {
    if (crowd_of(s).people > 0) return fmt::format("crowd.people = {}", crowd_of(s).people);
    for (const RobotEntry& r : s.robots)
        if (r.body.seen || r.body.blocks) return fmt::format("body.{} ('{}')", r.body.seen ? "seen" : "blocks", r.name);
    return {};
}

std::string given_tracks(const Scenario& s) { return crowd_of(s).tracks ? "crowd.tracks = true" : ""; }

std::unique_ptr<WorldPart> make_people_and_bodies(const Scenario& s, const World&) {
    if (!s.crowded()) return nullptr;
    return std::make_unique<PeopleAndBodies>(draw_walkers(s), crowd_of(s).radius_m,
                                             by_robot(s, [](const RobotEntry& r) {
                                                 return Presence{r.body.seen, r.body.blocks};
                                             }));
}

void doubt(const Scenario& s, RobotOptions& robots) {
    if (s.crowded()) robots.mapping.doubt_steps = crowd_of(s).doubt_steps;
}

constexpr Exclusion people_exclude[] = {{"people", "recorded_positions", put_there}};

}  // namespace

std::vector<Walker> draw_walkers(const Scenario& s) {
    std::vector<Walker> people;
    if (crowd_of(s).people == 0) return people;
    const Floor floor = floor_of(s);
    NavMap nav(FrontierKind::unknown, 0);
    const KnownMap map = known_grid(floor.blocked);
    nav.update(map, floor.cells.front());
    const PathPlanner planner;
    for (int k = 0; k < crowd_of(s).people; ++k) {
        Rng rng(s.run.seed, k, Purpose::changes, 0);
        std::vector<Point> path = crowd_of(s).walk == Walk::path ? tour(floor, nav, planner, rng) : stroll(floor, rng);
        for (Point& p : path) p = p - s.team_origin_m();
        people.emplace_back(std::move(path), crowd_of(s).speed_mps);
    }
    return people;
}

ScenarioFeature people_scenario() {
    return {
        .section = "crowd",
        .after = "victims",
        .options = make_options<CrowdOptions>,
        .parts = {{"people", "crowd.people = 2", given_people}, {"people_tracks", "crowd.tracks = true", given_tracks}},
        .excludes = people_exclude,
        .check = check_crowd,
        .robots = doubt,
        .world = {{Turn::bodies, make_people_and_bodies}}};
}

}  // namespace outrider
