// Ground that slows robots down: how it is made, how bodies move on it, and what robots make of it.
#include <algorithm>

#include "base/image.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "plan/cheapest_search.hpp"
#include "plan/jump_point_search.hpp"
#include "plan/path_planner.hpp"
#include "scenario/placement.hpp"
#include "world/ground.hpp"

using namespace outrider;

namespace test_terrain {
namespace {

/// Ground of 30 x 5 cells with slow cells in columns 10 to 19.
std::shared_ptr<const Ground> band(std::uint8_t percent) {
    Grid<std::uint8_t> cells(30, 5, Ground::level, Lattice{0.1});
    for (int y = 0; y < 5; ++y)
        for (int x = 10; x < 20; ++x) cells[{x, y}] = percent;
    return std::make_shared<const Ground>(std::move(cells));
}

/// Costs of all cells from a start, by relaxing every step until nothing changes.
Grid<std::uint32_t> brute_costs(const NavMap& nav, const KnownMap& map, double rough_cost, Cell start, int width,
                                int height) {
    Grid<std::uint32_t> costs(width, height, no_bound);
    costs[start] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) {
                        const Cell from{x, y}, to{x + dx, y + dy};
                        if ((dx == 0 && dy == 0) || costs[from] == no_bound || !costs.contains(to)) continue;
                        const auto open = [&](Cell c) { return c == start || nav.passable(c); };
                        if (!open(to) || !open({x + dx, y}) || !open({x, y + dy})) continue;
                        const double plain = dx != 0 && dy != 0 ? diagonal_cost : straight_cost;
                        const auto total = costs[from] + static_cast<std::uint32_t>(std::lround(
                                                             plain * (map.marked(Mark::rough, to) ? rough_cost : 1)));
                        if (total < costs[to]) costs[to] = total, changed = true;
                    }
    }
    return costs;
}

}  // namespace

TEST_CASE("a body takes as long over a cell as its ground says, also where a step ends in the middle of one") {
    const auto ground = band(25);
    double time = 10;
    CHECK(ground->drive({0.05, 0.25}, {0.85, 0.25}, 1, time) == doctest::Approx(0.8));
    CHECK(time == doctest::Approx(9.2));
    time = 10;  // 0.5 m level, a metre at a quarter of the speed, 0.5 m level
    CHECK(ground->drive({0.5, 0.25}, {2.5, 0.25}, 1, time) == doctest::Approx(2));
    CHECK(time == doctest::Approx(10 - 0.5 - 4 - 0.5));
    time = 1;  // half a second to the edge, then half a second at 0.25 m/s
    CHECK(ground->drive({0.5, 0.25}, {2.5, 0.25}, 1, time) == doctest::Approx(0.5 + 0.125));
    CHECK(time == 0);
    time = 3;
    CHECK(ground->drive({1.5, 0.25}, {1.5, 0.25}, 1, time) == 0);
    CHECK(time == 3);
    CHECK(ground->rough_m({0.5, 0.25}, {2.5, 0.25}) == doctest::Approx(1));
    CHECK(ground->rough_m({2.5, 0.05}, {1.5, 0.05}) == doctest::Approx(0.5));
    CHECK(ground->rough_m({0.5, 0.25}, {0.9, 0.25}) == 0);
    CHECK(ground->rough_cost() == doctest::Approx(4));
    CHECK(band(76)->rough_cost() == 1);  // slower, but not rough
    CHECK(band(75)->rough({12, 2}));

    // Against many small moves, on random ground, in random directions.
    Rng rng(1, 0, Purpose::placement, 0);
    Grid<std::uint8_t> cells(40, 40, Ground::level, Lattice{0.1});
    for (std::uint8_t& c : cells.cells()) c = static_cast<std::uint8_t>(10 + rng.below(91));
    const Ground random(std::move(cells));
    for (int k = 0; k < 200; ++k) {
        const Point a{rng.uniform(0, 4), rng.uniform(0, 4)}, b{rng.uniform(0, 4), rng.uniform(0, 4)};
        const double length = distance(a, b), speed = rng.uniform(0.2, 2);
        double left = rng.uniform(0.1, 10), small = left, driven = 0;
        constexpr double tick = 1e-4;
        const Lattice lattice{0.1};
        while (small > 0 && driven < length) {
            const Point at = a + (b - a) * ((driven + tick / 2) / length);
            small -= tick / (speed * random.share(lattice.cell_of(at)));
            driven += tick;
        }
        CHECK(random.drive(a, b, speed, left) == doctest::Approx(std::min(driven, length)).epsilon(2e-3));
        CHECK(std::abs(left - std::max(0.0, small)) < 5e-3);
    }
}

