// Search: warmth, people who walk, floor that cameras cleared, and robots that keep off people.
#include "features/victims/cleared_floor.hpp"
#include "features/victims/scenario.hpp"
#include "features/victims/sensor.hpp"
#include "grid/known_grid.hpp"
#include "helpers.hpp"
#include "log/replay.hpp"
#include "outrider/ray.hpp"
#include "plan/frontiers/frontier_finder.hpp"

using namespace outrider;

namespace test_search {
namespace {

using Scanner = ThermalScanner;

World empty_hall() { return {Terrain::of(Grid<std::uint8_t>(120, 120, 0, Lattice{0.1}), {0, 0}), {}, 1}; }

double pixel(const Scanner::Image& image, int row, int column) {
    return image[static_cast<std::size_t>(row * Scanner::columns + (column + Scanner::columns) % Scanner::columns)];
}

std::map<std::string, double> summary_of(const Scenario& scenario) {
    Simulation sim(scenario);
    return outrider::summary_of(sim, sim.run());
}

}  // namespace

TEST_CASE("a thermal pixel is as warm as the share of its cone that a body covers, but for its noise") {
    const World world = empty_hall();
    Rng rng(1, 0, Purpose::sighting, 0);
    const std::vector<Point> body{{7, 6}};  // 1 m ahead of the scanner, its front at 0.7 m
    const Scanner::Image image = thermal_image(world.field(), world.lattice(), {6, 6, 0}, body, rng);
    // 0.35 m above the floor; row 10 looks 7.7 degrees down, and meets the body 0.26 m above the floor.
    CHECK(pixel(image, 10, 0) == doctest::Approx(Scanner::warm_c).epsilon(0.08));
    CHECK(pixel(image, 14, 0) == doctest::Approx(Scanner::ambient_c).epsilon(0.12));  // above it
    CHECK(pixel(image, 2, 0) == doctest::Approx(Scanner::ambient_c).epsilon(0.12));   // the floor before it
    double sum = 0, squares = 0;
    int count = 0;
    for (int row = 0; row < Scanner::rows; ++row)
        for (int column = 10; column < 50; ++column, ++count) {
            const double off = pixel(image, row, column) - Scanner::ambient_c;
            sum += off;
            squares += off * off;
        }
    CHECK(std::abs(sum / count) < 0.1);
    CHECK(std::sqrt(squares / count) == doctest::Approx(Scanner::noise_c).epsilon(0.1));
    // Turned by a quarter, the body is to the right.
    const Scanner::Image turned = thermal_image(world.field(), world.lattice(), {6, 6, pi / 2}, body, rng);
    CHECK(pixel(turned, 10, 45) > Scanner::hot_c);
    CHECK(pixel(turned, 10, 0) < Scanner::hot_c);
}

TEST_CASE("warm bodies are found where they are within 2 m, in sight, whoever they are") {
    const World world = empty_hall();
    Rng rng(2, 0, Purpose::sighting, 0);
    const Pose pose{6, 6, 0.4};
    for (const double away : {0.7, 1.0, 1.5, 1.9})
        for (const double angle : {-3.0, -1.0, 0.0, 0.02, 2.2}) {
            CAPTURE(away);
            CAPTURE(angle);
            const auto [s, c] = sin_cos(angle);
            const Point at = pose.position() + Point{c, s} * away;
            const auto found =
                warm_bodies(thermal_image(world.field(), world.lattice(), pose, std::vector<Point>{at}, rng));
            REQUIRE(found.size() == 1);
            CHECK(distance(transform(pose, found[0]), at) < 0.8);
            CHECK(std::abs(wrap_angle(bearing({}, found[0]) + pose.yaw - angle)) < 0.12);
        }
    const auto count = [&](std::vector<Point> warm) {
        return warm_bodies(thermal_image(world.field(), world.lattice(), pose, warm, rng)).size();
    };
    CHECK(count({}) == 0);
    CHECK(count({{9, 6}}) == 0);  // 3 m away
    CHECK(count({{7.5, 6}, {6, 4.6}, {5, 7}}) == 3);
    const World walled{Terrain::of(text_map({"#####", "#.#.#", "#####"}, 1), {0, 0}), {}, 1};
    const std::vector<Point> behind{{3.3, 1.5}};
    CHECK(warm_bodies(thermal_image(walled.field(), walled.lattice(), {1.6, 1.5, 0}, behind, rng)).empty());
}

TEST_CASE("a robot takes a thermal image each time that it has stood for ten seconds") {
    const Scenario s = text_scenario({"########", "#B.1...#", "#......#", "########"},
                                     "[team]\nstrategy='stay'\n[run]\nsteps=25\n[sensor]\nrange_m=4\n[operator]\n"
                                     "through='direct'\n[victims]\nsensor='thermal'\n[[victim]]\nx_m=4.5\ny_m=2.5\n",
                                     1);
    SimulationOptions options;
    options.orders = {{24, 1, {"stop", {}, 0, 0}}};
    std::vector<int> at;
    struct Look final : Observer {
        explicit Look(std::vector<int>& into) : steps(into) {}
        void on_step(const StepView& view) override {
            if (!view.percepts[1].sightings.empty()) steps.push_back(view.step);
        }
        std::vector<int>& steps;
    } look(at);
    Simulation sim(s, options);
    sim.add_observer(look);
    sim.run();
    CHECK(at == std::vector<int>{10, 20});
}

TEST_CASE("people who walk to and fro, and how near their way comes") {
    const Walker walker({{0, 0}, {4, 0}, {4, 3}}, 0.5);
    CHECK(distance(walker.at(6), {3, 0}) < 1e-12);
    CHECK(distance(walker.at(10), {4, 1}) < 1e-12);
    CHECK(distance(walker.at(16), {4, 2}) < 1e-12);  // on the way back
    Rng rng(5, 0, Purpose::strategy, 0);
    for (int k = 0; k < 50; ++k) {
        const Point p{rng.uniform(-2, 6), rng.uniform(-2, 5)};
        double least = 1e9;
        for (double t = 0; t < 14; t += 0.002) least = std::min(least, distance(p, walker.at(t)));
        CHECK(walker.away_m(p) == doctest::Approx(least).epsilon(0.002));
    }
}

TEST_CASE("somebody who walks about is one report, and found") {
    const auto s = summary_of(text_scenario(
        {"########################", "#B.1...................#", "#......................#", "#......................#",
         "########################"},
        "[team]\nstrategy='nearest'\n[run]\nsteps=200\n[sensor]\nrange_m=4\n[body]\nspeed_mps=1\nradius_m=0.1\n"
        "[comm]\nrange_m=40\nbase_range_m=40\n[victims]\nfalse_rate=0\naccuracy=1\n[[victim]]\nx_m=8.5\ny_m=1.5\n"
        "path='20.5 1.5'\nspeed_mps=0.2\n",
        1));
    CHECK(s.at("victims_found") == 1);
    CHECK(s.at("victims_confirmed") == 1);
    CHECK(s.at("victims_false") == 0);
}

TEST_CASE("a camera clears the free cells in view, 3 m and 22.5 degrees ahead, and those under the robot") {
    Rng rng(3, 0, Purpose::strategy, 0);
    for (int round = 0; round < 20; ++round) {
        Grid<std::uint8_t> walls(100, 100, 0, Lattice{0.1});
        for (int k = 0; k < 60; ++k) walls[{static_cast<int>(rng.below(100)), static_cast<int>(rng.below(100))}] = 1;
        KnownMap map = known_grid(walls);
        const Lattice& lattice = map.lattice();
        const Pose pose{rng.uniform(4, 6), rng.uniform(4, 6), rng.uniform(-pi, pi)};
        if (walls[lattice.cell_of(pose.position())]) continue;
        cleared_cells(map, pose, 0.2).set(map, Mark::cleared);
        int missed = 0, wrong = 0;
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 100; ++x) {
                const Cell c{x, y};
                const Point at = lattice.centre(c);
                const double away = distance(at, pose.position());
                const double off = std::abs(wrap_angle(bearing(pose.position(), at) - pose.yaw));
                const auto free = [&](Cell cell, double) { return map.is_free(cell); };
                const bool seen = away <= 3 && off <= radians(22.5) &&
                                  walk_segment(lattice.to_cells(pose.position()), lattice.to_cells(at), free);
                const bool under = away <= 0.2;
                // Cells that the cone only touches may be marked.
                const bool touched = away <= 3.1 && (off <= radians(22.5) + 0.1 / std::max(away, 0.1));
                const bool marked = map.marked(Mark::cleared, c);
                missed += (seen || under) && !marked && map.is_free(c);
                wrong += marked && ((!touched && away > 0.25) || !map.is_free(c));
            }
        CHECK(missed <= 3);  // behind edges, between two rays
        CHECK(wrong == 0);
    }
}

