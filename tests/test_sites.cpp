// Places to stand, against a look at every cell.
#include <map>
#include <set>

#include "helpers.hpp"
#include "outrider/behaviours.hpp"
#include "shared/sites.hpp"

using namespace outrider;

namespace test_sites {
namespace {

/// Frontiers' goals, and of each square of `spacing` cells the reached cell nearest to its middle.
std::set<Cell> places_of(const Belief& belief, int spacing) {
    std::set<Cell> out;
    for (const Frontier& f : candidate_frontiers(belief)) out.insert(f.goal);
    std::map<Cell, std::pair<std::int64_t, Cell>> best;
    const NavView nav = belief.nav();  // asked for once: belief.nav() looks each time whether it is up to date
    const auto [low, high] = nav.extent();
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
            const Cell c{x, y};
            if (!nav.reached(c)) continue;
            const auto down = [&](int v) { return static_cast<int>(std::floor(double(v) / spacing)); };
            const Cell square{down(x), down(y)};
            const Cell middle{square.x * spacing + spacing / 2, square.y * spacing + spacing / 2};
            const std::pair entry(squared_distance(c, middle), c);
            const auto [at, is_new] = best.emplace(square, entry);
            if (!is_new) at->second = std::min(at->second, entry);
        }
    for (const auto& [square, entry] : best) out.insert(entry.second);
    return out;
}

}  // namespace

TEST_CASE("places to stand are the goals of frontiers and the cells nearest to the middles of squares" * slow()) {
    Notes notes;
    const Grid<std::uint8_t> walls = rooms_map(150, 120, 2);
    const Scenario s = make_scenario(
        parse_config("team.strategy='nearest'\nteam.robots=2\nsensor.range_m=4\nrun.steps=40", "s"), "s", walls, notes);
    Simulation sim(s, {});
    sim.run();
    for (const Robot& robot : sim.team()) {
        const Belief& belief = robot.belief();
        if (belief.briefing().is_base()) continue;
        for (const int spacing : {1, 3, 16, 25, 64, 100}) {
            CAPTURE(spacing);
            const std::set<Cell> expected = places_of(belief, spacing);
            CHECK(expected.size() > 3);
            CHECK(standing_places(belief, candidate_frontiers(belief), spacing, 1'000'000) ==
                  std::vector<Cell>(expected.begin(), expected.end()));
        }
        const std::vector<Cell> few = standing_places(belief, candidate_frontiers(belief), 3, 40);
        CHECK(few.size() <= 40);
        CHECK(few.size() > 10);
    }
}

}  // namespace test_sites
