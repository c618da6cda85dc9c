// Floors that are not level: how bodies and scanners lie on them, what tilted beams meet, steps, and water that rises.
#include <cmath>

#include "features/ground/floor_sweep.hpp"
#include "features/hazards/field.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "outrider/error.hpp"
#include "robot/robot_parts.hpp"
#include "sensing/ray_caster.hpp"

namespace outrider {
RobotPartFactory make_tilted_beams_part;
}

using namespace outrider;

namespace test_uneven_floor {
namespace {

/// Cells of 0.1 m; height_m(cell) in metres, up to 10.
template <class Height>
Relief relief_with(int width, int height, Height&& height_m) {
    Grid<std::uint16_t> levels(width, height, 0, Lattice{0.1});
    for (std::size_t i = 0; i < levels.cells().size(); ++i)
        levels.cells()[i] = static_cast<std::uint16_t>(std::lround(height_m(levels.cell(i)) / 10 * 65535));
    return Relief(levels, 10);
}

double length_of(const WallField& walls, const Relief& relief, const Tilt& tilt, double base_m, Point direction) {
    double length = 0;
    cast_tilted(walls, relief, {10.5, 5.5}, std::span(&direction, 1), std::span(&direction, 1), tilt, base_m, 200,
                std::span(&length, 1));
    return length * 0.1;
}

Grid<std::uint8_t> hall(int width) {
    Grid<std::uint8_t> walls(width + 200, 11, 0, Lattice{0.1});
    for (int y = 0; y < 11; ++y) walls[{width - 1, y}] = 1;
    return walls;
}

TEST_CASE("a body lies as the floor does: nose up on the way up, right side up across") {
    const double rise = std::tan(radians(10));
    const Relief ramp = relief_with(100, 40, [&](Cell c) { return c.x * 0.1 * rise; });
    const Tilt up = tilt_of(ramp, {5, 2, 0}, 0.2), across = tilt_of(ramp, {5, 2, pi / 2}, 0.2),
               down = tilt_of(ramp, {5, 2, pi}, 0.2);
    CHECK(up.pitch() == doctest::Approx(-radians(10)).epsilon(0.01));
    CHECK(up.roll() == doctest::Approx(0).epsilon(0.01));
    CHECK(across.roll() == doctest::Approx(-radians(10)).epsilon(0.01));
    CHECK(down.pitch() == doctest::Approx(radians(10)).epsilon(0.01));
    CHECK(levelled(up, up, {}) == Tilt{0, 0});
    CHECK(levelled({1, 0}, {1, 0}, {}).ahead == doctest::Approx(1 - std::tan(radians(20))));
}

TEST_CASE("tilted beams: longer to a wall, down to the floor, over a wall, into a ramp") {
    const WallField walls(hall(60));
    const Relief level = relief_with(60, 11, [](Cell) { return 0.0; });
    const double straight = 6.0 - 0.1 - 1.05, tan10 = std::tan(radians(10));
    CHECK(length_of(walls, level, {}, 0.35, {1, 0}) == doctest::Approx(straight));
    // The floor is 1.98 m away, below a beam that is 1.5 % longer.
    CHECK(length_of(walls, level, {-tan10, 0}, 0.35, {1, 0}) ==
          doctest::Approx(0.35 / tan10 / std::cos(radians(10))).epsilon(1e-9));
    CHECK(0.35 / tan10 == doctest::Approx(1.98).epsilon(0.003));
    // Up by 5 degrees it meets the wall, 0.78 m above the floor; by 10 it passes over it.
    const double tan5 = std::tan(radians(5));
    CHECK(length_of(walls, level, {tan5, 0}, 0.35, {1, 0}) == doctest::Approx(straight / std::cos(radians(5))));
    CHECK(std::isinf(length_of(walls, level, {tan10, 0}, 0.35, {1, 0})));
    // A ramp ahead looks like a wall to a level beam: where it is 0.35 m high.
    const Relief ramp = relief_with(60, 11, [&](Cell c) { return std::max(0, c.x - 20) * 0.1 * tan10; });
    const double hit = length_of(walls, ramp, {}, 0.35, {1, 0});
    CHECK(hit == doctest::Approx(2 + 0.35 / tan10 - 1.05).epsilon(0.04));
    // On the ramp, fixed to the body, beams along it meet the wall at its end.
    const Relief all = relief_with(60, 11, [&](Cell c) { return c.x * 0.1 * tan10; });
    CHECK(length_of(walls, all, {tan10, 0}, 1.05 * tan10 + 0.35, {1, 0}) ==
          doctest::Approx(straight / std::cos(radians(10))));
}

TEST_CASE("on a level floor tilted casting is casting") {
    const Grid<std::uint8_t> grid = random_map(80, 60, 3);
    const WallField walls(grid);
    const Relief level = relief_with(80, 60, [](Cell) { return 1.0; });
    Rng rng(5, 0, Purpose::placement, 0);
    for (int k = 0; k < 300; ++k) {
        const Point origin{1 + 78 * rng.uniform(), 1 + 58 * rng.uniform()};
        if (walls.wall({static_cast<int>(origin.x), static_cast<int>(origin.y)})) continue;
        const auto [s, c] = sin_cos(2 * pi * rng.uniform());
        const Point direction{c, s};
        double expected = 0, length = 0;
        cast_rays(walls, origin, std::span(&direction, 1), 50, std::span(&expected, 1));
        cast_tilted(walls, level, origin, std::span(&direction, 1), std::span(&direction, 1), {}, 1.35, 50,
                    std::span(&length, 1));
        CHECK((std::isinf(expected) ? std::isinf(length) : length == doctest::Approx(expected)));
    }
}

TEST_CASE("what the points in a cell say: a step, a low one, a ramp, too few") {
    const auto state = [](auto&& height_m, int points = 100) {
        FloorCell cell;
        for (int k = 0; k < points; ++k) cell.add(height_m((k + 0.5) / points));
        return cell.state();
    };
    const auto step_of = [](double high) { return [high](double x) { return x < 0.5 ? 0 : high; }; };
    CHECK(state(step_of(0.15)) == FloorState::step);
    CHECK(state(step_of(0.06)) == FloorState::free);
    CHECK(state(step_of(0.08)) == FloorState::free);
    CHECK(state(step_of(0.081)) == FloorState::step);
    CHECK(state([](double x) { return x * 0.1 * std::tan(radians(10)); }) == FloorState::free);
    CHECK(state(step_of(0.15), 9) == FloorState::unknown);
    CHECK(state(step_of(0.15), 10) == FloorState::step);
}

TEST_CASE("a sweep finds the near side of a high block, and nothing on a low one or a ramp") {
    const WallField walls(hall(60));
    std::vector<Point> directions;
    for (int deg = -90; deg <= 90; ++deg) {
        const auto [s, c] = sin_cos(radians(deg));
        directions.push_back({c, s});
    }
    const auto steps = [&](auto&& height_m) {
        const Relief relief = relief_with(60, 11, height_m);
        return find_steps(walls, relief, {10.5, 5.5}, directions, 0.35, 200);
    };
    const auto block = [](double high) { return [high](Cell c) { return c.x >= 20 && c.x < 25 ? high : 0.0; }; };
    const std::vector<Cell> found = steps(block(0.15));
    CHECK(std::count(found.begin(), found.end(), Cell{20, 5}) == 1);
    for (const Cell c : found) CHECK((c.x >= 20 && c.x <= 25));
    CHECK(steps(block(0.06)).empty());
    CHECK(steps([](Cell c) { return c.x * 0.1 * std::tan(radians(8)); }).empty());
}

TEST_CASE("water waits before what is higher than its level") {
    const Grid<std::uint8_t> walls(20, 1, 0, Lattice{0.1});
    const Relief relief = relief_with(20, 1, [](Cell c) { return c.x == 10 ? 0.5 : c.x > 10 ? 0.1 : 0.0; });
    const Hazard flood{HazardKind::flood, {0, 0}, 5, 0, 0, 0, 2, 0.01};
    const HazardField field(walls, std::span(&flood, 1), 1000, 10, 1, &relief);
    CHECK(field.wet({9, 0}, 5 + 18));
    CHECK_FALSE(field.wet({9, 0}, 5 + 17));
    CHECK_FALSE(field.wet({10, 0}, 5 + 49));
    CHECK(field.wet({10, 0}, 5 + 51));
    CHECK_FALSE(field.wet({11, 0}, 5 + 51));
    CHECK(field.wet({11, 0}, 5 + 53));
}

TEST_CASE("a robot does not believe what a tilted scanner may have taken for a wall") {
    SensorSpec sensor;
    sensor.step_angle = pi;
    sensor.beams = 2;
    sensor.max_range_m = 20;
    Briefing briefing;
    briefing.sensors = {sensor};
    RobotOptions options;
    CHECK(make_tilted_beams_part(briefing, options) == nullptr);
    options.beam_filters = {{{0, false}}};
    CHECK(make_tilted_beams_part(briefing, options) == nullptr);
    const std::vector<ScanMapper> mappers{{sensor, Lattice{0.1}, {}}};
    Percept percept;
    const auto believed = [&](RobotPart& part, double pitch_deg, std::uint16_t ahead, std::uint16_t behind) {
        percept.pitch = radians(pitch_deg);  // nose down
        percept.scans = {Scan{0, {ahead, behind}, {}, 0}};
        StepScans scans(percept, mappers);
        part.before_localising(scans);
        return scans.all().front().ranges;
    };
    using Ranges = std::vector<std::uint16_t>;
    options.beam_filters = {{{0.35, false}}};
    const auto fixed = make_tilted_beams_part(briefing, options);
    CHECK(believed(*fixed, 0, 1980, Scan::nothing) == Ranges{1980, Scan::nothing});
    CHECK(believed(*fixed, 10, 1980, 2000) == Ranges{Scan::no_information, 2000});
    CHECK(believed(*fixed, 10, 1500, 9000) == Ranges{1500, 9000});
    CHECK(believed(*fixed, 10, Scan::nothing, Scan::nothing) == Ranges{Scan::no_information, Scan::no_information});
    // A joint is a step late: the first 10 degrees count for one step, and 30 degrees are 10 more than it reaches.
    options.beam_filters = {{{0.35, true}}};
    const auto levelled = make_tilted_beams_part(briefing, options);
    CHECK(believed(*levelled, 0, 1980, 2000) == Ranges{1980, 2000});
    CHECK(believed(*levelled, 10, 1980, 2000) == Ranges{Scan::no_information, 2000});
    CHECK(believed(*levelled, 10, 1980, 2000) == Ranges{1980, 2000});
    CHECK(believed(*levelled, 0, 2000, 1980) == Ranges{2000, Scan::no_information});  // its back down
    CHECK(believed(*levelled, 30, 1000, 2000) == Ranges{Scan::no_information, 2000});
    CHECK(believed(*levelled, 30, 1000, 2000) == Ranges{1000, 2000});
    CHECK(believed(*levelled, 30, 1400, 2000) == Ranges{Scan::no_information, 2000});
}

TEST_CASE("which scanners are filtered is an option") {
    const auto filtered = [](const std::string& sensor) {
        const Scenario s =
            text_scenario({"##########", "#B.1.....#", "##########"}, "[terrain]\nhills_m = 0.5\n[sensor]\n" + sensor);
        const BeamFilter filter = robot_options(s).beam_filters.at(1).at(0);
        return std::pair(filter.height_m, filter.levelled);
    };
    CHECK(filtered("") == std::pair(0.0, false));
    CHECK(filtered("tilt_filter='all'") == std::pair(0.0, false));  // always level
    CHECK(filtered("level='none'") == std::pair(0.35, false));
    CHECK(filtered("level='none'\ntilt_filter='none'") == std::pair(0.0, false));
    CHECK(filtered("level='gravity'") == std::pair(0.0, true));
    CHECK(filtered("level='gravity'\ntilt_filter='all'\nheight_m=0.5") == std::pair(0.5, true));
}

TEST_CASE("runs on uneven floors are the same at any number of threads, and go on from their logs") {
    const TemporaryFolder folder;
    for (const std::string level : {"none", "gravity", "always"}) {
        CAPTURE(level);
        Notes notes;
        const Scenario scenario = make_scenario(
            parse_config("[team]\nrobots = 3\n[run]\nsteps = 60\n[terrain]\nhills_m = 0.6\npatch_m = 6\nstep_share = "
                         "0.1\n[sensor]\nrange_m = 8\nsweep_m = 2\ntilt_filter = \"all\"\nlevel = \"" +
                             level + "\"\n[[hazard]]\nkind = \"flood\"\nx_m = 10\ny_m = 8\nspeed_mps = 1\n",
                         "test"),
            "test", rooms_map(200, 160, 7), notes);
        const Hash128 digest = run_scenario(scenario, 1).digest;
        CHECK(run_scenario(scenario, 2).digest == digest);
        CHECK(run_scenario(scenario, 3).digest == digest);
        SimulationOptions options;
        options.log_path = folder / (level + ".sqlite");
        options.log_level = LogLevel::full;
        Simulation sim(scenario, options);
        sim.run();
        LogReader log(options.log_path);
        CHECK(run_scenario(log.scenario(), 1).digest == digest);
        Replay replay(log);
        REQUIRE(replay.seek(59));
        bool steps = false, tilted = false;
        for (std::size_t i = 0; i < sim.team().size(); ++i) {
            CHECK(replay.team()[i].map_name() == sim.team()[i].map_name());
            tilted |= replay.percepts()[i].pitch != 0;
        }
        CHECK(tilted);
        REQUIRE(replay.seek(0));
        for (const Percept& percept : replay.percepts()) steps |= !percept.steps.empty();
        CHECK(steps);
    }
}

TEST_CASE("bad options of floors") {
    const std::vector<std::string> rows{"##########", "#B.1.....#", "##########"};
    const std::pair<const char*, const char*> refused[] = {
        {"[sensor]\nlevel = \"gyro\"\n", "sensor.level"},
        {"[sensor]\nheight_m = 1.5\n", "sensor.height_m"},
        {"[sensor]\ntilt_filter = \"gravity\"\n", "expected one of fixed, all, none"},
        {"[sensor]\nsweep_m = -1\n", "sensor.sweep_m"},
        {"[terrain]\nhills_m = 1\n[sensor]\nsweep_m = 2\n[slam]\nmethod = \"scan_match\"\n",
         "sensor.sweep_m: with slam.method = scan_match steps are kept"},
        {"[terrain]\nheight = \"h.png\"\nhills_m = 1\n", "terrain"},
        {"[[hazard]]\nkind = \"flood\"\nx_m = 0.15\ny_m = 0.15\nrise_mps = 0\n", "rise_mps"},
    };
    for (const auto& entry : refused) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(text_scenario(rows, entry.first), doctest::Contains(entry.second), Error);
    }
}

}  // namespace
}  // namespace test_uneven_floor
