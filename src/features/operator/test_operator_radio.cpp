// Orders that go over the air: base station, words, acknowledgements.
#include "features/operator/order_desk.hpp"
#include "helpers.hpp"
#include "log/orders_file.hpp"
#include "log/replay.hpp"
#include "messages/order_words.hpp"
#include "simulation/rerun.hpp"

using namespace outrider;

namespace test_operator_radio {
namespace {

/// Corridors of 1 m cells: radio that reaches 6 m.
std::vector<std::string> corridor(const std::string& inside) {
    const std::string wall(inside.size() + 2, '#');
    return {wall, "#" + inside + "#", "#" + std::string(inside.size(), '.') + "#", wall};
}

Scenario radio_scenario(const std::string& inside, const std::string& more = "", double range_m = 6) {
    return text_scenario(corridor(inside),
                         fmt::format("[team]\nstrategy='stay'\n[run]\nsteps=200\n[sensor]\nrange_m=3\n[body]\n"
                                     "speed_mps=1\nradius_m=0.1\n[comm]\nrange_m={}\n{}",
                                     range_m, more),
                         1);
}

/// What happened: the positions of robots, by step, and the orders that the base station kept.
struct Record final : Observer {
    void on_step(const StepView& view) override {
        auto& row = places.emplace_back();
        for (const Robot& robot : view.team) row.push_back(robot.belief().pose().position());
        const auto* desk = view.team[0].part<OrderDesk>();
        kept.push_back(desk ? desk->kept().size() : 0);
    }
    std::vector<std::vector<Point>> places;
    std::vector<std::size_t> kept;
};

struct Done {
    Record record;
    std::map<std::string, double> summary;
    Hash128 digest;
};

Done run_with(const Scenario& scenario, std::vector<OperatorOrder> orders, int steps, int threads = 1,
              const std::string& log = "") {
    SimulationOptions options;
    options.orders = std::move(orders);
    options.stop_after = steps;
    options.threads = threads;
    options.log_path = log;
    options.log_level = LogLevel::full;
    Simulation sim(scenario, options);
    Done done;
    sim.add_observer(done.record);
    const EndReason end = sim.run();
    for (const SummaryValue& v : sim.metrics().summary(end, steps))
        if (v.robot < 0) done.summary[std::string(v.metric->name)] = v.value;
    done.digest = sim.progress().digest;
    return done;
}

OperatorCommand go(Point to) { return {"way_points", {to}, 0, 0}; }

}  // namespace

TEST_CASE("orders, acknowledgements and reports are the same after the way through words, and damaged ones are none") {
    const NumberedOrder order{7, {"way_points", {{1.234, -56.789}, {0, 3}}, 0, 0}};
    const NumberedOrder drive{1'000'000'000, {"drive", {}, -0.25, 1.5}};
    for (const NumberedOrder& o : {order, drive, NumberedOrder{1, {"stop", {}, 0, 0}}}) {
        const auto read = read_order(order_word(o, 3), 3);
        REQUIRE(read);
        CHECK(read->number == o.number);
        CHECK(read->command == o.command);
        CHECK_FALSE(read_order(order_word(o, 3), 2));
        CHECK_FALSE(read_obeyed(order_word(o, 3)));
    }
    CHECK(read_obeyed(obeyed_word(12, 0)) == 12);
    const auto report = read_report(report_word({0.423, true, false, {{2, -61.4}, {5, -70}}}, 0));
    REQUIRE(report);
    CHECK(report->battery == doctest::Approx(0.42));
    CHECK(report->bumped);
    CHECK_FALSE(report->lost);
    CHECK(report->links == std::vector<LinkReport>{{2, -61}, {5, -70}});
    for (const Word& whole : {order_word(order, 3), obeyed_word(12, 0), report_word({1, false, false, {}}, 0)})
        for (std::size_t i = 0; i < whole.values.size(); ++i)
            for (const std::int64_t by : {-1, 1, 1 << 20}) {
                Word damaged = whole;
                damaged.values[i] += by;
                CHECK_FALSE(read_order(damaged, 3));
                CHECK_FALSE(read_obeyed(damaged));
                CHECK_FALSE(read_report(damaged));
                damaged.values.resize(i);
                CHECK_FALSE(read_order(damaged, 3));
            }
}

TEST_CASE("an order goes by radio, over a relay one step later, and is kept until it is acknowledged") {
    for (const bool relayed : {false, true}) {
        CAPTURE(relayed);
        const Scenario s =
            radio_scenario(relayed ? "B...1....2......" : "B........1......", "delivery='hop'\n", relayed ? 6 : 12);
        const auto mobile = static_cast<RobotId>(relayed ? 2 : 1);
        const Point goal = s.start_pose(static_cast<std::size_t>(mobile)).position() + Point{-2, 0};
        const Done done = run_with(s, {{3, mobile, go(goal)}}, 30);
        const auto place = [&](int step) {
            return done.record.places.at(static_cast<std::size_t>(step))[static_cast<std::size_t>(mobile)];
        };
        // Perceived by the base in step 3, heard in 4 or 5, and driven in that step: seen in the next one.
        const int received = relayed ? 5 : 4;
        CHECK(place(received) == place(0));
        CHECK(distance(place(29), goal) < 0.01);
        for (int step = 0; step < 30; ++step) {
            CAPTURE(step);
            const bool under_way = step >= 3 && step < received + (relayed ? 2 : 1);
            CHECK(done.record.kept[static_cast<std::size_t>(step)] == (under_way ? 1 : 0));
        }
        CHECK(done.summary.at("orders_given") == 1);
        CHECK(done.summary.at("orders_obeyed") == 1);
        CHECK(done.summary.at("order_latency_mean") == received - 3);
        const double ordered = 30 - received, robot_steps = relayed ? 60 : 30;
        CHECK(done.summary.at("operated_share") == doctest::Approx(ordered / robot_steps));
        CHECK(done.summary.at("order_wait_steps") == ordered - 2);  // which it drives
    }
}

TEST_CASE("a robot out of reach keeps its mission; of the orders for it the newest arrives, with all way-points") {
    // It goes away, out of reach, and comes back by its own way-points; meanwhile others are ordered.
    const Scenario s = radio_scenario("B.1.............");
    const Point start = s.start_pose(1).position();
    const auto at = [&](double x) { return start + Point{x, 0}; };
    std::vector<OperatorOrder> orders{{0, 1, {"way_points", {at(8), at(1)}, 0, 0}}};
    SUBCASE("way-points replace way-points") {
        orders.push_back({8, 1, go(at(12))});
        orders.push_back({9, 1, go(at(-1))});
        const Done done = run_with(s, orders, 60);
        CHECK(distance(done.record.places.back()[1], at(-1)) < 0.01);
        double farthest = 0;
        for (const auto& row : done.record.places) farthest = std::max(farthest, row[1].x - start.x);
        CHECK(farthest == doctest::Approx(8));  // on the way that it was sent first, and not to 12
        CHECK(done.summary.at("orders_given") == 3);
        CHECK(done.summary.at("orders_obeyed") == 2);
    }
    SUBCASE("further way-points are added to those that did not arrive") {
        orders.push_back({8, 1, go(at(10))});
        orders.push_back({9, 1, {"add", {at(3)}, 0, 0}});
        const Done done = run_with(s, orders, 80);
        CHECK(distance(done.record.places.back()[1], at(3)) < 0.01);
        double farthest = 0;
        for (const auto& row : done.record.places) farthest = std::max(farthest, row[1].x - start.x);
        CHECK(farthest == doctest::Approx(10));
    }
    SUBCASE("without way-points it waits where it is") {
        orders.push_back({3, 1, {"clear", {}, 0, 0}});
        const Done done = run_with(s, orders, 60);
        CHECK(done.record.places.back()[1].x < at(5).x);
        CHECK(done.record.places.back()[1].x > at(1).x);
    }
}

TEST_CASE("without contact a robot under an order goes on, drives home until it hears of the base again, or stops") {
    const auto farthest_and_last = [](const char* lost) {
        const Scenario s = radio_scenario("B.1..................................",
                                          fmt::format("[operator]\nlost='{}'\nlost_steps=5\n", lost));
        const Point start = s.start_pose(1).position();
        const Done done = run_with(s, {{0, 1, go(start + Point{30, 0})}}, 120);
        double farthest = 0;
        for (const auto& row : done.record.places) farthest = std::max(farthest, row[1].x - start.x);
        return std::pair(farthest, done.record.places.back()[1].x - start.x);
    };
    CHECK(farthest_and_last("continue").second == doctest::Approx(30));
    // The reach ends 4 m from the start: five steps later it is some 10 m away.
    const auto [stop_farthest, stop_last] = farthest_and_last("stop");
    CHECK(stop_farthest == stop_last);
    CHECK(stop_last > 7);
    CHECK(stop_last < 13);
    const auto [retreat_farthest, retreat_last] = farthest_and_last("retreat");
    CHECK(retreat_farthest > 7);
    CHECK(retreat_farthest < 13);
    CHECK(retreat_last > 2);  // where it heard of it again
    CHECK(retreat_last < 5);
    CHECK(run_with(radio_scenario("B.1......", "[operator]\nlost='retreat'\n"), {}, 40).record.places.back()[1] ==
          radio_scenario("B.1......").start_pose(1).position());  // under no order
}

TEST_CASE("words that arrive damaged are repeated until they arrive whole: no robot drives anywhere else") {
    const Scenario s =
        radio_scenario("B....1.2......", "jumble_rate=0.8\nloss_rate=0.3\n[operator]\nreports=true\n", 30);
    const Point start = s.start_pose(1).position(), goal = start + Point{6, 0};
    const Done done = run_with(s, {{0, 1, go(goal)}}, 150);
    CHECK(distance(done.record.places.back()[1], goal) < 0.01);
    for (const auto& row : done.record.places) CHECK(row[1].x >= start.x - 1e-9);
    CHECK(done.summary.at("order_latency_mean") > 1);
}

TEST_CASE("robots under orders by radio: the same at any number of threads, run again and replayed from the log") {
    const TemporaryFolder folder;
    const Scenario s = radio_scenario("B...1....2......", "[operator]\nreports=true\nlost='stop'\n");
    const std::vector<OperatorOrder> orders{{2, 2, go(s.start_pose(2).position() + Point{3, 0})},
                                            {2, 1, {"drive", {}, 0.3, 0.1}},
                                            {9, 1, {"autonomous", {}, 0, 0}}};
    const std::string path = folder / "log";
    const Done one = run_with(s, orders, 40, 1, path);
    CHECK(run_with(s, orders, 40, 3).digest == one.digest);
    LogReader log(path);
    const std::vector<OperatorOrder> logged = log.orders();
    REQUIRE(logged.size() == 3);
    CHECK(logged[0].robot == 0);
    CHECK(logged[0].command.to == 2);
    CHECK(logged[0].command.waypoints == orders[0].command.waypoints);
    CHECK(run_with(log.scenario(), logged, 40).digest == one.digest);
    Replay replay(log);
    REQUIRE(replay.seek(2));
    REQUIRE(replay.percepts()[0].commands.size() == 2);
    CHECK(replay.percepts()[0].commands[0] == logged[0].command);
    const LogSteps steps = log.steps();
    for (const int step : {2, 6, 11, 39}) {
        REQUIRE(replay.seek(step));
        CHECK(replay.view().hash == steps.hashes[static_cast<std::size_t>(step)]);
    }
}

TEST_CASE("orders in a file") {
    const Scenario s = radio_scenario("B...1....2......");
    const std::string text =
        "# a comment\n\n"
        R"({"step": 1, "robot": "r1", "do": "way_points", "points": [[3.5, 1.5], [6, 1.5]]})"
        "\n"
        R"({"step": 4, "robot": 2, "do": "drive", "forward": 0.5, "turn": -0.1, "steps": 4})"
        "\n"
        R"({"step": 6, "do": "all_stop"})"
        "\r\n"
        R"({"step": 7, "do": "note", "text": "a \"note\" at @3"})"
        "\n"
        R"({"step": 8, "robot": "r1", "do": "behaviour", "name": "autonomous"})";
    const std::vector<OperatorOrder> orders = read_orders(text, "o.jsonl", s);
    REQUIRE(orders.size() == 8);
    CHECK(orders[0].step == 1);
    CHECK(orders[0].robot == 1);
    REQUIRE(orders[0].command.waypoints.size() == 2);
    CHECK(orders[0].command.waypoints[0] + s.team_origin_m() == Point{3.5, 1.5});
    for (const std::size_t k : {1u, 2u, 3u}) {
        CHECK(orders[k].robot == 2);
        CHECK(orders[k].step == static_cast<int>(3 + k));
        CHECK(orders[k].command == OperatorCommand{"drive", {}, 0.5, -0.1});
    }
    CHECK(orders[4].command.behaviour == "stop");  // and the fourth step of the drive is none
    CHECK(orders[5].command.behaviour == "stop");
    CHECK(orders[4].robot + orders[5].robot == 3);
    CHECK(orders[6].command.behaviour == "note a \"note\" at @3");
    CHECK(read_command(command_json(orders[6].command)) == orders[6].command);
    CHECK(orders[7].command.behaviour == "autonomous");
    const auto marks = read_orders(R"({"step": 2, "do": "mark", "at": [2, 1.5], "name": "locked door"})"
                                   "\n"
                                   R"({"step": 3, "do": "unmark", "name": "locked door"})",
                                   "o.jsonl", s);
    REQUIRE(marks.size() == 2);
    CHECK(marks[0].robot == 0);
    CHECK(marks[0].command.behaviour == "mark locked door");
    CHECK(marks[0].command.waypoints.at(0) + s.team_origin_m() == Point{2, 1.5});
    CHECK(marks[1].command.behaviour == "unmark locked door");
    const std::string step = R"({"step": 1, )";
    for (const auto& entry : std::initializer_list<std::pair<std::string, const char*>>{
             {"{", "o.jsonl:1: "},
             {"[]", "expected {\"step\": ..."},
             {step + R"("robot": "r1"})", "expected \"do\": one of way_points"},
             {step + R"("do": "stopp", "robot": 1})", "did you mean \"stop\""},
             {step + R"("do": "stop"})", "expected \"robot\""},
             {step + R"("do": "stop", "robot": "r7"})", "robot \"r7\" is none of the mobile robots: r1, r2"},
             {step + R"("do": "stop", "robot": 0})", "robot 0 is none"},
             {step + R"("do": "stop", "robot": "r1", "at": 3})", "\"at\" has no meaning with \"do\": \"stop\""},
             {R"({"step": -1, "do": "all_stop"})", "\"step\": expected a whole number from 0"},
             {R"({"step": 1.5, "do": "all_stop"})", "\"step\": expected a whole number"},
             {R"({"do": "all_stop"})", "\"step\": expected a whole number"},
             {step + R"("do": "way_points", "robot": "r1"})", "needs \"points\""},
             {step + R"("do": "add", "robot": "r1", "points": []})", "expected [[x, y], ...]"},
             {step + R"("do": "add", "robot": "r1", "points": [[1, 2, 3]]})", "expected [[x, y], ...]"},
             {step + R"("do": "add", "robot": "r1", "points": [[1.5, 0.5]]})", "way-point (1.5, 0.5) lies in a wall"},
             {step + R"("do": "add", "robot": "r1", "points": [[1.5, 99]]})", "outside of the map"},
             {step + R"("do": "drive", "robot": "r1", "forward": "x"})", "\"forward\": expected a number"},
             {step + R"("do": "drive", "robot": "r1", "steps": 0})", "\"steps\": expected a whole number"},
             {step + R"("do": "behaviour", "robot": "r1", "name": "dance"})",
              "expected one of autonomous, follow_waypoints"},
             {step + R"("do": "behaviour", "robot": "r1", "name": "deployment"})", "the strategy of r1"},
             {step + R"("do": "note", "text": ""})", "\"text\": expected"},
             {step + R"("do": "mark", "at": [2, 1.5]})", "needs \"name\""},
             {step + R"("do": "mark", "at": [2, 1.5], "name": " door"})", "\"name\": expected 1 to 24 letters"},
             {step + R"("do": "mark", "at": [2, 99], "name": "door"})", "outside of the map"},
             {step + R"("do": "mark", "at": [2, 1.5], "name": "door", "robot": 1})", "\"robot\" has no meaning"},
             {step + R"("do": "confirm", "at": [2, 1.5]})", "nobody is to be found"},
             {"{\"step\": 9, \"do\": \"all_stop\"}\n{\"step\": 8, \"do\": \"all_stop\"}",
              "o.jsonl:2: step 8 is past"}}) {
        CAPTURE(entry.first);
        CHECK_THROWS_WITH_AS(read_orders(entry.first, "o.jsonl", s), doctest::Contains(entry.second), Error);
    }
}

}  // namespace test_operator_radio
