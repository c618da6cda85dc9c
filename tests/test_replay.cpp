#include <map>

#include "helpers.hpp"
#include "log/briefing_codec.hpp"
#include "log/open_loop.hpp"
#include "log/open_loop_log.hpp"
#include "log/tile_codec.hpp"
#include "messages/hashes.hpp"

using namespace outrider;

namespace test_replay {
namespace {

Scenario rooms(const std::string& toml, std::uint64_t seed = 4) {
    Notes notes;
    return make_scenario(parse_config(toml, "rooms"), "rooms", rooms_map(200, 150, seed), notes);
}

/// All that can happen at once: deaths, losses, narrow links, noise, a disc that turns in place.
const std::string busy =
    "[team]\nrobots=4\n[comm]\nrange_m=7\nbase_range_m=7\nloss_rate=0.1\nlink_bytes=4000\ndelivery='hop'\n[noise]\n"
    "odometry_share=0.02\nrange_m=0.01\n[run]\nsteps=110\n[[robot]]\n[[robot]]\ndies_at_step=70\n"
    "[[robot]]\nstrategy='random_walk'\nbody={radius_m=0.15, kinematics='diff_drive'}\n[[robot]]\nstrategy='nearest'\n";
const std::string plain =
    "[team]\nrobots=3\n[comm]\nrange_m=6\nbase_range_m=6\n[start]\nrandom_heading=true\n[run]\nsteps=200\n";

std::string record(const TemporaryFolder& folder, const Scenario& scenario, const std::string& name = "run.sqlite",
                   int threads = 1) {
    SimulationOptions options;
    options.log_path = folder / name;
    options.log_level = LogLevel::full;
    options.threads = threads;
    Simulation(scenario, options).run();
    return folder / name;
}

}  // namespace

TEST_CASE("the ranges of a scan survive being stored, whatever they are; a straight wall takes half a byte a beam") {
    const double step = radians(1);
    const ScanCodec codec(step);
    const auto stored = [&](const std::vector<std::uint16_t>& ranges) {
        std::string symbols = "before", jumps;
        codec.write(ranges, symbols, jumps);
        const std::size_t bytes = symbols.size() - 6 + jumps.size();
        std::vector<std::uint16_t> again(ranges.size());
        std::string_view s(symbols), j(jumps);
        s.remove_prefix(6);
        codec.read(s, j, again);
        CHECK(again == ranges);
        CHECK(s.empty());
        CHECK(j.empty());
        return bytes;
    };
    CHECK(stored({}) == 0);
    CHECK(stored({Scan::nothing, Scan::no_information, 1, 65534, 1, 2, 3}) > 0);
    Rng rng(1, 0, Purpose::placement, 0);
    for (int k = 0; k < 200; ++k) {
        std::vector<std::uint16_t> ranges(rng.below(400));
        const std::uint32_t spread = 1 + rng.below(65536);
        for (std::uint16_t& r : ranges)
            r = static_cast<std::uint16_t>(rng.below(spread) + (k % 2 ? 0 : 65536 - spread));
        stored(ranges);
    }
    std::vector<std::uint16_t> wall;
    for (int i = -50; i <= 50; ++i)
        wall.push_back(static_cast<std::uint16_t>(std::floor(2000 / std::cos(i * step) + 0.5)));
    CHECK(2 * stored(wall) < wall.size());
    std::string_view nothing, none;
    std::vector<std::uint16_t> one(1);
    CHECK_THROWS_AS(codec.read(nothing, none, one), Error);
}

TEST_CASE("a tile survives being stored") {
    Rng rng(2, 0, Purpose::placement, 0);
    for (const std::size_t rows : {64u, 192u, 2048u})
        for (const double share : {0.0, 0.1, 1.0}) {
            std::string bytes(rows * 8, '\0');
            for (char& b : bytes)
                if (rng.uniform() < share) b = static_cast<char>(rng.below(256));
            const std::string packed = pack_tile(bytes);
            CHECK(unpack_tile(packed) == bytes);
            if (share == 0) CHECK(packed.size() == rows / 8);
            if (packed.size() > 8) CHECK_THROWS_AS(unpack_tile(packed.substr(0, packed.size() - 4)), Error);
        }
}

TEST_CASE("briefings survive being stored") {
    for (const std::string& toml : {busy, plain}) {
        const std::vector<Briefing> before = make_briefings(rooms(toml));
        const std::string bytes = write_briefings(before);
        const std::vector<Briefing> after = read_briefings(bytes);
        CHECK(write_briefings(after) == bytes);
        REQUIRE(after.size() == before.size());
        for (std::size_t i = 0; i < after.size(); ++i) {
            CHECK(after[i].self == before[i].self);
            CHECK(after[i].start == before[i].start);
            CHECK(after[i].sensors == before[i].sensors);
            CHECK(after[i].bases == before[i].bases);
            CHECK(after[i].me().name == before[i].me().name);
            CHECK(after[i].radius_m == before[i].radius_m);
            CHECK(after[i].mission_steps == before[i].mission_steps);
        }
    }
}

TEST_CASE("a full log replays without a world: percepts, messages, maps, decisions and reasons are those of the run") {
    for (const std::string& toml : {busy, plain}) {
        const TemporaryFolder folder;
        SimulationOptions options;
        options.log_path = folder / "run.sqlite";
        options.log_level = LogLevel::full;
        Simulation sim(rooms(toml), options);
        struct Watcher final : Observer {
            void on_step(const StepView& view) override {
                overlays.emplace_back();
                for (const Decision& d : view.decisions) overlays.back().push_back(d.overlays);
                goals.emplace_back();
                for (const Robot& r : view.team) goals.back().push_back(r.belief().latest(r.belief().self()).goal);
            }
            std::vector<std::vector<std::vector<Overlay>>> overlays;
            std::vector<std::vector<std::optional<Point>>> goals;
        } watcher;
        sim.add_observer(watcher);
        sim.run();

        LogReader log(folder / "run.sqlite");
        const LogSteps steps = log.steps();
        Replay replay(log);
        std::size_t n = 0, shown = 0;
        for (; replay.next(); ++n) {
            REQUIRE(n < steps.steps.size());
            const StepView view = replay.view();
            CHECK(view.step == steps.steps[n]);
            CHECK(view.hash == steps.hashes[n]);  // of percepts, decisions, messages, poses and maps
            for (std::size_t i = 0; i < view.decisions.size(); ++i) {
                CHECK(view.decisions[i].overlays == watcher.overlays[n][i]);
                CHECK(view.team[i].belief().latest(static_cast<RobotId>(i)).goal == watcher.goals[n][i]);
                shown += view.decisions[i].overlays.size();
            }
        }
        CHECK(n == steps.steps.size());
        CHECK(n > 100);
        CHECK(shown > 100);
        CHECK(replay.damaged().empty());
    }
}

TEST_CASE("a seek in a full log finds every step as if all had been played") {
    const TemporaryFolder folder;
    for (const std::string& toml : {busy, plain}) {
        const std::string path = record(folder, rooms(toml), toml == busy ? "a" : "b");
        LogReader log(path);
        const LogSteps steps = log.steps();
        const int count = static_cast<int>(steps.steps.size());
        Rng rng(3, 0, Purpose::placement, 0);
        std::vector<int> wanted{0, count - 1, 64, 65, 1, 66, 66};
        for (int k = 0; k < 12; ++k) wanted.push_back(static_cast<int>(rng.below(static_cast<std::uint32_t>(count))));
        struct Known {
            Pose pose;
            int last_discovery;
            std::vector<TeamRecord> team;
            std::size_t frontiers;
            bool operator==(const Known&) const = default;
        };
        const auto known_by = [](std::span<const Robot> team, bool frontiers) {
            std::vector<Known> known;
            for (const Robot& robot : team) {
                const Belief& b = robot.belief();
                known.push_back({b.pose(), b.last_discovery(), {}, frontiers ? b.frontiers().size() : 0});
                for (const auto& record : b.team()) known.back().team.push_back(*record);
            }
            return known;
        };
        Replay played(log), sought(log);
        // What a disc could still look at takes long to find, and follows from the map, which the hash compares.
        const auto with_frontiers = [](int step) { return step % 64 < 3; };
        std::map<int, std::vector<Known>> in_order;
        while (played.next())
            if (std::find(wanted.begin(), wanted.end(), played.step()) != wanted.end())
                in_order.emplace(played.step(), known_by(played.team(), with_frontiers(played.step())));
        for (const int step : wanted) {
            CAPTURE(step);
            REQUIRE(sought.seek(step));
            CHECK(sought.step() == step);
            CHECK(sought.view().hash == steps.hashes[static_cast<std::size_t>(step)]);
            CHECK((known_by(sought.team(), with_frontiers(step)) == in_order.at(step)));
        }
        CHECK_FALSE(sought.seek(count));
        CHECK_FALSE(sought.seek(-1));
        CHECK(sought.seek(3));
    }
}

TEST_CASE("a full log has the same digest at 1, 2, 3 and 8 threads, and recording changes no decision") {
    const TemporaryFolder folder;
    const Scenario s = rooms(busy);
    SimulationOptions options;
    options.log_path = folder / "poses";
    Simulation(s, options).run();
    const std::string steps_hash = LogReader(folder / "poses").meta().at("steps_hash");
    Hash128 first;
    for (const int threads : {1, 2, 3, 8}) {
        LogReader log(record(folder, s, std::to_string(threads), threads));
        CHECK(log.meta().at("steps_hash") == steps_hash);
        if (threads == 1) first = log.digest();
        CHECK(log.digest() == first);
    }
    CHECK(LogReader(record(folder, rooms(busy, 5), "other")).digest() != first);
}

TEST_CASE("a damaged chunk of a full log is named and skipped; what follows is as it was") {
    const TemporaryFolder folder;
    const std::string path = record(folder, rooms(plain));
    std::vector<Hash128> hashes = LogReader(path).steps().hashes;
    REQUIRE(hashes.size() > 100);
    {
        Database db(path, Database::Mode::create);
        db.run("UPDATE waist SET blob = zeroblob(length(blob)) WHERE first = 1");
    }
    LogReader log(path);
    CHECK_THROWS_AS(log.digest(), Error);
    Replay replay(log);
    std::vector<int> seen;
    while (replay.next()) {
        seen.push_back(replay.step());
        CHECK(replay.view().hash == hashes[static_cast<std::size_t>(replay.step())]);
    }
    REQUIRE(seen.size() == hashes.size() - 64);
    CHECK(seen[0] == 0);
    CHECK(seen[1] == 65);
    REQUIRE(replay.damaged().size() == 1);
    CHECK(replay.damaged()[0] == "steps 1-64: its checksum is wrong");
    CHECK_FALSE(replay.seek(30));
    CHECK(replay.seek(70));
    {
        Database db(path, Database::Mode::create);
        db.run("UPDATE tile SET blob = x'00'");
    }
    LogReader bad_tile(path);
    Replay again(bad_tile);
    CHECK(again.seek(0));
    CHECK_FALSE(again.seek(70));
    CHECK_FALSE(again.seek(140));  // the second bad tile is told of as the first
    REQUIRE(!again.damaged().empty());
    CHECK(again.damaged().back().find("tile") != std::string::npos);
}

TEST_CASE("only a full log replays") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "poses";
    options.stop_after = 3;
    Simulation(rooms(plain), options).run();
    LogReader log(folder / "poses");
    CHECK_THROWS_WITH_AS(Replay{log}, doctest::Contains("--log full"), Error);
}

