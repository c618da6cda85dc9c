// Teams in which the past moves, or in which nobody knows where the others started.
#include <filesystem>
#include <map>
#include <set>

#include "beside.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "messages/map_payload.hpp"
#include "metrics/true_view.hpp"
#include "robot/registry.hpp"
#include "robot/team_frames.hpp"
#include "robot/team_maps.hpp"
#include "simulation/rerun.hpp"
#include "slam/slam.hpp"

using namespace outrider;

namespace test_slam_team {
namespace {

const char* noisy = "[noise]\nodometry_share = 0.05\nrange_m = 0.01\n[sensor]\nrange_m = 8\nbeams = 91\n";

/// A corridor of 2 m round a block, so that robots come back to where they were.
Scenario ring(const std::string& more, int steps) {
    Grid<std::uint8_t> walls(220, 170, 0);
    walls.set_origin({0, 0});
    const auto block = [&](int x0, int y0, int x1, int y1) {
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) walls[{x, y}] = 1;
    };
    block(0, 0, 220, 3);
    block(0, 167, 220, 170);
    block(0, 0, 3, 170);
    block(217, 0, 220, 170);
    block(28, 28, 192, 142);
    for (const int x : {40, 75, 120, 170}) block(x, 3, x + 4, 8);  // places differ
    for (const int y : {60, 95}) block(3, y, 9, y + 3);
    for (const int x : {60, 130}) block(x, 161, x + 6, 167);
    Notes notes;
    return make_scenario(parse_config(fmt::format("{}[run]\nsteps = {}\n[team]\nrobots = 2\nstrategy = 'random_walk'\n"
                                                  "[comm]\nrange_m = 6\nbase_range_m = 6\n{}",
                                                  noisy, steps, more),
                                      "ring"),
                         "ring", walls, notes);
}

Scenario rooms(const std::string& more, int steps) {
    Notes notes;
    return make_scenario(
        parse_config(fmt::format("[run]\nsteps = {}\n[team]\nrobots = 3\nstrategy = 'nearest'\n[start]\nframe = "
                                 "'unknown'\n{}",
                                 steps, more),
                     "rooms"),
        "rooms", rooms_map(160, 120, 5), notes);
}

double value(const Simulation& simulation, EndReason reason, std::string_view name) {
    for (const SummaryValue& v : simulation.metrics().summary(reason, simulation.scenario().run.steps))
        if (v.metric->name == name && v.robot < 0) return v.value;
    return std::nan("");
}

struct Trace final : Observer {
    std::vector<Hash128> hashes;
    void on_step(const StepView& view) override { hashes.push_back(view.hash); }
};

/// Runs with a full log; the hash of each step.
std::vector<Hash128> recorded(const Scenario& s, const std::string& log) {
    SimulationOptions options;
    options.log_path = log;
    options.log_level = LogLevel::full;
    Trace trace;
    Simulation simulation(s, options);
    simulation.add_observer(trace);
    simulation.run();
    return trace.hashes;
}

void check_replay(const std::string& path, const std::vector<Hash128>& then) {
    LogReader log(path);
    Replay replay(log);
    const int last = static_cast<int>(then.size()) - 1;
    for (const int step : {0, 70, 71, 5, 64, last}) {
        CAPTURE(step);
        if (step > last) continue;
        REQUIRE(replay.seek(step));
        CHECK(replay.view().hash == then[static_cast<std::size_t>(step)]);
    }
    CHECK_FALSE(replay.next());
    CHECK(replay.damaged().empty());
    const LogSteps steps = log.steps();
    Simulation again(log.scenario(), {});
    HashCheck check(steps);
    again.add_observer(check);
    again.run();
    CHECK(check.compared() == static_cast<int>(then.size()));
    CHECK_FALSE(check.divergence().has_value());
}

/// The same at any number of threads, for the first steps.
void check_threads(Scenario s) {
    s.run.steps = 20;
    const Outcome once = run_scenario(s, 1);
    for (const int threads : {2, 3, 8}) CHECK(run_scenario(s, threads).digest == once.digest);
}

}  // namespace

TEST_CASE(
    "loops close in the simulator: the past moves, the maps are drawn anew, and robots know better where they are") {
    Simulation with(ring("[slam]\nmethod = 'manifold'\n", 150), {}),
        without(ring("[slam]\nmethod = 'manifold'\nclosures = false\n", 150), {});
    const EndReason a = with.run(), b = without.run();
    std::uint64_t corrections = 0;
    std::uint32_t generations = 0;
    for (const Robot& robot : with.team())
        if (robot.slam()) {
            corrections += robot.slam()->counters().corrections;
            generations += robot.map().generation();
        }
    CHECK(corrections > 0);
    CHECK(generations > 0);
    CHECK(value(with, a, "lost_robots") == 0);
    CHECK(value(with, a, "pose_error_m") < 0.3);
    CHECK(value(without, b, "lost_robots") == 0);
}

