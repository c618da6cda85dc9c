// Robots that would stand for no good reason: called stuck because they waited, waiting for the dead, blind to the
// base.
#include "helpers.hpp"
#include "maps/generate.hpp"
#include "outrider/behaviours.hpp"
#include "outrider/detail/settings.hpp"
#include "robot/knowledge.hpp"
#include "robot/pilot.hpp"
#include "robot/registry.hpp"
#include "robot/robot_parts.hpp"

using namespace outrider;

namespace test_getting_stuck {
namespace {

Scenario rooms(const std::string& toml, std::uint64_t seed, int width = 150, int height = 120) {
    Notes notes;
    return make_scenario(parse_config(toml, "s"), "s", rooms_map(width, height, seed), notes);
}

/// The first mobile robot of a scenario does what the strategy says, for so many steps; the others stay.
void drive(const Scenario& s, std::unique_ptr<Strategy> strategy, int steps) {
    const std::vector<Briefing> briefings = make_briefings(s);
    const std::unique_ptr<SimDriver> driver = make_driver(s);
    std::vector<Robot> team;
    for (const Briefing& b : briefings)
        team.emplace_back(b, RobotOptions{},
                          strategy && !b.is_base() ? std::move(strategy) : make_strategy("stay", "test"), 1);
    Run run{*driver, team, {}, {}};
    for (int k = 0; k < steps; ++k) step(run);
}

Grid<std::uint8_t> corridor() {
    const std::string wall(60, '#'), free = '#' + std::string(58, '.') + '#';
    return text_map({wall, free, free, free, wall});
}

/// A robot alone in the corridor, with a sensor.
Briefing matcher() {
    Briefing briefing;
    briefing.members =
        std::make_shared<const std::vector<TeamMember>>(1, TeamMember{0, "r", Role::explorer, -1, -1, true, 1, 10});
    briefing.lattice = corridor().lattice();
    briefing.cells_change = true;
    briefing.sensors.resize(1);
    return briefing;
}

}  // namespace

TEST_CASE("a target is barred after 30 steps of standing for it; steps without one do not count") {
    struct Stander final : Strategy {
        StallGuard guard;
        std::vector<int>* stalled;
        explicit Stander(std::vector<int>* s) : stalled(s) {}
        Intent choose(const Belief& belief, Rng&) override {
            const bool waits = belief.step() >= 20 && belief.step() < 120;  // without a target
            if (!waits && guard.stalled(belief, {5, 5})) stalled->push_back(belief.step());
            CHECK(guard.barred(belief, {6, 6}) == (!stalled->empty() && belief.step() < stalled->back() + 100));
            return {};
        }
    };
    std::vector<int> stalled;
    drive(rooms("team.robots=1", 1), std::make_unique<Stander>(&stalled), 240);
    // Its first scan, in step 0, was new: 18 steps after step 1, then 12.
    CHECK(stalled == std::vector<int>{131, 161, 191, 221});
}

TEST_CASE("the first robot of a chain waits as long as its patience lasts, however long that is") {
    // A frontier in reach of a chain at its full length, but robots keep some of it for where the others drive next.
    std::vector<std::string> rows(17, '#' + std::string(198, '.') + '#');
    rows.front() = rows.back() = std::string(200, '#');
    rows[8].replace(5, 16, "B....1....2....3");
    for (const int patience : {10, 25, 60, 100}) {
        CAPTURE(patience);
        SimulationOptions watched;
        watched.overlays = true;
        Simulation sim(
            text_scenario(rows, fmt::format("[team]\nstrategy='leader_follower(patience_steps={})'\n[sensor]\n"
                                            "range_m=3\n[radio]\nmodel='circle'\n[comm]\nrange_m=4\n"
                                            "base_range_m=4\n",
                                            patience)),
            watched);
        struct Watcher final : Observer {
            int waits = 0, longest = 0;
            void on_step(const StepView& view) override {
                for (const Overlay& overlay : view.decisions.back().overlays)
                    if (overlay.layer == "state") waits = overlay.text == "wait for the chain" ? waits + 1 : 0;
                longest = std::max(longest, waits);
            }
        } watcher;
        sim.add_observer(watcher);
        CHECK(sim.run() == EndReason::all_home);
        CHECK(watcher.longest >= patience);
    }
}

TEST_CASE("a robot that died while it waited to be called keeps nobody waiting") {
    // A corridor to a crossing; whatever is called for lies beyond the one who died.
    Grid<std::uint8_t> walls(400, 240, 1, Lattice{0.1});
    const auto clear = [&](Cell low, Cell high) {
        for (int y = low.y; y < high.y; ++y)
            for (int x = low.x; x < high.x; ++x) walls[{x, y}] = 0;
    };
    clear({5, 100}, {60, 140});
    clear({60, 110}, {150, 130});
    clear({140, 20}, {160, 220});
    for (const int y : {20, 80, 145, 200}) clear({160, y}, {390, y + 20});
    std::string toml =
        "[team]\nstrategy='reserve(remember_steps=10)'\n[sensor]\nrange_m=5\n[radio]\nmodel='circle'\n"
        "[comm]\nrange_m=60\nbase_range_m=60\n[[base]]\nx_m=1.05\ny_m=12.05\n";
    for (const char* x_m : {"5.05", "4.55\ndies_at_step=3", "2.55", "2.05"})
        toml += fmt::format("[[robot]]\ny_m=12.05\nx_m={}\n", x_m);
    Notes notes;
    Simulation sim(make_scenario(parse_config(toml, "s"), "s", walls, notes), {});
    struct Watcher final : Observer {
        int called_at = -1;
        void on_step(const StepView& view) override {
            for (std::size_t i = 3; i < view.team.size(); ++i)
                if (called_at < 0 && view.team[i].belief().pose().x > 7) called_at = view.team[i].belief().step();
        }
    } watcher;
    sim.add_observer(watcher);
    CHECK(sim.run() == EndReason::all_home);
    CHECK(watcher.called_at > 0);
    CHECK(watcher.called_at < 80);
}

TEST_CASE("who set out with its back to the base looks there before it says that nothing is in reach of it") {
    // Unknown cells count as walls: with a radio that needs a line of sight nothing at all was in reach.
    for (const char* strategy : {"recurrent", "recurrent(group=ready)", "relay_network"})
        for (const int robots : {1, 2, 3})
            for (const std::uint64_t seed : {1u, 2u, 3u}) {
                CAPTURE(strategy);
                CAPTURE(robots);
                CAPTURE(seed);
                Simulation sim(
                    rooms(fmt::format("team.strategy='{}'\nteam.robots={}\nsensor.range_m=4\nrun.steps=3000\n"
                                      "radio.model='los'\ncomm.range_m=8\ncomm.base_range_m=8",
                                      strategy, robots),
                          seed),
                    {});
                CHECK(sim.run() != EndReason::step_limit);
                const Belief& base = sim.team()[0].belief();
                CHECK(base.map().is_free(base.cell()));
            }
}

TEST_CASE("a clearance that the map cannot keep up with is refused, not read beyond the memory") {
    const auto run = [](const char* least) {
        run_scenario(rooms(
            fmt::format("team.strategy='exploration_transform(min_m={})'\nteam.robots=1\nrun.steps=20", least), 1));
    };
    CHECK_NOTHROW(run("6.3"));
    CHECK_THROWS_WITH_AS(run("6.5"), doctest::Contains("expected at most 6.3 m, which is 63 cells"), Error);
    CHECK_THROWS_WITH_AS(run("10"), doctest::Contains("min_m = 10"), Error);
}

TEST_CASE("segmentation(stay=0) comes to an end when a team-mate is seen in a room that this body cannot get out of") {
    // A gap of two cells, through which one of the bodies does not fit.
    Grid<std::uint8_t> walls(220, 80, 1, Lattice{0.1});
    for (int y = 5; y < 75; ++y)
        for (int x = 5; x < 215; ++x) walls[{x, y}] = x == 60 && (y < 39 || y > 40);
    Notes notes;
    const Scenario s = make_scenario(
        parse_config(
            "[team]\nstrategy='segmentation(stay=0)'\n[sensor]\nrange_m=4\n[comm]\nrange_m=60\nbase_range_m=60\n"
            "[radio]\nmodel='circle'\n[run]\nsteps=500\n[[base]]\nx_m=1.05\ny_m=4.05\n"
            "[[robot]]\nx_m=7.05\ny_m=4.05\nbody.radius_m=0.3\n[[robot]]\nx_m=5.55\ny_m=4.05\n",
            "s"),
        "s", walls, notes);
    const Outcome o = run_scenario(s);
    CHECK(o.reason != EndReason::step_limit);
    CHECK(o.team_share == 1);
}

TEST_CASE("rrt does not turn round for ever between points on both sides of a long wall") {
    // Lanes, each open to the next one at one end: on the way round a wall what lies behind it is near, as the crow
    // flies, now at one side of it and now at the other.
    Grid<std::uint8_t> walls(260, 200, 0, Lattice{0.1});
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 260; ++x) {
            const bool rim = x < 2 || y < 2 || x >= 258 || y >= 198;
            const bool first = (y == 49 || y == 50 || y == 147 || y == 148) && x < 226;
            walls[{x, y}] = rim || first || ((y == 98 || y == 99) && x >= 32);
        }
    Notes notes;
    const Scenario s =
        make_scenario(parse_config("[team]\nstrategy='rrt'\nrobots=1\n[sensor]\nrange_m=5\n[run]\nsteps=2000\n"
                                   "[comm]\nrange_m=0\nbase_range_m=0\n[[base]]\nx_m=20.05\ny_m=12.35\n",
                                   "s"),
                      "s", walls, notes);
    const Outcome o = run_scenario(s);
    CHECK(o.reason == EndReason::all_home);
    CHECK(o.team_share == 1);
}

