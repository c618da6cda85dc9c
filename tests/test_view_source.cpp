// What the window is fed with: snapshots of live runs and of logs.
#include <chrono>
#include <thread>

#include "helpers.hpp"
#include "log/replay.hpp"
#include "view/maps.hpp"
#include "view/source.hpp"

using namespace outrider;
using namespace outrider::view;

namespace test_view_source {
namespace {

Scenario rooms(const std::string& more = "", std::uint64_t seed = 4) {
    Notes notes;
    return make_scenario(
        parse_config("[team]\nrobots=3\n[comm]\nrange_m=6\nbase_range_m=6\n[run]\nsteps=150\n" + more, "rooms"),
        "rooms", rooms_map(200, 150, seed), notes);
}

/// Takes snapshots until the condition holds for one; fails after a minute.
template <class Condition>
std::optional<Snapshot> wait_for(Source& source, Maps& maps, Condition&& holds) {
    std::optional<Snapshot> last;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
        if (auto snapshot = source.telemetry().take()) {
            maps.apply(*snapshot);
            last = std::move(snapshot);
        }
        if (last && holds(*last)) return last;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    FAIL("nothing came: " << source.telemetry().progress().error);
    return last;
}

/// Waits for what no snapshot tells of.
template <class Condition>
bool comes_true(Condition&& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!holds() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return holds();
}

/// The maps of a run at a step, from the run itself.
struct MapKeeper final : Observer {
    explicit MapKeeper(int at_step) : at(at_step) {}
    void on_step(const StepView& view) override {
        if (view.step != at) return;
        for (const Robot& robot : view.team) {
            auto& tiles = claims.emplace_back();
            robot.map().cells().for_each([&](TileCoord t, const CellTile& c) { tiles.emplace_back(t, c); });
        }
    }
    int at;
    std::vector<std::vector<std::pair<TileCoord, CellTile>>> claims;
};

MapKeeper maps_at(const Scenario& scenario, int step) {
    MapKeeper keeper(step);
    SimulationOptions options;
    options.stop_after = step + 1;
    Simulation sim(scenario, options);
    sim.add_observer(keeper);
    sim.run();
    return keeper;
}

bool same(const Maps& maps, const MapKeeper& truth) {
    bool equal = !truth.claims.empty();
    for (std::size_t i = 0; i < truth.claims.size(); ++i)
        for (const auto& [t, claims] : truth.claims[i]) {
            const RobotTile* mine = maps.tile(i, t);
            equal = equal && (mine ? mine->claims == claims : claims == CellTile{});
        }
    return equal;
}

}  // namespace

TEST_CASE("a run with the window has the same digest as one without, whatever the window asks for") {
    const TemporaryFolder folder;
    SimulationOptions plain;
    plain.log_path = folder / "plain";
    plain.log_level = LogLevel::full;
    Simulation(rooms(), plain).run();
    LiveOptions options;
    options.log_path = folder / "watched";
    {
        const auto source = make_live(rooms(), options, {});
        Maps maps(4);
        const std::vector<std::uint8_t> all(4, 1);
        source->telemetry().set_wants({all, all, all, all, all, all, all});
        source->control().let_pass(3);
        wait_for(*source, maps, [](const Snapshot& s) { return s.step == 3; });
        source->control().play(true);
        wait_for(*source, maps, [&](const Snapshot&) { return source->telemetry().progress().ended; });
    }
    CHECK(LogReader(folder / "watched").digest() == LogReader(folder / "plain").digest());
}

TEST_CASE("a live run waits, steps, runs to a step, and keeps its future when it goes back") {
    const auto source = make_live(rooms(), {}, {});
    Maps maps(4);
    CHECK(wait_for(*source, maps, [](const Snapshot& s) { return s.step >= 0; })->step == 0);
    // Asked for the snapshot again and again, the run gets many a chance to go on, and shows the same step.
    for (int times = 0; times < 10; ++times) {
        source->refresh();
        CHECK(wait_for(*source, maps, [](const Snapshot&) { return true; })->step == 0);
    }
    CHECK(source->telemetry().progress().last == 0);
    source->control().let_pass(1);
    CHECK(wait_for(*source, maps, [](const Snapshot& s) { return s.step >= 1; })->step == 1);
    source->control().run_to(40);
    wait_for(*source, maps, [](const Snapshot& s) { return s.step == 40; });
    CHECK(same(maps, maps_at(rooms(), 40)));
    CHECK(source->telemetry().rows_from(0).size() == 41);
    source->seek(25);
    wait_for(*source, maps, [](const Snapshot& s) { return s.step == 25; });
    CHECK(same(maps, maps_at(rooms(), 25)));
    CHECK(source->telemetry().progress().generation == 2);
    const auto poses = [&](std::size_t row) { return source->telemetry().poses_at(row); };
    const std::vector<Pose> at_40 = poses(40);
    CHECK(source->telemetry().progress().last == 40);
    REQUIRE(source->telemetry().rows_from(0).size() == 41);
    source->control().run_to(50);
    wait_for(*source, maps, [](const Snapshot& s) { return s.step == 50; });
    CHECK(same(maps, maps_at(rooms(), 50)));
    CHECK(source->telemetry().rows_from(0).size() == 51);
    CHECK(poses(40) == at_40);
    for (int step = 0; step <= 50; ++step)
        CHECK(source->telemetry().rows_from(static_cast<std::size_t>(step)).front().metrics.step == step);
}

TEST_CASE("a log replays in the window at every level, forwards and backwards, with the maps of the run") {
    const TemporaryFolder folder;
    for (const LogLevel level : {LogLevel::full, LogLevel::poses, LogLevel::metrics}) {
        const std::string path = folder / std::to_string(static_cast<int>(level));
        SimulationOptions options;
        options.log_path = path;
        options.log_level = level;
        Simulation(rooms(), options).run();
        const auto source = make_replay(path);
        Maps maps(4);
        wait_for(*source, maps, [](const Snapshot& s) { return s.step == 0; });
        const int last = source->telemetry().progress().last;
        CHECK(last > 80);
        CHECK(source->telemetry().rows_from(0).size() == static_cast<std::size_t>(last + 1));
        for (const int step : {70, 69, 3, last, 0, 64, 65}) {
            source->seek(step);
            wait_for(*source, maps, [&](const Snapshot& s) { return s.step == step; });
            CHECK(same(maps, maps_at(rooms(), step)));
        }
        source->control().let_pass(2);  // past the end of a chunk and on
        const auto now = wait_for(*source, maps, [](const Snapshot& s) { return s.step == 67; });
        CHECK(now->robots[1].truth.has_value());
        CHECK(source->telemetry().progress().warning == "");
        source->control().play(true);
        wait_for(*source, maps, [&](const Snapshot& s) { return s.step == last; });
        CHECK(comes_true([&] { return source->telemetry().progress().ended; }));
    }
}

TEST_CASE("a log whose hashes say otherwise is shown with a warning") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run";
    options.stop_after = 10;
    Simulation(rooms(), options).run();
    {
        Database db(folder / "run", Database::Mode::create);
        db.run("UPDATE meta SET value = replace(value, 'look_around', 'nearest') WHERE key = 'scenario'");
    }
    CHECK_THROWS_AS(make_replay(folder / "run"), Error);  // another scenario than the one that was hashed
    CHECK_THROWS_AS(make_replay(folder / "none"), Error);
}

