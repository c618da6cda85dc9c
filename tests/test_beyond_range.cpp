// Strategies that explore beyond the reach of the radio, or hold a network together while they explore.
#include <algorithm>
#include <cmath>
#include <limits>

#include "helpers.hpp"
#include "outrider/chain.hpp"
#include "outrider/connected_set.hpp"
#include "outrider/sectors.hpp"
#include "outrider/signal_table.hpp"
#include "outrider/sites.hpp"
#include "outrider/topics.hpp"
#include "outrider/transitions.hpp"
#include "standing_watch.hpp"

using namespace outrider;

namespace {

/// Open ground with a few walls, so that a robot does not see it all at once.
Scenario open_scenario(const std::string& strategy, int robots, const std::string& more, int size = 200) {
    Grid<std::uint8_t> walls(size, size, 0, Lattice{0.1});
    for (int k = 0; k < size; k += 40)
        for (int i = 0; i < 12; ++i) walls[{(k * 7 + 31) % (size - 20) + i, k + 20}] = 1;
    Notes notes;
    return make_scenario(
        parse_config(
            fmt::format("[team]\nstrategy='{}'\nrobots={}\n{}\n[[base]]\nx_m=2.05\ny_m=2.05\n", strategy, robots, more),
            "s"),
        "s", walls, notes);
}

/// What all robots know together.
KnownMap known_by_team(const StepView& view) {
    KnownMap out(view.team[0].belief().map().lattice(), view.team[0].belief().map().frame());
    for (const Robot& robot : view.team) {
        KnownMap map = robot.belief().map();
        out.merge(map.snapshot());
    }
    return out;
}

/// Whether `more` knows everything that `less` knows.
bool knows_all(const KnownMap& more, KnownMap less) {
    KnownMap both = more;
    both.merge(less.snapshot());
    return both.count(true) == more.count(true) && both.count(false) == more.count(false);
}

const std::vector<std::string> in_this_file{"leader_follower",
                                            "uva",
                                            "relay_network",
                                            "recurrent",
                                            "recurrent(group='ready')",
                                            "sector_rendezvous",
                                            "role_based(strict_swaps=true)"};

/// How a run went.
struct Conduct {
    EndReason reason;
    int steps = 0;
    double team_share = 0, base_share = 0;
    int stood = 0;  ///< longest time that a robot in service stood in one state, not being done
};

Conduct run_on_rooms(const std::string& strategy, int robots, const std::string& more, int steps = 1500) {
    static const Grid<std::uint8_t> walls = rooms_map(150, 120, 2);
    Notes notes;
    const Scenario s = make_scenario(
        parse_config(fmt::format("team.strategy=\"{}\"\nteam.robots={}\nsensor.range_m=4\nrun.steps={}\n{}", strategy,
                                 robots, steps, more),
                     "s"),
        "s", walls, notes);
    SimulationOptions watched;
    watched.overlays = true;
    Simulation sim(s, watched);
    StandingWatch watch;
    sim.add_observer(watch);
    const EndReason reason = sim.run();
    const StepMetrics& last = sim.metrics().steps().back();
    return {reason, sim.progress().steps, last.team_share, last.base_share, watch.longest};
}

}  // namespace

TEST_CASE("tether: each transition") {
    constexpr TetherTimes times{20, 100};
    for (const Tether t : {Tether::held, Tether::back, Tether::seek, Tether::home})
        CHECK(next(t, true, 0, times) == Tether::held);
    CHECK(next(Tether::held, false, 1, times) == Tether::back);
    CHECK(next(Tether::back, false, 19, times) == Tether::back);
    CHECK(next(Tether::back, false, 20, times) == Tether::seek);
    CHECK(next(Tether::seek, false, 99, times) == Tether::seek);
    CHECK(next(Tether::seek, false, 100, times) == Tether::home);
    CHECK(next(Tether::home, false, 5000, times) == Tether::home);
}

