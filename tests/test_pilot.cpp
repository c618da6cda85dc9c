#include "helpers.hpp"
#include "robot/jam.hpp"
#include "robot/robot.hpp"

using namespace outrider;

namespace test_pilot {
namespace {

/// Does what the test says.
struct Scripted final : Strategy {
    explicit Scripted(const Action& m) : action(m) {}
    Intent choose(const Belief&, Rng&) override { return {.action = action}; }
    const Action& action;
};

/// A robot that knows a drawn map and stands in the middle of the cell marked 'R'.
struct Driven {
    explicit Driven(const std::vector<std::string>& rows, double speed_mps = 0.3)
        : robot(briefing(rows, speed_mps), {}, std::make_unique<Scripted>(action), 1) {
        show_all(robot, text_map(rows));
    }
    static Briefing briefing(const std::vector<std::string>& rows, double speed_mps) {
        Briefing b;
        b.members = std::make_shared<const std::vector<TeamMember>>(
            std::vector<TeamMember>{{0, "r", Role::explorer, -1, -1, true, speed_mps, 0}});
        const Point at = b.lattice.centre(find_letter(rows, 'R'));
        b.start = {at.x, at.y, 0};
        return b;
    }
    /// Steps, drives the command exactly, and gives the cell that it ended in.
    Cell step() {
        Percept percept;
        percept.step = steps++;
        percept.motion.delta = moved;
        const Decision d = robot.step(percept);
        Pose at = robot.belief().pose();
        double left = robot.belief().briefing().me().speed_mps;
        Point from{}, last{};
        for (const Point p : d.command.path_body) {
            const double length = distance(from, p);
            last = length > left ? from + (p - from) * (left / length) : p;
            left -= distance(from, last);
            from = last;
            if (left <= 1e-12) break;
        }
        moved = {last.x, last.y, 0};
        at = compose(at, moved);
        return robot.belief().map().lattice().cell_of(at.position());
    }
    Action action = Stay{};
    Robot robot;
    Pose moved;
    int steps = 0;
};

const std::vector<std::string> hall{"...............",  //
                                    "...............",  //
                                    "R..............",  //
                                    "...............",  //
                                    "..............."};

std::vector<Cell> cells(std::initializer_list<Cell> corners) {
    std::vector<Cell> out{*corners.begin()};
    for (const Cell to : corners)
        while (out.back() != to) {
            const Cell d = to - out.back();
            out.push_back(out.back() + Cell{(d.x > 0) - (d.x < 0), (d.y > 0) - (d.y < 0)});
        }
    return out;
}

}  // namespace

TEST_CASE("a path that a strategy gives is driven cell by cell, and another one to the same end replaces it") {
    Driven r(hall);
    r.action = Follow{cells({{0, 2}, {12, 2}}), {}};
    CHECK(r.step() == Cell{3, 2});
    r.action = Follow{cells({{3, 2}, {3, 4}, {12, 4}, {12, 2}}), {}};
    CHECK(r.step() == Cell{4, 4});
    for (int i = 0; i < 3; ++i) r.step();
    CHECK(r.step() == Cell{12, 2});
    CHECK_FALSE(r.robot.belief().goal_unreachable());
}

TEST_CASE("a given path with a known wall on what is left of it is unreachable, and nobody drives into the wall") {
    const std::vector<std::string> rows{"......#........",  //
                                        "R.....#........",  //
                                        "..............."};
    Driven r(rows);
    r.action = Follow{cells({{0, 1}, {12, 1}}), {}};
    CHECK(r.step() == Cell{0, 1});
    r.action = Follow{cells({{0, 1}, {4, 1}}), {}};
    CHECK(r.step() == Cell{3, 1});
    CHECK_FALSE(r.robot.belief().goal_unreachable());
    r.action = Follow{cells({{0, 1}, {4, 1}, {6, 1}}), {}};
    r.step();
    CHECK(r.robot.belief().goal_unreachable());
}

TEST_CASE("with a tolerance a goal in a wall is met at the nearest cell that can be reached") {
    const std::vector<std::string> rows{"......##.......",  //
                                        "R.....##.......",  //
                                        "......##......."};
    Driven r(rows);
    const Point goal = Lattice{}.centre({6, 1});
    r.action = Goto{goal, 0, {}};
    CHECK(r.step() == Cell{0, 1});
    CHECK(r.robot.belief().goal_unreachable());
    r.action = Goto{goal, 0.35, {}};
    r.step();
    r.step();
    r.step();
    const Cell end = r.step();
    CHECK(std::abs(end.x - 6) <= 3);
    CHECK_FALSE(r.robot.belief().goal_unreachable());
}

TEST_CASE("a goal far out of the map is met at the nearest cell that can be reached, by brute force") {
    const std::vector<std::string> rows{"......##.......",  //
                                        "R.....##...#...",  //
                                        "...........#...",  //
                                        "......##......."};
    const Grid<std::uint8_t> walls = text_map(rows);
    const Lattice& lattice = walls.lattice();
    for (const Point goal : {Point{1.15, 0.25}, Point{0.65, 0.35}, Point{30, 7}, Point{-40.3, 0.1}, Point{2, -500},
                             Point{1.17, 0.16}, Point{3000, 3000}}) {
        CAPTURE(goal.x);
        double least = 1e9;
        for (std::size_t i = 0; i < walls.cells().size(); ++i)
            if (walls.cells()[i] == 0) least = std::min(least, distance(lattice.centre(walls.cell(i)), goal));
        for (const double tolerance : {least * (1 + 1e-9), 1.5 * least, least * (1 - 1e-9)}) {
            CAPTURE(tolerance);
            Driven r(rows, 3);
            r.action = Goto{goal, tolerance, {}};
            const Point end = lattice.centre((r.step(), r.step()));
            CHECK((distance(end, goal) <= tolerance) == (tolerance > least));
            CHECK(r.robot.belief().goal_unreachable() == (tolerance < least));
        }
    }
}

TEST_CASE("an intent that is no place and no speed is refused") {
    for (const Action& action : {Action{Goto{{std::nan(""), 0}, 0, {}}}, Action{Drive{std::nan(""), 0}},
                                 Action{Goto{{0, 0}, -1, {}}}, Action{Stay{Point{1e300, 0}}}}) {
        Driven r(hall);
        r.action = action;
        CHECK_THROWS_AS(r.step(), CheckFailure);
    }
}

TEST_CASE(
    "a robot that something unknown holds where it stands tries another path after three steps, and then goes on") {
    Driven r(hall);
    r.action = Goto{Lattice{0.1}.centre({12, 2}), 0, {}};
    const auto held = [&](bool bumped) {
        Percept percept;
        percept.step = r.steps++;
        percept.bumped = bumped;
        return r.robot.step(percept).command.path_body;
    };
    const std::vector<Point> usual = held(false);
    REQUIRE(!usual.empty());
    for (int i = 0; i < 2; ++i) CHECK(held(true) == usual);
    std::vector<std::vector<Point>> tried;
    for (int i = 0; i < 5; ++i) tried.push_back(held(true));
    for (const auto& path : tried) CHECK(path != usual);
    CHECK(std::adjacent_find(tried.begin(), tried.end(), std::not_equal_to<>()) != tried.end());  // more than one way
    CHECK(r.robot.belief().latest(0).goal == Lattice{0.1}.centre({12, 2}));
    CHECK(held(false) == usual);
}

TEST_CASE("a robot that is stopped at one place for long drives out of it, farther along its trail with each try") {
    const std::vector<Point> trail{{0, 0}, {0.5, 0}, {1, 0}, {1.45, 0}};  // it stands at (1.5, 0)
    const Point here{1.5, 0};
    Jam jam;
    const auto way_out = [&](bool stopped) {
        jam.look(here, stopped, 0.1);
        return jam.way_out(trail);
    };
    for (int i = 0; i < 11; ++i) CHECK_FALSE(way_out(true));
    CHECK(way_out(true) == Point{1, 0});                               // not the point beside it
    for (int i = 0; i < 9; ++i) CHECK(way_out(false) == Point{1, 0});  // it turns in place
    CHECK(way_out(true) == Point{1, 0});
    const std::optional<Point> aside = way_out(true);
    REQUIRE(aside);
    CHECK(distance(*aside, here) == doctest::Approx(0.4));
    way_out(true);
    CHECK(way_out(true) == Point{0.5, 0});
    for (int i = 0; i < 1000; ++i) CHECK(way_out(true));  // also past the end of the trail
    jam.look({1.8, 0}, false, 0.1);
    CHECK_FALSE(jam.way_out(trail));  // it is out
    CHECK_FALSE(way_out(false));      // and may come by there again
    CHECK(way_out(true));             // but when it is stopped there again, it goes on with other points
    jam.look({3, 0}, true, 0.1);
    CHECK_FALSE(jam.way_out(trail));
}

TEST_CASE("a robot in a jam goes on with its plan as soon as it is out of it") {
    Driven r(hall);
    r.action = Goto{Lattice{0.1}.centre({12, 2}), 0, {}};
    const auto held = [&](bool bumped) {
        Percept percept;
        percept.step = r.steps++;
        percept.bumped = bumped;
        return r.robot.step(percept).command.path_body;
    };
    for (int i = 0; i < 14; ++i) held(true);
    const std::vector<Point> out = held(false);
    CHECK(out.size() == 1);
    CHECK(held(false) == out);
    Percept moved;
    moved.step = r.steps++;
    moved.motion.delta = {0.3, 0, 0};
    const std::vector<Point> on = r.robot.step(moved).command.path_body;
    CHECK(on.size() > 1);
}

}  // namespace test_pilot
