// Echo sounders, whose beams are cones.
#include <cmath>

#include "helpers.hpp"
#include "outrider/error.hpp"
#include "sensing/cones.hpp"
#include "sensing/ray_caster.hpp"

using namespace outrider;

namespace test_cones {
namespace {

TEST_CASE("a cone ends at the nearest wall in it, as brute force says") {
    const Grid<std::uint8_t> grid = random_map(80, 60, 9);
    const WallField walls(grid);
    SensorSpec sensor;
    sensor.step_angle = radians(22.5);
    sensor.beams = 16;
    sensor.max_range_m = 4;
    sensor.cone = radians(15);
    const int rays = rays_of_beam(sensor, 0.1);
    CHECK(rays >= 12);
    CHECK(rays_of_beam({}, 0.1) == 1);
    std::vector<Point> directions, spread;
    ScanGeometry(sensor).directions(0.3, directions);
    spread_rays(sensor, rays, directions, spread);
    REQUIRE(spread.size() == directions.size() * static_cast<std::size_t>(rays));
    Rng rng(5, 0, Purpose::placement, 0);
    for (int k = 0; k < 40; ++k) {
        const Point origin{1 + 78 * rng.uniform(), 1 + 58 * rng.uniform()};
        if (walls.wall({static_cast<int>(origin.x), static_cast<int>(origin.y)})) continue;
        std::vector<double> all(spread.size()), lengths(directions.size());
        cast_rays(walls, origin, spread, 40, all);
        nearest_echoes(rays, all, lengths);
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            double nearest = std::numeric_limits<double>::infinity();  // of many more rays
            for (int j = 0; j <= 400; ++j) {
                const double turn = sensor.cone * (j / 400.0 - 0.5);
                const auto [s, c] = sin_cos(turn);
                const Point d{c * directions[i].x - s * directions[i].y, s * directions[i].x + c * directions[i].y};
                double length = 0;
                cast_rays(walls, origin, std::span(&d, 1), 40, std::span(&length, 1));
                nearest = std::min(nearest, length);
            }
            if (std::isinf(nearest)) continue;
            CHECK(lengths[i] >= nearest - 0.01);  // neither set of rays holds the other
            CHECK(lengths[i] <= nearest + 1.5);   // only the corner of a cell lies between two rays
        }
    }
}

TEST_CASE("a cone clears what it passes, and its arc is a wall until another cone passes there") {
    SensorSpec sensor;
    sensor.step_angle = 1;
    sensor.beams = 1;
    sensor.range_unit_m = 0.01;
    sensor.max_range_m = 5;
    sensor.cone = radians(15);
    ScanMapper mapper(sensor, Lattice{0.1}, {});
    KnownMap map(Lattice{0.1}, {}, false);
    const auto scan = [&](const Pose& body, std::uint16_t range) {
        mapper.insert(map, body, Scan{0, {range}, {}, 0}, 0);
    };
    scan({0.05, 0.05, 0}, 150);
    CHECK(map.is_free({5, 0}));
    CHECK(map.is_free({14, 1}));
    CHECK(map.state({15, 0}) == CellState::occupied);
    CHECK(map.state({15, 1}) == CellState::occupied);
    CHECK(map.state({15, 5}) == CellState::unknown);
    // From the side a beam passes through a part of the arc.
    scan({1.55, -0.95, pi / 2}, 104);
    CHECK(map.is_free({15, -1}));
    CHECK(map.state({15, 1}) == CellState::occupied);
    // A far echo clears its cone, and its arc stays unknown.
    scan({0.05, -10, 0}, 400);
    CHECK(map.is_free({30, -100}));
    CHECK(map.state({40, -100}) == CellState::unknown);
}

TEST_CASE("teams with sonar explore, the same at any number of threads") {
    Notes notes;
    const Scenario scenario =
        make_scenario(parse_config("[team]\nrobots = 3\n[run]\nsteps = 150\n[sensor]\npreset = \"sonar\"\n", "test"),
                      "test", rooms_map(200, 160, 7), notes);
    const Outcome outcome = run_scenario(scenario, 1);
    CHECK(outcome.team_share > 0.2);
    CHECK(run_scenario(scenario, 2).digest == outcome.digest);
    CHECK(run_scenario(scenario, 3).digest == outcome.digest);
}

TEST_CASE("bad options of cones") {
    const std::vector<std::string> rows{"##########", "#B.1.....#", "##########"};
    const std::pair<const char*, const char*> refused[] = {
        {"[sensor]\ncone_deg = 200\n", "sensor.cone_deg"},
        {"[sensor]\ncone_deg = 15\n[slam]\nmethod = \"manifold\"\n", "sensor.cone_deg"},
    };
    for (const auto& entry : refused) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(text_scenario(rows, entry.first), doctest::Contains(entry.second), Error);
    }
}

}  // namespace
}  // namespace test_cones