TEST_CASE("role_based: who stands as near to a meeting as it drives has arrived") {
    // A robot ended its way within two cells of the middle of its goal, in a cell farther from it than that: these runs
    // had no end.
    for (const auto& [seed, strategy] : {std::pair{106u, "role_based"}, {73u, "role_based(relays=2)"}}) {
        CAPTURE(seed);
        const FamilyInfo& family = find_family("rooms");
        GenerateOptions options;
        options.seed = seed;
        options.width = 220;
        options.height = 170;
        const GeneratedMap map = generate(family, *family.make(), options);
        const Point base = map.walls.lattice().centre(map.start);
        Notes notes;
        const Scenario s = make_scenario(
            parse_config(fmt::format("[team]\nstrategy='{}'\nrobots=4\n[sensor]\nrange_m=4\n[run]\nsteps=2500\n"
                                     "[comm]\nrange_m=3\nbase_range_m=3\n[[base]]\nx_m={}\ny_m={}\n",
                                     strategy, to_text(base.x), to_text(base.y)),
                         "s"),
            "s", map.walls, notes);
        CHECK(run_scenario(s).reason == EndReason::all_home);
    }
}

TEST_CASE("a chain gets past a place where debris cuts its link again and again") {
    // A relay lost the base one step on, drove back that step and set out anew, for the rest of the run.
    const GeneratedMap map = generate("open",
                                      {{"width", std::int64_t{197}, "test"},
                                       {"height", std::int64_t{142}, "test"},
                                       {"rubble", 0.07134531801278879, "test"},
                                       {"free", 0.88, "test"}},
                                      239956);
    const Point base = map.walls.lattice().centre(map.start);
    Notes notes;
    const Scenario s = make_scenario(
        parse_config(
            fmt::format(
                "[run]\nsteps=558\nseed=14415\n[team]\nrobots=2\nstrategy='leader_follower(candidates=14)'\n[body]\n"
                "radius_m=0.12\nspeed_mps=0.26\n[sensor]\nbeams=41\nfov_deg=187\nrange_m=10.5\n"
                "[comm]\nrange_m=23.9\nbase_range_m=23.9\ndelivery='hop'\n[[base]]\nx_m={}\ny_m={}\n",
                to_text(base.x), to_text(base.y)),
            "s"),
        "s", map.walls, notes);
    Simulation sim(s, {});
    sim.run();
    for (const Standstill& found : sim.standstills()) CHECK_MESSAGE(found.stated_wait, found.why);
    CHECK(sim.metrics().steps().back().team_share > 0.8);
}

