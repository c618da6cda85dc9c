#include "scenario/victims.hpp"

#include <cmath>

#include "outrider/detail/nav_map.hpp"
#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "scenario/read_team.hpp"

namespace outrider {
namespace {

constexpr double from_walls_m = 0.5;
constexpr std::uint32_t drawing = 1 << 21;  // stream of Purpose::placement: those of robots are below

}  // namespace

void read_victims(ConfigTable& config, Scenario& s) {
    s.victims = read_entries<VictimEntry>(config, "victim");
    for (const VictimEntry& v : s.victims)
        if (std::isnan(v.x_m) || std::isnan(v.y_m)) fail("{}: a victim needs both x_m and y_m", v.where);
}

void check_victims(const Scenario& s) {
    for (const VictimEntry& v : s.victims) {
        const Cell c = s.walls.lattice().cell_of({v.x_m, v.y_m});
        if (!s.walls.contains(c)) fail("{}: ({}, {}) m is not on the map", v.where, v.x_m, v.y_m);
        if (s.walls[c]) fail("{}: ({}, {}) m is in a wall", v.where, v.x_m, v.y_m);
    }
    if (s.has_victims() && s.start.frame == StartFrame::unknown)
        fail("victims: with start.frame = unknown places mean something else to each robot; expected known frames");
}

std::vector<Victim> draw_victims(const Scenario& s) {
    std::vector<Victim> out;
    for (const VictimEntry& v : s.victims)
        out.push_back({Point{v.x_m, v.y_m} - s.team_origin_m(), static_cast<int>(v.status)});
    if (s.finding.count == 0) return out;
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
        fail("victims.count = {}: no place that can be reached is {} m from all walls", s.finding.count, from_walls_m);
    Rng rng(s.run.seed, -1, Purpose::placement, -1, drawing);
    for (int k = 0; k < s.finding.count; ++k) {
        const Cell c = places[rng.below(static_cast<std::uint32_t>(places.size()))] - s.team_origin();
        out.push_back({lattice.centre(c), static_cast<int>(rng.below(victim_status_names.size()))});
    }
    return out;
}

}  // namespace outrider
