// The two halves of a robot's step, and what its belief shows between them.
#include "helpers.hpp"
#include "robot/robot.hpp"

using namespace outrider;

namespace test_robot {
namespace {

/// Goes to the first frontier; fails in step 3 when told to.
struct Eager final : Strategy {
    explicit Eager(bool fails_ = false) : fails(fails_) {}
    Intent choose(const Belief& belief, Rng&) override {
        if (fails && belief.step() == 3) throw Error("tired");
        Intent intent;
        if (!belief.frontiers().empty())
            intent.action = Goto{belief.map().lattice().centre(belief.frontiers()[0].goal), 0, {}};
        return intent;
    }
    bool fails;
};

Robot robot_in(const Grid<std::uint8_t>& walls, std::unique_ptr<Strategy> strategy) {
    Briefing b;
    b.members = std::make_shared<const std::vector<TeamMember>>(
        std::vector<TeamMember>{{0, "r", Role::explorer, -1, -1, true, 1, 20}});
    const Point at = b.lattice.centre({4, 4});
    b.start = {at.x, at.y, 0};
    Robot robot(b, {}, std::move(strategy), 1);
    show_all(robot, walls);
    return robot;
}

Percept percept_of(int step) {
    Percept percept;
    percept.step = step;
    percept.motion.delta = {0.01 * step, 0, 0};
    percept.links.resize(2);
    return percept;
}

}  // namespace

TEST_CASE("perceive and decide are a step; between them the belief shows the percept, afterwards none") {
    const Grid<std::uint8_t> walls = rooms_map(60, 40, 3);
    Robot whole = robot_in(walls, std::make_unique<Eager>()), halves = robot_in(walls, std::make_unique<Eager>());
    for (int step = 0; step < 5; ++step) {
        const Percept percept = percept_of(step);
        const Decision at_once = whole.step(percept);
        halves.perceive(percept);
        CHECK(&halves.belief().percept() == &percept);
        CHECK(halves.belief().step() == step);
        CHECK(halves.belief().pose() == whole.belief().pose());
        CHECK(halves.belief().latest(0).seq == static_cast<std::uint32_t>(step));  // it says nothing yet
        const Decision decision = halves.decide();
        CHECK(decision.command.path_body == at_once.command.path_body);
        CHECK(decision.outbox.size() == 1);
        CHECK(halves.belief().latest(0).seq == static_cast<std::uint32_t>(step) + 1);
        CHECK(halves.belief().percept().links.empty());
        CHECK(halves.map_name() == whole.map_name());
    }
}

TEST_CASE("without a percept there is nothing to decide, also after a strategy that failed") {
    Robot robot = robot_in(rooms_map(60, 40, 3), std::make_unique<Eager>(true));
    CHECK_THROWS_AS(robot.decide(), CheckFailure);
    for (int step = 0; step < 3; ++step) robot.step(percept_of(step));
    CHECK_THROWS_AS(robot.decide(), CheckFailure);
    CHECK_THROWS_AS(robot.step(percept_of(3)), Error);
    CHECK(robot.belief().percept().links.empty());
    CHECK_THROWS_AS(robot.decide(), CheckFailure);
    robot.step(percept_of(4));
    CHECK(robot.belief().step() == 4);
}

TEST_CASE("a belief goes along with a robot that moves") {
    Robot first = robot_in(rooms_map(60, 40, 3), std::make_unique<Eager>());
    first.step(percept_of(0));
    const Belief* const before = &first.belief();
    const std::size_t known = first.map().count(false);
    CHECK(known > 0);
    std::vector<Robot> team;
    team.push_back(std::move(first));
    const Percept percept = percept_of(1);
    team[0].perceive(percept);
    CHECK(team[0].belief().step() == 1);
    CHECK(team[0].map().count(false) == known);
    CHECK(&team[0].belief() != before);
    CHECK(team[0].belief().nav().passable({4, 4}) == team[0].belief().map().is_free({4, 4}));
}

}  // namespace test_robot