TEST_CASE("a chain along a free path needs as many robots as its length asks for, and walls cost more") {
    for (const bool wall : {false, true}) {
        Grid<std::uint8_t> ground(240, 21, 0, Lattice{0.1});
        for (int y = 0; y < 20 && wall; ++y) ground[{100, y}] = 1;
        Briefing briefing;
        briefing.members = std::make_shared<const std::vector<TeamMember>>(std::vector<TeamMember>{
            {0, "base", Role::base, -1, -1, false, 0, 5}, {1, "r", Role::explorer, -1, -1, true, 0.1, 5}});
        briefing.self = 1;
        briefing.radio.model = RadioModel::line_of_sight;
        briefing.prior_map = known_all(ground).snapshot();
        briefing.start = {0.55, 1.05, 0};
        briefing.bases = {{0, {0.55, 1.05, 0}}};
        Robot robot(briefing, {}, make_strategy("stay", "test"), 1);
        Percept percept;
        percept.step = 0;
        robot.step(percept);
        const Belief& belief = robot.belief();
        CHECK(home_base(belief) == 0);
        CHECK(last_cell(belief, 0) == Cell{5, 10});
        for (const int length : {1, 44, 46, 90, 92, 150, 200}) {
            CAPTURE(length);
            std::vector<Cell> path;
            for (int k = 0; k <= length; ++k) path.push_back({5 + k, wall && 5 + k == 100 ? 20 : 10});
            // The robot counts on a tenth less than the 50 cells that the radio reaches.
            const int least = static_cast<int>(std::ceil(length / (50 / 1.1)));
            const int robots = robots_along(belief, 0, path);
            if (!wall) CHECK(robots >= least);
            if (!wall) CHECK(robots <= static_cast<int>(std::ceil(length / 44.0)));  // looked at every fourth cell
            if (wall && length > 100) CHECK((robots < 0 || robots > least));
        }
        CHECK(robots_along(belief, 0, {}) == -1);
    }
}

TEST_CASE("deployment: each transition") {
    using enum Deployment;
    CHECK(next(wait, {.site = true}) == wait);
    CHECK(next(wait, {.last = true, .site = true}) == wait);
    CHECK(next(wait, {.turn = true, .site = true}) == go);
    CHECK(next(wait, {.turn = true}) == explore);
    CHECK(next(wait, {.turn = true, .last = true, .site = true}) == explore);
    CHECK(next(go, {}) == go);
    CHECK(next(go, {.good = true}) == go);
    CHECK(next(go, {.site = true, .arrived = true, .good = true}) == go);
    CHECK(next(go, {.arrived = true, .good = true}) == relay);
    CHECK(next(go, {.site = true, .arrived = true}) == back);
    CHECK(next(go, {.good = true, .late = true}) == back);
    CHECK(next(back, {.late = true}) == back);
    CHECK(next(back, {.good = true, .late = true}) == relay);
    CHECK(next(back, {.late = true, .given_up = true}) == explore);
    for (const Deployment final_state : {relay, explore})
        for (int bits = 0; bits < 128; ++bits)
            CHECK(next(final_state, {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
                                     (bits & 16) != 0, (bits & 32) != 0, (bits & 64) != 0}) == final_state);
}

TEST_CASE("recurrent connectivity: each transition") {
    using enum Recurrent;
    for (const Recurrent any : {ready, move, hold, retreat, finished}) {
        CHECK(next(any, {.end = true}) == finished);
        CHECK(next(any, {.plan = true}) == (any == finished ? finished : move));
    }
    CHECK(next(ready, {.connected = true}) == ready);
    CHECK(next(ready, {.connected = true, .late = true}) == ready);
    CHECK(next(ready, {.late = true}) == retreat);
    CHECK(next(ready, {.late = true, .home = true}) == ready);
    CHECK(next(move, {.connected = true}) == move);
    CHECK(next(move, {.arrived = true}) == hold);
    CHECK(next(move, {.arrived = true, .late = true}) == retreat);
    CHECK(next(hold, {.arrived = true}) == hold);
    CHECK(next(hold, {.connected = true}) == ready);
    CHECK(next(hold, {.late = true}) == retreat);
    CHECK(next(retreat, {.late = true}) == retreat);
    CHECK(next(retreat, {.connected = true}) == ready);
    CHECK(next(retreat, {.home = true}) == ready);
    CHECK(next(finished, {.connected = true, .home = true}) == finished);
}

