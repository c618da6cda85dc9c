#include <map>
#include <queue>

#include "helpers.hpp"
#include "plan/path_planner.hpp"
#include "plan/skeleton/topological_map.hpp"

using namespace outrider;

namespace test_topological_map {
namespace {

using Near = std::pair<std::uint32_t, Cell>;  // cost of the way to a node, and the node

bool step_allowed(const NavMap& nav, Cell c, Cell d) {
    return nav.passable(c + d) && nav.passable({c.x + d.x, c.y}) && nav.passable({c.x, c.y + d.y});
}

/// The nearest node of every cell, then the first by row and column, by Dijkstra.
std::map<Cell, Near> nearest_nodes(const NavMap& nav, const std::vector<Cell>& nodes) {
    std::map<Cell, Near> nearest;
    using Entry = std::pair<Near, Cell>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const Cell c : nodes) queue.push({{0, c}, c});
    while (!queue.empty()) {
        const auto [near, c] = queue.top();
        queue.pop();
        if (!nearest.emplace(c, near).second) continue;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if ((dx != 0 || dy != 0) && step_allowed(nav, c, {dx, dy}))
                    queue.push({{near.first + (dx != 0 && dy != 0 ? diagonal_cost : straight_cost), near.second},
                                c + Cell{dx, dy}});
    }
    return nearest;
}

std::map<std::pair<Cell, Cell>, std::uint32_t> plain_edges(const NavMap& nav, const std::map<Cell, Near>& nearest) {
    std::map<std::pair<Cell, Cell>, std::uint32_t> edges;
    for (const auto& [c, near] : nearest)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const auto other = nearest.find(c + Cell{dx, dy});
                if (other == nearest.end() || !step_allowed(nav, c, {dx, dy})) continue;
                if (!(near.second < other->second.second)) continue;
                const std::uint32_t cost =
                    near.first + other->second.first + (dx != 0 && dy != 0 ? diagonal_cost : straight_cost);
                const auto [at, fresh] = edges.emplace(std::pair(near.second, other->second.second), cost);
                at->second = std::min(at->second, cost);
            }
    return edges;
}

Cell random_reached(const NavMap& nav, const Grid<std::uint8_t>& walls, Rng& rng) {
    for (;;)
        if (const Cell c = walls.cell(rng.below(static_cast<std::uint32_t>(walls.cells().size()))); nav.reached(c))
            return c;
}

void check_steps(const NavMap& nav, const Path& path, Cell start, Cell goal) {
    REQUIRE(path);
    CHECK(path.cells.front() == start);
    CHECK(path.cells.back() == goal);
    std::uint32_t cost = 0;
    for (std::size_t i = 1; i < path.cells.size(); ++i) {
        const Cell d = path.cells[i] - path.cells[i - 1];
        REQUIRE(std::max(std::abs(d.x), std::abs(d.y)) == 1);
        CHECK(step_allowed(nav, path.cells[i - 1], d));
        cost += d.x != 0 && d.y != 0 ? diagonal_cost : straight_cost;
    }
    CHECK(path.cost == cost);
}

}  // namespace

