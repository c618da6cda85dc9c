#include <queue>

#include "grid/known_grid.hpp"
#include "outrider/path.hpp"
#include "path_helpers.hpp"
#include "plan/jump_point_search.hpp"
#include "plan/path_planner.hpp"
#include "scenario/imports/scen_file.hpp"
#include "world/map_file.hpp"

using namespace outrider;

namespace test_path {
namespace {

/// Costs from `start` to every cell by Dijkstra with plain rules: 8 neighbours, no cutting of corners.
Grid<std::uint32_t> dijkstra(const NavMap& nav, Cell start, const Grid<std::uint8_t>& frame, double wall_cost) {
    Grid<std::uint32_t> cost(frame.width(), frame.height(), no_bound, frame.lattice(), frame.origin());
    using Entry = std::pair<std::uint32_t, Cell>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto pass = [&](Cell c) { return cost.contains(c) && nav.passable(c); };
    cost[start] = 0;
    open.emplace(0, start);
    while (!open.empty()) {
        const auto [g, c] = open.top();
        open.pop();
        if (g > cost[c]) continue;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell to = c + Cell{dx, dy};
                if ((dx == 0 && dy == 0) || !pass(to)) continue;
                if (dx != 0 && dy != 0 && (!pass(c + Cell{dx, 0}) || !pass(c + Cell{0, dy}))) continue;
                const std::uint32_t base = dx != 0 && dy != 0 ? diagonal_cost : straight_cost;
                const double share = nav.clearance(to) == 1 ? 1 : nav.clearance(to) == 2 ? 0.5 : 0;
                const std::uint32_t total = g + static_cast<std::uint32_t>(std::lround(base * (1 + wall_cost * share)));
                if (total < cost[to]) {
                    cost[to] = total;
                    open.emplace(total, to);
                }
            }
    }
    return cost;
}

void check_path(const NavMap& nav, const Path& path, Cell start, Cell goal, std::uint32_t expected, double wall_cost) {
    REQUIRE(path);
    CHECK(path.cost == expected);
    CHECK(path.cells.front() == start);
    CHECK(path.cells.back() == goal);
    std::uint32_t sum = 0;
    for (std::size_t i = 1; i < path.cells.size(); ++i) {
        const Cell a = path.cells[i - 1], b = path.cells[i], d = b - a;
        REQUIRE(std::max(std::abs(d.x), std::abs(d.y)) == 1);
        CHECK(nav.passable(b));
        if (d.x != 0 && d.y != 0) CHECK((nav.passable(a + Cell{d.x, 0}) && nav.passable(a + Cell{0, d.y})));
        const std::uint32_t base = d.x != 0 && d.y != 0 ? diagonal_cost : straight_cost;
        const double share = nav.clearance(b) == 1 ? 1 : nav.clearance(b) == 2 ? 0.5 : 0;
        sum += static_cast<std::uint32_t>(std::lround(base * (1 + wall_cost * share)));
    }
    CHECK(sum == path.cost);
    if (wall_cost == 0) CHECK(path.cost_cells() == doctest::Approx(path.length_cells()).epsilon(1e-6));
}

}  // namespace

TEST_CASE("shortest and clearest paths cost what Dijkstra says, on random maps of all densities") {
    const std::array densities{0.0, 0.02, 0.1, 0.25, 0.45, 0.7};
    int found = 0, unreachable = 0;
    for (std::size_t d = 0; d < densities.size(); ++d)
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            Grid<std::uint8_t> walls = random_map(150, 140, 10 * d + seed, densities[d]);
            walls.set_origin({-70, -75});
            Rng rng(seed, 0, Purpose::placement, 1);
            const Cell start = random_free(walls, rng);
            const Known w(walls, start);
            PlanOptions options;
            const PathPlanner planner(options);
            options.planner = Planner::field;
            const PathPlanner by_field(options);
            options.planner = Planner::topological;
            const PathPlanner by_graph(options);
            const Grid<std::uint32_t> plain = dijkstra(w.nav, start, walls, 0),
                                      clear = dijkstra(w.nav, start, walls, 1);
            for (int k = 0; k < 30; ++k) {
                const Cell goal = random_free(walls, rng);
                const Path a = planner.shortest(w.nav, start, goal), b = planner.clearest(w.nav, start, goal);
                if (plain[goal] == no_bound) {
                    CHECK(a.status == PathStatus::unreachable);
                    CHECK(b.status == PathStatus::unreachable);
                    ++unreachable;
                    continue;
                }
                check_path(w.nav, a, start, goal, plain[goal], 0);
                check_path(w.nav, by_field.shortest(w.nav, start, goal), start, goal, plain[goal], 0);
                CHECK(by_graph.shortest(w.nav, start, goal).cost >= plain[goal]);
                check_path(w.nav, b, start, goal, clear[goal], 1);
                ++found;
                if (plain[goal] == 0) continue;
                CHECK(planner.shortest(w.nav, start, goal, plain[goal]).status == PathStatus::found);
                CHECK(planner.shortest(w.nav, start, goal, plain[goal] - 1).status == PathStatus::too_far);
                CHECK(planner.clearest(w.nav, start, goal, clear[goal] - 1).status == PathStatus::too_far);
            }
        }
    CHECK(found > 400);
    CHECK(unreachable > 50);
}

