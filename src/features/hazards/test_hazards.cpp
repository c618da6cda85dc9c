// Fire and floods: how they spread, and what they do to robots.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/image.hpp"
#include "features/hazards/scenario.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "outrider/error.hpp"
#include "scene/stage.hpp"

using namespace outrider;

namespace test_hazards {
namespace {

const std::vector<std::string> hall{"####################", "#..................#", "#..........#.......#",
                                    "#..B1......#.......#", "#..........#.......#", "####################"};

TEST_CASE("fire reaches free cells from their neighbours, each once, for as long as a cell burns") {
    const Grid<std::uint8_t> walls = text_map(hall);
    const Hazard fire{HazardKind::fire, {5, 2}, 3, 0.2, 40, 0.4, 0};
    const HazardField field(walls, std::span(&fire, 1), 1000, 10, 7);
    std::size_t burnt = 0, debris = 0;
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        int first = -1, steps = 0;
        for (int step = 0; step < 1000; ++step)
            if (field.burns(c, step)) {
                if (first < 0) first = step;
                ++steps;
                CHECK(step < first + 40);
            }
        CHECK_FALSE(field.wet(c, 999));
        if (first < 0) continue;
        ++burnt;
        CHECK(walls[c] == 0);
        CHECK(steps == 40);
        if (c == fire.source) {
            CHECK(first == 3);
            continue;
        }
        bool lit = false;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) lit |= (dx != 0 || dy != 0) && field.burns(c + Cell{dx, dy}, first - 1);
        CHECK(lit);
    }
    for (const HazardField::Debris& d : field.debris()) {
        debris += d.cells.size();
        for (const Cell c : d.cells) {
            CHECK(field.burns(c, d.step - 1));
            CHECK_FALSE(field.burns(c, d.step));
        }
    }
    CHECK(burnt == 69);  // all that is free
    CHECK(std::abs(static_cast<double>(debris) / 69 - 0.4) < 0.2);
    CHECK(std::is_sorted(field.debris().begin(), field.debris().end(),
                         [](const auto& a, const auto& b) { return a.step < b.step; }));
}

