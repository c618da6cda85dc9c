// All at once in one mission: own frames, closed loops, people, fire, rough ground, batteries, late messages, a second
// radio. What robots note in their maps moves with the scans from which it was seen.
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "robot/team_maps.hpp"
#include "simulation/rerun.hpp"

using namespace outrider;

namespace test_together {
namespace {

Scenario mission(int steps, int passers_by) {
    Notes notes;
    return make_scenario(parse_config(fmt::format(R"(
        run.steps = {}
        team.strategy = 'nearest'
        start.frame = 'unknown'
        slam.method = 'manifold'
        noise.odometry_share = 0.03
        noise.range_m = 0.01
        sensor = {{range_m = 8, beams = 181}}
        comm = {{range_m = 30, base_range_m = 30, latency_steps = 2}}
        radio2.range_m = 200
        victims = {{count = 6, clearing = true}}
        crowd.people = {}
        body.seen = true
        terrain.rough_share = 0.1
        battery.wh = 6
        hazard = [{{kind = 'fire', x_m = 14, y_m = 2, at = 40, spread = 0.05, burn_steps = 60}}]
        robot = [{{}}, {{}}, {{}}, {{x_m = 13, y_m = 9, yaw_deg = 70}}]
        base = [{{x_m = 2, y_m = 2}}]
        )",
                                                  steps, passers_by),
                                      "mission"),
                         "mission", rooms_map(160, 120, 5), notes);
}

struct Trace final : Observer {
    std::vector<Hash128> hashes;
    void on_step(const StepView& view) override { hashes.push_back(view.hash); }
};

int count_marked(const KnownMap& map, Mark mark) {
    int n = 0;
    for (int y = -200; y < 200; ++y)
        for (int x = -200; x < 200; ++x) n += map.marked(mark, {x, y});
    return n;
}

}  // namespace

TEST_CASE("marks move with the scan from which they were seen, without holes, and keep their place beside the walls") {
    Briefing briefing;
    briefing.members = std::make_shared<const std::vector<TeamMember>>(std::vector<TeamMember>{{.id = 0, .name = "a"}});
    SensorSpec& sensor = briefing.sensors.emplace_back();
    sensor.beams = 4;
    sensor.max_range_m = 5;
    sensor.step_angle = pi / 2;
    TeamMaps maps(briefing, {});
    KnownMap map(briefing.lattice, briefing.frame, false);
    Scan scan;
    scan.ranges = {3000, 3000, 3000, 3000};
    const Pose first{1.05, 1.05, 0}, second{5.05, 1.05, 0};
    maps.draw(scan, first, 0);
    TileTable<BitTile> square;  // 20 x 20 cells around (1.5, 1.5) m
    for (int y = 5; y < 25; ++y)
        for (int x = 5; x < 25; ++x) square.at(tile_of(Cell{x, y})).set({x, y});
    maps.mark(Mark::rough, square, {});
    maps.mark(Mark::rough, square, {});  // once is enough
    maps.draw(scan, second, 1);
    maps.put_together(map, nullptr, false);
    CHECK(count_marked(map, Mark::rough) == 400);
    CHECK(count_marked(map, Mark::cleared) == 0);

    const Pose moved{1.25, 0.85, 0.3};
    maps.redraw(std::vector<Pose>{moved, second});
    CHECK(maps.put_together(map, nullptr, false));
    const Pose motion = compose(moved, inverse(first));
    int wrong = 0;
    for (int y = -200; y < 200; ++y)
        for (int x = -200; x < 200; ++x) {
            const Point was = transform(inverse(motion), briefing.lattice.centre({x, y}));
            const double off = std::max(std::abs(was.x - 1.5), std::abs(was.y - 1.5));
            if (off < 0.9) wrong += !map.marked(Mark::rough, {x, y});
            if (off > 1.1) wrong += map.marked(Mark::rough, {x, y});
        }
    CHECK(wrong == 0);
    CHECK(maps.taken_at(1) == moved);
    CHECK(maps.taken_at(2) == second);
    CHECK(maps.taken_at(0) == Pose{});
}

TEST_CASE("where frames are joined late, people are found at their places all the same") {
    Simulation sim(mission(250, 0), {});
    const auto value = summary_of(sim, sim.run());
    CHECK(value.at("frames_left") == 1);
    CHECK(value.at("victims_found") >= 4);
    CHECK(value.at("victims_false") == 0);
    CHECK(value.at("rescue_score") >= 30 * value.at("victims_confirmed"));
    CHECK(value.at("cleared_m2") > 30);
    CHECK(value.at("bytes_far") > 0);
}

TEST_CASE("a mission with all at once is replayed and run again to the bit, at any number of threads") {
    const TemporaryFolder folder;
    const Scenario s = mission(60, 3);
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    Trace trace;
    {
        Simulation sim(s, options);
        sim.add_observer(trace);
        sim.run();
    }
    LogReader log(options.log_path);
    Replay replay(log);
    for (const int step : {40, 59, 3}) {
        REQUIRE(replay.seek(step));
        CHECK(replay.view().hash == trace.hashes.at(static_cast<std::size_t>(step)));
    }
    Simulation again(log.scenario(), {});
    const LogSteps steps = log.steps();
    HashCheck check(steps);
    again.add_observer(check);
    again.run();
    CHECK(check.compared() == 60);
    CHECK_FALSE(check.divergence().has_value());
    CHECK(run_scenario(s, 3).digest == run_scenario(s, 1).digest);
}

TEST_CASE("messages that come late join frames all the same") {
    Notes notes;
    Simulation sim(make_scenario(parse_config("run.steps = 80\nteam = {robots = 3, strategy = 'nearest'}\n"
                                              "start.frame = 'unknown'\ncomm.latency_steps = 3\n",
                                              "late"),
                                 "late", rooms_map(160, 120, 5), notes),
                   {});
    const auto value = summary_of(sim, sim.run());
    CHECK(value.at("frames_left") == 1);
    CHECK(value.at("joined_at") < 60);
    CHECK(value.at("wrong_frames") == 0);
}

}  // namespace test_together
