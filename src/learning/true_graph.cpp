#include "learning/true_graph.hpp"

#include <algorithm>
#include <cmath>

#include "learning/place_lattice.hpp"
#include "robot/robot.hpp"
#include "run/run.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

/// Cells that count, and that no robot believes to be free.
Grid<std::uint8_t> unknown_cells(const Simulation& simulation) {
    Grid<std::uint8_t> unknown = simulation.counted();
    for (std::size_t i = 0; i < unknown.cells().size(); ++i) {
        if (unknown.cells()[i] == 0) continue;
        const Cell c = unknown.cell(i);
        unknown.cells()[i] = std::none_of(simulation.team().begin(), simulation.team().end(),
                                          [c](const Robot& robot) { return robot.map().is_free(c); });
    }
    return unknown;
}

/// Of cells within `reach` of a place and in sight of it, in blocks of four by four: the first one decides for all.
std::int32_t count_in_sight(const Grid<std::uint8_t>& wanted, const Grid<std::uint8_t>& walls, Cell from, int reach) {
    std::int32_t seen = 0;
    for (int y = (from.y - reach) & ~3; y <= from.y + reach; y += 4)
        for (int x = (from.x - reach) & ~3; x <= from.x + reach; x += 4) {
            std::optional<Cell> first;
            std::int32_t cells = 0;
            for (int k = 0; k < 16; ++k) {
                const Cell c{x + k % 4, y + k / 4};
                if (wanted.get(c, 0) == 0 || squared_distance(c, from) > std::int64_t{reach} * reach) continue;
                ++cells;
                if (!first) first = c;
            }
            const auto open = [&](Cell c) { return walls.get(c, 1) == 0; };
            if (first && straight(open, from, *first)) seen += cells;
        }
    return seen;
}

int spacing_of(const Episode& episode) {
    const AgentOptions& options = episode.options();
    const Belief& belief = episode.belief(0);
    const double spacing_m = options.graph ? options.graph->spacing_m : 0;
    const double cells = spacing_m > 0 ? spacing_m / belief.map().lattice().cell_m : sensor_range_cells(belief) / 5;
    return std::max(1, static_cast<int>(std::lround(cells)));
}

/// The place nearest to a cell, within two lattice steps; the first one of several.
std::int32_t row_near(const TrueGraph& graph, Cell at) {
    std::int32_t row = -1;
    std::int64_t least = std::int64_t{8} * graph.spacing_cells * graph.spacing_cells + 1;
    for (std::size_t i = 0; i < graph.places.size(); ++i) {
        const std::int64_t far = squared_distance(graph.places[i], at);
        if (far >= least) continue;
        least = far;
        row = static_cast<std::int32_t>(i);
    }
    return row;
}

}  // namespace

TrueGraph true_graph(const Episode& episode) {
    const Simulation& simulation = episode.simulation();
    const Scenario& scenario = simulation.scenario();
    const auto robot = static_cast<std::size_t>(episode.robot(0));
    const RobotEntry& entry = scenario.robots[robot];
    const Terrain& terrain = *simulation.driver().world().terrain();
    const Grid<std::uint8_t>& reached =
        terrain.reach({scenario.start_cell(robot) - scenario.team_origin(), entry.body.radius_m, entry.sees_m()}).cells;
    const Grid<std::uint8_t> unknown = unknown_cells(simulation);
    TrueGraph out;
    const int spacing = out.spacing_cells = spacing_of(episode);
    for (std::size_t i = 0; i < reached.cells().size(); ++i)
        if (const Cell c = reached.cell(i); reached.cells()[i] != 0 && c.x % spacing == 0 && c.y % spacing == 0)
            out.places.push_back(c);
    const auto open = [&](Cell c) { return reached.get(c, 0) != 0; };
    for (const Cell place : out.places) {
        std::uint32_t edges = 0;
        for (int slot = 0; slot < PlaceGraph::neighbours; ++slot) {
            const Cell step = step_of(slot), to{place.x + step.x * spacing, place.y + step.y * spacing};
            // From the lower end, as the agents' graphs have it.
            const bool up = slot >= PlaceGraph::neighbours / 2;
            if (open(to) && straight(open, up ? place : to, up ? to : place)) edges |= 1u << slot;
        }
        out.edges.push_back(edges);
        out.utility.push_back(count_in_sight(unknown, terrain.walls(), place, 2 * spacing));
    }
    for (int a = 0; a < episode.agents(); ++a) {
        const auto of = static_cast<std::size_t>(episode.robot(a));
        const Point at = simulation.driver().world().bodies()[of].pose.position();
        out.agent_rows.push_back(row_near(out, simulation.briefings()[of].lattice.cell_of(at)));
    }
    return out;
}

}  // namespace outrider