TEST_CASE("bodies drive over slow ground for longer, around corners too") {
    const Grid<std::uint8_t> walls(30, 5, 0, Lattice{0.1});
    const auto world_of = [&](std::shared_ptr<const Ground> ground) {
        World world(walls, {{{0.05, 0.25, 0}, 0, 1}}, 1);
        world.lay(std::move(ground));
        return world;
    };
    const Command ahead{.path_body = {{0.5, 0}, {0.5, 0.1}, {2.4, 0.1}}, .final_heading = {}, .speed_mps = 1};
    World level = world_of(nullptr), slow = world_of(band(50));
    level.move(0, ahead);
    slow.move(0, ahead);
    // 0.5 + 0.1 m, then 0.4 m up to x = 0.95, all level.
    CHECK(level.body(0).pose.x == doctest::Approx(0.95));
    CHECK(slow.body(0).pose.x == doctest::Approx(0.95));
    const Command straight{.path_body = {{1.9, 0}}, .final_heading = {}, .speed_mps = 1};
    level.move(0, straight);
    slow.move(0, straight);
    CHECK(level.body(0).pose.x == doctest::Approx(1.95));
    CHECK(slow.body(0).pose.x == doctest::Approx(0.95 + 0.05 + 0.5 * 0.95));  // 0.05 s to the edge
    CHECK(slow.body(0).travelled_m == doctest::Approx(1 + 0.05 + 0.5 * 0.95));
}

TEST_CASE("slopes slow down to nothing at 20 degrees, images say the share of the speed; the slower one counts") {
    const TemporaryFolder folder;
    const int width = 40, height = 6;
    Raster map{width, height, 1, std::vector<std::uint8_t>(std::size_t(width * height), 255)}, ramp = map, speed = map;
    // 40 cells of 0.1 m; white is 2 m: a slope of 2 / 255 * 2 m per 0.1 m where it rises by 2 grey levels a cell.
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto i = std::size_t(y * width + x);
            ramp.values[i] = static_cast<std::uint8_t>(x < 20 ? 100 : 100 + 2 * (x - 19));
            speed.values[i] = y == 0 ? 51 : 255;  // the top row: a fifth
        }
    write_text(folder / "map.png", encode_png(map));
    write_text(folder / "ramp.png", encode_png(ramp));
    write_text(folder / "speed.png", encode_png(speed));
    write_text(folder / "small.png", encode_png(Raster{4, 4, 1, std::vector<std::uint8_t>(16, 255)}));
    Notes notes;
    const auto made = [&](const std::string& keys) {
        return parse_scenario(
            "[map]\nfile = \"map.png\"\n[team]\nrobots = 1\n[start]\nshared = \"allow\"\n[terrain]\n" + keys, "test",
            folder.path(), {}, notes);
    };
    const Scenario s = made("height = \"ramp.png\"\nheight_m = 2\nspeed = \"speed.png\"\n");
    REQUIRE(s.layers.ground);
    const Grid<std::uint8_t>& ground = *s.layers.ground;
    const double slope = 2 * 2 / 255.0 / 0.1;
    CHECK(int(ground[{10, 2}]) == 100);
    CHECK(int(ground[{30, 2}]) == doctest::Approx(100 * (1 - slope / std::tan(radians(20)))).epsilon(0.02));
    CHECK(int(ground[{10, 5}]) == 20);
    CHECK(int(ground[{30, 5}]) == 20);
    CHECK(int(made("height = \"ramp.png\"\nheight_m = 20\n").layers.ground->cells()[30]) == Ground::least);
    CHECK_THROWS_WITH_AS(made("speed = \"small.png\"\n"),
                         doctest::Contains("4 x 4 pixels, but the map has 40 x 6 cells; expected the same size"),
                         Error);
    CHECK_THROWS_WITH_AS(made("height = \"none.png\"\n"), doctest::Contains("terrain.height: "), Error);
    CHECK_THROWS_WITH_AS(made("speed = \"speed.png\"\nrough_share = 0.2\n"),
                         doctest::Contains("expected 0, or no image"), Error);
    CHECK_THROWS_WITH_AS(made("rough_speed = 0.9\n"), doctest::Contains("terrain.rough_speed"), Error);
}