TEST_CASE("connected sets hold together, take in what they have to and never more than there are robots") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Rng rng(seed, 0, Purpose::placement, 0);
        const int n = 2 + static_cast<int>(rng.below(20));
        Neighbours graph(static_cast<std::size_t>(n));
        for (int a = 0; a < n; ++a)
            for (int b = a + 1; b < n; ++b)
                if (rng.uniform() < 0.15) {
                    graph[static_cast<std::size_t>(a)].push_back(b);
                    graph[static_cast<std::size_t>(b)].push_back(a);
                }
        std::vector<double> gain;
        for (int a = 0; a < n; ++a) gain.push_back(rng.uniform() < 0.5 ? 0 : rng.uniform());
        const std::size_t most = 1 + rng.below(8);
        const auto keep = [](int, int) { return 1.0; };
        const std::vector<int> set = grow_connected(graph, 0, gain, {n - 1}, most, keep);
        CHECK(set.size() <= most);
        std::vector<bool> in(static_cast<std::size_t>(n), false);
        in[0] = true;
        double sum = 0;
        for (const int v : set) {  // each is linked with one that was there before
            const auto& to = graph[static_cast<std::size_t>(v)];
            CHECK(std::any_of(to.begin(), to.end(), [&](int u) { return in[static_cast<std::size_t>(u)]; }));
            CHECK_FALSE(in[static_cast<std::size_t>(v)]);
            in[static_cast<std::size_t>(v)] = true;
            sum += gain[static_cast<std::size_t>(v)];
        }
        // With one robot more there is never less to gain, and with as many as vertices nothing in reach is left.
        const std::vector<int> all = grow_connected(graph, 0, gain, {}, graph.size(), keep);
        double sum_all = 0;
        for (const int v : all) sum_all += gain[static_cast<std::size_t>(v)];
        CHECK(sum <= sum_all + 1e-12);
        for (int v = 1; v < n; ++v) {
            const bool taken = std::find(all.begin(), all.end(), v) != all.end();
            const auto& to = graph[static_cast<std::size_t>(v)];
            const bool beside = std::any_of(to.begin(), to.end(), [&](int u) {
                return u == 0 || std::find(all.begin(), all.end(), u) != all.end();
            });
            if (beside && gain[static_cast<std::size_t>(v)] > 0) CHECK(taken);
        }
    }
    // The nearest gain is not the best: 2 costs two vertices but brings more than twice as much.
    const Neighbours path{{1, 3}, {0, 2}, {1}, {0}};
    const auto keep = [](int, int) { return 1.0; };
    CHECK(grow_connected(path, 0, {0, 0, 5, 2}, {}, 2, keep) == std::vector<int>{1, 2});
    CHECK(grow_connected(path, 0, {0, 0, 5, 2}, {}, 1, keep) == std::vector<int>{3});
    CHECK(grow_connected(path, 0, {0, 0, 0, 2}, {2}, 3, keep) == std::vector<int>{1, 2, 3});
    CHECK(grow_connected(path, 0, {0, 0, 0, 0}, {}, 3, keep).empty());
}