TEST_CASE("frontiers of what is not cleared hold each such cell once") {
    Grid<std::uint8_t> walls = rooms_map(150, 120, 8);
    KnownMap map = known_grid(walls);
    Cell start{75, 60};
    while (walls[start]) ++start.x;
    NavMap nav(FrontierKind::uncleared, 1);
    Rng rng(3, 0, Purpose::strategy, 0);
    for (int k = 0; k < 20; ++k)
        cleared_cells(map, {rng.uniform(1, 14), rng.uniform(1, 11), rng.uniform(-pi, pi)}, 0.2).set(map, Mark::cleared);
    nav.update(map, start);
    std::map<Cell, int> open;
    for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 150; ++x)
            if (nav.reached({x, y}) && !map.marked(Mark::cleared, {x, y})) ++open[{x / 30, y / 30}];
    const std::vector<Frontier> found = find_uncleared(map, nav, 30, 10);
    REQUIRE(found.size() == open.size());
    for (const Frontier& f : found) {
        const Cell square{f.goal.x / 30, f.goal.y / 30};
        CHECK(f.size == open.at(square));
        CHECK(nav.reached(f.goal));
        CHECK_FALSE(map.marked(Mark::cleared, f.goal));
        CHECK(f.leftover == (f.size < 10));
        CHECK(f.uncleared);
    }
}