TEST_CASE("a robot that matches scans and seems to be cut off from home draws its track anew") {
    const Briefing briefing = matcher();
    RobotOptions options;
    CHECK(make_path_back_part(briefing, options) == nullptr);  // what was drawn stays where it is
    options.submaps = true;
    const auto part = make_path_back_part(briefing, options);
    REQUIRE(part != nullptr);
    Knowledge known(briefing, {}, {});
    known.matches_scans = true;
    known.map.merge(known_all(corridor()).snapshot());
    const auto stand = [&](int step, Cell at) {
        known.step = step;
        const Point p = known.map.lattice().centre(at);
        known.pose = known.estimate.pose = {p.x, p.y, 0};
        part->after_drawing(known, Percept{});
    };
    const auto draw_wall = [&](int x, int from, int to, int step) {
        TileTable<CellTile> cells;
        for (int y = from; y <= to; ++y) cells.at(tile_of({x, y})).set({x, y}, CellState::occupied);
        cells.for_each(
            [&](TileCoord t, const CellTile& c) { known.map.observe(t, c, static_cast<std::uint32_t>(step)); });
    };
    int step = 0;
    for (int x = 5; x <= 50; x += 5) stand(++step, {x, 2});
    draw_wall(20, 1, 2, 11);  // across the track, and a passage is left
    for (; step < 30; ++step) stand(step, {50, 2});
    CHECK(known.map.is_occupied({20, 2}));
    draw_wall(30, 1, 3, 31);  // nothing is left
    for (; step < 45; ++step) stand(step, {50, 2});
    CHECK((known.map.is_free({30, 2}) && known.map.is_free({20, 2})));
    CHECK((known.map.is_occupied({30, 1}) && known.map.is_occupied({30, 3}) && known.map.is_occupied({20, 1})));
}