TEST_CASE("a cell beside n that burn catches fire with 1 - (1 - spread)^n") {
    // One row: one neighbour. Steps until the next cell burns are geometric.
    const Grid<std::uint8_t> row(3, 1, 0, Lattice{0.1});
    double steps = 0;
    constexpr int runs = 3000;
    for (int seed = 0; seed < runs; ++seed) {
        const Hazard fire{HazardKind::fire, {0, 0}, 0, 0.1, 100'000, 0, 0};
        const HazardField field(row, std::span(&fire, 1), 100'000, 10, static_cast<std::uint64_t>(seed));
        int at = 0;
        while (!field.burns({1, 0}, at)) ++at;
        steps += at;
    }
    CHECK(steps / runs == doctest::Approx(10).epsilon(0.06));
}

TEST_CASE("water takes the shortest path around walls, at its speed") {
    const Grid<std::uint8_t> walls = text_map(hall);
    const Hazard flood{HazardKind::flood, {9, 2}, 10, 0, 0, 0, 3};
    const HazardField field(walls, std::span(&flood, 1), 1000, 10, 1);
    const auto wet_from = [&](Cell c) {
        int step = 0;
        while (step < 1000 && !field.wet(c, step)) ++step;
        return step;
    };
    CHECK(wet_from({9, 2}) == 10);
    CHECK(wet_from({6, 2}) == 10 + 9);
    CHECK(wet_from({7, 4}) == 10 + static_cast<int>(std::ceil(3 * 2 * std::sqrt(2.0))));
    // Behind the wall in column 11: over row 4, without cutting its corners.
    CHECK(wet_from({12, 2}) == 10 + static_cast<int>(std::ceil(3 * (1 + 2 + 1 + std::sqrt(2.0) + 1))));
    CHECK(wet_from({0, 0}) == 1000);
    CHECK_FALSE(field.burns({9, 2}, 999));
    // In another frame it is the same.
    const HazardField moved = field.placed({-9, -2});
    CHECK(moved.wet({0, 0}, 10));
    CHECK_FALSE(moved.wet({0, 0}, 9));
}

TEST_CASE("who stands in fire too long is out of service, who is in water is slow, and both are seen") {
    const std::string still = "[team]\nstrategy = \"stay\"\n[run]\nsteps = 40\n";
    const auto alive_until = [&](const std::string& hazard) {
        auto driver = make_driver(text_scenario(hall, still + "[[hazard]]\n" + hazard));
        std::vector<Percept> percepts(2);
        int last = -1;
        for (int step = 0; step < 40; ++step) {
            driver->sense(percepts);
            if (percepts[1].alive) last = step;
            driver->act(std::vector<Decision>(2));
        }
        return last;
    };
    CHECK(alive_until("x_m = 0.45\ny_m = 0.25\nat = 5\ntolerance_steps = 4\n") == 5 + 4 - 2);
    CHECK(alive_until("x_m = 0.45\ny_m = 0.25\nat = 5\nburn_steps = 3\nspread = 0\ntolerance_steps = 4\n") == 39);
    CHECK(alive_until("kind = \"flood\"\nx_m = 0.45\ny_m = 0.25\n") == 39);

    const auto drives = [&](const std::string& hazard) {
        auto driver = make_driver(text_scenario(hall, still + hazard));
        std::vector<Percept> percepts(2);
        driver->sense(percepts);
        std::vector<Decision> decisions(2);
        decisions[1].command.path_body = {{0.5, 0}};
        decisions[1].command.speed_mps = 0.2;
        driver->act(decisions);
        return std::pair(driver->world().body(1).travelled_m, percepts[1].rough.size());
    };
    CHECK(drives("").first == doctest::Approx(0.2));
    CHECK(drives("").second == 0);
    const auto [path, seen] = drives("[[hazard]]\nkind = \"flood\"\nx_m = 0.45\ny_m = 0.25\nspeed_mps = 100\n");
    CHECK(path == doctest::Approx(0.06));
    CHECK(seen >= 1);
}

TEST_CASE("a burning building is the same at any thread count, and the same again from its log") {
    const TemporaryFolder folder;
    Notes notes;
    const auto made = [&](const std::string& more) {
        return make_scenario(parse_config("[team]\nrobots = 4\n[run]\nsteps = 200\n" + more, "test"), "test",
                             rooms_map(260, 200, 7), notes);
    };
    // Beside the team, where it will be seen.
    const Scenario plain = made("");
    const Point start = plain.walls.lattice().centre(plain.team_origin());
    const std::string fire = fmt::format(
        "[[hazard]]\nx_m = {}\ny_m = {}\nat = 10\nspread = 0.2\nburn_steps = 60\n[[hazard]]\nkind = \"flood\"\nx_m = "
        "{}\ny_m = {}\n",
        start.x, start.y, start.x, start.y);
    const Scenario scenario = made(fire);
    const Hash128 digest = run_scenario(scenario, 1).digest;
    CHECK(run_scenario(scenario, 2).digest == digest);
    CHECK(run_scenario(scenario, 3).digest == digest);
    CHECK(digest != run_scenario(plain).digest);
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    Simulation sim(scenario, options);
    const auto values = summary_of(sim, sim.run());
    CHECK(values.at("walls_changed") > 0);
    std::size_t marked = 0;
    for (int y = -30; y < 30; ++y)
        for (int x = -30; x < 30; ++x) marked += sim.team()[1].map().marked(Mark::rough, {x, y});
    CHECK(marked > 20);
    LogReader log(folder / "run.sqlite");
    CHECK(run_scenario(log.scenario(), 1).digest == digest);
    Replay replay(log);
    REQUIRE(replay.seek(sim.progress().steps - 1));
    for (std::size_t i = 0; i < sim.team().size(); ++i) CHECK(replay.team()[i].map_name() == sim.team()[i].map_name());
}

TEST_CASE("images of a fire in a row: a cell burns from the first to the last that shows it, the last image stands") {
    const TemporaryFolder folder;
    const auto write = [&](const std::string& name, const std::vector<std::string>& rows) {
        std::vector<std::uint8_t> pixels;
        for (const std::string& row : rows)
            for (const char c : row) pixels.push_back(c == '#' ? 0 : 255);
        write_text(folder / name, encode_png(Raster{static_cast<int>(rows[0].size()), static_cast<int>(rows.size()), 1,
                                                    std::move(pixels)}));
    };
    write("map.png", {"##########", "#........#", "#........#", "##########"});
    std::filesystem::create_directory(folder / "fire");
    const std::string none = "..........";
    write("fire/a.png", {none, "..##......", none, none});
    write("fire/b.png", {none, "...##.....", none, none});
    write("fire/c.png", {none, "..#..#....", none, "#........."});  // the last one burns in a wall
    write_text(folder / "fire/notes.txt", "no image");
    const auto made = [&](const std::string& hazard, const std::string& more = "") {
        Notes notes;
        return parse_scenario(
            "[map]\nfile = \"map.png\"\ncell_m = 0.1\n[team]\nrobots = 1\n[[base]]\nx_m = 0.75\n"
            "y_m = 0.15\n" +
                more + "[[hazard]]\n" + hazard,
            "test", folder.path(), {}, notes);
    };
    const Scenario s = made("frames = \"fire\"\nframe_steps = 4\nat = 20\ndebris_share = 0\n");
    CHECK(s.lists.get<HazardEntry>().at(0).frames.empty());
    CHECK(s.lists.get<HazardEntry>().at(0).cells == "0 0 1 28 -1, 2 2 1 20 -1, 3 2 1 20 28, 4 2 1 24 28, 5 2 1 28 -1");
    const auto field = hazard_field(s);
    const auto burning = [&](int step) {
        std::string row;
        for (int x = 0; x < 10; ++x) row += field->burns({x, 2}, step) ? '#' : '.';
        return row;
    };
    CHECK(burning(19) == none);
    CHECK(burning(20) == "..##......");
    CHECK(burning(24) == "..###.....");
    CHECK(burning(28) == "..#..#....");
    CHECK(burning(100000) == "..#..#....");
    CHECK_FALSE(field->burns({0, 0}, 30));
    CHECK(field->debris().empty());
    Notes notes;
    const Scenario again = make_scenario(parse_config(s.resolved(), "log"), "test", s.walls, notes);
    CHECK(again.hash() == s.hash());
    CHECK(hazard_field(again)->burns({3, 2}, 27));

    // What burnt out may be rubble, and only that; water stays.
    const auto rubble = hazard_field(made("frames = \"fire\"\nframe_steps = 4\nat = 20\ndebris_share = 1\n"));
    REQUIRE(rubble->debris().size() == 1);
    CHECK(rubble->debris()[0].step == 28);
    CHECK(rubble->debris()[0].cells == std::vector<Cell>{{3, 2}, {4, 2}});
    const auto flood = hazard_field(made("kind = \"flood\"\nframes = \"fire\"\nframe_steps = 4\n"));
    CHECK_FALSE(flood->wet({4, 2}, 3));
    CHECK(flood->wet({4, 2}, 4));
    CHECK(flood->wet({4, 2}, 999));

    write("small.png", {"###", "###"});
    std::filesystem::create_directory(folder / "small");
    std::filesystem::copy(folder / "small.png", folder / "small/1.png");
    std::filesystem::create_directory(folder / "empty");
    std::filesystem::create_directory(folder / "white");
    write("white/1.png", {none, none, none, none});
    const std::pair<const char*, const char*> refused[] = {
        {"frames = \"small\"\n", "3 x 2 pixels, but the map has 10 x 4 cells"},
        {"frames = \"empty\"\n", "no image ends in .png"},
        {"frames = \"gone\"\n", "expected a folder of PNG images"},
        {"frames = \"white\"\n", "no image has a dark pixel"},
        {"frames = \"fire\"\nx_m = 0.3\ny_m = 0.2\n", "several of a place (x_m, y_m), frames and cells"},
        {"at = 3\n", "none of a place"},
        {"cells = \"1 1 2\"\n", "cells: '1 1 2': expected 5 numbers"},
        {"cells = \"1 1 0 3 4\"\n", "expected at least one cell"},
        {"cells = \"1 1 2 4 4\"\n", "from step 4 until 4"}};
    for (const auto& entry : refused) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(made(entry.first), doctest::Contains(entry.second), Error);
    }
    CHECK_THROWS_WITH_AS(text_scenario(hall, "[[hazard]]\nframes = \"fire\"\n"),
                         doctest::Contains("images belong to the map of one scenario file"), Error);
    // Runs of another map, or of nobody's: only what lies in the map counts.
    CHECK_NOTHROW(hazard_field(made("cells = \"-2000000000 1 2147483647 0 5, 3 999 4 0 5\"\n")));
}

TEST_CASE("bad hazards") {
    const std::pair<const char*, const char*> refused[] = {
        {"x_m = 0.5\n", "a hazard needs both x_m and y_m"},
        {"x_m = 0.05\ny_m = 0.3\n", "in a wall or outside of the map"},
        {"x_m = 0.5\ny_m = 0.3\nkind = \"war\"\n", "hazard[1].kind"},
        {"x_m = 0.5\ny_m = 0.3\nspread = 2\n", "hazard[1].spread"},
        {"x_m = 0.5\ny_m = 0.3\nspeed_mps = 0\n", "hazard[1].speed_mps"}};
    for (const auto& entry : refused) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(text_scenario(hall, std::string("[[hazard]]\n") + entry.first),
                             doctest::Contains(entry.second), Error);
    }
    CHECK_THROWS_WITH_AS(text_scenario(hall, "[hazard]\nx_m = 0.5\ny_m = 0.3\n"),
                         doctest::Contains("expected [[hazard]]"), Error);
}

TEST_CASE("what is drawn of fire and water is what burns and what is flooded") {
    const Scenario s = text_scenario(hall, R"(
[run]
steps = 40
[[hazard]]
kind = "fire"
x_m = 1.55
y_m = 0.35
spread = 0.3
[[hazard]]
kind = "flood"
x_m = 0.15
y_m = 0.15
)");
    scene::Stage stage(s);
    const auto field = placed_hazards(s);
    const Grid<std::int32_t>& cells = field->grid();
    for (int step = 0; step < 40; ++step) {
        Grid<std::uint8_t> drawn(cells.width(), cells.height(), 0);
        drawn.set_origin(cells.origin());
        for (const scene::Layer& layer : stage.world(step))
            for (const scene::Item& item : *layer.items)
                for (const scene::CellRun& run : item.runs)
                    for (int k = 0; k < run.length; ++k) drawn[run.first + Cell{k, 0}] |= item.meaning == 0 ? 1 : 2;
        for (std::size_t i = 0; i < drawn.cells().size(); ++i) {
            const Cell c = drawn.cell(i);
            CHECK(drawn[c] == (field->burns(c, step) ? 1 : 0) + (field->wet(c, step) ? 2 : 0));
        }
    }
}

}  // namespace
}  // namespace test_hazards