TEST_CASE("another strategy meets the percepts of an old log, and where it decides otherwise is told") {
    const TemporaryFolder folder;
    LogReader log(record(folder, rooms(plain)));
    const int steps = static_cast<int>(log.steps().steps.size());
    {
        Replay then(log);
        const OpenLoop same = run_open_loop(then, then.scenario(), {});
        CHECK(same.steps == steps);
        CHECK(same.first == -1);
        for (const Differences& d : same.robots) CHECK((d.steps == 0 && d.alive == steps));
    }
    Replay then(log);
    Scenario other = then.scenario();
    other.robots[2].strategy = "nearest";
    int called = 0, differing = 0;
    const OpenLoop loop =
        run_open_loop(then, other, [&](const StepView& view, const std::vector<std::uint8_t>& differs) {
            CHECK(view.step == called++);
            CHECK(then.step() == view.step);
            CHECK(differs[0] + differs[1] + differs[3] == 0);
            differing += differs[2];
            // It perceives and knows the same, whatever it decides.
            for (std::size_t i = 0; i < view.team.size(); ++i)
                CHECK(view.team[i].map_name() == then.team()[i].map_name());
        });
    CHECK(called == steps);
    CHECK(loop.first >= 0);
    CHECK(loop.first_robots == std::vector<RobotId>{2});
    CHECK(loop.robots[2].first == loop.first);
    CHECK(loop.robots[2].steps == differing);
    CHECK(differing > 5);
    CHECK(loop.robots[1].first == -1);
    CHECK_FALSE(loop.cut_short);
}