TEST_CASE("patches cover the share of the free space that was asked for, hang together, and follow from the seed") {
    const Grid<std::uint8_t> map = rooms_map(400, 300, 2);
    const auto made = [&](double share, std::uint64_t seed) {
        Notes notes;
        return make_scenario(
            parse_config(fmt::format("[run]\nseed = {}\n[terrain]\nrough_share = {}\nrough_speed = 0.4\n", seed, share),
                         "test"),
            "test", map, notes);
    };
    const auto slow = [](const Scenario& s) {
        return std::count(s.layers.ground->cells().begin(), s.layers.ground->cells().end(), 40);
    };
    const auto open = std::count(map.cells().begin(), map.cells().end(), 0);
    const Scenario third = made(0.3, 1);
    CHECK(static_cast<double>(slow(third)) == doctest::Approx(0.3 * static_cast<double>(open)).epsilon(1e-3));
    CHECK(third.layers.ground->cells() != made(0.3, 2).layers.ground->cells());
    CHECK(redrawn(third, 2).layers.ground->cells() == made(0.3, 2).layers.ground->cells());
    // More of it covers the same patches.
    const Scenario half = made(0.5, 1);
    int alone = 0;
    for (std::size_t i = 0; i < map.cells().size(); ++i) {
        if (third.layers.ground->cells()[i] == 40) CHECK(half.layers.ground->cells()[i] == 40);
        const Cell c = map.cell(i);
        const auto rough = [&](Cell d) { return third.layers.ground->get(d, 100) == 40; };
        alone += rough(c) && !rough(c + Cell{1, 0}) && !rough(c - Cell{1, 0}) && !rough(c + Cell{0, 1}) &&
                 !rough(c - Cell{0, 1});
    }
    CHECK(alone * 100 < slow(third));
}