TEST_CASE("jump points follow walls that appear and go, at the borders of tiles too") {
    Grid<std::uint8_t> walls(192, 192, 0, {}, {});
    Rng rng(7, 0, Purpose::placement, 1);
    KnownMap map = known_all(walls);
    NavMap nav(FrontierKind::unknown, 0);
    const Cell home{96, 96};
    nav.update(map, home);
    const PathPlanner planner;
    const auto at_border = [&] { return 64 * static_cast<int>(1 + rng.below(2)) - static_cast<int>(rng.below(3)); };
    int found = 0;
    for (std::uint32_t change = 0; change < 250; ++change) {
        // A stroke of cells along, or across, a border of two tiles.
        const bool upright = rng.below(2) == 0;
        const Cell from = rng.below(2) == 0 ? Cell{at_border(), static_cast<int>(rng.below(180))}
                                            : Cell{static_cast<int>(rng.below(180)), at_border()};
        const bool wall = rng.below(3) != 0;
        for (int k = 0, length = 1 + static_cast<int>(rng.below(12)); k < length; ++k) {
            const Cell c = from + (upright ? Cell{0, k} : Cell{k, 0});
            if (!walls.contains(c) || c == home) continue;
            CellTile claim;
            claim.set(c, wall ? CellState::safe_occupied : CellState::safe_free);
            map.observe(tile_of(c), claim, change + 1);
            walls[c] = wall;
        }
        nav.update(map, home);
        const Grid<std::uint32_t> costs = dijkstra(nav, home, walls, 0);
        for (int k = 0; k < 6; ++k) {
            const Cell goal = k < 3 ? random_free(walls, rng) : Cell{at_border(), at_border()};
            if (walls[goal]) continue;
            const Path path = planner.shortest(nav, home, goal);
            if (path.cost != costs[goal] && path) FAIL("after change " << change << ": " << path.cost);
            CHECK(static_cast<bool>(path) == (costs[goal] != no_bound));
            found += static_cast<bool>(path);
        }
    }
    CHECK(found > 800);
}

TEST_CASE("in mazes of one-cell corridors jump points find the way") {
    // Corridors between walls with random gaps: many straight forced turns across tile edges.
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Grid<std::uint8_t> walls(161, 141);
        Rng rng(seed, 0, Purpose::placement, 2);
        for (int y = 0; y < 141; y += 2) {
            for (int x = 0; x < 161; ++x) walls[{x, y}] = 1;
            for (int k = 0; k < 2; ++k) walls[{static_cast<int>(rng.below(161)), y}] = 0;
        }
        const Cell start{0, 1};
        const Known w(walls, start);
        const PathPlanner planner;
        const Grid<std::uint32_t> cost = dijkstra(w.nav, start, walls, 0);
        for (int k = 0; k < 40; ++k) {
            const Cell goal = random_free(walls, rng);
            check_path(w.nav, planner.shortest(w.nav, start, goal), start, goal, cost[goal], 0);
        }
    }
}