TEST_CASE("nodes, their cells and their edges stay what they would be from scratch, while the map grows and changes") {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        const Grid<std::uint8_t> walls = seed % 2 ? rooms_map(220, 200, seed) : random_map(220, 200, seed, 0.01);
        Rng rng(seed, 0, Purpose::placement, 0);
        KnownMap map(walls.lattice());
        NavMap nav(FrontierKind::unknown, 0);
        TopologicalMap graph;
        for (int step = 0; step < 6; ++step) {
            const int side = step == 0 ? 160 : 60;
            const Cell low{static_cast<int>(rng.below(static_cast<std::uint32_t>(220 - side))),
                           static_cast<int>(rng.below(static_cast<std::uint32_t>(200 - side)))};
            for (int y = low.y; y < low.y + side; ++y)
                for (int x = low.x; x < low.x + side; ++x) {
                    const bool doubtful = rng.below(2000) == 0;
                    CellTile claims;
                    claims.set({x, y}, doubtful        ? CellState::occupied
                                       : walls[{x, y}] ? CellState::safe_occupied
                                                       : CellState::safe_free);
                    map.observe(tile_of({x, y}), claims, 0);
                }
            nav.update(map, {110, 100});
            graph.update(nav);
            TopologicalMap fresh;
            fresh.update(nav);
            REQUIRE(graph.nodes() == fresh.nodes());
            CHECK(graph.nodes().size() > 10);
            for (const Cell node : graph.nodes()) CHECK(graph.skeleton().on(node));
            const std::map<Cell, Near> nearest = nearest_nodes(nav, graph.nodes());
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < walls.cells().size(); ++i) {
                const Cell c = walls.cell(i);
                const auto truth = nearest.find(c);
                const auto node = graph.node_of(c);
                wrong += truth == nearest.end() ? node.has_value() : node != truth->second.second;
            }
            CHECK(wrong == 0);
            std::map<std::pair<Cell, Cell>, std::uint32_t> edges;
            for (const TopologicalMap::Edge& e : graph.edges()) edges.emplace(std::pair(e.a, e.b), e.cost);
            CHECK(edges == plain_edges(nav, nearest));
            for (int k = 0; k < 30; ++k) {
                const Cell from = random_reached(nav, walls, rng), to = random_reached(nav, walls, rng);
                const auto path = graph.path(nav, from, to), again = fresh.path(nav, from, to);
                REQUIRE(path.has_value() == again.has_value());
                if (path) CHECK(path->cells == again->cells);
            }
        }
        CHECK(graph.counters().rebuilds <= 4);  // the first time, and when most of it changed
        const auto before = graph.counters();
        graph.update(nav);
        CHECK(graph.counters().cells_touched == before.cells_touched);
    }
}

TEST_CASE("a wall that appears changes the graph around it, and nothing far away is looked at") {
    const Grid<std::uint8_t> walls = rooms_map(1000, 800, 5);
    KnownMap map = known_all(walls);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {5, 5});
    TopologicalMap graph;
    graph.update(nav);
    const auto before = graph.counters();
    Cell wall{500, 400};
    while (!nav.passable(wall)) ++wall.x;
    CellTile claims;
    claims.set(wall, CellState::safe_occupied);
    map.observe(tile_of(wall), claims, 0);
    nav.update(map, {5, 5});
    graph.update(nav);
    const std::uint64_t changed = graph.counters().cells_changed - before.cells_changed;
    CHECK(changed > 0);
    CHECK(graph.counters().cells_touched - before.cells_touched <= 4 * changed + 20);
    CHECK(graph.counters().tiles_crossed - before.tiles_crossed < before.tiles_crossed / 10);
}

TEST_CASE("paths over the graph are made of allowed steps and hardly longer than the shortest") {
    double sum = 0, worst = 0, planned_sum = 0, planned_worst = 0;
    int over_graph = 0, count = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Grid<std::uint8_t> walls = rooms_map(600, 500, seed);
        NavMap nav(FrontierKind::unknown, 0);
        Rng rng(seed, 0, Purpose::placement, 1);
        Cell start{0, 0};
        while (walls[start]) start = walls.cell(rng.below(300'000));
        const KnownMap map = known_all(walls);
        nav.update(map, start);
        TopologicalMap graph;
        graph.update(nav);
        PlanOptions options;
        options.planner = Planner::topological;
        const PathPlanner shortest, planner(options);
        for (int k = 0; k < 60; ++k, ++count) {
            const Cell from = random_reached(nav, walls, rng), to = random_reached(nav, walls, rng);
            const Path best = shortest.shortest(nav, from, to);
            const auto excess = [&](const Path& path) { return best.cost ? path.cost / double(best.cost) - 1 : 0; };
            if (const auto path = graph.path(nav, from, to)) {
                check_steps(nav, *path, from, to);
                CHECK(excess(*path) >= 0);
                sum += excess(*path);
                worst = std::max(worst, excess(*path));
                ++over_graph;
            }
            const Path planned = planner.shortest(nav, from, to);
            check_steps(nav, planned, from, to);
            planned_sum += excess(planned);
            planned_worst = std::max(planned_worst, excess(planned));
            if (best.cost > 0) CHECK(planner.shortest(nav, from, to, best.cost - 1).status == PathStatus::too_far);
        }
    }
    CHECK(over_graph > count / 2);
    CHECK(sum / over_graph < 0.05);
    CHECK(worst < 0.3);
    CHECK(planned_sum / count < 0.05);
    CHECK(planned_worst < 0.15);
}

}  // namespace test_topological_map