TEST_CASE("bottleneck assignment: the longest way is as short as trying everything finds") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Rng rng(seed, 1, Purpose::placement, 0);
        const std::size_t rows = 1 + rng.below(6), columns = 1 + rng.below(static_cast<std::uint32_t>(rows));
        std::vector<std::vector<double>> costs(rows, std::vector<double>(columns));
        for (auto& row : costs)
            for (double& cost : row)
                cost = rng.uniform() < 0.2 ? std::numeric_limits<double>::infinity() : rng.below(20);
        std::vector<std::size_t> order(rows);
        for (std::size_t i = 0; i < rows; ++i) order[i] = i;
        std::pair<std::size_t, double> best{0, 0};  // columns served, minus the longest way
        do {
            std::size_t served = 0;
            double longest = 0;
            for (std::size_t c = 0; c < columns; ++c)
                if (!std::isinf(costs[order[c]][c])) ++served, longest = std::max(longest, costs[order[c]][c]);
            best = std::max(best, {served, -longest});
        } while (std::next_permutation(order.begin(), order.end()));
        const std::vector<int> found = bottleneck_assignment(costs, columns);
        REQUIRE(found.size() == columns);
        std::size_t served = 0;
        double longest = 0;
        std::vector<bool> used(rows, false);
        for (std::size_t c = 0; c < columns; ++c) {
            if (found[c] < 0) continue;
            const auto r = static_cast<std::size_t>(found[c]);
            CHECK_FALSE(used[r]);
            used[r] = true;
            ++served;
            longest = std::max(longest, costs[r][c]);
        }
        CHECK(served == best.first);
        CHECK(longest == -best.second);
    }
}

TEST_CASE("recurrent connectivity: a step after every plan the base knows what the team knew") {
    for (const int robots : {2, 5}) {
        CAPTURE(robots);
        Simulation sim(open_scenario("recurrent", robots,
                                     "[comm]\nrange_m=6\nbase_range_m=6\n[sensor]\nrange_m=3\n[run]\nsteps=600\n"),
                       {});
        struct Watcher final : Observer {
            std::optional<KnownMap> team;  // at the last step, if a plan was made in it
            int plans = 0, broken = 0, alone = 0;
            void on_step(const StepView& view) override {
                if (team) broken += !knows_all(view.team[0].belief().map(), *team);
                team.reset();
                for (const Robot& robot : view.team) {
                    const Belief& belief = robot.belief();
                    alone += !belief.briefing().is_base() && !belief.base_in_contact();
                    for (const Word& word : belief.latest(belief.self()).words)
                        if (word.topic == topic_plan && word.values.at(0) >> 20 == view.step && !team) {
                            team = known_by_team(view);
                            ++plans;
                        }
                }
            }
        } watcher;
        sim.add_observer(watcher);
        CHECK(sim.run() == EndReason::all_home);
        CHECK(watcher.broken == 0);
        CHECK(watcher.plans > 5);
        CHECK(watcher.alone > 50);  // in between it is not
    }
}

TEST_CASE("sweep and meet: each transition") {
    using enum Sweep;
    CHECK(next(sweep, {.linked = true, .arrived = true, .over = true, .settled = true}) == sweep);
    CHECK(next(sweep, {.due = true}) == go);
    CHECK(next(sweep, {.due = true, .linked = true}) == exchange);
    CHECK(next(go, {.due = true}) == go);
    CHECK(next(go, {.linked = true, .over = true}) == exchange);
    CHECK(next(go, {.arrived = true}) == wait);
    CHECK(next(go, {.arrived = true, .over = true}) == sweep);
    CHECK(next(wait, {.arrived = true}) == wait);
    CHECK(next(wait, {.linked = true, .over = true}) == exchange);
    CHECK(next(wait, {.over = true}) == sweep);
    CHECK(next(exchange, {.linked = true, .carries = true}) == exchange);
    CHECK(next(exchange, {.settled = true}) == sweep);
    CHECK(next(exchange, {.settled = true, .carries = true}) == courier);
    CHECK(next(courier, {.due = true, .linked = true}) == courier);
    CHECK(next(courier, {.reported = true}) == sweep);
}