TEST_CASE("the cheapest ways over slow ground are those of brute force; without any they are the shortest") {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        CAPTURE(seed);
        const int width = 70, height = 50;
        Grid<std::uint8_t> walls = random_map(width, height, seed, 0.15);
        const Cell start{35, 25};
        walls[start] = 0;
        KnownMap map = known_all(walls);
        Rng rng(seed, 0, Purpose::placement, 1);
        TileTable<BitTile> marks;
        for (int k = 0; k < 12; ++k) {
            const Cell low{static_cast<int>(rng.below(60)), static_cast<int>(rng.below(40))};
            for (int y = low.y; y < std::min(height, low.y + 12); ++y)
                for (int x = low.x; x < std::min(width, low.x + 12); ++x) marks.at(tile_of(Cell{x, y})).set({x, y});
        }
        const bool any = seed % 3 != 0;
        if (any) marks.for_each([&](TileCoord t, const BitTile& bits) { map.mark(Mark::rough, t, bits); });
        NavMap nav(FrontierKind::unknown, 0);
        nav.update(map, start);
        const double factor = 1 + 3 * rng.uniform();
        const Grid<std::uint32_t> truth = brute_costs(nav, map, factor, start, width, height);
        std::vector<Cell> goals;
        for (int k = 0; k < 40; ++k)
            goals.push_back({static_cast<int>(rng.below(width)), static_cast<int>(rng.below(height))});
        goals.push_back(start);
        goals.push_back(goals[0]);
        PlanOptions options;
        options.rough_cost = factor;
        const PathPlanner planner(options, {nullptr, &map});
        PathSearch search = planner.search(nav, start, goals);
        JumpPointSearch jumps(nav, start, goals);
        std::vector<std::uint8_t> found(goals.size());
        std::uint32_t last = 0;
        for (int g; (g = search.find_next()) >= 0;) {
            const auto i = static_cast<std::size_t>(g);
            REQUIRE(!found[i]);
            found[i] = 1;
            CHECK(search.cost(i) == truth[goals[i]]);
            CHECK(search.cost(i) >= last);
            last = search.cost(i);
            const Path path = search.path(i);
            CHECK(path.cells.front() == start);
            CHECK(path.cells.back() == goals[i]);
            std::uint32_t sum = 0;
            for (std::size_t k = 1; k < path.cells.size(); ++k) {
                const Cell d = path.cells[k] - path.cells[k - 1];
                REQUIRE(std::abs(d.x) <= 1);
                REQUIRE(std::abs(d.y) <= 1);
                sum += static_cast<std::uint32_t>(std::lround((d.x && d.y ? diagonal_cost : straight_cost) *
                                                              (map.marked(Mark::rough, path.cells[k]) ? factor : 1)));
            }
            CHECK(sum == path.cost);
            const Path one = planner.shortest(nav, start, goals[i]);
            CHECK(one.cost == truth[goals[i]]);
            if (!any) CHECK(jumps.find(i) == PathStatus::found);
            if (!any) CHECK(jumps.cost(i) == truth[goals[i]]);
        }
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const bool blocked = goals[i] != start && !nav.passable(goals[i]);
            CHECK((found[i] != 0) == (truth[goals[i]] != no_bound));
            if (!found[i]) CHECK(search.find(i) == (blocked ? PathStatus::goal_blocked : PathStatus::unreachable));
            CheapestSearch alone(nav, map, factor, start, std::span(&goals[i], 1));
            if (found[i] && truth[goals[i]] > 0) {
                CHECK(alone.find(0, truth[goals[i]] - 1) == PathStatus::too_far);
                CHECK(alone.cost(0) <= truth[goals[i]]);
                CHECK(alone.find(0, truth[goals[i]]) == PathStatus::found);
            }
        }
        CheapestSearch tired(nav, map, factor, start, goals, 3);
        while (tired.find_next() >= 0) {
        }
        CHECK(tired.expansions() == 3);
    }
}

TEST_CASE("robots see slow ground where their scans pass, tell each other, and drive around it") {
    // Two corridors to the same room; the lower one is shorter and slow in its middle.
    std::vector<std::string> rows(40, "#" + std::string(98, '.') + "#");
    rows.front() = rows.back() = std::string(100, '#');
    for (std::size_t y = 12; y < 28; ++y) rows[y].replace(20, 60, std::string(60, '#'));
    rows[33][5] = '1';
    rows[35][3] = 'B';
    const TemporaryFolder folder;
    Raster speed{100, 40, 1, std::vector<std::uint8_t>(4000, 255)};
    for (std::size_t y = 28; y < 40; ++y)
        for (std::size_t x = 40; x < 60; ++x) speed.values[y * 100 + x] = 51;
    write_text(folder / "speed.png", encode_png(speed));
    Raster map{100, 40, 1, std::vector<std::uint8_t>(4000, 255)};
    for (std::size_t y = 0; y < 40; ++y)
        for (std::size_t x = 0; x < 100; ++x) map.values[y * 100 + x] = rows[y][x] == '#' ? 0 : 255;
    write_text(folder / "map.png", encode_png(map));
    Notes notes;
    const Scenario scenario = parse_scenario(
        "[map]\nfile = \"map.png\"\n[run]\nsteps = 60\n[terrain]\nspeed = \"speed.png\"\n[[base]]\nx_m = 0.35\ny_m = "
        "0.45\n"
        "[[robot]]\nx_m = 0.55\ny_m = 0.65\n",
        "test", folder.path(), {}, notes);
    CHECK(ground_of(scenario)->rough_cost() == doctest::Approx(5));
    Simulation sim(scenario, {});
    sim.run();
    const KnownMap& base = sim.team()[0].map();
    const KnownMap& mine = sim.team()[1].map();
    const Cell origin = scenario.team_origin();
    std::int64_t right = 0, wrong = 0, told = 0;
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 100; ++x) {
            const Cell on_map{x, y}, c = on_map - origin;
            const bool slow = (*scenario.layers.ground)[on_map] <= Ground::most_rough;
            if (mine.marked(Mark::rough, c)) ++(slow ? right : wrong);
            told += base.marked(Mark::rough, c);
        }
    CHECK(wrong == 0);
    CHECK(right > 200);  // of 240
    CHECK(told > 200);
    const Belief& belief = sim.team()[1].belief();
    const Cell from = Cell{15, 5} - origin, to = Cell{85, 5} - origin;
    PathSearch search = belief.search(from, std::span(&to, 1));
    REQUIRE(search.find(0) == PathStatus::found);
    const Path around = search.path(0);
    CHECK(std::all_of(around.cells.begin(), around.cells.end(), [&](Cell c) { return !mine.marked(Mark::rough, c); }));
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(mine, from);
    JumpPointSearch shortest(nav, from, std::span(&to, 1));
    REQUIRE(shortest.find(0) == PathStatus::found);
    CHECK(shortest.path(0).length_cells() < around.length_cells());
}