TEST_CASE("in search mode robots clear nearly all of the floor, at once or when all is known") {
    Notes notes;
    const auto cleared = [&](const char* strategy, const char* more) {
        const Scenario s = make_scenario(
            parse_config(fmt::format("[team]\nrobots=2\nstrategy='{}'\n[run]\nsteps=1500\n{}", strategy, more), "test"),
            "test", rooms_map(100, 80, 4), notes);
        const auto out = summary_of(s);
        double free = 0;
        for (const std::uint8_t wall : s.walls.cells()) free += !wall;
        return out.contains("cleared_m2") ? out.at("cleared_m2") / (free * s.map.cell_m * s.map.cell_m) : -1;
    };
    for (const char* strategy : {"nearest", "mresim_greedy", "market", "burgard"}) {
        CAPTURE(strategy);
        const double explored = cleared(strategy, "[victims]\nclearing=true\n");
        CHECK(explored > 0.2);
        CHECK(cleared(strategy, "[frontier]\nkind='uncleared'\n") > 0.9);
        CHECK(cleared(strategy, "[frontier]\nkind='then_uncleared'\n") > 0.9);
    }
    CHECK(cleared("nearest", "") == -1);  // off, it leaves no trace
}

TEST_CASE("robots with thermal scanners stop to look by themselves, and find everybody, with any strategy") {
    Notes notes;
    const auto made = [&](const char* strategy, const char* more) {
        return make_scenario(
            parse_config(fmt::format("[team]\nrobots=2\nstrategy='{}'\n[run]\nsteps=1500\n[victims]\ncount=4\n"
                                     "sensor='thermal'\naccuracy=1\n{}",
                                     strategy, more),
                         "test"),
            "test", rooms_map(100, 80, 4), notes);
    };
    const double free_m2 = [&] {
        const Scenario s = made("nearest", "");
        return 0.01 * static_cast<double>(std::count(s.walls.cells().begin(), s.walls.cells().end(), 0));
    }();
    for (const char* strategy : {"nearest", "mresim_greedy", "market", "burgard", "kmeans"})
        for (const char* kind : {"", "[frontier]\nkind='then_uncleared'\n"}) {
            CAPTURE(strategy);
            CAPTURE(kind);
            const auto value = summary_of(made(strategy, kind));
            CHECK(value.at("victims_found") == 4);
            CHECK(value.at("cleared_m2") > 0.9 * free_m2);
            CHECK(value.at("steps") < 600);
        }
    CHECK(summary_of(made("nearest", "looks='never'\n")).at("victims_found") == 0);
    const auto camera = summary_of(made("nearest", "looks='never'\nclearing=true\n"));
    CHECK(camera.at("cleared_m2") > 0.1 * free_m2);
}

TEST_CASE("a look clears what lies within 2 m in sight, when the robot has stood for ten seconds") {
    const Scenario s = text_scenario(
        {"############", "#..........#", "#..........#", "#.B...1....#", "#..........#", "#####.######", "#..........#",
         "############"},
        "[team]\nstrategy='stay'\n[run]\nsteps=25\n[sensor]\nrange_m=8\nfov_deg=360\n"
        "beams=361\n[operator]\nthrough='direct'\n[victims]\nsensor='thermal'\n[[victim]]\nx_m=1.5\ny_m=1.5\n",
        1);
    SimulationOptions options;
    options.orders = {{24, 1, {"stop", {}, 0, 0}}};  // until then the run goes on
    Simulation sim(s, options);
    const auto cleared = [&] {
        std::vector<Cell> out;
        const Robot& robot = sim.team()[1];
        for (int y = -8; y <= 8; ++y)
            for (int x = -12; x <= 12; ++x)
                if (robot.map().marked(Mark::cleared, Cell{x, y} + robot.belief().cell())) out.push_back({x, y});
        return out;
    };
    for (int k = 0; k < 10; ++k) sim.step();
    CHECK(cleared().empty());
    sim.step();  // step 10: it stood for ten seconds
    const std::vector<Cell> found = cleared();
    CHECK(found.size() >= 13);
    for (const Cell c : found) CHECK(std::hypot(c.x, c.y) < 3);
    for (const Cell c : {Cell{0, 0}, Cell{1, 0}, Cell{-1, 1}, Cell{0, -1}, Cell{0, 2}})
        CHECK(std::count(found.begin(), found.end(), c) == 1);
}

