// Plans of the building: how they are made and read, and what robots make of them.
#include "base/canvas.hpp"
#include "base/image.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "outrider/frontier.hpp"
#include "outrider/radio.hpp"
#include "plan/path_planner.hpp"
#include "plan/sight.hpp"
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"
#include "scenario/placement.hpp"

namespace outrider {
RobotPartFactory make_plan_trust_part;
}

using namespace outrider;

namespace test_floor_plan {
namespace {

/// A corridor that leads into a hall; what is right of column 10 the robot has not seen.
const std::vector<std::string> hall{
    "########################################", "##########.............................#",
    "##########.............................#", "##########.............................#",
    "#B1....................................#", "#......................................#",
    "##########.............................#", "##########.............................#",
    "##########.............................#", "########################################"};

PlanCell plan_at(const Scenario& s, Cell c) { return static_cast<PlanCell>((*s.layers.plan)[c]); }

std::string refusal(const std::string& toml) {
    try {
        text_scenario(hall, toml);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// Cells of a plan by state.
std::array<int, 3> counts(const Grid<std::uint8_t>& plan) {
    std::array<int, 3> out{};
    for (const std::uint8_t c : plan.cells()) ++out[c];
    return out;
}

bool is_wall(const Scenario& s, Cell c) { return s.walls[c] != 0; }

}  // namespace

TEST_CASE("an exact plan is the map, and a shifted, turned or scaled one shows each wall where the formula puts it") {
    const Scenario exact = text_scenario(hall, "[prior]\nfrom = \"map\"\n");
    REQUIRE(exact.layers.plan);
    for (std::size_t i = 0; i < exact.walls.cells().size(); ++i)
        REQUIRE(exact.layers.plan->cells()[i] == (exact.walls.cells()[i] ? 2 : 1));
    const Scenario off = text_scenario(hall, "[prior]\nfrom = \"map\"\nshift_x_m = 0.3\nshift_y_m = -0.1\n");
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 40; ++x) {
            const Cell source{x - 3, y + 1};
            const PlanCell expected = !off.walls.contains(source) ? PlanCell::unknown
                                      : is_wall(off, source)      ? PlanCell::wall
                                                                  : PlanCell::free;
            REQUIRE(plan_at(off, {x, y}) == expected);
        }
    // Half a turn around the middle of the map: each cell shows the one opposite.
    const Scenario turned = text_scenario(hall, "[prior]\nfrom = \"map\"\nturn_deg = 180\n");
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 40; ++x)
            REQUIRE((plan_at(turned, {x, y}) == PlanCell::wall) == is_wall(turned, {39 - x, 9 - y}));
    // A quarter turn to the left takes what lies right of the middle above it.
    const Scenario quarter = text_scenario(hall, "[prior]\nfrom = \"map\"\nturn_deg = 90\n");
    for (int k = 0; k < 4; ++k)
        CHECK((plan_at(quarter, {20, 5 + k}) == PlanCell::wall) == is_wall(quarter, {20 + k, 4}));
    CHECK(plan_at(quarter, {0, 0}) == PlanCell::unknown);  // beyond its edges
    const Scenario large = text_scenario(hall, "[prior]\nfrom = \"map\"\nscale = 2\n");
    for (int x = 0; x < 40; ++x) {  // each cell twice as wide: column 20 + k shows column 20 + k / 2
        const int source = 20 + static_cast<int>(std::floor((x - 20 + 0.5) / 2));
        CHECK((plan_at(large, {x, 5}) == PlanCell::wall) == is_wall(large, {source, 5}));
    }
}

TEST_CASE("plans miss walls, show more, and have holes, by the shares asked for; their errors follow from the seed") {
    const Grid<std::uint8_t> map = rooms_map(800, 600, 4);
    const auto made = [&](const std::string& keys, std::uint64_t seed = 1) {
        Notes notes;
        return make_scenario(
            parse_config(fmt::format("[run]\nseed = {}\n[prior]\nfrom = \"map\"\n{}", seed, keys), "test"), "test", map,
            notes);
    };
    const auto exact = counts(*made("").layers.plan);
    const auto missing = counts(*made("missing_walls = 0.3\n").layers.plan);
    CHECK(missing[2] == doctest::Approx(0.7 * exact[2]).epsilon(0.1));
    CHECK(missing[0] == 0);
    const auto invented = counts(*made("invented_walls = 0.25\n").layers.plan);
    // 1200 squares of 20 x 20 cells; a quarter of them have a line of 20 cells, less what is wall already.
    CHECK(invented[2] - exact[2] > 0.25 * 1200 * 20 * 0.7);
    CHECK(invented[2] - exact[2] < 0.25 * 1200 * 20 * 1.1);
    const auto holes = counts(*made("unknown_share = 0.4\n").layers.plan);
    CHECK(holes[0] == doctest::Approx(0.4 * 800 * 600).epsilon(0.2));
    const Scenario one = made("missing_walls = 0.3\n", 1), two = made("missing_walls = 0.3\n", 2);
    CHECK(one.layers.plan->cells() != two.layers.plan->cells());
    CHECK(redrawn(one, 2).layers.plan->cells() == two.layers.plan->cells());
    CHECK(one.hash() != two.hash());
    // A plan that misses more walls misses those as well.
    const Scenario few = made("missing_walls = 0.1\n");
    for (std::size_t i = 0; i < map.cells().size(); ++i)
        if (few.layers.plan->cells()[i] == 1) REQUIRE(one.layers.plan->cells()[i] == 1);
}

TEST_CASE("a plan is read from an image of the map's size; what is neither bright nor dark says nothing") {
    const TemporaryFolder folder;
    Raster map{6, 4, 1, std::vector<std::uint8_t>(24, 255)}, plan = map;
    plan.values[0] = 0;    // the upper left pixel
    plan.values[7] = 128;  // the second of the second row
    write_text(folder / "map.png", encode_png(map));
    write_text(folder / "plan.png", encode_png(plan));
    const std::string text =
        "[map]\nfile = \"map.png\"\n[team]\nrobots = 1\n[start]\nshared = \"allow\"\n[prior]\nfile = \"";
    Notes notes;
    const Scenario s = parse_scenario(text + "plan.png\"\n", "test", folder.path(), {}, notes);
    REQUIRE(s.layers.plan);
    CHECK(plan_at(s, {0, 3}) == PlanCell::wall);
    CHECK(plan_at(s, {1, 2}) == PlanCell::unknown);
    CHECK(plan_at(s, {5, 0}) == PlanCell::free);
    CHECK(counts(*s.layers.plan) == std::array{1, 22, 1});

    write_text(folder / "small.png", encode_png(Raster{5, 4, 1, std::vector<std::uint8_t>(20, 255)}));
    CHECK_THROWS_WITH_AS(parse_scenario(text + "small.png\"\n", "test", folder.path(), {}, notes),
                         doctest::Contains("the plan has 5 x 4 cells, the map 6 x 4; expected the same size"), Error);
    CHECK_THROWS_WITH_AS(parse_scenario(text + "none.png\"\n", "test", folder.path(), {}, notes),
                         doctest::Contains("none.png"), Error);
    write_text(
        folder / "plan.pgm", "P2\n6 4\n255\n" + [] {
            std::string pixels;
            for (int i = 0; i < 24; ++i) pixels += "255 ";
            return pixels;
        }());
    const auto ros = [&](const char* cell_m) {
        write_text(folder / "plan.yaml", fmt::format("image: plan.pgm\nresolution: {}\norigin: [0, 0, 0]\nnegate: 0\n"
                                                     "occupied_thresh: 0.65\nfree_thresh: 0.196\n",
                                                     cell_m));
        return parse_scenario(text + "plan.yaml\"\n", "test", folder.path(), {}, notes);
    };
    CHECK(counts(*ros("0.1").layers.plan) == std::array{0, 24, 0});
    CHECK_THROWS_WITH_AS(ros("0.05"), doctest::Contains("its cells are 0.05 m, those of the map 0.1"), Error);
}

TEST_CASE("what cannot be is refused with what was expected") {
    CHECK(refusal("[prior]\nfrom = \"map\"\nfile = \"x.png\"\n").find("expected from = \"map\"") != std::string::npos);
    CHECK(refusal("[prior]\nfrom = \"map\"\nscale = 0\n").find("prior.scale") != std::string::npos);
    CHECK(
        refusal("[prior]\nfrom = \"map\"\n[start]\nframe = \"unknown\"\n").find("prior: with start.frame = unknown") !=
        std::string::npos);
    CHECK(refusal("[prior]\nfrom = \"plan\"\n").find("prior.from") != std::string::npos);
    const TemporaryFolder folder;
    write_text(folder / "map.png", encode_png(Raster{6, 4, 1, std::vector<std::uint8_t>(24, 255)}));
    const std::string text = "[map]\nfile = \"map.png\"\n[team]\nrobots = 1\n[start]\nshared = \"allow\"\n";
    Notes notes;
    const auto parsed = [&](const std::string& more) { parse_scenario(text + more, "test", folder.path(), {}, notes); };
    CHECK_THROWS_WITH_AS(parsed("[prior]\nfile = \"map.png\"\nfrom = \"map\"\n"),
                         doctest::Contains("expected one of them"), Error);
    CHECK_THROWS_WITH_AS(parsed("[prior]\nfile = \"map.png\"\nmissing_walls = 0.1\n"),
                         doctest::Contains("what it shows is not made worse"), Error);
}

TEST_CASE("a plan is never knowledge: it says how much there is to see, and where radio may reach") {
    const auto team_of = [](const std::string& toml) {
        return make_team(text_scenario(hall, "[team]\nstrategy = \"stay\"\n" + toml), false);
    };
    std::vector<Robot> plain = team_of(""), planned = team_of("[prior]\nfrom = \"map\"\n");
    for (std::vector<Robot>* team : {&plain, &planned}) {
        KnownMap seen((*team)[1].map().lattice());
        CellTile tile;
        for (int x = 0; x < 10; ++x)
            for (int y = -1; y < 2; ++y) tile.set({x, y & 63}, y < 0 ? CellState::occupied : CellState::free);
        CellTile above, below;
        for (int x = 0; x < 10; ++x) {
            above.set({x, 0}, CellState::free);
            below.set({x, -1}, CellState::free);
        }
        seen.observe({0, 0}, above, 0);
        seen.observe({0, -1}, below, 0);
        show((*team)[1], seen.snapshot());
    }
    const Belief &without = plain[1].belief(), &with = planned[1].belief();
    CHECK(with.map().state({20, 0}) == CellState::unknown);
    CHECK(with.map().prior({20, 0}) == CellState::free);
    CHECK(with.map().expected({20, 0}) == CellState::free);
    CHECK(with.map().prior({5, 0}) == CellState::free);
    CHECK(with.map().prior({20, 30}) == CellState::unknown);
    CHECK(without.map().prior({20, 0}) == CellState::unknown);
    CHECK(with.frontiers().size() == without.frontiers().size());
    CHECK_FALSE(with.nav().reached({20, 0}));
    // In sight of the corridor's end: without a plan all around up to 30 cells, with it what the walls leave.
    const double blind = unknown_in_sight(without.map(), {8, 0}, 30, 720),
                 with_plan = unknown_in_sight(with.map(), {8, 0}, 30, 720);
    CHECK(with_plan < 0.5 * blind);
    CHECK(with_plan > 100);
    // The same as if all were known, less what is known: cells of the true map in sight that are unknown.
    double counted = 0;
    const Scenario s = text_scenario(hall);
    for (int y = -6; y < 6; ++y)
        for (int x = -1; x < 39; ++x) {
            const Cell c{x, y}, on_map = c + s.team_origin();
            if (!s.walls.contains(on_map) || s.walls[on_map] || with.map().state(c) != CellState::unknown) continue;
            const Point from{8.5, 0.5}, to{c.x + 0.5, c.y + 0.5};
            counted += distance(from, to) <= 30 &&
                       walk_segment(from, to, [&](Cell d, double) { return s.walls.get(d + s.team_origin(), 1) == 0; });
        }
    CHECK(with_plan == doctest::Approx(counted).epsilon(0.15));
    // Unknown cells weaken radio unless the plan says that they are free.
    CHECK(believed_walls(without.map(), {5, 0}, {35, 0}) >= 2);
    CHECK(believed_walls(with.map(), {5, 0}, {35, 0}) == 0);
    CHECK(believed_walls(with.map(), {5, 0}, {5, 20}) >= 1);
}

TEST_CASE("a plan that misses walls stays trusted; one that lies off is left aside once enough walls were seen") {
    const Grid<std::uint8_t> walls = rooms_map(400, 300, 9);
    const auto trusted = [&](const std::string& keys, int seen_columns) {
        Notes notes;
        const Scenario s =
            make_scenario(parse_config("[prior]\nfrom = \"map\"\n" + keys, "test"), "test", walls, notes);
        Briefing briefing;
        briefing.prior_map = prior_map(s);
        briefing.lattice = briefing.prior_map->lattice();
        Knowledge known(briefing, {}, {});
        const auto trust = make_plan_trust_part(briefing, {});
        TileTable<CellTile> tiles;
        for (std::size_t i = 0; i < walls.cells().size(); ++i) {
            const Cell c = walls.cell(i);
            if (c.x >= seen_columns) continue;
            const Cell in_team = c - s.team_origin();
            tiles.at(tile_of(in_team)).set(in_team, walls[c] ? CellState::occupied : CellState::free);
        }
        int k = 0;
        tiles.for_each([&](TileCoord t, const CellTile& tile) {  // tile by tile, as a robot gets to know them
            known.map.observe(t, tile, 0);
            if (++k % 3 == 0) trust->after_drawing(known, {});
        });
        trust->after_drawing(known, {});
        const bool fits = known.trusted_plan != nullptr;
        // The counts that were kept up are those of a fresh look.
        make_plan_trust_part(briefing, {})->after_drawing(known, {});
        CHECK((known.trusted_plan != nullptr) == fits);
        return fits;
    };
    CHECK(trusted("", 400));
    CHECK(trusted("missing_walls = 0.15\n", 400));
    CHECK(trusted("invented_walls = 0.5\n", 400));
    CHECK(trusted("shift_x_m = 0.2\n", 400));
    CHECK_FALSE(trusted("shift_x_m = 2\nshift_y_m = 1.5\n", 400));
    CHECK_FALSE(trusted("turn_deg = 30\n", 400));
    CHECK_FALSE(trusted("missing_walls = 0.6\n", 400));
    CHECK(trusted("turn_deg = 30\n", 0));  // nothing was seen yet
}

TEST_CASE("ways through the unknown cost 1.5 times as much where the plan says free, and ten times in its walls") {
    std::vector<std::string> rows(30, std::string(21, '.'));
    for (std::size_t y = 0; y < 29; ++y) rows[y][10] = '#';  // open in the lowest row only
    const KnownMap plan = known_all(text_map(rows));
    const KnownMap nothing(plan.lattice());
    NavMap nav(FrontierKind::unknown, 0, true);
    KnownMap start(plan.lattice());
    CellTile tile;
    tile.set({0, 12}, CellState::free);
    tile.set({20, 12}, CellState::free);
    start.observe({0, 0}, tile, 0);
    nav.update(start, {0, 12});
    PlanOptions options;
    options.unknown_cost = 3;
    const Path blind = PathPlanner(options).shortest(nav, {0, 12}, {20, 12}),
               with_plan = PathPlanner(options, {&plan, nullptr}).shortest(nav, {0, 12}, {20, 12});
    REQUIRE(blind);
    REQUIRE(with_plan);
    CHECK(blind.cost == 3 * 19 * straight_cost + straight_cost);
    // Straight on: 18 free cells, a wall and the goal cost 27 + 10 + 1; the gap twelve rows below costs more than that.
    CHECK(with_plan.cost == doctest::Approx((18 * 1.5 + 10 + 1) * straight_cost).epsilon(1e-3));
    rows[20][10] = '.';  // three rows below: six diagonal steps instead of straight ones
    const KnownMap opened = known_all(text_map(rows));
    const Path through = PathPlanner(options, {&opened, nullptr}).shortest(nav, {0, 12}, {20, 12});
    REQUIRE(through);
    CHECK(std::find(through.cells.begin(), through.cells.end(), Cell{10, 9}) != through.cells.end());
    CHECK(through.cost < with_plan.cost);
}

TEST_CASE("runs with a plan are the same at any thread count, run again from their logs, and count what was right") {
    const TemporaryFolder folder;
    const std::string toml =
        "[team]\nstrategy = \"sight_greedy\"\nrobots = 3\n[run]\nsteps = 120\n[prior]\nfrom = \"map\"\n"
        "shift_x_m = 0.2\nmissing_walls = 0.3\n";
    Notes notes;
    const auto made = [&](const std::string& more) {
        return make_scenario(parse_config(toml + more, "test"), "test", rooms_map(220, 160, 7), notes);
    };
    const Scenario scenario = made("");
    const Hash128 digest = run_scenario(scenario, 1).digest;
    CHECK(run_scenario(scenario, 2).digest == digest);
    CHECK(run_scenario(scenario, 3).digest == digest);
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    {
        Simulation sim(scenario, options);
        const EndReason end = sim.run();
        for (const SummaryValue& v : sim.metrics().summary(end, 120))
            if (v.metric->name == "prior_right_share") {
                CHECK(v.value > 0.5);
                CHECK(v.value < 1);
            }
    }
    LogReader log(folder / "run.sqlite");
    const Scenario again = log.scenario();
    REQUIRE(again.layers.plan);
    CHECK(again.layers.plan->cells() == scenario.layers.plan->cells());
    CHECK(run_scenario(again, 1).digest == digest);
    // The one without it does otherwise; a plan that nobody has changes nothing.
    const auto plain = run_scenario(
        make_scenario(parse_config("[team]\nstrategy = \"sight_greedy\"\nrobots = 3\n[run]\nsteps = 120\n", "test"),
                      "test", rooms_map(220, 160, 7), notes));
    CHECK(plain.digest != digest);
    CHECK(run_scenario(made("[robot.'*']\nhas_plan = false\n")).digest == plain.digest);
}

}  // namespace test_floor_plan