TEST_CASE(
    "runs on slow ground are the same at any thread count, run again from their logs, and count what was driven") {
    const TemporaryFolder folder;
    const std::string toml =
        "[team]\nrobots = 4\n[run]\nsteps = 150\n[terrain]\nrough_share = 0.4\nrough_speed = 0.3\n";
    Notes notes;
    const auto made = [&](const std::string& more) {
        return make_scenario(parse_config(toml + more, "test"), "test", rooms_map(260, 200, 7), notes);
    };
    const Scenario scenario = made("");
    const Hash128 digest = run_scenario(scenario, 1).digest;
    CHECK(run_scenario(scenario, 2).digest == digest);
    CHECK(run_scenario(scenario, 3).digest == digest);
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    std::map<std::string, double> values;
    {
        Simulation sim(scenario, options);
        values = summary_of(sim, sim.run());
    }
    CHECK(values.at("rough_m") > 5);
    CHECK(values.at("rough_m") < values.at("distance_m"));
    CHECK(values.at("driving_mps") < 0.95);
    LogReader log(folder / "run.sqlite");
    const Scenario again = log.scenario();
    CHECK(again.layers.ground->cells() == scenario.layers.ground->cells());
    CHECK(run_scenario(again, 1).digest == digest);

    Simulation careless(made("[plan]\nrough_cost = 1\n"), {});
    const auto hurried = summary_of(careless, careless.run());
    CHECK(hurried.at("rough_m") > values.at("rough_m"));
    const Scenario level = make_scenario(parse_config("[team]\nrobots = 4\n[run]\nsteps = 150\n", "test"), "test",
                                         rooms_map(260, 200, 7), notes);
    CHECK(run_scenario(level).digest != digest);
    CHECK_FALSE(level.layers.ground);
}

TEST_CASE("slow ground where nobody ever looks changes no decision") {
    std::vector<std::string> rows(30, "#" + std::string(58, '.') + "#");
    for (auto& row : rows) row[40] = '#';  // what is right of it is shut
    rows.front() = rows.back() = std::string(60, '#');
    rows[10][5] = 'B';
    rows[12][5] = '1';
    const auto digest = [&](bool seen, bool unseen) {
        Scenario s = text_scenario(rows, "[run]\nsteps = 60\n[sensor]\nrange_m = 1\n[plan]\nrough_cost = 3\n");
        auto ground = std::make_shared<Grid<std::uint8_t>>(60, 30, Ground::level, Lattice{0.1});
        for (int y = 0; y < 30; ++y)
            for (int x = 10; x < 20; ++x) {
                if (seen) (*ground)[{x, y}] = 30;
                if (unseen) (*ground)[{x + 35, y}] = 30;
            }
        s.layers.ground = ground;
        return run_scenario(s).digest;
    };
    CHECK(digest(true, false) == digest(true, true));
    CHECK(digest(false, false) == digest(false, true));
    CHECK(digest(false, false) != digest(true, false));
}

}  // namespace test_terrain