TEST_CASE("a run whose past moved is replayed and run again to the bit, from any step, at any number of threads") {
    const TemporaryFolder folder;
    const Scenario s = ring("[slam]\nmethod = 'manifold'\n", 120);
    const std::vector<Hash128> then = recorded(s, folder / "run.sqlite");
    REQUIRE(then.size() == 120);
    check_replay(folder / "run.sqlite", then);
    check_threads(s);
}

TEST_CASE("robots that do not know where the others started see each other, join, and explore in one frame") {
    Simulation simulation(rooms("", 150), {});
    const EndReason reason = simulation.run();
    CHECK(value(simulation, reason, "frames_left") == 1);
    CHECK(value(simulation, reason, "joined_at") < 30);
    CHECK(value(simulation, reason, "wrong_frames") == 0);
    CHECK(value(simulation, reason, "joins_undone") == 0);
    CHECK(value(simulation, reason, "pose_error_m") < 0.2);
    CHECK(value(simulation, reason, "walls_off") < 0.02);
    const Outcome known = run_scenario([] {
        Scenario s = rooms("", 150);
        s.start.frame = StartFrame::known;
        return s;
    }());
    CHECK(value(simulation, reason, "final_team") > known.team_share - 0.05);
    // What a robot was told of itself is no hint.
    std::set<RobotId> frames;
    for (const Briefing& b : simulation.briefings()) {
        CHECK(b.bases.empty());
        CHECK(b.start == simulation.briefings().front().start);
        frames.insert(b.frame.robot);
    }
    CHECK(frames.size() == simulation.briefings().size());
}

TEST_CASE("a run that ends when the team is joined goes on until all share a frame") {
    const auto steps = [](const char* of) {
        Simulation simulation(rooms(fmt::format("[stop]\nof = '{}'\nfraction = 0.02\n", of), 150), {});
        const EndReason reason = simulation.run();
        if (of == std::string("joined")) CHECK(value(simulation, reason, "frames_left") == 1);
        return value(simulation, reason, "steps");
    };
    const double team = steps("team"), joined = steps("joined");
    CHECK(team < 5);
    CHECK(joined > team);
    CHECK(joined < 40);
}

TEST_CASE("no strategy takes a team-mate or a base that is not joined yet for a reason to be done") {
    std::vector<std::string> names;
    for (const StrategyInfo& info : strategies())
        if (info.traits.explores && info.name != "external" && info.name != "python" && !info.name.starts_with("test_"))
            names.push_back(info.name);
    REQUIRE(names.size() > 20);
    beside_each_other(names.size(), [&](std::size_t k) {
        const auto known_area = [&](const char* frame) {
            // One of them begins two rooms away, and nobody has seen the base.
            Notes notes;
            return run_scenario(make_scenario(parse_config(fmt::format("[run]\nsteps = 200\n[team]\nstrategy = '{}'\n"
                                                                       "[start]\nframe = '{}'\n[sensor]\nrange_m = 8\n"
                                                                       "[[base]]\nx_m = 2\ny_m = 2\n[[robot]]\n"
                                                                       "[[robot]]\n[[robot]]\nx_m = 14\ny_m = 10\n",
                                                                       names[k], frame),
                                                           "rooms"),
                                              "rooms", rooms_map(160, 120, 5), notes))
                .team_share;
        };
        CAPTURE(names[k]);
        CHECK(known_area("unknown") > known_area("known") - 0.1);
    });
}

TEST_CASE("the log says when robots join") {
    const TemporaryFolder folder;
    const auto events = [&](const Scenario& s) {
        recorded(s, folder / "run.sqlite");
        LogReader log(folder / "run.sqlite");
        std::map<std::string, int> count;
        for (const LogReader::Event& event : log.events()) ++count[event.kind];
        std::filesystem::remove(folder / "run.sqlite");
        return count;
    };
    auto joining = events(rooms("", 30));
    CHECK(joining["joined"] == 2);  // two of three robots, in the frame of the first
    CHECK(joining["parted"] == 0);
    auto known = events(ring("[slam]\nmethod = 'scan_match'\n", 10));
    CHECK(known["joined"] == 0);
}

TEST_CASE("robots that never see each other find their frames in each other's maps") {
    // Radios reach far; nobody is sighted.
    Simulation simulation(rooms("[sighting]\nrange_m = 0.05\n[comm]\nrange_m = 60\nbase_range_m = 60\n[sensor]\n"
                                "range_m = 8\n",
                                200),
                          {});
    const EndReason reason = simulation.run();
    CHECK(value(simulation, reason, "frames_left") == 1);
    CHECK(value(simulation, reason, "wrong_frames") == 0);
    CHECK(value(simulation, reason, "pose_error_m") < 0.2);
}