TEST_CASE("a log that is being written is shown as far as it goes, and grows") {
    const TemporaryFolder folder;
    LiveOptions options;
    options.log_path = folder / "run";
    const auto writer = make_live(rooms(), options, {});
    Maps ignored(4), maps(4);
    writer->control().run_to(70);
    wait_for(*writer, ignored, [](const Snapshot& s) { return s.step == 70; });
    // A thread of its own writes: the first chunk, which is all that is whole by now, comes when it comes.
    REQUIRE(comes_true([&] {
        try {
            return LogReader(folder / "run").steps().steps.size() == 65;
        } catch (const Error&) {
            return false;  // there is no header yet
        }
    }));
    const auto reader = make_replay(folder / "run");
    wait_for(*reader, maps, [](const Snapshot& s) { return s.step == 0; });
    CHECK(reader->telemetry().progress().last == 64);
    CHECK(reader->telemetry().progress().warning.find("has no end") != std::string::npos);
    reader->seek(64);
    wait_for(*reader, maps, [](const Snapshot& s) { return s.step == 64; });
    writer->control().play(true);
    wait_for(*writer, ignored, [&](const Snapshot&) { return writer->telemetry().progress().ended; });
    reader->look_again();
    CHECK(comes_true([&] { return reader->telemetry().progress().last != 64; }));
    CHECK(reader->telemetry().progress().last > 80);
    CHECK(reader->telemetry().progress().warning == "");
    reader->seek(75);
    wait_for(*reader, maps, [](const Snapshot& s) { return s.step == 75; });
    CHECK(same(maps, maps_at(rooms(), 75)));
}

