// The parts of strategies that hold a network together, or meet: chains, connected sets, sectors, signals, machines.
#include <algorithm>
#include <cmath>
#include <limits>

#include "helpers.hpp"
#include "recurrent/connected_set.hpp"
#include "robot/registry.hpp"
#include "sector_rendezvous/sectors.hpp"
#include "shared/chain.hpp"
#include "shared/transitions.hpp"
#include "uva/signal_table.hpp"

using namespace outrider;

namespace test_connectivity {

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
        briefing.start = {0.55, 1.05, 0};
        briefing.bases = {{0, {0.55, 1.05, 0}}};
        Robot robot(briefing, {}, make_strategy("stay", "test"), 1);
        show_all(robot, ground);
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
    for (const Deployment any : {explore, idle, go, back, relay}) {
        CHECK(next(any, {.target = true}) == explore);  // without a station
        CHECK(next(any, {.arrived = true, .good = true, .late = true}) == idle);
        CHECK(next(any, {.station = true, .fresh = true, .target = true, .arrived = true, .good = true}) == go);
    }
    CHECK(next(go, {.station = true}) == go);
    CHECK(next(go, {.station = true, .good = true}) == go);
    CHECK(next(go, {.station = true, .arrived = true}) == go);  // those before it may still be under way
    CHECK(next(go, {.station = true, .arrived = true, .good = true}) == relay);
    CHECK(next(go, {.station = true, .arrived = true, .good = true, .late = true}) == relay);
    CHECK(next(go, {.station = true, .arrived = true, .late = true}) == back);
    CHECK(next(back, {.station = true, .late = true}) == back);
    CHECK(next(back, {.station = true, .good = true, .late = true}) == relay);
    CHECK(next(back, {.station = true, .late = true, .given_up = true}) == explore);
    CHECK(next(explore, {.station = true, .target = true}) == explore);  // it gave its station up
    CHECK(next(explore, {.station = true}) == idle);
    CHECK(next(idle, {.station = true, .target = true}) == explore);
    CHECK(next(relay, {.station = true, .target = true, .late = true, .given_up = true}) == relay);
    CHECK(next(relay, {.station = true, .cut_off = true}) == explore);
}

TEST_CASE("time preference: each transition") {
    using enum DeliveryState;
    for (const DeliveryState any : {explore, bring, alone}) {
        CHECK(next(any, {.base = true, .gave = true, .took = true, .owes = true, .short_of_share = true}) == explore);
        CHECK(next(any, {.home = true, .owes = true, .short_of_share = true}) == alone);
    }
    CHECK(next(explore, {}) == explore);
    CHECK(next(explore, {.owes = true}) == explore);
    CHECK(next(explore, {.owes = true, .short_of_share = true}) == bring);
    CHECK(next(explore, {.took = true, .owes = true}) == bring);
    CHECK(next(explore, {.took = true}) == explore);
    CHECK(next(bring, {.owes = true}) == bring);
    CHECK(next(bring, {}) == explore);
    CHECK(next(bring, {.gave = true, .owes = true}) == explore);
    CHECK(next(bring, {.gave = true, .took = true, .owes = true}) == bring);
    CHECK(next(bring, {.gave = true, .owes = true, .short_of_share = true}) == bring);
    for (int bits = 0; bits < 16; ++bits)
        CHECK(next(alone, {false, false, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0}) == alone);
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

TEST_CASE("bottleneck assignment: the longest path is as short as trying everything finds") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Rng rng(seed, 1, Purpose::placement, 0);
        const std::size_t rows = 1 + rng.below(6), columns = 1 + rng.below(static_cast<std::uint32_t>(rows));
        std::vector<std::vector<double>> costs(rows, std::vector<double>(columns));
        for (auto& row : costs)
            for (double& cost : row)
                cost = rng.uniform() < 0.2 ? std::numeric_limits<double>::infinity() : rng.below(20);
        std::vector<std::size_t> order(rows);
        for (std::size_t i = 0; i < rows; ++i) order[i] = i;
        std::pair<std::size_t, double> best{0, 0};  // columns served, minus the longest path
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

TEST_CASE("sweep and meet: each transition") {
    using enum SectorState;
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

}  // namespace test_connectivity
