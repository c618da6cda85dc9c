// [region]: what of the map it is, that robots explore it and measures count it, and what is refused.
#include <set>

#include "base/canvas.hpp"
#include "base/image.hpp"
#include "features/region/area.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "outrider/belief.hpp"
#include "scene/stage.hpp"

using namespace outrider;

namespace test_region {
namespace {

/// Two rooms with a door: 8 x 5 free cells on the left, 19 x 5 on the right.
const std::vector<std::string> two_rooms{"##############################", "#........#...................#",
                                         "#........#...................#", "#B1..........................#",
                                         "#........#...................#", "#........#...................#",
                                         "##############################"};

const std::string left = "region.polygon = '0 0, 0.9 0, 0.9 0.7, 0 0.7'\n",
                  far_right = "region.polygon = '2 0, 3 0, 3 0.7, 2 0.7'\n";

Scenario made(const std::string& more, const std::vector<std::string>& rows = two_rooms) {
    return text_scenario(rows,
                         "sensor.range_m = 0.5\nbody.radius_m = 0\nbody.speed_mps = 0.2\nteam.strategy = 'nearest'\n"
                         "comm.range_m = 50\ncomm.base_range_m = 50\n" +
                             more);
}

std::string refusal(const std::string& more) {
    try {
        made(more);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

struct Run {
    EndReason end;
    int steps;
    std::map<std::string, double> summary;
    int unknown_free;  // free cells of the whole map that no robot knows
};

Run run(const Scenario& s) {
    Simulation sim(s);
    const EndReason end = sim.run();
    int unknown_free = 0;
    for (std::size_t i = 0; i < s.walls.cells().size(); ++i) {
        const Cell c = s.walls.cell(i) - s.team_origin();
        unknown_free += !s.walls.cells()[i] && std::none_of(sim.team().begin(), sim.team().end(),
                                                            [&](const Robot& robot) { return robot.map().is_free(c); });
    }
    return {end, sim.progress().steps, summary_of(sim, end), unknown_free};
}

bool in(const Scenario& s, Cell c) { return region_cells(s)[c] != 0; }

}  // namespace

TEST_CASE("measures count the cells of a region, and the run ends when these are known while others are not") {
    const Run all = run(made(""));
    CHECK(all.unknown_free == 0);
    CHECK(all.summary.count("region_m2") == 0);
    const Run room = run(made(left));
    CHECK(room.summary.at("region_m2") == doctest::Approx(8 * 5 * 0.01));
    CHECK(room.summary.at("final_team") == 1);
    CHECK(room.summary.at("area_left_m2") == 0);
    CHECK(room.unknown_free > 50);
    CHECK((room.end == EndReason::all_home || room.end == EndReason::nothing_left));
    CHECK(room.steps < all.steps / 2);
    CHECK(room.summary.at("efficiency") * room.summary.at("distance_m") ==
          doctest::Approx(room.summary.at("distance_m") > 0 ? 0.4 : 0));
}

TEST_CASE("a region that lies elsewhere is found through what lies before it, and only it is explored to the end") {
    const Run end = run(made(far_right));
    CHECK(end.summary.at("region_m2") == doctest::Approx(9 * 5 * 0.01));
    CHECK(end.summary.at("final_team") == 1);
    CHECK(end.summary.at("t50_team") > 5);
    CHECK((end.end == EndReason::all_home || end.end == EndReason::nothing_left));
}

TEST_CASE("the stop rule is about the region") {
    const Run half = run(made(far_right + "stop = {of = 'team', fraction = 0.5}\n"));
    CHECK(half.end == EndReason::stop_rule);
    CHECK(half.summary.at("final_team") >= 0.5);
    CHECK(half.summary.at("final_team") < 1);
    const Run nearly = run(made(far_right + "stop = {of = 'team', fraction = 1, left_m2 = 0.2}\n"));
    CHECK(nearly.end == EndReason::stop_rule);
    CHECK(nearly.summary.at("area_left_m2") < 0.2);
}

TEST_CASE(
    "frontiers lie beside unknown cells of the region once it was found, and beside any before: as by brute force") {
    for (const char* kind : {"unknown", "unsafe"}) {
        Notes notes;
        const Scenario s = make_scenario(
            parse_config(fmt::format("[team]\nrobots = 2\nstrategy = 'mresim_greedy'\n[sensor]\nrange_m = "
                                     "2\n[frontier]\nkind = '{}'\n[run]\nsteps = "
                                     "120\n[region]\npolygon = '10 0.5, 14.5 0.5, 14.5 4, 12 2, 10.5 4'\n",
                                     kind),
                         "test"),
            "test", rooms_map(150, 120, 3), notes);
        const auto region = search_region(s);
        std::array<int, 2> looked{};  // steps before it was found and after
        Simulation sim(s);
        while (!sim.done()) {
            sim.step();
            if (sim.progress().steps % 7 != 0) continue;
            for (const Robot& robot : sim.team()) {
                const Belief& belief = robot.belief();
                if (belief.briefing().is_base()) continue;
                bool found = false;
                region->cells.for_each([&](TileCoord t, const BitTile& cells) {
                    for (int row = 0; row < tile_size; ++row)
                        for (int column = 0; column < tile_size; ++column)
                            if (const Cell c = cell_of(t, column, row); cells.test(c)) found |= belief.map().is_free(c);
                });
                ++looked[found];
                const NavView nav = belief.nav();
                for (std::size_t i = 0; i < s.walls.cells().size(); ++i) {
                    const Cell c = s.walls.cell(i) - s.team_origin();
                    bool unknown = false;
                    for (int dy = -1; dy <= 1; ++dy)
                        for (int dx = -1; dx <= 1; ++dx) {
                            const Cell d = c + Cell{dx, dy};
                            unknown |=
                                belief.map().state(d) == CellState::unknown && (!found || holds(region->cells, d));
                        }
                    if (kind == std::string("unknown"))
                        REQUIRE(nav.frontier(c) == (belief.map().is_free(c) && unknown));
                    else if (found && nav.frontier(c))
                        REQUIRE(holds(region->cells, c));
                }
                if (!found || kind == std::string("unsafe")) continue;
                for (const Frontier& f : belief.frontiers())
                    REQUIRE((f.look == f.goal || holds(region->cells, f.look)));
            }
        }
        CHECK(looked[0] > 0);
        CHECK(looked[1] > 0);
    }
}

TEST_CASE("a cell is in a polygon when its middle is, and a mask is what is bright, as large as the map") {
    const Scenario triangle = made("region.polygon = '0 0, 1 0, 0 0.5'\n");
    for (std::size_t i = 0; i < triangle.walls.cells().size(); ++i) {
        const Cell c = triangle.walls.cell(i);
        CHECK(in(triangle, c) == ((c.x + 0.5) / 10 + (c.y + 0.5) / 5 < 1));
    }
    CHECK(region_corners(RegionOptions(made("region.polygon = '0 0, 1 0, 0 0.5, 0 0'\n").features.get<RegionOptions>()))
              .size() == 3);

    const TemporaryFolder folder;
    Raster map{12, 5, 1, std::vector<std::uint8_t>(60, 255)}, mask{12, 5, 1, std::vector<std::uint8_t>(60, 0)};
    mask.values[0] = mask.values[1] = 255;  // the two upper left pixels
    mask.values[59] = 200;                  // and the lower right one
    write_text(folder / "map.png", encode_png(map));
    write_text(folder / "mask.png", encode_png(mask));
    write_text(folder / "small.png", encode_png(Raster{5, 4, 1, std::vector<std::uint8_t>(20, 255)}));
    write_text(folder / "dark.png", encode_png(Raster{12, 5, 1, std::vector<std::uint8_t>(60, 9)}));
    Notes notes;
    const auto parsed = [&](const std::string& file) {
        return parse_scenario("[map]\nfile = 'map.png'\n[team]\nrobots = 1\n[region]\nmask = '" + file + "'\n", "test",
                              folder.path(), {}, notes);
    };
    const Scenario s = parsed("mask.png");
    CHECK(s.features.get<RegionOptions>().cells == "11 0 1, 0 4 2");
    CHECK(s.resolved().find("mask = \"\"") != std::string::npos);
    CHECK(search_region(s)->parts.size() == 2);
    CHECK(make_briefings(s)[0].region.size() == 4);  // the box around it
    const auto said = [&](const std::string& file) -> std::string {
        try {
            parsed(file);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    CHECK(said("small.png").find("test:6:1: region.mask: ") == 0);
    CHECK(said("small.png").find("5 x 4 pixels, but the map has 12 x 5 cells; expected the same size") !=
          std::string::npos);
    CHECK(said("dark.png").find("no bright pixel") != std::string::npos);
    CHECK(said("none.png").find("none.png") != std::string::npos);
}

TEST_CASE("regions that cannot be are refused with file, line and what was expected") {
    const auto says = [](const std::string& value, const std::string& expected) {
        const std::string text = refusal("region.polygon = '" + value + "'\n");
        CAPTURE(value);
        CAPTURE(text);
        CHECK(text.find("test:7:") == 0);
        CHECK(text.find(expected) != std::string::npos);
    };
    says("0 0, 1 1", "2 corners; expected at least three");
    says("0 0, 1 1, 0 0", "lie upon each other");
    says("0 0, 1 0.5, 1 0, 0 0.5", "it crosses itself: the edge from (0, 0) to (1, 0.5) meets that from (1, 0) to");
    says("0 0, 1 0, 1 0.5, 0.5 0, 0 0.5", "it crosses itself");  // a corner lies on an edge
    says("0 0, 2 0, 1 0, 1 0.5", "lie upon each other");
    says("10 10, 12 10, 12 12", "the corner (10, 10) m is not on the map, which is 3 by 0.7 m");
    says("0 0, 1 0, -1 0.5", "(-1, 0.5) m is not on the map");
    says("0 0, 1 0, nan 0.5", "expected 2 numbers");
    says("0 0, 1 0, 1e999 0.5", "expected 2 numbers");
    says("0 0, 1 0, 1 0.5 2", "expected 2 numbers");
    says("0 0, 0.1 0, 0.1 0.7, 0 0.7", "there is no free cell in it");
    CHECK(refusal("region = {polygon = '0 0, 1 0, 0 0.5', mask = 'x.png'}\n")
              .find("several of polygon, mask and cells") != std::string::npos);
    CHECK(refusal("region.mask = 'x.png'\n").find("belongs to the map of one scenario file") != std::string::npos);
    CHECK(refusal("region.cells = '1 1 0'\n").find("expected at least one, on the map") != std::string::npos);
    CHECK(refusal("region.cells = '-1 1 3'\n").find("expected at least one, on the map") != std::string::npos);
    CHECK(refusal("region.polygone = '0 0'\n").find("did you mean 'region.polygon'") != std::string::npos);
    CHECK(refusal(left + "start.frame = 'unknown'\n").find("nobody knows where in the building it is") !=
          std::string::npos);
    CHECK(refusal(left + "frontier.kind = 'regions'\n").find("expected one of the two") != std::string::npos);
    std::vector<std::string> closed = two_rooms;
    closed[3][9] = '#';
    CHECK_THROWS_WITH_AS(made(far_right, closed), doctest::Contains("no robot can get to a free cell of it"), Error);
}

TEST_CASE(
    "unknown cells of a map are left out of the region with map.unknown = outside, also beside a polygon and in "
    "sweeps") {
    // 30 x 7: two rooms in walls, of 8 x 5 and 19 x 5 cells; of the right one the last 9 columns are unknown.
    const TemporaryFolder folder;
    std::string bytes = "P5\n30 7\n255\n";
    for (const std::string& row : two_rooms)
        for (std::size_t x = 0; x < row.size(); ++x) bytes += row[x] == '#' ? '\0' : x >= 20 ? '\xcd' : '\xfe';
    write_text(folder / "m.pgm", bytes);
    write_text(folder / "m.yaml", "image: m.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n");
    const std::string team =
        "[team]\nrobots = 2\nstrategy = 'nearest'\n[sensor]\nrange_m = 0.5\n[body]\nradius_m = 0\nspeed_mps = 0.2\n"
        "[comm]\nrange_m = 50\nbase_range_m = 50\n";
    const auto parsed = [&](const std::string& more, const std::vector<Setting>& over = {}) {
        Notes notes;
        return parse_scenario("[map]\nfile = 'm.yaml'\n" + more + team, "test", folder.path(), over, notes);
    };
    const std::vector<Setting> outside{{"map.unknown", std::string("outside"), "--set"}};
    const Scenario s = parsed("", outside);
    const auto wall_free = [](const Scenario& of) {
        return std::count(of.walls.cells().begin(), of.walls.cells().end(), 0);
    };
    CHECK(wall_free(s) == 8 * 5 + 19 * 5 + 1);
    CHECK(wall_free(parsed("")) == 8 * 5 + 10 * 5 + 1);
    CHECK(s.features.get<RegionOptions>().without == "20 1 9, 20 2 9, 20 3 9, 20 4 9, 20 5 9");
    CHECK(s.resolved() == parsed("unknown = 'outside'\n").resolved());
    for (std::size_t i = 0; i < s.robots.size(); ++i) CHECK(in(s, s.start_cell(i)));
    const Run all = run(s);
    CHECK(all.summary.at("region_m2") == doctest::Approx((8 * 5 + 10 * 5 + 1) * 0.01));
    CHECK(all.summary.at("final_team") == 1);
    CHECK(all.unknown_free > 0);  // what is left out is not explored to its end

    // With a polygon the region is what lies in both.
    const std::string right = "[region]\npolygon = '1 0, 2.5 0, 2.5 0.7, 1 0.7'\n";
    const Scenario both = parsed("unknown = 'outside'\n" + right);
    CHECK(run(both).summary.at("region_m2") == doctest::Approx(10 * 5 * 0.01));
    CHECK(scene::Stage(both).world(0)[0].items->front().points.size() > 8);
    CHECK_THROWS_WITH_AS(parsed("unknown = 'outside'\n[region]\npolygon = '2 0, 2.9 0, 2.9 0.7, 2 0.7'\n"),
                         doctest::Contains("there is no free cell in it"), Error);

    // A log runs again by itself, and what reads the file again finds the same.
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    {
        Simulation sim(both, options);
        sim.run();
    }
    const Scenario again = LogReader(folder / "run.sqlite").scenario();
    CHECK(again.resolved() == both.resolved());
    CHECK(run_scenario(again).digest == run_scenario(both).digest);
    write_text(folder / "again.toml", both.resolved());
    Notes notes;
    CHECK(load_scenario(folder / "again.toml", {}, notes).resolved() == both.resolved());

    // Nothing unknown: no region. Runs that cannot be.
    write_text(folder / "m.yaml", "image: m.pgm\nresolution: 0.1\nfree_thresh: 0.25\nmode: scale\n");
    CHECK(parsed("unknown = 'outside'\n").resolved().find("[region]") == std::string::npos);
    CHECK(refusal("region.without = '1 1 0'\n").find("region.without: 0 cells from (1, 1); expected at least one") !=
          std::string::npos);
    CHECK(refusal("region.without = '1 1'\n").find("expected 3 numbers") != std::string::npos);
    CHECK(refusal("region.without = '99999999999 1 1'\n").find("expected 3 numbers") != std::string::npos);
}

TEST_CASE("a scenario without a region is what it was, to the last bit; a log carries one, and runs again") {
    const Scenario without = made(""), on = made(far_right);
    CHECK(without.resolved().find("region") == std::string::npos);
    CHECK(run_scenario(without).digest != run_scenario(made(left)).digest);
    CHECK(run_scenario(on, 2).digest == run_scenario(on, 1).digest);
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    {
        Simulation sim(on, options);
        sim.run();
    }
    LogReader log(folder / "run.sqlite");
    const Scenario again = log.scenario();
    CHECK(again.resolved() == on.resolved());
    CHECK(run_scenario(again).digest == run_scenario(on).digest);
    // The same cells named otherwise make the same run.
    const Scenario runs = made("region.cells = '20 0 10, 20 1 10, 20 2 10, 20 3 10, 20 4 10, 20 5 10, 20 6 10'\n");
    CHECK(run_scenario(runs).digest == run_scenario(on).digest);
}

TEST_CASE("the outline of a region is drawn with a legend: its edges, or those of its cells") {
    const auto points = [](const Scenario& s) {
        scene::Stage stage(s);
        const scene::Scene world = stage.world(0);
        REQUIRE(world.size() == 1);
        CHECK(world[0].info->meanings[0].text == "region of interest");
        return world[0].items->front().points;
    };
    const Scenario s = made(left);
    const std::vector<Point> lines = points(s);
    REQUIRE(lines.size() == 8);
    CHECK(distance(lines[1] + s.team_origin_m(), {0.9, 0}) < 1e-9);
    CHECK(lines[1] == lines[2]);
    CHECK(lines[7] == lines[0]);
    // Two cells side by side, and one: three lines along rows below and above, and as many along columns.
    const Scenario cells = made("region.cells = '2 2 2, 6 4 1'\n");
    double length_m = 0;
    const std::vector<Point> edges = points(cells);
    for (std::size_t k = 0; k + 1 < edges.size(); k += 2) length_m += distance(edges[k], edges[k + 1]);
    CHECK(length_m == doctest::Approx(0.1 * (6 + 4)));
}

}  // namespace test_region
