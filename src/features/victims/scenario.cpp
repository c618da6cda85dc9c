#include "features/victims/scenario.hpp"

#include <cmath>

#include "features/victims/operator.hpp"
#include "features/victims/options.hpp"
#include "features/victims/world.hpp"
#include "outrider/detail/nav_map.hpp"
#include "outrider/error.hpp"
#include "outrider/ray.hpp"
#include "outrider/rng.hpp"
#include "robot/robot_options.hpp"
#include "scenario/feature.hpp"
#include "scenario/number_lists.hpp"
#include "world/world.hpp"

namespace outrider {
namespace {

constexpr double from_walls_m = 0.5;
// Streams of Purpose::placement: those of robots are below.
constexpr std::uint32_t drawing = 1 << 21, drawing_decoys = drawing + 1;

/// Corners of the way, from the lower left corner of the map; the first is where they start.
std::vector<Point> path_of(const VictimEntry& v) {
    std::vector<Point> path{{v.x_m, v.y_m}};
    for (const auto& corner : read_lists<double>(v.path, 2, v.where, "path", "12 3, 15 3"))
        path.push_back({corner[0], corner[1]});
    return path;
}

/// So many random places, in the team's frame.
std::vector<Point> draw_places(const Scenario& s, int count, const char* option, Rng& rng) {
    const Lattice& lattice = s.walls.lattice();
    const Grid<std::uint8_t> near = grow_walls(s.walls, lattice.cells(from_walls_m));
    // What the smallest robot can reach from where the first one starts.
    std::size_t first = 0;
    while (s.robots[first].role == Role::base) ++first;
    double radius_m = s.robots[first].body.radius_m;
    for (const RobotEntry& r : s.robots)
        if (r.role != Role::base) radius_m = std::min(radius_m, r.body.radius_m);
    const Grid<std::uint8_t> reached =
        connected_cells(grow_walls(s.walls, lattice.cells(radius_m)), {s.start_cell(first)});
    std::vector<Cell> places;
    for (std::size_t i = 0; i < reached.cells().size(); ++i)
        if (reached.cells()[i] && !near.cells()[i]) places.push_back(reached.cell(i));
    if (places.empty())
        fail("{} = {}: no place that can be reached is {} m from all walls", option, count, from_walls_m);
    std::vector<Point> out;
    for (int k = 0; k < count; ++k)
        out.push_back(lattice.centre(places[rng.below(static_cast<std::uint32_t>(places.size()))] - s.team_origin()));
    return out;
}

const VictimOptions& victim_options(const Scenario& s) { return s.features.get<VictimOptions>(); }
const std::vector<VictimEntry>& listed_victims(const Scenario& s) { return s.lists.get<VictimEntry>(); }
bool has_victims(const Scenario& s) {
    return victim_options(s).count > 0 || victim_options(s).unlisted || !listed_victims(s).empty();
}

void read_victims(ConfigTable&, Scenario& s) {
    for (const VictimEntry& v : listed_victims(s))
        if (std::isnan(v.x_m) || std::isnan(v.y_m)) fail("{}: a victim needs both x_m and y_m", v.where);
}

void check_victims(const Scenario& s) {
    const Lattice& lattice = s.walls.lattice();
    for (const VictimEntry& v : listed_victims(s)) {
        const std::vector<Point> path = path_of(v);
        for (std::size_t k = 0; k < path.size(); ++k) {
            const Cell c = lattice.cell_of(path[k]);
            if (!s.walls.contains(c)) fail("{}: ({}, {}) m is not on the map", v.where, path[k].x, path[k].y);
            if (s.walls[c]) fail("{}: ({}, {}) m is in a wall", v.where, path[k].x, path[k].y);
            const auto free = [&](Cell at, double) { return s.walls.get(at, 1) == 0; };
            if (k > 0 && !walk_segment(lattice.to_cells(path[k - 1]), lattice.to_cells(path[k]), free))
                fail("{}: path: from ({}, {}) to ({}, {}) m a wall is in the way", v.where, path[k - 1].x,
                     path[k - 1].y, path[k].x, path[k].y);
        }
    }
}

std::unique_ptr<WorldPart> make_victims(const Scenario& s, const World&) {
    std::vector<Victim> victims = draw_victims(s);
    std::vector<Point> decoys = draw_decoys(s);
    if (victims.empty()) return nullptr;
    return std::make_unique<Victims>(std::move(victims), std::move(decoys), victim_options(s), s.robots.size());
}

std::string given_victims(const Scenario& s) {
    if (!listed_victims(s).empty()) return listed_victims(s).front().where;
    if (victim_options(s).count > 0) return fmt::format("victims.count = {}", victim_options(s).count);
    return victim_options(s).unlisted ? "victims.unlisted = true" : "";
}

std::string given_search(const Scenario& s) {
    return has_victims(s) && victim_options(s).stops_to_look() ? "victims.looks" : "";
}

std::string given_clearing(const Scenario& s) {
    if (victim_options(s).clearing) return "victims.clearing";
    if (s.frontier.after_cleared()) return "frontier.kind";
    return given_search(s);
}

/// How many times a step costs where somebody lies, unless the scenario says so.
constexpr double victim_cost = 10;

void search_for_victims(const Scenario& s, RobotOptions& options) {
    if (!has_victims(s)) return;
    expect_rough(s, options, victim_cost);
    options.plan.rough_is_rare = !has_part(s, "ground") && !has_part(s, "hazards");
    if (!given_search(s).empty() && s.frontier.kind == FrontierKind::unknown)
        options.frontier.kind = FrontierKind::uncleared;
}

}  // namespace

std::vector<Victim> draw_victims(const Scenario& s) {
    std::vector<Victim> out;
    for (const VictimEntry& v : listed_victims(s)) {
        std::vector<Point> path = path_of(v);
        for (Point& p : path) p = p - s.team_origin_m();
        out.push_back({path.front(), static_cast<int>(v.status)});
        if (path.size() > 1 && v.speed_mps > 0) out.back().walk.emplace(std::move(path), v.speed_mps);
    }
    if (victim_options(s).count == 0) return out;
    Rng rng(s.run.seed, -1, Purpose::placement, -1, drawing);
    for (const Point& at : draw_places(s, victim_options(s).count, "victims.count", rng))
        out.push_back({at, static_cast<int>(rng.below(victim_status_names.size()))});
    return out;
}

std::vector<Point> draw_decoys(const Scenario& s) {
    if (victim_options(s).decoys == 0) return {};
    Rng rng(s.run.seed, -1, Purpose::placement, -1, drawing_decoys);
    return draw_places(s, victim_options(s).decoys, "victims.decoys", rng);
}

ScenarioFeature victims_scenario() {
    return {.section = "victims",
            .after = "operator",
            .options = make_options<VictimOptions>,
            .list = {"victim", "somebody to be found", make_list<VictimEntry>},
            .parts = {{"victims", "victims.count = 2", given_victims},
                      {"clearing", "victims.clearing = true", given_clearing},
                      {"thermal_search", "victims.count = 2\nvictims.sensor = 'thermal'", given_search}},
            .read = read_victims,
            .check = check_victims,
            .robots = search_for_victims,
            .world = {{Turn::finds, make_victims}},
            .orders = make_victim_operator};
}

}  // namespace outrider