TEST_CASE("a robot that matches scans, held by a wall that is not on its map, goes back the way it came") {
    Knowledge known(matcher(), {}, {});
    known.map.merge(known_all(corridor()).snapshot());
    known.matches_scans = true;
    Pilot pilot;
    Rng rng(1, 0, Purpose::strategy, 0);
    const Lattice& lattice = known.map.lattice();
    const auto follow = [&](Cell at, bool held) {
        Percept percept;
        percept.bumped = held;
        if (!held) percept.motion.delta = {0.5, 0, 0};
        known.percept = &percept;
        ++known.step;
        const Point p = lattice.centre(at);
        known.pose = known.estimate.pose = {p.x, p.y, 0};
        Pilot::Result path = pilot.follow(Goto{lattice.centre({50, 2}), 0, {}}, Belief(known), rng);
        known.percept = nullptr;
        REQUIRE(!path.command.path_body.empty());
        return path.command.path_body.back();
    };
    for (int x = 5; x <= 20; x += 5) CHECK(follow({x, 2}, false).x > 0);
    CHECK(follow({20, 2}, true).x > 0);
    CHECK(follow({20, 2}, true).x > 0);
    const Point back = follow({20, 2}, true);
    CHECK(back.x == doctest::Approx(-1));
    CHECK(back.y == doctest::Approx(0));
}

TEST_CASE("exploration under SLAM ends about when it does with known poses" * slow()) {
    const std::string team =
        "[team]\nrobots = 2\nstrategy = 'mresim_greedy'\n[run]\nsteps = 600\n[sensor]\nrange_m = 8\n";
    const std::string noise = "[noise]\nodometry_share = 0.05\nrange_m = 0.01\n";
    const auto steps = [&](const std::string& toml) {
        Simulation sim(rooms(team + toml, 3), {});
        const EndReason end = sim.run();
        CHECK((end == EndReason::all_home || end == EndReason::nothing_left));
        const std::map<std::string, double> metrics = summary_of(sim, end);
        CHECK(metrics.at("final_team") > 0.9);
        return metrics.at("steps");
    };
    const auto known = steps("");
    for (const char* method : {"scan_match", "manifold"}) {
        CAPTURE(method);
        CHECK(steps(noise + fmt::format("[slam]\nmethod = '{}'\n", method)) <= 1.3 * known);
    }
}

}  // namespace test_getting_stuck
