#include <fmt/format.h>

#include "outrider/path.hpp"
#include "path_helpers.hpp"
#include "plan/jump_point_search.hpp"
#include "plan/path_planner.hpp"

using namespace outrider;

namespace test_jump_graph {
namespace {

/// A world of which more and more is seen, and whose walls come and go.
struct Growing {
    Grid<std::uint8_t> walls;
    Rng rng;
    KnownMap map{Lattice{}, {}, true};
    NavMap nav;
    std::uint32_t step = 0;

    Growing(std::uint64_t seed, double density, double radius)
        : walls(random_map(220, 200, seed, density)),
          rng(seed, 0, Purpose::placement, 20),
          nav(FrontierKind::unknown, radius) {
        walls.set_origin({-90, -100});
    }
    Cell any() { return walls.cell(rng.below(static_cast<std::uint32_t>(walls.cells().size()))); }
    /// A cell that can be passed, if there is one near at hand.
    Cell somewhere() {
        for (int k = 0; k < 200; ++k)
            if (const Cell c = any(); nav.passable(c)) return c;
        return any();
    }
    int below(int n) { return static_cast<int>(rng.below(static_cast<std::uint32_t>(n))); }

    /// Sees a rectangle as it is by now.
    void see(Cell low, Cell size) {
        std::map<std::pair<int, int>, CellTile> seen;
        for (int y = low.y; y < low.y + size.y; ++y)
            for (int x = low.x; x < low.x + size.x; ++x)
                if (const Cell c{x, y}; walls.contains(c)) {
                    const TileCoord t = tile_of(c);
                    seen[{t.x, t.y}].set(c, walls[c] ? CellState::occupied : CellState::free);
                }
        for (const auto& [t, tile] : seen) map.observe({t.first, t.second}, tile, step);
    }
    void next_step() {
        ++step;
        const int most = step < 10 ? 120 : 40;
        see(any(), {1 + below(most), 1 + below(most)});
        // Often at the rim of a tile: what rays find there depends on the tile beside it.
        for (int k = 0; k < 6; ++k) {
            Cell c = any();
            if (k < 2) c.x = (c.x & ~63) - below(2);
            if (k == 2 || k == 3) c.y = (c.y & ~63) - below(2);
            if (!walls.contains(c)) continue;
            walls[c] = !walls[c];
            see(c, {1, 1});
        }
        nav.update(map, {0, 0});
    }
};

Path by_astar(const NavMap& nav, Cell start, Cell goal) {
    PlanOptions options;
    options.planner = Planner::astar;
    return PathPlanner(options).shortest(nav, start, goal);
}

/// All that can be reached from a cell: what leads on from each arrival, in words.
std::map<std::string, std::string> all_onward(JumpGraph& graph, const NavMap& nav, Cell start) {
    std::map<std::string, std::string> out;
    graph.follow(nav, start);
    const std::span<const JumpGraph::Hop> first = graph.leave(start);
    std::vector<JumpGraph::Hop> open(first.begin(), first.end());
    const auto name = [&](JumpGraph::Arrival a) {
        return fmt::format("{} {} {}", graph.cell(a / 4).x, graph.cell(a / 4).y, a % 4);
    };
    while (!open.empty()) {
        const JumpGraph::Arrival at = open.back().to;
        open.pop_back();
        if (out.count(name(at)) > 0) continue;
        const JumpGraph::Onward onward = graph.onward(at);
        std::string& text = out[name(at)] = fmt::format("{} {}:", onward.diagonal[0], onward.diagonal[1]);
        for (const JumpGraph::Hop hop : graph.hops(onward)) {
            text += fmt::format(" {} for {},", name(hop.to), hop.cost);
            open.push_back(hop);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("what leads on from jump points is what it would be if it were looked for now") {
    std::size_t compared = 0;
    for (const double density : {0.002, 0.01, 0.1, 0.35}) {
        Growing world(static_cast<std::uint64_t>(2000 * density), density, 0);
        JumpGraph kept;
        for (int step = 0; step < 60; ++step) {
            CAPTURE(density);
            CAPTURE(step);
            world.next_step();
            const Cell start = world.somewhere();
            if (!world.nav.passable(start)) continue;
            JumpGraph fresh;
            const auto now = all_onward(fresh, world.nav, start);
            REQUIRE(all_onward(kept, world.nav, start) == now);
            compared += now.size();
        }
    }
    CHECK(compared > 10000);
}

TEST_CASE("jump points that were kept while the map changed give the paths of fresh ones, as short as by A*") {
    int found = 0, none = 0;
    for (const double density : {0.002, 0.01, 0.1, 0.35})
        for (const double radius : {0.0, 1.0}) {
            Growing world(static_cast<std::uint64_t>(1000 * density + radius), density, radius);
            const PathPlanner kept;
            for (int step = 0; step < 60; ++step) {
                CAPTURE(density);
                CAPTURE(step);
                world.next_step();
                for (int k = 0; k < 20; ++k) {
                    const Cell start = world.somewhere(), goal = world.somewhere();
                    const Path path = kept.shortest(world.nav, start, goal);
                    const Path fresh = PathPlanner().shortest(world.nav, start, goal);
                    const Path plain = by_astar(world.nav, start, goal);
                    REQUIRE(path.status == plain.status);
                    CHECK(path.cells == fresh.cells);
                    if (!path) {
                        none += path.status == PathStatus::unreachable;
                        continue;
                    }
                    CHECK(path.cost == plain.cost);
                    CHECK(path.length_cells() == doctest::Approx(path.cost_cells()).epsilon(1e-6));
                    found += path.cells.size() > 20;
                }
            }
        }
    CHECK(found > 500);
    CHECK(none > 200);
}

TEST_CASE("searches on one graph that take turns find what each finds alone") {
    Growing world(3, 0.25, 0);
    const PathPlanner kept;
    for (int step = 0; step < 40; ++step) {
        CAPTURE(step);
        world.next_step();
        std::vector<Cell> goals;
        for (int k = 0; k < 15; ++k) goals.push_back(world.somewhere());
        std::vector<Cell> starts;
        std::vector<PathSearch> together, alone;
        for (int k = 0; k < 3; ++k) {
            starts.push_back(world.somewhere());
            together.push_back(kept.search(world.nav, starts.back(), goals));
            alone.push_back(PathPlanner().search(world.nav, starts.back(), goals));
        }
        for (int round = 0; round < 16; ++round)
            for (std::size_t k = 0; k < starts.size(); ++k) {
                const int goal = together[k].find_next();
                REQUIRE(goal == alone[k].find_next());
                if (goal < 0) continue;
                const auto i = static_cast<std::size_t>(goal);
                CHECK(together[k].path(i).cells == alone[k].path(i).cells);
                const Path plain = by_astar(world.nav, starts[k], goals[i]);
                CHECK(together[k].cost(i) == plain.cost);
            }
        for (std::size_t k = 0; k < starts.size(); ++k)
            for (std::size_t i = 0; i < goals.size(); ++i)
                CHECK((together[k].known(i) == PathStatus::found) ==
                      (by_astar(world.nav, starts[k], goals[i]).status == PathStatus::found));
    }
}

TEST_CASE("a planner keeps the jump points of bodies of different sizes apart") {
    const Grid<std::uint8_t> walls = random_map(150, 150, 7, 0.03);
    const PathPlanner kept;
    std::vector<NavMap> navs;
    for (const double radius : {0.0, 1.0, 2.0, 3.0, 4.0, 1.5}) navs.emplace_back(FrontierKind::unknown, radius);
    const KnownMap map = known_all(walls);
    for (NavMap& nav : navs) nav.update(map, {0, 0});
    Rng rng(7, 0, Purpose::placement, 21);
    std::vector<PathSearch> searches;
    std::vector<std::pair<std::size_t, std::vector<Cell>>> asked;  // of which map, from and to where
    for (int k = 0; k < 60; ++k) {
        const std::size_t body = rng.below(static_cast<std::uint32_t>(navs.size()));
        const std::vector<Cell> goals{random_free(walls, rng)};
        const Cell start = random_free(walls, rng);
        const Path path = kept.shortest(navs[body], start, goals[0]), plain = by_astar(navs[body], start, goals[0]);
        CHECK(path.status == plain.status);
        CHECK(path.cost == plain.cost);
        searches.push_back(kept.search(navs[body], start, goals));
        asked.push_back({body, {start, goals[0]}});
    }
    for (std::size_t k = 0; k < searches.size(); ++k) {  // begun long ago, on maps that were put aside meanwhile
        const Path plain = by_astar(navs[asked[k].first], asked[k].second[0], asked[k].second[1]);
        CHECK(searches[k].find(0) == plain.status);
        if (plain) CHECK(searches[k].path(0).cost == plain.cost);
    }
}

}  // namespace test_jump_graph
