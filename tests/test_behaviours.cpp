// Modes and motions of the UvA Rescue robots, row by row (strategies/behaviours/README.md).
#include "behaviours/machine.hpp"
#include "helpers.hpp"
#include "messages/order_words.hpp"

using namespace outrider;

namespace test_behaviours {
namespace {

constexpr double deg(double degrees) { return degrees * pi / 180; }

/// Beams all around, every degree, each so long.
template <class Length>
std::vector<Surroundings::Beam> beams(Length&& length) {
    std::vector<Surroundings::Beam> out;
    for (int k = -180; k < 180; ++k) out.push_back({deg(k + 0.5), static_cast<double>(length(k + 0.5))});
    return out;
}

/// Robot 3, 5 m free all around.
Surroundings open() {
    Surroundings s;
    s.laser = beams([](double) { return 5.0; });
    s.self = 3;
    return s;
}
Surroundings with_laser(const std::function<double(double)>& length) {
    Surroundings s = open();
    s.laser = beams(length);
    return s;
}
Surroundings with_mate(Pose at, RobotId id = 1, bool base = false) {
    Surroundings s = open();
    s.mates = {{id, at, base}};
    return s;
}
bool between(double v, double low, double high) { return v >= low && v <= high; }

using Plan = MotionMachine::Plan;
const auto goes = [] { return Plan{Goto{{9, 9}, 0, {}}, "plan"}; };
const auto fails = [] { return Plan{{}, "no plan"}; };

std::string active(const MotionMachine::Choice& choice) {
    std::string out;
    for (const std::string_view m : choice.active) out += (out.empty() ? "" : "+") + std::string(m);
    return out;
}

}  // namespace

// Random walk.
TEST_CASE("random walk: straight on while the front 120 degrees are free for 0.55 m") {
    RandomWalk walk;
    CHECK(walk.step(with_laser([](double a) { return std::abs(a) <= 60 ? 0.56 : 0.1; })).drive == Speeds{1, 0});
    CHECK(walk.step(with_laser([](double a) { return between(a, 50, 60) ? 0.5 : 5; })).drive->forward == 0);
}
TEST_CASE(
    "random walk: closed ahead, it turns to the side with the larger mean, and keeps to it until the front is free") {
    const auto closed = [](double left, double right) {
        return with_laser([=](double a) { return std::abs(a) < 30 ? 0.3 : a > 0 ? left : right; });
    };
    RandomWalk walk;
    CHECK(walk.step(closed(0.5, 0.4)).drive == Speeds{0, 0.4});
    CHECK(walk.step(closed(0.4, 0.5)).drive == Speeds{0, 0.4});
    walk.begin();
    CHECK(walk.step(closed(0.4, 0.5)).drive == Speeds{0, -0.4});
    walk.begin();
    CHECK(walk.step(closed(0.2, 0.5)).drive == Speeds{0, -0.4});  // one side only
}
TEST_CASE("random walk: no side free for 0.3 m, obstacle avoidance") {
    RandomWalk walk;
    const MotionStep o = walk.step(with_laser([](double) { return 0.25; }));
    CHECK_FALSE(o.drive);
    CHECK(o.next == MotionKind::obstacle_avoidance);
}

// Obstacle avoidance.
TEST_CASE("obstacle avoidance: nothing close ahead, forward, then random walk") {
    ObstacleAvoidance avoid;
    const MotionStep o = avoid.step(open());
    CHECK(o.drive == Speeds{2, 0});
    CHECK(o.next == MotionKind::random_walk);
}
TEST_CASE(
    "obstacle avoidance: both sides 90 degrees left, left only 45 right, right only 45 left, until it has turned") {
    struct Row {
        double left, right, turns;
    };
    for (const Row& row : {Row{1, 1, 90}, Row{1, 3, -45}, Row{3, 1, 45}}) {
        CAPTURE(row.turns);
        ObstacleAvoidance avoid;
        Surroundings s = with_laser([&](double a) {
            return between(a, 0, 18) ? row.left : between(a, -18, 0) ? row.right : 5;
        });
        double turned = 0;
        MotionStep o = avoid.step(s);
        for (int k = 0; k < 20 && o.drive; ++k) {
            CHECK(o.drive->forward == 0);
            CHECK((o.drive->turn > 0) == (row.turns > 0));
            turned += o.drive->turn;
            s.pose.yaw = wrap_angle(s.pose.yaw + o.drive->turn);
            o = avoid.step(s);
        }
        CHECK(o.next == MotionKind::random_walk);
        CHECK(std::abs(turned) >= deg(std::abs(row.turns)) - 1e-9);
        CHECK(std::abs(turned) < deg(std::abs(row.turns)) + 0.5 + 1e-9);
    }
}
TEST_CASE("obstacle avoidance asks sonars where there are any") {
    ObstacleAvoidance avoid;
    Surroundings s = open();
    s.sonar = {{0.15, 1.5}, {-0.15, 4.0}};
    CHECK(avoid.step(s).drive->turn < 0);
}

// Corridor walk.
TEST_CASE("corridor walk: to the freest of seven sectors, slower the more it turns") {
    struct Row {
        double middle, forward, turn;
    };
    for (const Row& row : {Row{0, 0.8, 0}, Row{22.5, 0.6, 0.1}, Row{-22.5, 0.6, -0.1}, Row{45, 0.6, 0.2},
                           Row{-45, 0.6, -0.2}, Row{67.5, 0.6, 0.3}, Row{-67.5, 0.6, -0.3}}) {
        CAPTURE(row.middle);
        const MotionStep o =
            corridor_walk(with_laser([&](double a) { return std::abs(a - row.middle) <= 11.3 ? 3 : 0.6; }));
        CHECK(o.drive == Speeds{row.forward, row.turn});
    }
    // The shortest beam of a sector counts.
    const MotionStep o = corridor_walk(with_laser([](double a) {
        return between(a, 20, 21) ? 0.5 : std::abs(a - 22.5) <= 11.3 ? 9 : std::abs(a) < 11.3 ? 2 : 0.6;
    }));
    CHECK(o.drive == Speeds{0.8, 0});
}
TEST_CASE("corridor walk: no sector free for 0.1 m, the main motion; all for 1 m, random walk") {
    CHECK(corridor_walk(with_laser([](double) { return 0.1; })).next == MotionKind::main);
    CHECK(corridor_walk(with_laser([](double) { return 1.0; })).next == MotionKind::random_walk);
    CHECK_FALSE(corridor_walk(with_laser([](double a) { return a > 0 ? 0.99 : 2; })).next);
}

// Avoid victim.
TEST_CASE("avoid victim: to the more open side; of two equal ones the smaller turn; 2 m away, the main motion") {
    const auto near = [](Point at, double left, double right) {
        Surroundings s = with_laser([=](double a) { return a > 0 ? left : right; });
        s.people = {at};
        return avoid_victim(s);
    };
    CHECK(near({0.8, 0}, 3, 1).drive == Speeds{0, 0.4});
    CHECK(near({0.8, 0}, 1, 3).drive == Speeds{0, -0.4});
    CHECK(near({0.8, 0.3}, 2, 2).drive == Speeds{0, -0.4});  // it lies to the left
    CHECK(near({0.8, -0.3}, 2, 2).drive == Speeds{0, 0.4});
    CHECK(near({-0.8, 0}, 2, 2).drive == Speeds{1, 0});  // behind
    CHECK(near({2.1, 0}, 2, 2).next == MotionKind::main);
    CHECK(near({0.8, 0}, 0.29, 0.29).next == MotionKind::obstacle_avoidance);
}

// Avoid team-mate.
TEST_CASE("avoid team-mate: by where it is and where it looks") {
    const auto close = [](Pose at) {
        Surroundings s = with_mate(at);
        s.laser = beams([](double) { return 1.0; });
        return avoid_team_mate(s);
    };
    CHECK(close({0.5, 0.2, pi}).drive == Speeds{-1.2, -0.8});  // face to face, it is to the left
    CHECK(close({0.5, -0.2, pi}).drive == Speeds{-1.2, 0.8});  // to the right
    CHECK(close({0.5, 0.2, 0}).drive == Speeds{0, 0});         // behind it
    CHECK(close({-0.5, 0.2, 0}).drive == Speeds{1.2, -0.8});   // it comes from behind
    CHECK(close({-0.5, -0.2, 0}).drive == Speeds{1.2, 0.8});
    CHECK(close({-0.5, 0.2, pi}).next == MotionKind::main);                      // back to back
    CHECK(close({1.1, 0, pi}).next == MotionKind::main);                         // not within a metre
    CHECK(avoid_team_mate(with_mate({0.5, 0.2, pi})).next == MotionKind::main);  // that side is free for 2 m
    Surroundings higher = with_mate({0.5, 0, pi}, 4);
    CHECK(avoid_team_mate(higher).next == MotionKind::main);
}

// What interrupts.
TEST_CASE("a team-mate with a lower number within a metre: avoid it; the operator's station: random walk") {
    for (const MotionKind motion : {MotionKind::main, MotionKind::random_walk, MotionKind::corridor_walk}) {
        CHECK(interrupted(motion, with_mate({0.9, 0, 0}))->next == MotionKind::avoid_team_mate);
        CHECK_FALSE(interrupted(motion, with_mate({1.1, 0, 0})));
        CHECK_FALSE(interrupted(motion, with_mate({0.9, 0, 0}, 5)));
        const bool walks = motion == MotionKind::random_walk;
        CHECK(interrupted(motion, with_mate({0.9, 0, 0}, 0, true))->next ==
              (walks ? MotionKind::obstacle_avoidance : MotionKind::random_walk));
        Surroundings home = with_mate({0.9, 0, 0}, 0, true);
        home.homeward = true;
        CHECK_FALSE(interrupted(motion, home));
    }
}
TEST_CASE("a victim within a metre: avoid it") {
    Surroundings s = open();
    s.people = {{0.9, 0}};
    for (const MotionKind motion : {MotionKind::main, MotionKind::random_walk, MotionKind::corridor_walk})
        CHECK(interrupted(motion, s)->next == MotionKind::avoid_victim);
    s.people = {{1.1, 0}};
    CHECK_FALSE(interrupted(MotionKind::main, s));
}
TEST_CASE("steep floor: reverse and corridor walk; from a random walk retreat; from obstacle avoidance random walk") {
    for (const auto& [roll, pitch, steep] : {std::tuple(0.11, 0.0, true), std::tuple(-0.11, 0.0, true),
                                             std::tuple(0.0, 0.31, true), std::tuple(0.09, 0.29, false)}) {
        Surroundings s = open();
        s.roll = roll;
        s.pitch = pitch;
        const auto main = interrupted(MotionKind::main, s), walk = interrupted(MotionKind::random_walk, s),
                   obstacle = interrupted(MotionKind::obstacle_avoidance, s);
        CHECK(main.has_value() == steep);
        if (!steep) continue;
        CHECK(main->drive == Speeds{-0.5, 0});
        CHECK(main->next == MotionKind::corridor_walk);
        CHECK_FALSE(walk->drive);
        CHECK(walk->next == MotionKind::retreat);
        CHECK(obstacle->drive == Speeds{-0.5, 0});
        CHECK(obstacle->next == MotionKind::random_walk);
        CHECK(retreat(s).drive == Speeds{-1, 0});
    }
    CHECK(retreat(open()).next == MotionKind::random_walk);
}

// The guard.
TEST_CASE("the guard halts before walls by laser and by sonar, once; what follows within 2 s passes") {
    ConservativeGuard guard;
    Surroundings s = with_laser([](double a) { return std::abs(a) < 10 ? 1.234 : 9; });
    CHECK(guard.refuse(s, 0.5) == "LSR - OBS - 1.23");
    s.time_s = 2;
    CHECK(guard.refuse(s, 0.5).empty());
    s.time_s = 4.5;
    CHECK(guard.refuse(s, -0.5).empty());  // backwards
    s.time_s = 7;
    CHECK(guard.refuse(s, 0.5) == "LSR - OBS - 1.23");
    s.time_s = 20;
    s.laser = beams([](double a) { return std::abs(a) < 11 && std::abs(a) > 10.1 ? 1 : 9; });
    CHECK(guard.refuse(s, 0.5).empty());  // beside the front 20 degrees
    s.time_s = 40;
    s.laser.clear();
    s.sonar = {{deg(29), 0.4}};
    CHECK(guard.refuse(s, 0.5) == "SNR - OBS - 0.40");
    s.time_s = 60;
    CHECK(guard.refuse(s, 0.3).empty());
}

// The machine.
TEST_CASE("machine: operators steer; lost, the robot backs off; heard again, it waits") {
    for (const Mode mode : {Mode::tele_operation, Mode::conservative}) {
        MotionMachine machine(mode);
        Surroundings s = open();
        const bool guarded = mode == Mode::conservative;
        auto choice = machine.step(s, 2, MotionMachine::Steering{0.7, 0.1}, fails);
        CHECK(std::get<Drive>(choice.action).forward == 0.7);
        CHECK(std::get<Drive>(choice.action).turn == 0.1);
        CHECK(active(choice) == (guarded ? "tele-operation+guard" : "tele-operation"));
        s.operator_in_contact = false;
        choice = machine.step(s, 2, {}, fails);
        CHECK(std::get<Drive>(choice.action).forward == -1);  // half of the greatest speed
        CHECK(active(choice) == "retreat");
        s.operator_in_contact = true;
        choice = machine.step(s, 2, {}, fails);
        CHECK(std::holds_alternative<Stay>(choice.action));
        s.time_s = 100;
        s.laser = beams([](double) { return 1.0; });
        choice = machine.step(s, 2, MotionMachine::Steering{0.7, 0.1}, fails);
        CHECK(std::holds_alternative<Stay>(choice.action) == guarded);
        CHECK(choice.alert == (guarded ? "LSR - OBS - 1.00" : ""));
        CHECK(active(choice) == (guarded ? "guard" : "tele-operation"));
    }
}
TEST_CASE("machine: a main motion that fails is replaced, and tried again: following after 60 s, others after 120 s") {
    for (const auto& [mode, after] : {std::pair(Mode::follow_waypoints, 60), std::pair(Mode::autonomous, 120),
                                      std::pair(Mode::explore_traversability, 120), std::pair(Mode::deployment, 120)}) {
        MotionMachine machine(mode);
        Surroundings s = open();
        CHECK(std::holds_alternative<Goto>(machine.step(s, 1, {}, goes).action));
        s.time_s = 10;
        CHECK(active(machine.step(s, 1, {}, fails)) == "random walk");
        for (int t = 11; t < 10 + after; ++t) {
            s.time_s = t;
            s.pose.x = t;  // it gets somewhere
            CHECK(active(machine.step(s, 1, {}, goes)) == "random walk");
        }
        s.time_s = 10 + after;
        const auto again = machine.step(s, 1, {}, goes);
        CHECK(std::holds_alternative<Goto>(again.action));
        CHECK(again.rule.find("tried again") != std::string::npos);
    }
}
TEST_CASE("machine: no progress for 60 s, corridor walk; one that leads nowhere either hands back, uninterrupted") {
    MotionMachine machine(Mode::autonomous);
    Surroundings s = with_laser([](double a) { return std::abs(a) < 20 ? 3 : 0.6; });
    int t = 0;
    for (; t < 60; ++t) {
        s.time_s = t;
        CHECK(std::holds_alternative<Goto>(machine.step(s, 1, {}, goes).action));
    }
    s.time_s = t;
    CHECK(active(machine.step(s, 1, {}, goes)) == "corridor walk");
    // Beside the operator's station it would turn for ever: after 60 s without progress the main motion presses on.
    s.mates = {{0, {0.5, 0, 0}, true}};
    bool pressed = false;
    for (; t < 140; ++t) {
        s.time_s = t;
        pressed |= std::holds_alternative<Goto>(machine.step(s, 1, {}, goes).action);
    }
    CHECK(pressed);
}
TEST_CASE("machine: a main motion that waits makes no progress, and goes on waiting") {
    MotionMachine machine(Mode::follow_waypoints);
    Surroundings s = open();
    for (int t = 0; t < 300; ++t) {
        s.time_s = t;
        const auto choice = machine.step(s, 1, {}, [] { return Plan{Stay{}, "waits"}; });
        REQUIRE(std::holds_alternative<Stay>(choice.action));
        REQUIRE(active(choice) == "following");
    }
}
TEST_CASE("machine: it gives way and goes on at once when that is over; the rules say so") {
    MotionMachine machine(Mode::autonomous);
    Surroundings s = with_mate({0.5, 0.2, pi});
    s.laser = beams([](double) { return 1.0; });
    const auto gives_way = machine.step(s, 2, {}, goes);
    CHECK(active(gives_way) == "avoid team-mate");
    CHECK(std::get<Drive>(gives_way.action).forward == doctest::Approx(-1.2));
    CHECK(gives_way.rule.find("within 1 m: avoid team-mate") != std::string::npos);
    s.mates.clear();
    CHECK(active(machine.step(s, 2, {}, goes)) == "frontier exploration");
    s.people = {{0.5, 0}};
    CHECK(active(machine.step(s, 2, {}, goes)) == "avoid victim");
    s.people.clear();
    CHECK(active(machine.step(s, 2, {}, goes)) == "frontier exploration");
}
TEST_CASE("machine: follow_corridor has no map; another mode begins with its main motion") {
    MotionMachine machine(Mode::follow_corridor);
    Surroundings s = with_laser([](double a) { return std::abs(a) < 20 ? 3 : 0.6; });
    const auto walks = machine.step(s, 1, {}, goes);
    CHECK(active(walks) == "corridor walk");
    CHECK(std::get<Drive>(walks.action).forward == doctest::Approx(0.4));
    machine.change_mode(Mode::autonomous);
    CHECK(std::holds_alternative<Goto>(machine.step(s, 1, {}, goes).action));
}

// The whole robot.
TEST_CASE("the modes of the strategy are the behaviours that an operator can order") {
    CHECK(std::equal(mode_names.begin(), mode_names.end(), behaviour_names.begin(), behaviour_names.end()));
    for (const std::string_view name : behaviour_names) CHECK(is_order(name));
}
TEST_CASE("an operator's orders switch the modes of a running robot, by radio too") {
    const std::vector<std::string> hall{"##############################", "#B...........................#",
                                        "#..1.........................#", "#............................#",
                                        "##############################"};
    const auto poses = [&](std::vector<OperatorOrder> orders, const char* more) {
        const Scenario s = text_scenario(hall,
                                         std::string("[team]\nstrategy='behaviours(mode=tele_operation)'\n[run]\nsteps="
                                                     "60\n[sensor]\nrange_m=4\n[comm]\nrange_m=40\nbase_range_m=40\n"
                                                     "[body]\nspeed_mps=1\nradius_m=0.1\n") +
                                             more,
                                         1);
        SimulationOptions options;
        options.orders = std::move(orders);
        Simulation sim(s, options);
        std::vector<Pose> out;
        struct Look final : Observer {
            Look(const Simulation& of, std::vector<Pose>& into) : sim(of), list(into) {}
            void on_step(const StepView&) override { list.push_back(sim.driver().world().body(1).pose); }
            const Simulation& sim;
            std::vector<Pose>& list;
        } look(sim, out);
        sim.add_observer(look);
        sim.run();
        return out;
    };
    for (const char* through : {"[operator]\nthrough='direct'\n", ""}) {
        CAPTURE(through);
        const auto waits = poses({}, through);
        CHECK(waits.back() == waits.front());
        const Point start = waits.front().position();
        const auto driven = poses({{5, 1, {"drive", {}, 0.5, 0}}}, through);
        CHECK(distance(driven.back().position(), start) == doctest::Approx(0.5).epsilon(0.02));
        const auto led = poses({{5, 1, {"way_points", {start + Point{6, 0}}, 0, 0}}}, through);
        CHECK(distance(led.back().position(), start + Point{6, 0}) <= 0.51);
        const auto explored = poses({{5, 1, {"autonomous", {}, 0, 0}}}, through);
        double farthest = 0;
        for (const Pose& p : explored) farthest = std::max(farthest, distance(p.position(), start));
        CHECK(farthest > 10);
        const auto corridor = poses({{5, 1, {"follow_corridor", {}, 0, 0}}}, through);
        CHECK_FALSE(corridor.back() == corridor.front());
    }
}

}  // namespace test_behaviours