TEST_CASE("one search finds several goals, in the order of their costs, as far as it is asked") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Grid<std::uint8_t> walls = random_map(130, 130, seed, 0.2);
        Rng rng(seed, 0, Purpose::placement, 3);
        const Cell start = random_free(walls, rng);
        const Known w(walls, start);
        const Grid<std::uint32_t> cost = dijkstra(w.nav, start, walls, 0);
        std::vector<Cell> goals;
        for (int k = 0; k < 12; ++k) goals.push_back(random_free(walls, rng));
        goals.push_back(goals[3]);  // twice the same
        goals.push_back(start);
        Cell wall{0, 0};
        while (!walls[wall]) ++wall.x;
        goals.push_back(wall);

        JumpPointSearch all(w.nav, start, goals);
        std::uint32_t last = 0;
        int n = 0;
        for (int g; (g = all.find_next()) >= 0; ++n) {
            const auto i = static_cast<std::size_t>(g);
            CHECK(all.cost(i) == cost[goals[i]]);
            CHECK(all.cost(i) >= last);
            last = all.cost(i);
            check_path(w.nav, all.path(i), start, goals[i], cost[goals[i]], 0);
        }
        CHECK(n >= 1);
        JumpPointSearch some(w.nav, start, goals);
        for (const std::size_t i : {5u, 0u, 13u, 3u, 12u, 14u}) {
            for (std::uint32_t bound = 5 * straight_cost;; bound *= 2) {
                const PathStatus status = some.find(i, bound);
                if (status == PathStatus::too_far) {
                    CHECK(cost[goals[i]] > bound);
                    CHECK(some.cost(i) > bound);
                    CHECK(some.cost(i) <= cost[goals[i]]);
                    continue;
                }
                if (walls[goals[i]])
                    CHECK(status == PathStatus::goal_blocked);
                else if (cost[goals[i]] == no_bound)
                    CHECK(status == PathStatus::unreachable);
                else
                    CHECK((status == PathStatus::found && some.cost(i) == cost[goals[i]]));
                break;
            }
        }
    }
}

TEST_CASE("from a start that is believed to be blocked all planners find the shortest paths") {
    std::size_t found = 0, blocked = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 0, Purpose::placement, 6);
        const Grid<std::uint8_t> walls =
            random_map(70 + static_cast<int>(seed), 68, seed, 0.2 + 0.01 * double(seed % 20));
        Cell start = walls.cell(rng.below(static_cast<std::uint32_t>(walls.cells().size())));
        while (!walls[start]) start = walls.cell(rng.below(static_cast<std::uint32_t>(walls.cells().size())));
        const Known w(walls, start);
        const Grid<std::uint32_t> cost = dijkstra(w.nav, start, walls, 0);
        for (const Planner kind : {Planner::jps, Planner::astar, Planner::field, Planner::topological}) {
            CAPTURE(planner_names[static_cast<std::size_t>(kind)]);
            PlanOptions options;
            options.planner = kind;
            const PathPlanner planner(options);
            for (int k = 0; k < 20; ++k) {
                const Cell near = start + Cell{static_cast<int>(rng.below(7)) - 3, static_cast<int>(rng.below(7)) - 3};
                const Cell goal = k % 2 && walls.contains(near) && !walls[near] ? near : random_free(walls, rng);
                const Path path = planner.shortest(w.nav, start, goal);
                if (cost[goal] == no_bound) {
                    CHECK(path.status == PathStatus::unreachable);
                    ++blocked;
                } else {
                    check_path(w.nav, path, start, goal, cost[goal], 0);
                    ++found;
                }
            }
        }
    }
    CHECK(found > 1000);
    CHECK(blocked > 100);
}

TEST_CASE("a path scenario is for one map, of the size that it says, and mistakes are named with their line") {
    const TemporaryFolder folder;
    const std::string head = "version 1\n0\tmaps/a.map\t4\t4\t0\t0\t3\t3\t4.24\n";
    write_text(folder / "a.scen", head + "\n1\ta.map\t4\t4\t1\t0\t1\t3\t3\r\n");
    const ScenFile scen = read_scen(folder / "a.scen");
    CHECK(scen.map == folder / "a.map");
    REQUIRE(scen.queries.size() == 2);
    CHECK(scen.queries[0].from == Cell{0, 3});
    CHECK(scen.queries[1].to == Cell{1, 0});
    for (const auto& [text, message] :
         {std::pair<std::string, std::string>{"version 17\n", "a.scen:1: expected"},
          {"0\ta.map\t4\t4\t0\t0\t3\t3\t4.24\n", "a.scen:1: expected 'version 1'"},
          {"version 1\n", "a.scen: there is no query"},
          {head + "0\ta.map\t4\n", "a.scen:3: expected bucket, map, width"},
          {head + "0\tb.map\t4\t4\t0\t0\t3\t3\t4\n", "a.scen:3: the map is b.map of 4 x 4"},
          {head + "0\ta.map\t4\t8\t0\t0\t3\t3\t4\n", "a.scen:3: the map is a.map of 4 x 8"}}) {
        write_text(folder / "a.scen", text);
        CHECK_THROWS_WITH_AS(read_scen(folder / "a.scen"), doctest::Contains(message.c_str()), Error);
    }
}

