// A simulation as a value: made, stepped, asked, begun anew; many at a time.
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "messages/operator_options.hpp"
#include "outrider/detail/settings.hpp"
#include "robot/remote.hpp"
#include "simulation/generated.hpp"

using namespace outrider;

namespace test_simulation {
namespace {

constexpr const char* lively =
    "[team]\nrobots=3\n[run]\nsteps=60\nseed=5\n[start]\njitter_cells=6\nrandom_heading=true\n[noise]\n"
    "odometry_share=0.02\nrange_m=0.01\n[comm]\nrange_m=6\nbase_range_m=6\nloss_rate=0.2\n";

Scenario rooms(const std::string& toml, std::uint64_t map = 4) {
    Notes notes;
    return make_scenario(parse_config(toml, "rooms"), "rooms", rooms_map(200, 150, map), notes);
}

std::string with_seed(int seed) {
    std::string text = lively;
    return text.replace(text.find("seed=5"), 6, fmt::format("seed={}", seed));
}

std::vector<Hash128> hashes_of(Simulation& sim) {
    std::vector<Hash128> out;
    while (!sim.done()) {
        sim.step();
        out.push_back(sim.progress().hash);
    }
    return out;
}
std::vector<Hash128> hashes_of(Simulation&& sim) { return hashes_of(sim); }

const std::vector<std::string> hall{"##############################", "#B...........................#",
                                    "#............................#", "#....1...............2.......#",
                                    "#............................#", "##############################"};
Scenario hall_scenario(const std::string& more = "") {
    return text_scenario(hall, "[team]\nstrategy='remote'\n[run]\nsteps=60\n[sensor]\nrange_m=4\n" + more);
}

Point position(const Simulation& sim, RobotId robot) { return sim.driver().world().body(robot).pose.position(); }

}  // namespace

TEST_CASE("stepped by hand a simulation is that of run(), step by step") {
    struct Watcher final : Observer {
        void on_step(const StepView& view) override { hashes.push_back(view.hash); }
        std::vector<Hash128> hashes;
    } watcher;
    Simulation whole(rooms(lively));
    whole.add_observer(watcher);
    const EndReason reason = whole.run();
    for (const int threads : {1, 3}) {
        SimulationOptions options;
        options.threads = threads;
        Simulation stepped(rooms(lively), options);
        CHECK_FALSE(stepped.end());
        CHECK(hashes_of(stepped) == watcher.hashes);
        CHECK(stepped.end() == reason);
        CHECK(stepped.finish() == reason);
        CHECK(stepped.progress().digest == whole.progress().digest);
        CHECK(last_step(stepped.progress()).step == stepped.progress().steps - 1);
        CHECK_THROWS_AS(stepped.step(), CheckFailure);
    }
}

TEST_CASE("in halves a step is the same; in between beliefs show the percept, and intents hold for this very step") {
    Simulation whole(rooms(lively)), halves(rooms(lively));
    whole.run();
    while (!halves.done()) {
        const int step = halves.progress().steps;
        halves.perceive();
        CHECK(halves.perceived());
        for (const Robot& robot : halves.team()) CHECK(robot.belief().step() == step);
        CHECK_THROWS_AS(halves.perceive(), CheckFailure);
        CHECK_THROWS_AS(halves.step(), CheckFailure);
        halves.act();
        CHECK_FALSE(halves.perceived());
    }
    CHECK(halves.progress().digest == whole.progress().digest);
    CHECK(halves.progress().timing.steps_cpu_s.size() == whole.progress().timing.steps_cpu_s.size());

    Simulation told(hall_scenario());
    const Point from = position(told, 1);
    CHECK_THROWS_AS(told.act(), CheckFailure);
    told.perceive();
    told.set_intent(1, {.action = Drive{0.2, 0}});
    told.act();
    CHECK(distance(position(told, 1), from) == doctest::Approx(0.2));
}

TEST_CASE("simulations of different scenarios, interleaved in one thread, do as each does alone; moved ones go on") {
    const Scenario a = rooms(lively), b = rooms("[team]\nrobots=5\nstrategy='burgard'\n[run]\nsteps=45\n", 7);
    std::vector<Simulation> both;
    both.emplace_back(a);
    both.emplace_back(b);
    std::vector<std::vector<Hash128>> hashes(2);
    for (int k = 0; k < 60; ++k) {
        for (std::size_t i = 0; i < 2; ++i) {
            if (both[i].done()) continue;
            both[i].step();
            hashes[i].push_back(both[i].progress().hash);
        }
        std::vector<Simulation> moved(std::make_move_iterator(both.begin()), std::make_move_iterator(both.end()));
        both = std::move(moved);
    }
    CHECK(both[0].done());
    CHECK(both[1].done());
    CHECK(hashes[0] == hashes_of(Simulation(a)));
    CHECK(hashes[1] == hashes_of(Simulation(b)));
}

TEST_CASE("a reset is a fresh simulation with that seed: starts, noise and losses are drawn anew") {
    Simulation sim(rooms(lively));
    const std::vector<Hash128> first = hashes_of(sim);
    const auto starts = [](const Simulation& s) {
        std::vector<Pose> out;
        for (const Briefing& b : s.briefings()) out.push_back(b.start);
        return out;
    };
    std::vector<std::vector<Pose>> seen{starts(sim)};
    for (const int seed : {6, 7, 5}) {
        CAPTURE(seed);
        for (int k = 0; k < 10 && !sim.done(); ++k) sim.step();  // from anywhere
        sim.reset(static_cast<std::uint64_t>(seed));
        CHECK_FALSE(sim.done());
        CHECK(sim.progress().steps == 0);
        CHECK(sim.scenario().hash() == rooms(with_seed(seed)).hash());
        if (seed != 5) CHECK(std::find(seen.begin(), seen.end(), starts(sim)) == seen.end());
        seen.push_back(starts(sim));
        Simulation copy(rooms(with_seed(seed)));
        CHECK(starts(copy) == starts(sim));
        if (seed == 6) continue;  // to be reset in the middle
        CHECK(hashes_of(sim) == hashes_of(copy));
        if (seed == 5)
            CHECK(sim.progress().digest == [&] {
                Hash128 all{};
                for (const Hash128& h : first) all = Hasher()(all)(h).result();
                return all;
            }());
    }
}

TEST_CASE("without jitter starts stay through a reset") {
    Simulation sim(hall_scenario());
    const Point at = position(sim, 1);
    sim.reset(9);
    CHECK(position(sim, 1) == at);
    CHECK(sim.scenario().run.seed == 9);
    CHECK(sim.scenario().robots[1].yaw_deg == hall_scenario().robots[1].yaw_deg);
}

TEST_CASE("what follows from a map is shared by all simulations of it, and gone with the last one") {
    std::weak_ptr<const Terrain> terrain;
    {
        const Scenario first = rooms(lively);
        const std::string base =
            fmt::format("[[base]]\nx_m={}\ny_m={}\n", to_text(first.robots[0].x_m), to_text(first.robots[0].y_m));
        Simulation a(first), b(rooms("[team]\nrobots=2\n[body]\nradius_m=0.2\n" + base)), other(rooms(lively, 8));
        terrain = a.driver().world().terrain();
        CHECK(b.driver().world().terrain() == terrain.lock());
        CHECK(other.driver().world().terrain() != terrain.lock());
        const Grid<std::uint8_t>* sensable = &a.sensable();
        a.reset(8);
        CHECK(a.driver().world().terrain() == terrain.lock());
        CHECK(&a.sensable() == sensable);
        CHECK(&b.sensable() != sensable);  // a disc gets elsewhere
        CHECK(Simulation(rooms(lively)).sensable() == *sensable_cells(a.scenario()));
    }
    CHECK(terrain.expired());
}

TEST_CASE("with a family a reset draws another map: the same as a fresh simulation with that seed") {
    const ConfigTable config = parse_config("[team]\nrobots=2\n[run]\nsteps=12\n", "team");
    const std::vector<Setting> options{{"width", std::int64_t{300}, "here"}, {"height", std::int64_t{200}, "here"}};
    const ScenarioMaker make = generated_scenarios("office", options, config);
    Simulation sim(make, 3);
    const Grid<std::uint8_t> map = sim.scenario().walls;
    CHECK(map.width() == 300);
    sim.run();
    sim.reset(4);
    CHECK(sim.scenario().walls != map);
    CHECK(sim.scenario().name == "office-4");
    CHECK(hashes_of(sim) == hashes_of(Simulation(make, 4)));
    sim.reset(3);
    CHECK(sim.scenario().walls == map);
    CHECK_THROWS_AS(generated_scenarios("offcie", {}, config), Error);
    CHECK_THROWS_AS(generated_scenarios("office", {{"wdth", std::int64_t{1}, "here"}}, config)(1), Error);
}

TEST_CASE("a scenario comes from a file, from text or from a table, with settings laid over it") {
    const TemporaryFolder folder;
    write_map(folder / "m.png", {text_map(hall), {}}, false);
    const std::string toml = "[map]\nfile='m.png'\n[run]\nsteps=7\n[team]\nstrategy='random_walk'\n";
    write_text(folder / "s.toml", toml);
    const std::vector<Setting> over{{"team.robots", std::int64_t{2}, "here"}};
    Notes notes;
    const Scenario file = load_scenario(folder / "s.toml", over, notes),
                   text = parse_scenario(toml, "s", folder.path(), over, notes);
    CHECK(file.hash() == text.hash());
    ConfigTable table;
    for (const Setting& s : {Setting{"map.file", std::string("m.png"), "here"},
                             {"run.steps", std::int64_t{7}, "here"},
                             {"team.strategy", std::string("random_walk"), "here"},
                             {"team.robots", std::int64_t{2}, "here"}})
        table.set(s);
    CHECK(make_scenario(table, "s", folder.path(), notes).hash() == file.hash());
    CHECK(hashes_of(Simulation(file)).size() == 7);
    CHECK_THROWS_AS(load_scenario(folder / "s.toml", {{"team.robts", std::int64_t{2}, "here"}}, notes), Error);
}

TEST_CASE("finished before its end a run is interrupted, and so says its log; a reset finishes the log, too") {
    const TemporaryFolder folder;
    for (const bool reset : {false, true}) {
        const std::string path = folder / (reset ? "reset" : "finished");
        SimulationOptions options;
        options.log_path = path;
        Simulation sim(rooms(lively), options);
        for (int k = 0; k < 5; ++k) sim.step();
        if (reset) {
            sim.reset(9);
            for (int k = 0; k < 3; ++k) sim.step();
        } else {
            CHECK(sim.finish() == EndReason::interrupted);
            CHECK(sim.finish() == EndReason::interrupted);
            CHECK(sim.done());
            CHECK_THROWS_AS(sim.step(), CheckFailure);
        }
        LogReader log(path);
        CHECK(log.meta().at("end_reason") == "interrupted");
        CHECK(log.steps().steps.size() == 5);
    }
}

TEST_CASE("a caller's own strategies decide for its robots; for the others what the scenario says") {
    struct Walker final : Strategy {
        explicit Walker(std::vector<int>& c) : chosen(c) {}
        Intent choose(const Belief& belief, Rng&) override {
            chosen.push_back(belief.step());
            return {.action = Drive{0.1, 0}};
        }
        std::vector<int>& chosen;
    };
    std::vector<int> chosen;
    std::vector<std::string> asked;
    SimulationOptions options;
    options.threads = 1;
    options.strategies = [&](const Briefing& briefing, const std::string& text) -> std::unique_ptr<Strategy> {
        asked.push_back(briefing.me().name + ":" + text);
        if (briefing.self == 1) return std::make_unique<Walker>(chosen);
        return nullptr;
    };
    Simulation sim(hall_scenario(), options);
    CHECK(asked.size() == 3);
    CHECK(asked[0] == "base:stay");
    CHECK(asked[1].ends_with(":remote"));
    const Point one = position(sim, 1), two = position(sim, 2);
    for (int k = 0; k < 4; ++k) sim.step();
    CHECK(chosen == std::vector<int>{0, 1, 2, 3});
    CHECK(distance(position(sim, 1), one) == doctest::Approx(0.4));
    CHECK(position(sim, 2) == two);
    CHECK_THROWS_WITH_AS(sim.set_intent(1, {}), doctest::Contains("its intent can be set when its strategy is remote"),
                         Error);
    CHECK_NOTHROW(sim.set_intent(2, {}));
    sim.reset(1);  // the factory is asked again
    CHECK(asked.size() == 6);
}

TEST_CASE("remote: a robot goes where its intent says, until it is told otherwise; nobody commands it: it stays") {
    SimulationOptions options;
    options.overlays = true;
    Simulation sim(hall_scenario(), options);
    const Point from = position(sim, 1), to = from + Point{1.5, 0.1}, other = position(sim, 2);
    sim.step();
    CHECK(position(sim, 1) == from);
    REQUIRE(sim.progress().decisions[1].overlays.size() == 1);
    CHECK(sim.progress().decisions[1].overlays[0].text == "stays: nobody has set its intent");
    sim.set_intent(1, {.action = Goto{to, 0, {}}, .words = {{77, to_all, {3}}}, .strategy_events = {StrategyEvent{}}});
    int happened = 0;
    for (int k = 0; k < 6; ++k) {
        sim.step();
        happened += static_cast<int>(sim.progress().decisions[1].strategy_events.size());
    }
    CHECK(distance(position(sim, 1), to) < 0.1);
    CHECK(position(sim, 2) == other);
    CHECK(happened == 1);
    REQUIRE(sim.team()[0].belief().latest(1).words.size() == 1);
    CHECK(sim.team()[0].belief().latest(1).words[0].topic == 77);
    sim.set_intent(1, {.action = Goto{from, 0, {}}});
    for (int k = 0; k < 6; ++k) sim.step();
    CHECK(distance(position(sim, 1), from) < 0.1);
    CHECK_FALSE(sim.done());
    for (const RobotId robot : {1, 2}) sim.set_intent(robot, {.action = Stay{}, .done = true});
    sim.run();
    CHECK(sim.progress().steps < 20);
    CHECK_THROWS_WITH_AS(sim.set_intent(7, {}), doctest::Contains("robot 7: expected 0 to 2"), Error);
    CHECK_THROWS_WITH_AS(sim.set_intent(0, {}), doctest::Contains("'base' decides for itself (strategy stay)"), Error);

    RemoteStrategy own;
    const std::shared_ptr<RemoteStrategy::Slot> slot = own.slot();
    own.set_intent({.done = true});
    CHECK(slot->intent->done);
    Notes notes;
    make_scenario(parse_config("[team]\nstrategy='remote'\nrobots=2\n", "s"), "s", text_map(hall), notes);
    CHECK(std::count_if(notes.begin(), notes.end(), [](const std::string& note) {
              return note.find("'r1' does only what it is ordered (strategy remote)") != note.npos;
          }) == 1);
}

TEST_CASE("orders come before the steps that they name, the first step included") {
    SimulationOptions options;
    Scenario scenario = hall_scenario();
    scenario.features.edit<OperatorOptions>().through = OrdersThrough::direct;
    const Point from = position(Simulation(scenario), 1);
    options.orders = {{0, 1, {"drive", {}, 0.2, 0}}, {2, 1, {"drive", {}, 0.3, 0}}};
    Simulation sim(scenario, options);
    std::vector<double> paths;
    for (int k = 0; k < 4; ++k) {
        sim.step();
        paths.push_back(distance(position(sim, 1), from));
    }
    CHECK(paths[0] == doctest::Approx(0.2));
    CHECK(paths[1] == paths[0]);
    CHECK(paths[2] == doctest::Approx(0.5));
    CHECK(paths[3] == paths[2]);
}

TEST_CASE("a run ends when so little is left, or at its share, whichever comes first") {
    const std::vector<std::string> rows{".........#....", "B1..1....#....", ".........#....",
                                        "..............", ".........#....", ".........#...."};
    const auto run = [&](const std::string& toml) {
        Simulation sim(
            text_scenario(rows, "sensor.range_m = 0.3\nbody.speed_mps = 0.1\nteam.strategy = \"nearest\"\n" + toml));
        while (!sim.done()) sim.step();
        const StepMetrics& last = sim.metrics().steps().back();
        const double sensable_m2 = static_cast<double>(sim.metrics().coverage().sensable()) * 0.01;
        return std::pair(sim.metrics().steps().size(), (1 - last.team_share) * sensable_m2);
    };
    const auto [whole, nothing] = run("");
    const auto [some, left] = run("stop.of = \"team\"\nstop.fraction = 1.0\nstop.left_m2 = 0.2\n");
    CHECK(nothing == doctest::Approx(0));
    CHECK(some < whole);
    CHECK(left < 0.2);
    CHECK(left > 0);
    CHECK(run("stop.of = \"team\"\nstop.fraction = 0.5\nstop.left_m2 = 0.2\n").first < some);
    CHECK(run("stop.left_m2 = 0.2\n").first == whole);  // of nobody's knowledge
}

}  // namespace test_simulation
