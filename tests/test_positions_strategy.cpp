// Positions by priority, handed out by a coach, and procedures.
#include "helpers.hpp"
#include "metrics/groups/positions.hpp"
#include "positions/layout.hpp"
#include "positions/procedure.hpp"

using namespace outrider;

namespace test_positions_strategy {
namespace {

std::map<std::string, double> summary_of(const Scenario& scenario) {
    Simulation sim(scenario);
    return outrider::summary_of(sim, sim.run());
}

}  // namespace

TEST_CASE("positions are read in order of priority; what is none is refused") {
    CHECK(read_positions("", "test").empty());
    const auto two = read_positions("10 -2.5 5 0.5, 0 0 0 1", "test");
    REQUIRE(two.size() == 2);
    CHECK(two[0] == Position{{10, -2.5}, 5, 0.5});
    CHECK(two[1] == Position{{0, 0}, 0, 1});
    for (const char* text : {"1 2 3", "1 2 3 4 5", "1 2 3 x", "1 2 -3 0", "1 2 3 1.1", "1e7 0 0 0", "nan 0 0 0", ","}) {
        CAPTURE(text);
        CHECK_THROWS_WITH_AS(read_positions(text, "where"), doctest::Contains("where: positions"), Error);
    }
    CHECK_THROWS_WITH_AS(text_scenario({"####", "#B1#", "####"}, "[team]\nstrategy=\"positions(positions='1 2')\"\n"),
                         doctest::Contains("x y region pull"), Error);
}

TEST_CASE("a position's target moves from its home towards the middle of all frontier cells") {
    Frontier a, b;
    a.centroid = {10, 0};
    a.size = 30;
    b.centroid = {50, 40};
    b.size = 10;
    const std::array frontiers{a, b};
    const Point focus = focus_of(frontiers, Lattice{0.1}, {7, 7});
    CHECK(distance(focus, {2, 1}) < 1e-12);
    CHECK(focus_of({}, Lattice{0.1}, {7, 7}) == Point{7, 7});
    CHECK(target_of({{3, 4}, 0, 0}, {1, 1}, focus) == Point{4, 5});
    CHECK(distance(target_of({{3, 4}, 0, 1}, {1, 1}, focus), focus) < 1e-12);
    CHECK(distance(target_of({{3, 4}, 0, 0.5}, {1, 1}, focus), {3, 3}) < 1e-12);
    const auto circle = circle_of_positions(4, 10, 0.5);
    CHECK(distance(circle[0].home, {10, 0}) < 1e-9);
    CHECK(distance(circle[1].home, {0, 10}) < 1e-9);
}

TEST_CASE("procedures go on by their conditions, and end when finished, late, or low on battery") {
    const Procedure p{"p",
                      0.2,
                      {{.name = "first", .wait_steps = 3, .abort_steps = 10, .until = Sign::all_home},
                       {.name = "second", .abort_steps = 5, .until = Sign::all_in_contact, .lead = Part::wait},
                       {.name = "third", .wait_steps = 1, .abort_steps = 5, .then = ProcedureStep::Then::finish}}};
    const ProcedureSigns none, home{true, false, 1}, heard{false, true, 1};
    const ProcedureState start{0, 100};
    CHECK(advance(p, start, 105, none) == start);
    CHECK(advance(p, start, 102, home) == start);  // not so soon
    CHECK(advance(p, start, 103, home) == ProcedureState{1, 103});
    CHECK(advance(p, start, 110, none) == start);
    CHECK_FALSE(advance(p, start, 111, none));
    CHECK_FALSE(advance(p, start, 105, {true, true, 0.19}));
    CHECK(advance(p, {1, 103}, 104, home) == ProcedureState{1, 103});
    CHECK(advance(p, {1, 103}, 104, heard) == ProcedureState{2, 104});
    CHECK(advance(p, {2, 104}, 104, none) == ProcedureState{2, 104});
    CHECK_FALSE(advance(p, {2, 104}, 105, none));
    CHECK(part_of(p, 1, true) == Part::wait);
    CHECK(part_of(p, 1, false) == Part::goes_on);
    CHECK(part_of(p, -1, true) == Part::goes_on);
    CHECK(part_of(p, 3, true) == Part::goes_on);
}

TEST_CASE("positions are counted: changes after the first, steps in which two hold the same") {
    const auto took = [](int position) {
        return std::vector<StrategyEvent>{{StrategyEvent::Kind::positioned, position}};
    };
    PositionCounts counts;
    counts.end_step();
    CHECK_FALSE(counts.any());
    counts.take(1, took(1));
    counts.take(2, took(2));
    counts.end_step();
    counts.take(2, took(1));
    counts.end_step();  // two hold 1
    counts.end_step();
    counts.leave(1);
    counts.end_step();
    counts.take(2, took(0));
    counts.take(3, took(0));
    counts.end_step();
    CHECK(counts.steps() == 5);
    CHECK(counts.doubled() == 2);
    CHECK(counts.changes() == 2);
}

TEST_CASE(
    "with all in contact a coach keeps two from holding one position; without a coach the lower number keeps it") {
    Notes notes;
    const auto run = [&](const std::string& strategy, const std::string& more) {
        return summary_of(make_scenario(
            parse_config("[team]\nrobots=4\nstrategy=\"" + strategy + "\"\n[run]\nsteps=600\n" + more, "test"), "test",
            rooms_map(220, 180, 4), notes));
    };
    const auto coached = run("positions", "[radio]\nmodel='circle'\n[comm]\nrange_m=200\n");
    CHECK(coached.at("two_holders_share") < 0.02);
    CHECK(coached.at("position_changes") < 4);
    CHECK(coached.at("final_team") > 0.999);
    // No base runs this strategy, so nobody is the coach.
    const auto alone = run("positions(coach=base)", "[radio]\nmodel='circle'\n[comm]\nrange_m=200\n");
    CHECK(alone.at("two_holders_share") < 0.02);
    CHECK(alone.at("position_changes") == 0);
    CHECK(alone.at("final_team") > 0.999);
    // All gather at home when the time has come.
    const auto farthest = [&](const std::string& strategy) {
        Simulation sim(make_scenario(parse_config("[team]\nrobots=4\nstrategy=\"" + strategy + "\"\n", "test"), "test",
                                     rooms_map(400, 300, 4), notes));
        double least = 1e9;
        while (!sim.done() && sim.progress().steps < 160) {
            sim.step();
            double most = 0;
            for (const Body& body : sim.driver().world().bodies())
                most = std::max(most, distance(body.pose.position(), sim.driver().world().body(0).pose.position()));
            if (sim.progress().steps > 60) least = std::min(least, most);
        }
        return least;
    };
    CHECK(farthest("positions(gather_steps=60)") < 7);
    CHECK(farthest("positions") > 7);
    CHECK(coached.contains("position_changes"));
    CHECK_FALSE(run("minpos", "").contains("position_changes"));
}

}  // namespace test_positions_strategy