TEST_CASE("the history of a cell tells who knew it first, and since when the base knows it") {
    const auto source = make_live(rooms(), {}, {});
    Maps maps(4);
    source->control().run_to(60);
    wait_for(*source, maps, [](const Snapshot& s) { return s.step == 60; });
    // Brute force: the same run, each cell looked at in each step.
    Simulation sim(rooms(), {});
    struct Watcher final : Observer {
        Grid<int> first{200, 150, -1, {}, {}}, who = first, base = first;
        explicit Watcher(Cell origin) {
            for (auto* grid : {&first, &who, &base}) grid->set_origin(origin);
        }
        void on_step(const StepView& view) override {
            if (view.step > 60) return;
            for (std::size_t k = 0; k < first.cells().size(); ++k)
                for (std::size_t i = 0; i < view.team.size(); ++i) {
                    if (view.team[i].belief().map().state(first.cell(k)) == CellState::unknown) continue;
                    if (first.cells()[k] < 0) {
                        first.cells()[k] = view.step;
                        who.cells()[k] = static_cast<int>(i);
                    }
                    if (i == 0 && base.cells()[k] < 0) base.cells()[k] = view.step;
                }
        }
    } watcher(sim.driver().world().walls().origin());
    sim.add_observer(watcher);
    sim.run();
    int known = 0;
    for (std::size_t k = 0; k < watcher.first.cells().size(); ++k) {
        const CellHistory h = source->telemetry().history().at(watcher.first.cell(k));
        REQUIRE(h.first_step == watcher.first.cells()[k]);
        REQUIRE(h.first_robot == watcher.who.cells()[k]);
        REQUIRE(h.base_step == watcher.base.cells()[k]);
        known += h.first_step >= 0;
    }
    CHECK(known > 1000);
}

TEST_CASE("of a robot that localises by its scans, the window is told how sure it is and how it sees its path now") {
    const std::string noisy = "[noise]\nodometry_share=0.05\n[slam]\nmethod='particle'\nparticles=5\n";
    const auto source = make_live(rooms(noisy), {}, {});
    Maps maps(4);
    Wants wants;
    wants.believed_path = {0, 1, 0, 0};
    source->telemetry().set_wants(wants);
    source->control().run_to(12);
    const auto snapshot = wait_for(*source, maps, [](const Snapshot& s) { return s.step == 12; });
    REQUIRE(snapshot);
    CHECK_FALSE(snapshot->robots[0].spread);  // a base
    REQUIRE(snapshot->robots[1].spread);
    CHECK((*snapshot->robots[1].spread)[0] >= 0);
    REQUIRE(!snapshot->robots[1].believed_path.empty());
    CHECK(distance(snapshot->robots[1].believed_path.back(), snapshot->robots[1].pose.position()) < 1.5);
    CHECK(snapshot->robots[2].believed_path.empty());
    const auto plain = make_live(rooms(), {}, {});
    CHECK_FALSE(wait_for(*plain, maps, [](const Snapshot& s) { return s.step == 0; })->robots[1].spread);
}

}  // namespace test_view_source