TEST_CASE("the log of an open loop has its decisions and reasons, with percepts and messages as they were heard") {
    const TemporaryFolder folder;
    const std::string words =
        "[team]\nrobots=3\nstrategy='mresim_greedy'\n[comm]\nrange_m=5\nbase_range_m=5\n"
        "loss_rate=0.1\n[run]\nsteps=150\n[[robot]]\n[[robot]]\ndies_at_step=70\n[[robot]]\n";
    LogReader old(record(folder, rooms(words.c_str())));
    Replay then(old);
    Scenario other = then.scenario();
    for (RobotEntry& r : other.robots)
        if (r.role != Role::base) r.strategy = "nearest";
    struct Step {
        std::vector<Hash128> hashes, percepts, messages;
        std::vector<std::vector<Overlay>> overlays;
        std::vector<std::optional<Point>> goals;
        std::vector<std::uint32_t> known;
    };
    const auto step_of = [](const StepView& view) {
        Step step;
        step.hashes.assign(view.robot_hashes.begin(), view.robot_hashes.end());
        for (std::size_t i = 0; i < view.team.size(); ++i) {
            step.percepts.push_back(hash_of(view.percepts[i]));
            Hasher heard;
            for (const Received& r : view.percepts[i].inbox) heard(hash_of(*r.message));
            step.messages.push_back(heard.result());
            step.overlays.push_back(view.decisions[i].overlays);
            const Belief& belief = view.team[i].belief();
            step.goals.push_back(belief.latest(belief.self()).goal);
            for (const auto& mate : belief.team()) step.known.push_back(mate->seq);
        }
        return step;
    };
    std::vector<Step> live;
    OpenLoopLog writer(folder / "open", old, other, then.briefings());
    const OpenLoop loop = run_open_loop(
        then, other,
        [&](const StepView& view, const std::vector<std::uint8_t>&) {
            writer.add(view, then);
            live.push_back(step_of(view));
        },
        true);
    writer.finish(false);
    REQUIRE(loop.steps == static_cast<int>(live.size()));
    REQUIRE(loop.steps > 80);

    LogReader log(folder / "open");
    CHECK(log.meta()
              .at("open_loop")
              .starts_with("decisions of nearest on the percepts of the log with the digest " + old.digest().hex()));
    CHECK(log.scenario().robots[1].strategy == "nearest");
    const LogSteps steps = log.steps(), old_steps = old.steps();
    CHECK(steps.poses == old_steps.poses);
    CHECK(steps.paths == old_steps.paths);
    REQUIRE(steps.hashes.size() == live.size());
    CHECK(steps.hashes != old_steps.hashes);
    Replay replay(log);
    const auto check = [&] {
        const StepView view = replay.view();
        CAPTURE(view.step);
        CHECK(view.hash == steps.hashes[static_cast<std::size_t>(view.step)]);
        const Step now = step_of(view), &was = live[static_cast<std::size_t>(view.step)];
        CHECK(now.hashes == was.hashes);
        CHECK(now.percepts == was.percepts);
        CHECK(now.messages == was.messages);
        CHECK(now.overlays == was.overlays);
        CHECK(now.goals == was.goals);
        CHECK(now.known == was.known);
    };
    while (replay.next()) check();
    CHECK(replay.step() == loop.steps - 1);
    for (const int step : {80, 65, 64, 3, 75, 76}) {
        REQUIRE(replay.seek(step));
        check();
    }
    // Another loop on top of it meets the same percepts.
    Replay again(log);
    CHECK(run_open_loop(again, again.scenario(), {}).first == -1);
    Replay nested(log);
    int next = 0;
    run_open_loop(nested, then.scenario(), [&](const StepView& view, const std::vector<std::uint8_t>&) {
        CHECK(view.hash == old_steps.hashes[static_cast<std::size_t>(next++)]);
    });
    CHECK(next == loop.steps);
}

}  // namespace test_replay
