// Signs that a strategy goes wrong, and conditions to stop a run by.
#include "metrics/health.hpp"

#include <doctest/doctest.h>

#include "helpers.hpp"
#include "outrider/strategy.hpp"

using namespace outrider;

namespace test_health {
namespace {

/// Goes to and fro between two cells, or to one that nobody can reach.
struct FickleOptions {
    bool far = false;
    int period = 5;
    void fields(Fields& f) {
        f("far", far, "a goal in the wall");
        f("period", period, 1, 1000, "steps for a goal");
    }
};
class Fickle final : public Strategy {
  public:
    static constexpr Traits traits{};
    static constexpr const char* summary = "goes to and fro";
    using Options = FickleOptions;
    explicit Fickle(const Options& options) : options_(options) {}
    Intent choose(const Belief& belief, Rng&) override {
        const Lattice& lattice = belief.map().lattice();
        if (options_.far) return {.action = Goto{lattice.centre({4000, 4000}), 0, {}}};
        const bool left = belief.step() / options_.period % 2 == 0;
        return {
            .action = Goto{
                lattice.centre(lattice.cell_of(belief.briefing().start.position()) + Cell{left ? 1 : 2, 0}), 0, {}}};
    }

  private:
    FickleOptions options_;
};
OUTRIDER_STRATEGY("test_fickle", Fickle)

Health watched(const std::string& strategy, const std::vector<std::string>& stops, const std::string& more = "",
               int* ended = nullptr) {
    std::vector<StopWhen> conditions;
    for (const std::string& text : stops) conditions.push_back(StopWhen::read(text));
    Health health(std::move(conditions));
    Simulation sim(
        text_scenario({"#########", "#.......#", "#..B.1..#", "#.......#", "#########"},
                      fmt::format("[team]\nstrategy=\"{}\"\nrobots=1\n[run]\nsteps=100\n{}", strategy, more)),
        {});
    sim.add_observer(health);
    while (!sim.done() && !health.stop()) sim.step();
    if (ended) *ended = sim.progress().steps;
    return health;
}

}  // namespace

TEST_CASE("goals that come back soon are counted, those after long are not") {
    // The goal changes every 5 steps, 19 times in 100: each but the first change brings one back.
    CHECK(watched("test_fickle", {}).robots()[1].returned_goals == 18);
    CHECK(watched("test_fickle(period=30)", {}).robots()[1].returned_goals == 0);
    CHECK(watched("test_fickle(period=1000)", {}).robots()[1].returned_goals == 0);
}

TEST_CASE("steps without a path to the goal, and steps in one place, are counted") {
    const Health far = watched("test_fickle(far=true)", {});
    CHECK(far.robots()[1].unreachable_steps >= 98);
    CHECK(far.robots()[1].longest_idle >= 98);
    CHECK(watched("test_fickle(period=1000)", {}).robots()[1].unreachable_steps == 0);
}

TEST_CASE("a run stops at the step in which the condition comes true, and says who") {
    int ended = 0;
    const Health idle = watched("test_fickle(far=true)", {"idle=30"}, "", &ended);
    REQUIRE(idle.stop());
    CHECK(*idle.stop() == "r1 has stood in one place for 30 steps");
    CHECK(idle.stopped_robot() == 1);
    CHECK(ended <= 32);
    CHECK(ended >= 30);
    const Health changes = watched("test_fickle", {"goal-changes=2/6"}, "", &ended);
    REQUIRE(changes.stop());
    CHECK(ended == 11);  // changes in steps 5 and 10
    CHECK_FALSE(watched("test_fickle", {"goal-changes=2/5"}).stop());
    const Health apart = watched("test_fickle", {"out-of-contact=10"}, "[comm]\nrange_m=0\nbase_range_m=0\n", &ended);
    REQUIRE(apart.stop());
    CHECK(ended == 10);
    CHECK_FALSE(watched("test_fickle", {"out-of-contact=10"}).stop());
    CHECK(watched("test_fickle(far=true)", {"unreachable=10"}).stop());
}

TEST_CASE("conditions that are none are refused") {
    for (const char* text : {"", "idle", "idle=", "idle=0", "idle=-3", "idle=3x", "idle=99999999999", "goal-changes=2",
                             "goal-changes=2/", "goal-changes=/5", "lazy=3", "=3", "out-of-contact=1/2"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(StopWhen::read(text), Error);
    }
}

TEST_CASE("the summary names the worst robots and nobody who is well") {
    std::vector<RobotHealth> robots(4);
    std::vector<TeamMember> members(4);
    for (std::size_t i = 0; i < 4; ++i) members[i].name = fmt::format("r{}", i);
    Briefing team;
    team.members = std::make_shared<const std::vector<TeamMember>>(std::move(members));
    CHECK(health_lines(robots, team, 4).empty());
    robots[1].returned_goals = 7;
    robots[2].unreachable_steps = 60;
    robots[3].returned_goals = 9;
    robots[3].unreachable_steps = 8;
    const auto lines = health_lines(robots, team, 2);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == "r2: knew no path to its goal in 60 steps");
    CHECK(lines[1] == "r3: went back to the goal before the last one 9 times; knew no path to its goal in 8 steps");
    CHECK(lines[2] == "and 1 more robots");
}

}  // namespace test_health