TEST_CASE("somebody who lies under the scanner is right here") {
    const World world = empty_hall();
    Rng rng(4, 0, Purpose::sighting, 0);
    const auto found =
        warm_bodies(thermal_image(world.field(), world.lattice(), {6, 6, 1}, std::vector<Point>{{6.1, 6}}, rng));
    REQUIRE(found.size() == 1);
    CHECK(norm(found[0]) < 0.3);
}

TEST_CASE("runs with looks for warmth are the same at any number of threads, and are replayed with what was cleared") {
    const TemporaryFolder folder;
    Notes notes;
    const Scenario s = make_scenario(parse_config("[team]\nrobots=3\n[run]\nsteps=200\n[victims]\ncount=6\n"
                                                  "sensor='thermal'\n[noise]\nodometry_share=0.01\n",
                                                  "test"),
                                     "test", rooms_map(150, 120, 4), notes);
    SimulationOptions options;
    options.log_path = folder / "log";
    options.log_level = LogLevel::full;
    Simulation sim(s, options);
    sim.run();
    CHECK(run_scenario(s, 3).digest == sim.progress().digest);
    LogReader log(options.log_path);
    Replay replay(log);
    const LogSteps steps = log.steps();
    for (const int step : {steps.steps.back(), 100, 133}) {
        REQUIRE(replay.seek(step));
        CHECK(replay.view().hash == steps.hashes[static_cast<std::size_t>(step)]);
    }
    REQUIRE(replay.seek(steps.steps.back()));
    for (std::size_t i = 0; i < sim.team().size(); ++i) CHECK(replay.team()[i].map_name() == sim.team()[i].map_name());
}

TEST_CASE("robots keep off people whom they sense, where there is room") {
    const auto over = [&](const char* more) {
        return summary_of(
                   text_scenario(
                       {"####################", "#..................#", "#..................#", "#B..1..............#",
                        "#..................#", "#..................#", "####################"},
                       std::string("[team]\nstrategy='nearest'\n[run]\nsteps=200\n[sensor]\nrange_m=3\n[body]\n"
                                   "speed_mps=0.5\nradius_m=0.1\n[comm]\nrange_m=40\n[victims]\nfalse_rate=0\n") +
                           "[[victim]]\nx_m=8.5\ny_m=3.5\n[[victim]]\nx_m=12.5\ny_m=3.5\n"
                           "[[victim]]\nx_m=8.5\ny_m=1.5\n[[victim]]\nx_m=12.5\ny_m=5.5\n" +
                           more,
                       1))
            .at("driven_over_steps");
    };
    CHECK(over("[plan]\nrough_cost=1\n") > 0);
    CHECK(over("") == 0);
}

TEST_CASE("people's ways and kinds of frontiers are checked") {
    const std::vector<std::string> hall{"######", "#B1#.#", "#..#.#", "######"};
    const auto make = [&](const std::string& more) { return text_scenario(hall, more, 1); };
    for (const auto& entry : std::initializer_list<std::pair<const char*, const char*>>{
             {"[[victim]]\nx_m=1.5\ny_m=1.5\npath='4.5 1.5'\n", "a wall is in the way"},
             {"[[victim]]\nx_m=1.5\ny_m=1.5\npath='3.5 1.5'\n", "is in a wall"},
             {"[[victim]]\nx_m=1.5\ny_m=1.5\npath='1.5 9'\n", "is not on the map"},
             {"[[victim]]\nx_m=1.5\ny_m=1.5\npath='1 2 3'\n", "expected 2 numbers"},
             {"[victims]\nlooks='sometimes'\n", "expected one of never, alone, always"},
             {"[frontier]\nkind='cleared'\n", "expected one of unknown, unsafe, uncleared, then_uncleared"}}) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(make(entry.first), doctest::Contains(entry.second), Error);
    }
}

}  // namespace test_search