TEST_CASE("sectors: equal angles without a region, equal areas of it with one") {
    const std::vector<double> equal = sector_bounds({3, 4}, {}, 4);
    REQUIRE(equal.size() == 5);
    for (int i = 0; i < 5; ++i) CHECK(equal[static_cast<std::size_t>(i)] == doctest::Approx(-pi + i * pi / 2));
    CHECK(sector_of(equal, {3, 4}, {2, 3}) == 0);
    CHECK(sector_of(equal, {3, 4}, {4, 3}) == 1);
    CHECK(sector_of(equal, {3, 4}, {4, 5}) == 2);
    CHECK(sector_of(equal, {3, 4}, {2, 5}) == 3);
    CHECK(sector_bounds({}, {}, 1) == std::vector<double>{-pi, pi});
    // Not convex; the apex inside, at its rim, and outside.
    const std::vector<Point> region{{0, 0}, {40, 0}, {40, 30}, {25, 30}, {25, 10}, {10, 10}, {10, 30}, {0, 30}};
    for (const Point apex : {Point{5, 5}, Point{0.01, 0.02}, Point{17, 20}, Point{60, -5}}) {
        const std::vector<double> bounds = sector_bounds(apex, region, 5);
        std::vector<int> points(5, 0);
        int all = 0;
        for (double x = 0.05; x < 40; x += 0.1)
            for (double y = 0.05; y < 30; y += 0.1) {
                if (x > 10 && x < 25 && y > 10) continue;
                ++points[static_cast<std::size_t>(sector_of(bounds, apex, {x, y}))];
                ++all;
            }
        for (const int n : points) CHECK(n == doctest::Approx(all / 5.0).epsilon(0.03));
    }
}

TEST_CASE("sector rendezvous: neighbours meet, report, and never plan different meetings") {
    for (const char* trouble : {"", "comm.loss_rate=0.4", "[[robot]]\ndies_at_step=200"}) {
        CAPTURE(trouble);
        Notes notes;
        const Scenario s = make_scenario(
            parse_config(
                fmt::format("team.strategy='sector_rendezvous'\nteam.robots=4\nsensor.range_m=4\nrun.steps=2000"
                            "\ncomm.range_m=6\ncomm.base_range_m=6\n{}\n[[base]]\nx_m=15.05\ny_m=15.05\n",
                            trouble),
                "s"),
            "s", Grid<std::uint8_t>(300, 300, 0, Lattice{0.1}), notes);
        Simulation sim(s, {});
        struct Watcher final : Observer {
            int met = 0, missed = 0, compared = 0;
            void on_step(const StepView& view) override {
                for (const Decision& decision : view.decisions)
                    for (const Happening& h : decision.happenings) {
                        met += h.kind == Happening::Kind::met;
                        missed += h.kind == Happening::Kind::missed;
                    }
                const auto values = [&](RobotId from, RobotId to, std::int64_t kind) -> const std::int64_t* {
                    for (const Word& word : view.team[static_cast<std::size_t>(from)].belief().latest(from).words)
                        if (word.topic == topic("sect") && word.to == to && word.values[0] == kind)
                            return word.values.data();
                    return nullptr;
                };
                const auto n = static_cast<RobotId>(view.team.size());
                for (RobotId a = 0; a < n; ++a)
                    for (RobotId b = 0; b < n; ++b) {
                        const std::int64_t *agreed = values(a, b, 0), *answer = values(b, a, 2);
                        if (!agreed || !answer) continue;
                        ++compared;
                        CHECK(agreed[1] <= answer[1]);  // what one counts on, the other one holds
                        CHECK(answer[2] <= agreed[1]);  // what the other one counts on, the first one does, too
                    }
            }
        } watcher;
        sim.add_observer(watcher);
        CHECK(sim.run() == EndReason::all_home);
        CHECK(sim.metrics().steps().back().team_share == 1);
        CHECK(watcher.compared > 100);
        CHECK(watcher.met > 8);
        CHECK(watcher.met > 2 * watcher.missed);
    }
}

TEST_CASE("strategies that hold a network end by themselves whatever happens to it") {
    for (const std::string& strategy : in_this_file)
        for (const int robots : {1, 2, 3, 8, 16})
            for (const char* trouble :
                 {"", "comm.loss_rate=0.2", "comm.loss_rate=1", "comm.range_m=3\ncomm.base_range_m=3",
                  "comm.range_m=0\ncomm.base_range_m=0", "[[robot]]\ndies_at_step=100"}) {
                CAPTURE(strategy);
                CAPTURE(robots);
                CAPTURE(trouble);
                const Conduct c = run_on_rooms(strategy, robots, trouble);
                const bool ended = c.reason == EndReason::all_home || c.reason == EndReason::nothing_left ||
                                   c.reason == EndReason::all_lost;
                CHECK(ended);
                CHECK(c.stood < 300);
            }
}