TEST_CASE("odd ends of a search give a stated answer") {
    const Grid<std::uint8_t> walls = text_map({"..#..",  //
                                               "..#..",  //
                                               "..#.."});
    const Known w(walls, {0, 0});
    const PathPlanner planner;
    CHECK(planner.shortest(w.nav, {0, 0}, {0, 0}).cells == std::vector<Cell>{{0, 0}});
    CHECK(planner.shortest(w.nav, {0, 0}, {2, 1}).status == PathStatus::goal_blocked);
    CHECK(planner.shortest(w.nav, {0, 0}, {900, -900}).status == PathStatus::goal_blocked);
    CHECK(planner.shortest(w.nav, {0, 0}, {4, 0}).status == PathStatus::unreachable);
    CHECK(planner.clearest(w.nav, {0, 0}, {4, 0}).status == PathStatus::unreachable);
    CHECK(planner.clearest(w.nav, {0, 0}, {2, 1}).status == PathStatus::goal_blocked);
    CHECK(planner.shortest(w.nav, {2, 1}, {0, 0}).cells.size() == 3);  // a blocked start counts as passable
    CHECK(planner.clearest(w.nav, {2, 1}, {0, 0}));
    CHECK(planner.shortest(w.nav, {-500, 300}, {0, 0}).status == PathStatus::unreachable);
    PlanOptions few;
    few.max_expansions = 1;
    const Known open(random_map(100, 100, 4, 0.3), {0, 0});
    CHECK(PathPlanner(few).clearest(open.nav, {0, 0}, {99, 99}).status != PathStatus::found);
    const KnownMap nothing;
    const NavMap empty(FrontierKind::unknown, 0);
    CHECK(planner.shortest(empty, {0, 0}, {1, 1}).status == PathStatus::goal_blocked);
    const std::vector<Cell> none, two{{900'000, 5}, {0, 0}};
    JumpPointSearch far(w.nav, {900'000, 5}, two);
    CHECK(far.find_next() == 0);
    CHECK(far.find_next() == -1);
    CHECK(far.find(1) == PathStatus::unreachable);
    CHECK(JumpPointSearch(w.nav, {0, 0}, none).find_next() == -1);
}

TEST_CASE("a search that goes on by and by bounds the costs of what it has not found yet") {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 0, Purpose::placement, 4);
        const Grid<std::uint8_t> walls = random_map(90, 70, seed, 0.35);
        const Cell start = random_free(walls, rng);
        const Known w(walls, start);
        const Grid<std::uint32_t> cost = dijkstra(w.nav, start, walls, 0);
        std::vector<Cell> goals;
        for (int k = 0; k < 8; ++k) goals.push_back(random_free(walls, rng));
        JumpPointSearch search(w.nav, start, goals);
        for (int round = 0; round < 20; ++round) {
            const std::uint32_t bound = round == 19 ? no_bound : rng.below(150 * straight_cost);
            for (int found; (found = search.find_next(bound)) >= 0;) {
                const auto i = static_cast<std::size_t>(found);
                CHECK(search.cost(i) == cost[goals[i]]);
                CHECK(search.cost(i) <= bound);
            }
            for (std::size_t i = 0; i < goals.size(); ++i) {
                const PathStatus status = search.known(i);
                CHECK(search.cost(i) <= cost[goals[i]]);
                if (status == PathStatus::found) CHECK(search.cost(i) == cost[goals[i]]);
                if (status == PathStatus::unreachable) CHECK(cost[goals[i]] == no_bound);
                if (status == PathStatus::too_far) CHECK(search.cost(i) > bound);
            }
        }
    }
}

TEST_CASE("all planners find the optimal lengths of 200 queries that an independent Dijkstra answered") {
    for (const char* name : {"office", "maze"}) {
        const ScenFile scen = read_scen(std::string(OUTRIDER_SOURCE_DIR "/environments/") + name + ".scen");
        MapOptions options;
        const KnownMap map = known_grid(read_map(options, scen.map).walls);
        NavMap nav(FrontierKind::unknown, 0);
        nav.update(map, {0, 0});
        REQUIRE(scen.queries.size() == 100);
        for (const Planner kind : {Planner::jps, Planner::astar, Planner::field}) {
            PlanOptions plan;
            plan.planner = kind;
            const PathPlanner planner(plan);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < scen.queries.size(); i += kind == Planner::field ? 10 : 1) {
                const PathQuery& q = scen.queries[i];
                const Path path = planner.shortest(nav, q.from, q.to);
                wrong += !path || std::abs(path.length_cells() - q.optimal) > 0.01 || path.cells.front() != q.from ||
                         path.cells.back() != q.to;
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("water is a network of its own: a path scenario asks there as well as on land") {
    const TemporaryFolder folder;
    write_text(folder / "a.map",
               "type octile\nheight 4\nwidth 6\nmap\n"
               "..WWW.\n"
               "..WTW.\n"
               "GSWTWW\n"
               "....WW\n");
    write_text(folder / "a.scen",
               "version 1\n"
               "0\ta.map\t6\t4\t0\t0\t3\t3\t5.41421356\n"  // round the corner of the water
               "0\ta.map\t6\t4\t2\t2\t5\t3\t7.41421356\n"  // by water, round the trees
               "0\ta.map\t6\t4\t0\t0\t2\t0\t0\n"           // not from land to water
               "0\ta.map\t6\t4\t2\t0\t5\t0\t0\n");         // nor back
    const ScenFile scen = read_scen(folder / "a.scen");
    const std::vector<Grid<std::uint8_t>> networks = read_networks(scen, "a.scen");
    REQUIRE(networks.size() == 2);
    std::vector<NavMap> navs;
    for (const Grid<std::uint8_t>& walls : networks) {
        navs.emplace_back(FrontierKind::unknown, 0);
        navs.back().update(known_grid(walls), {0, 0});
    }
    for (const Planner kind : {Planner::jps, Planner::astar, Planner::field, Planner::topological}) {
        PlanOptions plan;
        plan.planner = kind;
        for (const PathQuery& q : scen.queries) {
            CHECK(navs[0].passable(q.from) != navs[1].passable(q.from));
            const Path path = PathPlanner(plan).shortest(navs[1].passable(q.from) ? navs[1] : navs[0], q.from, q.to);
            CHECK((path ? path.length_cells() : 0) == doctest::Approx(q.optimal));
        }
    }
    write_text(folder / "b.map", "type octile\nheight 4\nwidth 6\nmap\n......\n......\n......\n.....T\n");
    CHECK(read_networks({folder / "b.map", 6, 4, {}}, "b.scen").size() == 1);
    CHECK_THROWS_WITH_AS(read_networks({folder / "b.map", 6, 5, {}}, "b.scen"),
                         doctest::Contains("b.scen: it is for a map of 6 x 5 cells"), Error);
}

TEST_CASE("every planner gives a stated answer for odd queries") {
    const std::vector<std::string> rows{"....#...",  //
                                        "....#...",  //
                                        "....#..."};
    const KnownMap map = known_grid(text_map(rows));
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {0, 0});
    for (const Planner kind : {Planner::jps, Planner::astar, Planner::field, Planner::topological}) {
        PlanOptions plan;
        plan.planner = kind;
        const PathPlanner planner(plan);
        CHECK(planner.shortest(nav, {1, 1}, {1, 1}).cells.size() == 1);
        CHECK(planner.shortest(nav, {1, 1}, {4, 1}).status == PathStatus::goal_blocked);
        CHECK(planner.shortest(nav, {1, 1}, {99, -99}).status == PathStatus::goal_blocked);
        CHECK(planner.shortest(nav, {1, 1}, {6, 1}).status == PathStatus::unreachable);
        CHECK(planner.shortest(nav, {1, 1}, {3, 1}, straight_cost).status == PathStatus::too_far);
        CHECK(planner.shortest(nav, {0, 0}, {2, 2}).cost == 2 * diagonal_cost);
        for (const int far : {100, 1000, 2'000'000}) {
            CAPTURE(far);
            CHECK(planner.shortest(nav, {far, -far}, {1, 1}).status == PathStatus::unreachable);
            CHECK(planner.clearest(nav, {-far, far}, {1, 1}).status == PathStatus::unreachable);
            CHECK(planner.shortest(nav, {far, -far}, {far, -far}));
        }
    }
}

}  // namespace test_path
