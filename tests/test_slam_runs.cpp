// SLAM inside the simulator, in logs of runs, and under strategies that see the log of a real robot.
#include <cmath>
#include <cstdlib>

#include "helpers.hpp"
#include "log/log_format.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "robot/registry.hpp"
#include "sensor_log/sensor_log_driver.hpp"

using namespace outrider;

namespace test_slam_runs {
namespace {

const char* noisy =
    "[run]\nsteps = 50\n[noise]\nodometry_share = 0.05\nrange_m = 0.01\n[sensor]\nrange_m = 8\nbeams = 91\n[team]\n"
    "robots = 2\nstrategy = 'nearest'\n";

/// Two robots for some steps show what a team on a long way does; OUTRIDER_LONG=1 runs that.
bool is_long() { return std::getenv("OUTRIDER_LONG") != nullptr; }

Scenario rooms(const std::string& more = "") {
    const Grid<std::uint8_t> walls = rooms_map(160, 120, 5);
    ConfigTable config = parse_config(std::string(noisy) + more, "test");
    Notes notes;
    return make_scenario(std::move(config), "rooms", walls, notes);
}

double value(const Simulation& simulation, EndReason reason, std::string_view name) {
    for (const SummaryValue& v : simulation.metrics().summary(reason, simulation.scenario().run.steps))
        if (v.metric->name == name && v.robot < 0) return v.value;
    return std::nan("");
}

}  // namespace

TEST_CASE("a run that matches scans says how far off its robots and maps were") {
    Simulation simulation(rooms("[slam]\nmethod = 'scan_match'\n"), {});
    const EndReason reason = simulation.run();
    CHECK(value(simulation, reason, "lost_robots") == 0);
    CHECK(value(simulation, reason, "pose_error_m") > 0);
    CHECK(value(simulation, reason, "pose_error_m") < 0.4);
    CHECK(value(simulation, reason, "pose_error_max_m") >= value(simulation, reason, "pose_error_m"));
    CHECK(value(simulation, reason, "walls_off") < 0.2);
}

TEST_CASE("robots find their way with a compass, an inertial system, and positions from satellites") {
    for (const char* seed : {"compass", "ins", "gps_ins"}) {
        CAPTURE(seed);
        Simulation simulation(rooms(fmt::format("[slam]\nmethod = 'scan_match'\nseed = '{}'\n", seed)), {});
        const EndReason reason = simulation.run();
        CHECK(value(simulation, reason, "lost_robots") == 0);
        CHECK(value(simulation, reason, "pose_error_m") < 0.4);
    }
}

TEST_CASE("odometry that is believed: no metric of poses, and no trace of them") {
    Simulation simulation(rooms(), {});
    const EndReason reason = simulation.run();
    CHECK(std::isnan(value(simulation, reason, "pose_error_m")));
    CHECK(simulation.team().back().slam() == nullptr);
}

TEST_CASE("a run with any method has the same digest at any thread count") {
    for (const char* method : {"scan_match", "particle", "particle_shared", "hyper", "localise"}) {
        CAPTURE(method);
        Scenario s =
            rooms(fmt::format("[slam]\nmethod = '{}'\nparticles = 3\nshared_particles = 100\nfilters = 3\n", method));
        s.run.steps = is_long() ? 30 : 4;
        const Outcome once = run_scenario(s, 1);
        for (const int threads : {2, 3, 8}) CHECK(run_scenario(s, threads).digest == once.digest);
    }
}

TEST_CASE(
    "a full log of a run that matched scans is replayed to the same beliefs, in any direction, without matching") {
    const TemporaryFolder folder;
    Scenario s = rooms("[slam]\nmethod = 'scan_match'\n");
    s.run.steps = 80;  // more than a chunk of the log
    struct Then {
        std::vector<Pose> poses;
        std::vector<std::array<double, 9>> covariances;
        std::vector<Hash128> hashes;
    } then;
    {
        SimulationOptions options;
        options.log_path = folder / "run.sqlite";
        options.log_level = LogLevel::full;
        struct Watcher final : Observer {
            Then& then;
            explicit Watcher(Then& t) : then(t) {}
            void on_step(const StepView& view) override {
                then.poses.push_back(view.team.back().belief().pose());
                then.covariances.push_back(*view.team.back().covariance());
                then.hashes.push_back(view.hash);
            }
        } watcher(then);
        Simulation simulation(s, options);
        simulation.add_observer(watcher);
        simulation.run();
    }
    LogReader log(folder / "run.sqlite");
    CHECK(log.layout_version() == log_version_lost);
    Replay replay(log);
    for (const int step : {0, 70, 71, 79, 5, 64}) {
        const auto i = static_cast<std::size_t>(step);
        if (i >= then.poses.size()) continue;
        REQUIRE(replay.seek(step));
        const Robot& robot = replay.team().back();
        CHECK(robot.slam() == nullptr);
        CHECK(robot.belief().pose() == then.poses[i]);
        for (const std::size_t k : {0u, 1u, 4u, 8u}) CHECK((*robot.covariance())[k] == then.covariances[i][k]);
        CHECK(replay.view().hash == then.hashes[i]);
    }
    Database(folder / "run.sqlite", Database::Mode::create).run("PRAGMA user_version = 2");
    LogReader old(folder / "run.sqlite");
    CHECK_THROWS_AS(Replay{old}, Error);
}

TEST_CASE("no answer is free space for a scanner that does not see far, and no information for one that does") {
    for (const double range_m : {8.0, 80.0}) {
        const std::string text = fmt::format("odom,0,0,0,0\nscan,0,-0.2,0.1,{0},2,{0},2,{0},2\n", range_m);
        const SensorLog log = parse_sensor_csv(text, "e.csv");
        SensorLogDriver driver(log);
        std::vector<Percept> percepts(1);
        REQUIRE(driver.sense(percepts));
        CHECK(percepts[0].scans[0].ranges[1] == (range_m > 40 ? Scan::no_information : Scan::nothing));
    }
}

TEST_CASE("a strategy runs on the log of a real robot") {
    std::string text;
    for (int i = 0; i < 30; ++i) {
        text += fmt::format("ODOM {} 0 0 0 0 0 {} h 0\nFLASER 181", 0.1 * i, i);
        for (int k = 0; k < 181; ++k) text += k % 30 == 0 ? " 0" : k % 31 == 0 ? " 81.83" : " 3.5";
        text += fmt::format(" 0 0 0 {} 0 0 {} h 0\n", 0.1 * i + 0.05, i + 0.5);
    }
    const SensorLog log = parse_carmen(text, "e.log");
    SensorLogDriver driver(log);
    RobotOptions options;
    std::vector<Robot> team;
    team.emplace_back(driver.briefing(0.1), options, make_strategy("nearest", "test"), 1);
    Run run{driver, team, {}, {}};
    while (step(run) != EndReason::log_ended) {
    }
    CHECK(run.steps == 30);
    CHECK(team[0].belief().pose().x == doctest::Approx(2.95));
    CHECK(run.percepts[0].scans[0].ranges[0] == Scan::no_information);
    CHECK(run.percepts[0].scans[0].ranges[31] == Scan::no_information);  // of a scanner that sees 80 m
    CHECK(run.percepts[0].scans[0].ranges[1] * driver.briefing(0.1).sensors[0].range_unit_m ==
          doctest::Approx(3.5).epsilon(0.001));
    CHECK(team[0].belief().map().is_free({0, 0}));
}

}  // namespace test_slam_runs