TEST_CASE("leader-follower: the base knows a step later what the connected team knew") {
    for (const int robots : {1, 2, 4}) {
        CAPTURE(robots);
        Simulation sim(open_scenario("leader_follower", robots,
                                     "[comm]\nrange_m=6\nbase_range_m=6\n[sensor]\nrange_m=3\n[run]\nsteps=600\n"),
                       {});
        struct Watcher final : Observer {
            std::optional<KnownMap> team;
            const Metrics* metrics = nullptr;
            int robots = 0, connected = 0, steps = 0, broken = 0;
            void on_step(const StepView& view) override {
                const bool linked = [&] {
                    for (const Robot& robot : view.team)
                        if (!robot.belief().briefing().is_base() &&
                            !view.team[0].belief().in_contact(robot.belief().self()))
                            return false;
                    return true;
                }();
                if (team && linked) broken += !knows_all(view.team[0].belief().map(), *team);
                connected += team && linked;
                steps += team.has_value();
                team = known_by_team(view);
            }
        } watcher;
        sim.add_observer(watcher);
        sim.run();
        CHECK(watcher.broken == 0);
        CHECK(watcher.connected >= 0.9 * watcher.steps);
    }
}

TEST_CASE("signal table: free space first, then the nearest measured signal") {
    SignalTable table;
    CHECK_FALSE(table.expect(10, 2.5));
    table.add(10, -80);
    REQUIRE(table.expect(10, 2.5));
    CHECK(table.expect(10, 2.5)->signal_dbm == -80);
    CHECK(table.expect(10, 2.5)->measured);
    // Ten times as far away: 25 dB less, and nothing was measured near that.
    CHECK_FALSE(table.expect(100, 2.5)->measured);
    CHECK(table.expect(100, 2.5)->signal_dbm == doctest::Approx(-105));
    // A sample behind a wall, then a newer one near the sender: what counts is near the formula's value.
    table.add(20, -89);
    table.add(10.5, -80.5);
    CHECK(table.expect(19, 2.5)->signal_dbm == -89);
    CHECK(table.expect(11, 2.5)->signal_dbm == -80.5);
    // One sample in a square of 1 m and 1 dB: the newest.
    table.add(10.7, -80.6);
    CHECK(table.expect(10.5, 2.5)->signal_dbm == -80.6);
}

TEST_CASE("signal table: chance of success by the margin") {
    CHECK(SignalTable::success(-93, -93) == 0);
    CHECK(SignalTable::success(-92.7, -93) == doctest::Approx(0).epsilon(0.01));
    CHECK(SignalTable::success(-92.4, -93) == doctest::Approx(0.5).epsilon(0.01));
    CHECK(SignalTable::success(-80, -93) > 0.999);
    CHECK(SignalTable::success(-200, -93) == 0);
}

TEST_CASE("uva explores regions that are free but not safe, too") {
    const Conduct c = run_on_rooms("uva", 3, "frontier.kind='unsafe'");
    CHECK(c.reason == EndReason::all_home);
    CHECK(c.team_share == 1);
}

TEST_CASE("relay network: every robot in its place hears the base through the network") {
    Simulation sim(open_scenario("relay_network", 6,
                                 "[comm]\nrange_m=6\nbase_range_m=6\n[sensor]\nrange_m=3\n[run]\nsteps=1500\n"),
                   {});
    CHECK(sim.run() != EndReason::step_limit);
    int relays = 0;
    for (const Robot& robot : sim.team()) {
        const Belief& belief = robot.belief();
        if (belief.briefing().is_base() || belief.latest(belief.self()).role != Role::relay) continue;
        ++relays;
        CHECK(belief.base_in_contact());
    }
    CHECK(relays == 5);
    CHECK(sim.metrics().steps().back().team_share > 0.3);
}
