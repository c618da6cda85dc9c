// Walls of glass.
#include <cmath>

#include "features/glass/glass.hpp"
#include "helpers.hpp"
#include "outrider/error.hpp"
#include "sensing/ray_caster.hpp"

using namespace outrider;

namespace test_glass {
namespace {

/// A room of 40 x 40 cells with a pane in column 20 and a wall in column 30.
Grid<std::uint8_t> room() {
    Grid<std::uint8_t> walls(40, 40, 0, Lattice{0.1});
    for (int y = 0; y < 40; ++y) walls[{20, y}] = walls[{30, y}] = 1;
    return walls;
}

TEST_CASE("beams pass through glass unless they meet it straight on") {
    const Grid<std::uint8_t> grid = room();
    const WallField walls(grid);
    Grid<std::uint8_t> panes(40, 40, 0, Lattice{0.1});
    for (int y = 0; y < 40; ++y) panes[{20, y}] = 1;
    const Glass glass{panes, radians(10)};
    for (int deg = -60; deg <= 60; deg += 3) {
        CAPTURE(deg);
        const auto [s, c] = sin_cos(radians(deg));
        const Point direction{c, s}, origin{15.5, 20.5};
        double length = 0;
        cast_rays(walls, origin, std::span(&direction, 1), 100, std::span(&length, 1));
        REQUIRE(length == doctest::Approx(4.5 / c));
        pass_glass(glass, walls, origin, std::span(&direction, 1), 100, std::span(&length, 1));
        // Farther to the side the beam leaves the map, which ends there as a wall does.
        const double side = (s > 0 ? 40 - 20.5 : 20.5) / std::max(1e-9, std::abs(s));
        CHECK(length == doctest::Approx(std::abs(deg) <= 10 ? 4.5 / c : std::min(14.5 / c, side)));
    }
}

TEST_CASE("teams among glass explore, the same at any number of threads") {
    Notes notes;
    const Scenario scenario =
        make_scenario(parse_config("[team]\nrobots = 3\n[run]\nsteps = 150\n[glass]\nshare = 0.5\n", "test"), "test",
                      rooms_map(200, 160, 7), notes);
    const Outcome outcome = run_scenario(scenario, 1);
    CHECK(outcome.team_share > 0.2);
    CHECK(run_scenario(scenario, 2).digest == outcome.digest);
    CHECK(run_scenario(scenario, 3).digest == outcome.digest);
}

TEST_CASE("bad options of glass") {
    const std::vector<std::string> rows{"##########", "#B.1.....#", "##########"};
    const std::pair<const char*, const char*> refused[] = {
        {"[glass]\nshare = 2\n", "glass.share"},
        {"[glass]\nseen_deg = -1\n", "glass.seen_deg"},
        {"[glass]\nfile = \"g.png\"\n", "glass.file"},
        {"[glass]\nshare = 0.5\n[terrain]\nhills_m = 1\n[sensor]\nlevel = \"none\"\n", "expected level = always"},
    };
    for (const auto& entry : refused) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(text_scenario(rows, entry.first), doctest::Contains(entry.second), Error);
    }
}

}  // namespace
}  // namespace test_glass
