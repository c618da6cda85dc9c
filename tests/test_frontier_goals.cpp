// Goals along frontiers: how many, where, and what that does to robots in a hall.
#include <cmath>
#include <set>

#include "helpers.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "shared/frontier_goals.hpp"

using namespace outrider;

namespace test_frontier_goals {
namespace {

constexpr int range_cells = 20;

struct Idle final : Strategy {
    Intent choose(const Belief&, Rng&) override { return {}; }
};

/// A robot at cell (0, 0), which sees 20 cells far, and knows what `state` says of cells up to 60 from there.
Robot knowing(const std::function<CellState(Cell)>& state, bool sees = true) {
    Briefing b;
    b.members = std::make_shared<const std::vector<TeamMember>>(
        std::vector<TeamMember>{{0, "r", Role::explorer, -1, -1, true, 1, 20}});
    const Point at = b.lattice.centre({0, 0});
    b.start = {at.x, at.y, 0};
    if (sees) b.sensors.emplace_back().max_range_m = b.lattice.metres(range_cells);
    KnownMap map(b.lattice);
    TileTable<CellTile> claims;
    for (int y = -60; y <= 60; ++y)
        for (int x = -60; x <= 60; ++x)
            if (const CellState s = state({x, y}); s != CellState::unknown) claims.at(tile_of({x, y})).set({x, y}, s);
    claims.for_each([&](TileCoord t, const CellTile& tile) { map.observe(t, tile, 0); });
    Robot robot(b, {}, std::make_unique<Idle>(), 1);
    show(robot, map.snapshot());
    return robot;
}

/// Free up to a wall on three sides, and row 5, which 101 cells of the unknown lie beyond.
CellState strip(Cell c) {
    if (c.y > 5 || std::abs(c.x) > 51 || c.y < -6) return CellState::unknown;
    return std::abs(c.x) == 51 || c.y == -6 ? CellState::safe_occupied : CellState::safe_free;
}

/// Free up to so many cells from the middle.
auto disc(int radius) {
    return [radius](Cell c) {
        return squared_distance(c, {}) <= std::int64_t{radius} * radius ? CellState::safe_free : CellState::unknown;
    };
}

std::vector<Frontier> goals_with(const Robot& robot, double spacing) {
    return frontier_goals(robot.belief(), {.goal_spacing = spacing});
}

/// The step at which two robots know 90 % of a hall of 30 m, seeing 5 m far.
double t90_in_a_hall(const std::string& strategy) {
    std::vector<std::string> rows(300, "#" + std::string(298, '.') + "#");
    rows.front() = rows.back() = std::string(300, '#');
    Notes notes;
    const Scenario s = make_scenario(
        parse_config(fmt::format("[team]\nstrategy='{}'\nrobots=2\n[sensor]\nrange_m=5\n[run]\nsteps=600\n", strategy),
                     "s"),
        "s", text_map(rows), notes);
    Simulation sim(s, {});
    const EndReason end = sim.run();
    return summary_of(sim, end).at("t90_team");
}

}  // namespace

TEST_CASE("a straight frontier of 101 cells gets 1 + floor(101 / (goal_spacing s) + 1/2) goals, evenly along it") {
    const Robot robot = knowing(strip);
    const std::vector<Frontier> whole = candidate_frontiers(robot.belief());
    REQUIRE(whole.size() == 1);
    REQUIRE(whole[0].size == 101);
    CHECK(has_middle(whole[0], range_cells));
    for (const auto& [spacing, count] :
         std::vector<std::pair<double, std::size_t>>{{0.25, 21}, {0.5, 11}, {1, 6}, {2, 4}, {10, 2}, {0, 1}}) {
        CAPTURE(spacing);
        const std::vector<Frontier> goals = goals_with(robot, spacing);
        REQUIRE(goals.size() == count);
        int size = 0;
        double area = 0;
        std::set<int> columns;
        for (const Frontier& f : goals) {
            CHECK(f.goal.y == 5);
            CHECK(f.look == f.goal + Cell{0, 1});
            CHECK(std::abs(f.goal.x + 0.5 - f.centroid.x) <= 2);  // at the ends a cell or two clear of the wall
            columns.insert(f.goal.x);
            size += f.size;
            area += f.area;
        }
        CHECK(size == 101);
        CHECK(area == doctest::Approx(101));
        CHECK(columns.size() == count);
        const double even = 101.0 / static_cast<double>(count);
        for (auto at = columns.begin(); std::next(at) != columns.end(); ++at) CHECK(*std::next(at) - *at <= 2 * even);
    }
    CHECK(goals_with(robot, 0)[0].goal == Cell{0, 5});
}

TEST_CASE("a frontier that closes on itself, or bends round, has no middle: it is cut even where others are whole") {
    const Robot ring = knowing(disc(40));
    const std::vector<Frontier> whole = candidate_frontiers(ring.belief());
    REQUIRE(whole.size() == 1);
    CHECK(distance(whole[0].centroid, {0.5, 0.5}) < 1e-9);
    CHECK_FALSE(has_middle(whole[0], range_cells));
    const std::vector<Frontier> goals = goals_with(ring, 0);
    CHECK(goals.size() == static_cast<std::size_t>(1 + std::floor(whole[0].size / double(range_cells) + 0.5)));
    std::set<std::pair<bool, bool>> quarters;
    for (const Frontier& f : goals) {
        CHECK(squared_distance(f.goal, {}) > 38 * 38);
        CHECK(has_middle(f, range_cells));
        quarters.insert({f.goal.x > 0, f.goal.y > 0});
    }
    CHECK(quarters.size() == 4);

    // The centroid of an arc of half a circle is 0.64 radii from its centre, 21 cells from the nearest cell.
    const Robot arc = knowing([](Cell c) {
        if (c.y == -2 && std::abs(c.x) <= 60) return CellState::safe_occupied;
        return c.y < -2 ? CellState::unknown : disc(58)(c);
    });
    REQUIRE(candidate_frontiers(arc.belief()).size() == 1);
    CHECK(goals_with(arc, 0).size() > 3);
}

TEST_CASE("a frontier round less than a sensor sees stays whole, and so does every one of a robot that sees nothing") {
    const Robot small = knowing(disc(18));
    REQUIRE(candidate_frontiers(small.belief()).size() == 1);
    CHECK(has_middle(candidate_frontiers(small.belief())[0], range_cells));
    CHECK(goals_with(small, 0).size() == 1);
    const Robot blind = knowing(disc(40), false);
    for (const double spacing : {0.0, 0.25, 1.0}) CHECK(goals_with(blind, spacing).size() == 1);
}

TEST_CASE("MRESim's regions keep its goals, whatever goal_spacing is") {
    std::vector<std::string> rows(60, "#" + std::string(78, '.') + "#");
    rows.front() = rows.back() = std::string(80, '#');
    rows[30].replace(20, 5, "1.B.2");
    std::vector<Hash128> digests;
    for (const char* strategy : {"mresim_greedy", "mresim_greedy(goal_spacing=0.1)"})
        digests.push_back(run_scenario(text_scenario(rows, "[team]\nstrategy='" + std::string(strategy) +
                                                               "'\n[sensor]\nrange_m=2\n[run]\nsteps=60\n"
                                                               "[mresim]\npreset='all'\n"))
                              .digest);
    CHECK(digests[0] == digests[1]);
    Simulation sim(text_scenario(rows, "[sensor]\nrange_m=2\n[mresim]\nregions=true\n"), {});
    for (int k = 0; k < 3; ++k) sim.step();
    const Belief& belief = sim.team()[1].belief();
    REQUIRE(!belief.frontiers().empty());
    for (const double spacing : {0.0, 0.1}) {
        const std::vector<Frontier> goals = frontier_goals(belief, {.goal_spacing = spacing});
        REQUIRE(goals.size() == belief.frontiers().size());
        for (std::size_t i = 0; i < goals.size(); ++i) {
            CHECK(goals[i].region);
            CHECK(goals[i].goal == belief.frontiers()[i].goal);
            CHECK(goals[i].area == belief.frontiers()[i].area);
        }
    }
}

TEST_CASE("nobody crosses a hall for every metre: greedy teams take at most 1.5 times as long as burgard's") {
    const double yardstick = t90_in_a_hall("burgard");
    for (const std::string strategy :
         {"nearest", "minpos", "wavefront", "mresim_greedy", "sight_greedy", "look_around"}) {
        CAPTURE(strategy);
        CHECK(t90_in_a_hall(strategy) <= 1.5 * yardstick);
    }
}

}  // namespace test_frontier_goals
