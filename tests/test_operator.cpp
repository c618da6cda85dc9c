// What an operator tells robots.
#include "helpers.hpp"
#include "log/events.hpp"
#include "log/replay.hpp"
#include "simulation/rerun.hpp"

using namespace outrider;

namespace test_operator {
namespace {

const std::vector<std::string> hall{"##############################", "#B...........................#",
                                    "#............................#", "#....1.......................#",
                                    "#............................#", "##############################"};

Scenario hall_scenario(const std::string& more = "") {
    return text_scenario(
        hall, "[team]\nstrategy='stay'\n[run]\nsteps=60\n[sensor]\nrange_m=1\n[operator]\nthrough='direct'\n" + more);
}

struct Poses final : Observer {
    explicit Poses(const Simulation& simulation) : sim(simulation) {}
    void on_step(const StepView&) override { list.push_back(sim.driver().world().body(1).pose); }
    const Simulation& sim;
    std::vector<Pose> list;
};

std::vector<Pose> poses_of(const std::vector<OperatorOrder>& orders, int steps, const std::string& log = "") {
    SimulationOptions options;
    options.orders = orders;
    options.stop_after = steps;
    options.log_path = log;
    Simulation sim(hall_scenario(), options);
    Poses poses(sim);
    sim.add_observer(poses);
    sim.run();
    return poses.list;
}

Pose start() { return make_briefings(hall_scenario())[1].start; }

}  // namespace

TEST_CASE("a robot drives to its way-points one after the other, through what it does not know yet, and waits") {
    const Point from = start().position();
    // One that it sees, one at the far end, which it has to discover on the way.
    const std::vector<Pose> poses =
        poses_of({{1, 1, {"way_points", {from + Point{0.3, 0.1}, from + Point{2.2, 0}}, 0, 0}}}, 40);
    REQUIRE(poses.size() == 40);
    CHECK(poses[0] == start());
    double nearest = 9;
    for (const Pose& p : poses) nearest = std::min(nearest, distance(p.position(), from + Point{0.3, 0.1}));
    CHECK(nearest < 0.1);
    CHECK(distance(poses.back().position(), from + Point{2.2, 0}) < 0.15);
    CHECK(poses[38] == poses[39]);
}

TEST_CASE("driving by hand lasts one step, carefully only over known cells, and stop stops") {
    const Pose at = start();
    const std::vector<Pose> forward = poses_of({{1, 1, {"drive", {}, 0.5, 0}}}, 8);
    CHECK(distance(forward[1].position(), at.position()) == doctest::Approx(0.5).epsilon(0.01));
    CHECK(forward[7].position() == forward[1].position());
    // Backwards lies what its sensor never saw.
    CHECK(distance(poses_of({{1, 1, {"drive", {}, -0.3, 0}}}, 8)[7].position(), at.position()) > 0.2);
    CHECK(poses_of({{1, 1, {"drive_carefully", {}, -0.3, 0}}}, 8)[7] == at);
    CHECK(poses_of({{1, 1, {"drive_carefully", {}, 0.3, 0}}}, 8)[7].x > at.x + 0.25);
    CHECK(poses_of({{1, 1, {"fly", {}, 1, 0}}}, 8).back() == at);
    const std::vector<Pose> stopped =
        poses_of({{1, 1, {"way_points", {at.position() + Point{2, 0}}, 0, 0}}, {2, 1, {"stop", {}, 0, 0}}}, 9);
    CHECK(distance(stopped[1].position(), at.position()) > 0.5);
    CHECK(stopped[2] == stopped[8]);
}

TEST_CASE("an order is told apart from its numbers, to the last bit") {
    for (const OperatorCommand& c : {OperatorCommand{"way_points", {{1.0 / 3, -2e-9}, {5, 6}}, 0, 0},
                                     OperatorCommand{"drive", {}, -0.1, 1e10 / 7}, OperatorCommand{"stop", {}, 0, 0}})
        CHECK(read_command(command_json(c)) == c);
    for (const auto& [text, what] : std::initializer_list<std::pair<const char*, const char*>>{
             {"{}", "\"behaviour\""},
             {"{\"behaviour\": \"dr", "column 18"},
             {R"({"behaviour": "drive", "forward": "x", "turn": 0, "way_points": []})", "\"forward\": a number"},
             {R"({"behaviour": "drive", "forward": 1, "turn": 0})", "\"way_points\""},
             {R"({"behaviour": "way_points", "forward": 0, "turn": 0, "way_points": [[1, 2], [3]]})",
              "[[x, y], ...]"}}) {
        CAPTURE(text);
        CHECK_THROWS_WITH_AS(read_command(text), doctest::Contains(what), Error);
    }
}

TEST_CASE("a run with orders is in its log: it reruns and replays the same, at every level") {
    const TemporaryFolder folder;
    const Point from = start().position();
    for (const LogLevel level : {LogLevel::poses, LogLevel::full}) {
        const std::string path = folder / std::to_string(static_cast<int>(level));
        const std::vector<OperatorOrder> orders{{1, 1, {"way_points", {from + Point{1.0 / 3, 0.1}}, 0, 0}},
                                                {20, 1, {"drive", {}, 0.3, 0.2}},
                                                {30, 1, {"autonomous", {}, 0, 0}}};
        {
            SimulationOptions options;
            options.orders = orders;
            options.log_path = path;
            options.log_level = level;
            Simulation(hall_scenario(), options).run();
        }
        LogReader log(path);
        const LogSteps steps = log.steps();
        REQUIRE(log.orders().size() == 3);
        SimulationOptions again;
        again.orders = log.orders();
        Simulation sim(log.scenario(), again);
        HashCheck check(steps);
        sim.add_observer(check);
        sim.run();
        CHECK_FALSE(check.divergence());
        CHECK(check.compared() == static_cast<int>(steps.steps.size()));
        if (level != LogLevel::full) continue;
        Replay replay(log);
        REQUIRE(replay.seek(20));
        CHECK(replay.percepts()[1].commands == std::vector<OperatorCommand>{orders[1].command});
        CHECK(replay.view().hash == steps.hashes[20]);
    }
}

}  // namespace test_operator
