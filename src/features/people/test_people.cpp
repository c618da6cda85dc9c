// People who walk about, and robots that see each other and wait.
#include <algorithm>
#include <cmath>
#include <set>

#include "features/people/discs.hpp"
#include "features/people/scenario.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
RobotPartFactory make_cut_mates_part;
}

using namespace outrider;

namespace test_crowd {
namespace {

TEST_CASE("somebody walks along a way and back again, at one speed") {
    const Walker walker({{0, 0}, {3, 0}, {3, 4}}, 2);
    const auto at = [&](double t) { return walker.at(t); };
    CHECK(at(0) == Point{0, 0});
    CHECK(at(1) == Point{2, 0});
    CHECK(at(2) == Point{3, 1});
    CHECK(at(3.5) == Point{3, 4});
    CHECK(at(5) == Point{3, 1});
    CHECK(at(7) == Point{0, 0});
    CHECK(at(8) == Point{2, 0});
    CHECK(Walker({{1, 1}}, 2).at(100) == Point{1, 1});
    CHECK(Walker({{1, 1}, {1, 1}, {2, 1}}, 1).at(0.5) == Point{1.5, 1});
}

TEST_CASE("beams end at the nearest disc, as found by small steps along them") {
    Rng rng(7, 0, Purpose::placement, 0);
    for (int k = 0; k < 300; ++k) {
        std::vector<Disc> discs;
        for (int i = 0; i < 5; ++i) discs.push_back({{rng.uniform(-4, 4), rng.uniform(-4, 4)}, rng.uniform(0.1, 0.8)});
        const auto [s, c] = sin_cos(rng.uniform(-pi, pi));
        const Point direction{c, s};
        const auto inside = [&](const Disc& disc, Point p) { return distance(p, disc.middle) < disc.radius_m; };
        double expected = 5;
        for (const Disc& disc : discs) {
            if (inside(disc, {})) continue;
            for (double t = 0; t < expected; t += 0.001)
                if (inside(disc, direction * t)) expected = t;
        }
        CHECK(length_to_discs(discs, {}, direction, 5) == doctest::Approx(expected).epsilon(0.03));
    }
    // In cells, and only as far as the sensor sees.
    const std::vector<Disc> discs{{{2, 0}, 0.5}, {{0, 9}, 0.5}};
    const std::vector<Point> directions{{1, 0}, {0, 1}, {-1, 0}};
    std::vector<double> lengths{100, INFINITY, 30};
    shorten_to_discs(discs, {}, directions, 8, 0.1, lengths);
    CHECK(lengths[0] == doctest::Approx(15));
    CHECK(std::isinf(lengths[1]));
    CHECK(lengths[2] == 30);
}

TEST_CASE("a way meets a disc that it comes near, as far as it is driven") {
    const std::vector<Point> path{{2, 0}, {2, 2}};
    const auto meets_at = [&](Point middle, double length_m) { return meets({middle, 0.2}, {}, path, length_m, 0.1); };
    CHECK(meets_at({1, 0.25}, 1));
    CHECK_FALSE(meets_at({1, 0.35}, 1));
    CHECK_FALSE(meets_at({1, 0.25}, 0.5));
    CHECK(meets_at({2.2, 1.5}, 4));
    CHECK_FALSE(meets_at({2.2, 1.5}, 2.5));
    CHECK_FALSE(meets_at({0.5, 0.5}, 0));
    CHECK_FALSE(meets({{0, 0}, 1}, {}, {}, 1, 0));
}

Scenario corridor(const std::string& more) {
    return text_scenario(
        {"##############################", "#............................#", "#............................#",
         "#............................#", "##############################"},
        more, 0.5);
}

TEST_CASE("people keep to the floor, and are the same for every strategy") {
    const Scenario s = corridor("[crowd]\npeople = 30\n[team]\nrobots = 1");
    for (const char* walk : {"path", "random"}) {
        const std::vector<Walker> people =
            draw_walkers(corridor(fmt::format("[crowd]\npeople = 30\nwalk = \"{}\"\n[team]\nrobots = 1", walk)));
        REQUIRE(people.size() == 30);
        std::set<double> places;
        for (const Walker& person : people)
            for (double t = 0; t < 60; t += 0.5) {
                const Point p = person.at(t) + s.team_origin_m();
                CHECK(s.walls.get(s.walls.lattice().cell_of(p), 1) == 0);
                places.insert(p.x);
            }
        CHECK(places.size() > 100);
    }
    Scenario other = s;
    other.team.strategy = "burgard";
    CHECK(draw_walkers(other)[3].at(17) == draw_walkers(s)[3].at(17));
    other.run.seed = 2;
    CHECK(draw_walkers(other)[3].at(17) != draw_walkers(s)[3].at(17));
}

std::string two_robots(const std::string& body) {
    return "[team]\nrobots = 2\nbases = 0\n[comm]\nrange_m = 100\n[sensor]\nrange_m = 6\nfov_deg = 360\nbeams = 361\n"
           "[body]\nradius_m = 0.2\n" +
           body + "\n[run]\nsteps = 40\n";
}

/// Of the sensor of the first robot at step 0: the shortest range ahead of it, in metres, within 10 degrees.
double ahead_m(const Scenario& s) {
    auto driver = make_driver(s);
    std::vector<Percept> percepts(s.robots.size());
    driver->sense(percepts);
    const Scan& scan = percepts[0].scans.at(0);
    double least = 1e9;
    for (std::size_t i = 170; i <= 190; ++i)
        if (scan.ranges[i] != Scan::nothing) least = std::min(least, scan.ranges[i] * 0.001);
    return least;
}

TEST_CASE("scans see bodies where body.seen says so, and robots know who it is") {
    const std::string places = "[[robot]]\nx_m = 2.25\ny_m = 1.25\nyaw_deg = 0\n[[robot]]\nx_m = 5.25\ny_m = 1.25\n";
    CHECK(ahead_m(corridor(two_robots("") + places)) > 4);
    const Scenario seen = corridor(two_robots("seen = true") + places);
    CHECK(ahead_m(seen) == doctest::Approx(2.8).epsilon(0.002));

    auto driver = make_driver(seen);
    std::vector<Percept> percepts(2);
    driver->sense(percepts);
    REQUIRE(percepts[0].sightings.size() == 1);
    CHECK(percepts[0].sightings[0].id == 1);
    CHECK(distance(percepts[0].sightings[0].body_from_other.position(), {3, 0}) < 0.5);

    // Those beams say nothing of walls; all others stay.
    const std::vector<Briefing> briefings = make_briefings(seen);
    const std::vector<ScanMapper> mappers{{briefings[0].sensors[0], briefings[0].lattice, {}}};
    percepts[0].sightings[0].body_from_other = {3, 0, 0};
    StepScans scans(percepts[0], mappers);
    Knowledge known(briefings[0], {}, {});
    make_cut_mates_part(briefings[0], robot_options(seen))->before_drawing(known, scans);
    const std::vector<Scan>& cut = scans.all();
    int taken = 0;
    for (std::size_t i = 0; i < cut[0].ranges.size(); ++i) {
        if (cut[0].ranges[i] == percepts[0].scans[0].ranges[i]) continue;
        CHECK(cut[0].ranges[i] == Scan::no_information);
        CHECK(std::abs(static_cast<int>(i) - 180) < 6);
        ++taken;
    }
    CHECK(taken >= 7);
}

TEST_CASE("a wall in place of free space counts when no free space was seen there for some time") {
    const Scenario s = corridor("[team]\nrobots = 1\nbases = 0\n");
    const Briefing briefing = make_briefings(s)[0];
    MappingOptions options;
    options.doubt_steps = 5;
    ScanMapper mapper(briefing.sensors[0], briefing.lattice, options);
    KnownMap map(briefing.lattice, {}, true);
    const Pose at{0.25, 0.25, 0};
    const auto scan = [&](std::uint16_t ahead) {
        Scan out;
        out.ranges.assign(static_cast<std::size_t>(briefing.sensors[0].beams), 5000);
        for (std::size_t i = 80; i <= 100; ++i) out.ranges[i] = ahead;
        return out;
    };
    const Cell there = briefing.lattice.cell_of({2.6, 0.25});
    const auto state = [&](std::uint32_t step, std::uint16_t ahead) {
        mapper.insert(map, at, scan(ahead), step);
        return map.is_occupied(there);
    };
    CHECK(state(0, 2250));        // nothing was known there: a wall
    CHECK_FALSE(state(1, 5000));  // which it is not
    for (std::uint32_t step = 2; step < 6; ++step) CHECK_FALSE(state(step, 2250));
    CHECK(state(6, 2250));  // last seen free at step 1
    CHECK_FALSE(state(7, 5000));
    for (std::uint32_t step = 8; step < 12; ++step) CHECK_FALSE(state(step, 2250));
}

TEST_CASE("of two bodies on one way the one with the higher number waits, and both arrive") {
    const std::string places = "[[robot]]\nx_m = 2.25\ny_m = 1.25\n[[robot]]\nx_m = 12.25\ny_m = 1.25\nyaw_deg = 180\n";
    for (const bool blocks : {false, true}) {
        Scenario s = corridor(two_robots(blocks ? "blocks = true" : "") + places);
        auto driver = make_driver(s);
        std::vector<Percept> percepts(2);
        int held_up = 0, of_first = 0;
        for (int step = 0; step < 25; ++step) {
            driver->sense(percepts);
            of_first += percepts[0].bumped;
            held_up += percepts[1].bumped;
            std::vector<Decision> decisions(2);
            for (std::size_t i = 0; i < 2; ++i) {
                const double x = driver->world().bodies()[i].pose.x, left = i == 0 ? 10 - x : x;
                decisions[i].command.path_body = {{std::clamp(left, 0.0, 1.0), 0}};
                decisions[i].command.speed_mps = 1;
            }
            driver->act(decisions);
        }
        CHECK(of_first == 0);
        CHECK((held_up > 0) == blocks);
        CHECK(driver->world().bodies()[0].pose.x > 9.5);
        CHECK(driver->world().bodies()[1].pose.x < 0.75);
    }
}

TEST_CASE("a crowded run is the same at any number of threads, goes on from its log, and holds robots up") {
    const TemporaryFolder folder;
    Notes notes;
    const auto made = [&](const std::string& more) {
        return make_scenario(parse_config("[team]\nrobots = 4\n[run]\nsteps = 150\n[sensor]\nrange_m = 8\n[body]\n"
                                          "radius_m = 0.15\nseen = true\nblocks = true\n[crowd]\npeople = 8\n" +
                                              more,
                                          "test"),
                             "test", rooms_map(260, 200, 7), notes);
    };
    const Scenario scenario = made("");
    const Hash128 digest = run_scenario(scenario, 1).digest;
    CHECK(run_scenario(scenario, 2).digest == digest);
    CHECK(run_scenario(scenario, 3).digest == digest);
    const auto run = [&](const Scenario& s, const std::string& name) {
        SimulationOptions options;
        options.log_path = folder / name;
        options.log_level = LogLevel::full;
        Simulation sim(s, options);
        return summary_of(sim, sim.run());
    };
    const auto careless = run(made("doubt_steps = 0\n"), "careless.sqlite");
    const auto values = run(scenario, "run.sqlite");
    CHECK(values.at("held_up_steps") > 0);
    CHECK(values.at("falsely_occupied") < 0.01);
    CHECK(values.at("falsely_occupied") < careless.at("falsely_occupied"));
    // The log says what each robot knew, cell by cell.
    LogReader log(folder / "run.sqlite");
    CHECK(run_scenario(log.scenario(), 1).digest == digest);
    Replay replay(log);
    Simulation sim(scenario, {});
    for (int step = 0; step < 150; ++step) sim.step();
    REQUIRE(replay.seek(149));
    for (std::size_t i = 0; i < sim.team().size(); ++i) CHECK(replay.team()[i].map_name() == sim.team()[i].map_name());
}

TEST_CASE("bad options of a crowd") {
    const std::pair<const char*, const char*> refused[] = {
        {"[crowd]\npeople = -1\n", "crowd.people"},
        {"[crowd]\npeople = 3\nwalk = \"run\"\n", "crowd.walk"},
        {"[crowd]\npeople = 3\nradius_m = 1.5\n", "no place on the map is wide enough"},
    };
    for (const auto& entry : refused) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(corridor(entry.first), doctest::Contains(entry.second), Error);
    }
    CHECK_THROWS_WITH_AS(text_scenario({"#####", "#B.1#", "#####"}, "[crowd]\npeople = 3\nradius_m = 0.31\n", 0.01),
                         doctest::Contains("a radius of more than 30 cells"), Error);
}

}  // namespace
}  // namespace test_crowd
