// [NAME]: what it does, where it is refused, and that it leaves no trace where it is not.
#include "features/NAME/world.hpp"
#include "helpers.hpp"

using namespace outrider;

namespace test_NAME {
namespace {

Scenario made(const std::string& more) {
    return text_scenario({"##############################", "#B1..........................#",
                          "#............................#", "##############################"},
                         "run.steps = 20\n" + more);
}

Hash128 digest_of(const Scenario& s) { return run_scenario(s).digest; }

}  // namespace

TEST_CASE("[NAME] turns the compasses of robots within its reach, and counts their steps") {
    Simulation sim(made("NAME = {x_m = 0.35, y_m = 0.25, reach_m = 0.5, turn_deg = 10}\n"));
    int inside = 0;
    while (!sim.done()) {
        sim.step();
        const Percept& p = last_step(sim.progress()).percepts[1];
        const bool near = sim.driver().part<CamelField>()->inside()[1][0];
        if (near && sim.progress().steps == 1) CHECK(p.motion.delta.yaw == doctest::Approx(radians(10)));
        for (const auto& now : sim.driver().part<CamelField>()->inside()) inside += now[0];
    }
    CHECK(inside > 0);
    CHECK(summary_of(sim, sim.finish()).at("NAME_steps") == inside);
}

TEST_CASE("[NAME] is refused off the map, and with robots that have no common north") {
    CHECK_THROWS_WITH_AS(made("NAME = {x_m = -3, reach_m = 1}\n"), doctest::Contains("NAME.x_m = -3"), Error);
    CHECK_THROWS_WITH_AS(made("NAME.reach_m = 1\nstart.frame = 'unknown'\n"), doctest::Contains("common north"), Error);
    CHECK_THROWS_WITH_AS(made("NAME.reach_m = -1\n"), doctest::Contains("NAME.reach_m"), Error);
}

TEST_CASE("a scenario without [NAME] is what it was, to the last bit") {
    const Scenario without = made(""), off = made("NAME.turn_deg = 90\n"), on = made("NAME.reach_m = 1\n");
    CHECK(without.resolved().find("NAME") == std::string::npos);
    CHECK(without.resolved() == off.resolved());
    CHECK(digest_of(without) == digest_of(off));
    CHECK_FALSE(digest_of(without) == digest_of(on));
}

}  // namespace test_NAME