TEST_CASE("a run with unknown starts is replayed and run again to the bit, at any number of threads") {
    const TemporaryFolder folder;
    beside_each_other(4, [&](std::size_t k) {
        const std::string method = k % 2 == 0 ? "manifold" : "known";
        CAPTURE(method);
        const Scenario s = rooms(fmt::format("{}[slam]\nmethod = '{}'\n", method == "known" ? "" : noisy, method), 75);
        if (k < 2) {
            const std::string log = folder / (method + ".sqlite");
            check_replay(log, recorded(s, log));
        } else {
            check_threads(s);
        }
    });
}

TEST_CASE("a submap of a newer epoch replaces the older one, and an older one changes nothing") {
    Briefing briefing;
    briefing.self = 0;
    briefing.members = std::make_shared<const std::vector<TeamMember>>(
        std::vector<TeamMember>{{.id = 0, .name = "a"}, {.id = 1, .name = "b"}});
    TeamMaps maps(briefing, {});
    KnownMap map(briefing.lattice, briefing.frame, false);
    const auto submap = [&](int epoch, Cell cell) {
        KnownMap m(briefing.lattice, {1, epoch}, false);
        CellTile tile;
        tile.set(cell, CellState::occupied);
        m.observe({0, 0}, tile, 0);
        return Submaps{{1, std::make_shared<const MapSnapshot>(m.snapshot())}};
    };
    maps.merge(submap(0, {1, 1}));
    CHECK_FALSE(maps.put_together(map, nullptr, false));
    CHECK(map.is_occupied({1, 1}));
    maps.merge(submap(0, {2, 2}));  // the same epoch: both
    CHECK_FALSE(maps.put_together(map, nullptr, false));
    CHECK(map.is_occupied({1, 1}));
    maps.merge(submap(1, {3, 3}));
    CHECK(maps.put_together(map, nullptr, false));
    CHECK(map.count(true) == 1);
    CHECK(map.is_occupied({3, 3}));
    maps.merge(submap(0, {1, 1}));
    CHECK_FALSE(maps.put_together(map, nullptr, false));
    CHECK(map.count(true) == 1);

    const Submaps mine = submap(1, {3, 3}), older = submap(0, {3, 3}), newer = submap(2, {9, 9}),
                  other = submap(1, {4, 4});
    CHECK(holds_all(mine, mine, 2));
    CHECK(holds_all(newer, mine, 2));
    CHECK_FALSE(holds_all(older, mine, 2));
    CHECK_FALSE(holds_all(other, mine, 2));
    CHECK_FALSE(holds_all(Submaps{}, mine, 2));
    CHECK(holds_all(Submaps{}, Submaps{}, 2));
}

TEST_CASE("submaps travel as scans and marks, and as poses once they are drawn anew") {
    const auto sent = [](int epoch, DrawnFrom from) {
        KnownMap m(Lattice{}, {1, epoch}, false);
        CellTile tile;
        tile.set({3, 3}, CellState::occupied);
        m.observe({0, 0}, tile, 0);
        auto out = std::make_shared<Submaps>();
        out->set(1, std::make_shared<const MapSnapshot>(m.snapshot()));
        out->set_drawn_from({{}, from});
        return out;
    };
    const auto bytes = [](std::shared_ptr<const Submaps> mine, std::shared_ptr<const Submaps> theirs) {
        MapPayload payload;
        payload.submaps = std::move(mine);
        payload.received_submaps = {std::move(theirs), nullptr};
        return missing_bytes(payload, 0);
    };
    CHECK(bytes(sent(0, {2, 700}), nullptr) == 700);
    CHECK(bytes(sent(0, {2, 700}), sent(0, {2, 700})) == 0);
    CHECK(bytes(sent(0, {3, 1100}), sent(0, {2, 700})) == 400);
    CHECK(bytes(sent(1, {3, 1100}), sent(0, {2, 700})) == 400 + 2 * drawn_pose_bytes);
    CHECK(bytes(sent(0, {2, 700}), sent(0, {3, 1100})) == 0);  // the receiver has more already
    CHECK(bytes(sent(0, {3, 1100}), sent(1, {3, 1100})) == 0);
    CHECK(bytes(sent(0, {}), nullptr) == plain_tile_bytes);  // drawn from nothing that is known: cells
}

TEST_CASE("narrow links are refused where maps are sent whole") {
    for (const char* how : {"[slam]\nmethod = 'manifold'\n", "[start]\nframe = 'unknown'\n"}) {
        Notes notes;
        CHECK_THROWS_WITH_AS(make_scenario(parse_config(fmt::format("[comm]\nlink_bytes = 500\n{}", how), "t"), "t",
                                           rooms_map(60, 60, 1), notes),
                             doctest::Contains("maps are sent whole"), Error);
    }
}

}  // namespace test_slam_team
