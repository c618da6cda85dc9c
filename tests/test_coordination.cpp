// The parts that coordinating strategies share, against brute force, and what is exact about the strategies.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "helpers.hpp"
#include "outrider/gain.hpp"
#include "outrider/ray.hpp"
#include "outrider/teamwork.hpp"
#include "outrider/topics.hpp"
#include "outrider/tours.hpp"
#include "outrider/utility_sharing.hpp"

using namespace outrider;

namespace {

CostMatrix random_costs(std::size_t rows, std::size_t columns, Rng& rng, bool whole, double gaps) {
    CostMatrix costs(rows, columns);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            const double cost = whole ? rng.below(6) : rng.uniform(0, 100);
            costs(r, c) = rng.uniform() < gaps ? no_way : cost;
        }
    return costs;
}

/// (pairs, sum) of the best assignment, by trying all.
std::pair<int, double> best_by_trying(const CostMatrix& costs, std::size_t row, std::vector<bool>& taken) {
    if (row == costs.rows()) return {0, 0};
    std::pair<int, double> best = best_by_trying(costs, row + 1, taken);
    for (std::size_t c = 0; c < costs.columns(); ++c) {
        if (taken[c] || costs(row, c) == no_way) continue;
        taken[c] = true;
        auto [pairs, sum] = best_by_trying(costs, row + 1, taken);
        taken[c] = false;
        ++pairs;
        sum += costs(row, c);
        if (pairs > best.first || (pairs == best.first && sum < best.second)) best = {pairs, sum};
    }
    return best;
}

std::pair<int, double> value_of(const CostMatrix& costs, const std::vector<int>& assigned) {
    std::pair<int, double> value{0, 0};
    std::vector<bool> taken(costs.columns(), false);
    for (std::size_t r = 0; r < costs.rows(); ++r) {
        if (assigned[r] < 0) continue;
        const auto c = static_cast<std::size_t>(assigned[r]);
        CHECK_FALSE(taken[c]);
        taken[c] = true;
        CHECK(costs(r, c) < no_way);
        ++value.first;
        value.second += costs(r, c);
    }
    return value;
}

TourCosts random_tour_costs(int goals, Rng& rng) {
    std::vector<Point> places;
    for (int i = 0; i <= goals; ++i) places.push_back({rng.uniform(0, 100), rng.uniform(0, 100)});
    const auto n = static_cast<std::size_t>(goals);
    TourCosts costs{std::vector<double>(n), CostMatrix(n, n, 0)};
    for (std::size_t i = 0; i < n; ++i) {
        costs.start[i] = distance(places[n], places[i]);
        for (std::size_t k = 0; k < n; ++k) costs.between(i, k) = distance(places[i], places[k]);
    }
    return costs;
}

}  // namespace

TEST_CASE("the Hungarian method finds what trying all assignments finds, also with impossible pairs") {
    Rng rng(1, 0, Purpose::placement, 0);
    for (int i = 0; i < 600; ++i) {
        const std::size_t rows = 1 + rng.below(5), columns = 1 + rng.below(6);
        const CostMatrix costs = random_costs(rows, columns, rng, i % 2 == 0, i % 3 == 0 ? 0.4 : 0);
        std::vector<bool> taken(columns, false);
        const auto [pairs, sum] = best_by_trying(costs, 0, taken);
        const auto [got_pairs, got_sum] = value_of(costs, hungarian(costs));
        CHECK(got_pairs == pairs);
        CHECK(got_sum == doctest::Approx(sum));
    }
    CHECK(hungarian(CostMatrix(0, 3)).empty());
    CHECK(hungarian(CostMatrix(2, 0)) == std::vector<int>{-1, -1});
    CHECK(hungarian(CostMatrix(2, 2)) == std::vector<int>{-1, -1});
}

TEST_CASE("cheapest pairs are taken in the order of their cost, and all rows get something when asked") {
    CostMatrix costs(3, 2);
    costs(0, 0) = 5;
    costs(0, 1) = 4;
    costs(1, 0) = 6;
    costs(1, 1) = 1;
    costs(2, 0) = 9;
    CHECK(cheapest_pairs(costs) == std::vector<int>{0, 1, -1});
    CHECK(assign_all(costs, cheapest_pairs) == std::vector<int>{0, 1, 0});
    CHECK(assign_all(costs, hungarian) == std::vector<int>{0, 1, 0});
    CHECK(assign_all(CostMatrix(2, 1), hungarian) == std::vector<int>{-1, -1});
}

TEST_CASE("k-means puts every point with the nearest centre, and centres in the middle of their points") {
    Rng rng(2, 0, Purpose::placement, 0);
    for (int i = 0; i < 50; ++i) {
        std::vector<Point> points;
        for (int k = 0; k < 40; ++k) points.push_back({rng.uniform(0, 10), rng.uniform(0, 10)});
        const std::size_t count = 1 + rng.below(5);
        const std::vector<Point> seeds = spread_centres(points, count);
        CHECK(seeds.size() == count);
        const Clustering c = kmeans(points, seeds, 1000);
        for (std::size_t k = 0; k < count; ++k) {
            Point sum;
            int n = 0;
            for (std::size_t p = 0; p < points.size(); ++p) {
                if (c.cluster[p] != static_cast<int>(k)) continue;
                sum = sum + points[p];
                ++n;
                for (const Point& other : c.centres)
                    CHECK(distance(points[p], c.centres[k]) <= distance(points[p], other) + 1e-12);
            }
            REQUIRE(n > 0);
            CHECK(distance(sum * (1.0 / n), c.centres[k]) < 1e-9);
        }
    }
    const std::vector<Point> same(4, Point{1, 1});
    CHECK(spread_centres(same, 3).size() == 1);
    CHECK(spread_centres({}, 3).empty());
}

TEST_CASE("the best split of a few points in two is found from spread seeds") {
    const std::vector<Point> points{{0, 0}, {1, 0}, {0, 1}, {9, 9}, {10, 9}, {9, 10}};
    const auto within = [&](const std::vector<int>& cluster) {
        double sum = 0;
        for (std::size_t a = 0; a < points.size(); ++a)
            for (std::size_t b = 0; b < points.size(); ++b)
                if (cluster[a] == cluster[b]) sum += std::pow(distance(points[a], points[b]), 2);
        return sum;
    };
    double least = 1e9;
    for (int mask = 1; mask < 63; ++mask) {
        std::vector<int> cluster;
        for (int k = 0; k < 6; ++k) cluster.push_back(mask >> k & 1);
        least = std::min(least, within(cluster));
    }
    CHECK(within(kmeans(points, spread_centres(points, 2), 20).cluster) == doctest::Approx(least));
}

TEST_CASE("tours: insertion costs what the tour grows by, and improvement ends near the best order") {
    Rng rng(3, 0, Purpose::placement, 0);
    int best_found = 0, cases = 0;
    for (int i = 0; i < 60; ++i) {
        const int goals = 2 + i % 6;
        const TourCosts costs = random_tour_costs(goals, rng);
        std::vector<int> order(static_cast<std::size_t>(goals));
        std::iota(order.begin(), order.end(), 0);
        const std::vector<int> but_last(order.begin(), order.end() - 1);
        const Insertion in = cheapest_insertion(costs, but_last, goals - 1);
        double least = no_way;
        for (std::size_t k = 0; k <= but_last.size(); ++k) {
            std::vector<int> longer = but_last;
            longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(k), goals - 1);
            least = std::min(least, tour_cost(costs, longer) - tour_cost(costs, but_last));
        }
        CHECK(in.cost == doctest::Approx(least));
        double best = no_way;
        do best = std::min(best, tour_cost(costs, order));
        while (std::next_permutation(order.begin(), order.end()));
        const std::vector<int> tour = short_tour(costs);
        CHECK(tour.size() == static_cast<std::size_t>(goals));
        CHECK(std::is_permutation(tour.begin(), tour.end(), order.begin()));
        CHECK(tour_cost(costs, tour) <= 1.2 * best);
        best_found += tour_cost(costs, tour) < best + 1e-9;
        ++cases;
    }
    CHECK(best_found >= cases * 9 / 10);
    TourCosts unreachable{{no_way, 1}, CostMatrix(2, 2, 1)};
    CHECK(short_tour(unreachable) == std::vector<int>{1});
}

TEST_CASE("Choquet: additive weights give the weighted sum, others what the definition says") {
    Rng rng(4, 0, Purpose::placement, 0);
    for (int i = 0; i < 100; ++i) {
        const std::array<double, 3> w{0.5, 0.3, 0.2}, u{rng.uniform(), rng.uniform(), rng.uniform()};
        std::array<double, 8> additive{}, other{0, 0.5, 0.3, 0.95, 0.2, 0.7, 0.4, 1};
        for (std::size_t mask = 0; mask < 8; ++mask)
            for (std::size_t k = 0; k < 3; ++k) additive[mask] += mask >> k & 1 ? w[k] : 0;
        CHECK(choquet(u, additive) == doctest::Approx(w[0] * u[0] + w[1] * u[1] + w[2] * u[2]));
        // The integral over levels: of each level the weight of the criteria that reach it.
        double integral = 0;
        constexpr int levels = 20000;
        for (int k = 0; k < levels; ++k) {
            std::size_t mask = 0;
            for (std::size_t c = 0; c < 3; ++c) mask |= static_cast<std::size_t>(u[c] > (k + 0.5) / levels) << c;
            integral += other[mask] / levels;
        }
        CHECK(choquet(u, other) == doctest::Approx(integral).epsilon(0.001));
    }
}

TEST_CASE("unknown in sight: the whole disc where nothing is known, nothing in a closed room, a part through a door") {
    const KnownMap nothing(Lattice{0.1});
    CHECK(unknown_in_sight(nothing, {5, 5}, 30) == doctest::Approx(pi * 900).epsilon(1e-9));
    CHECK(unknown_within(nothing, {5, 5}, 1) == 5);
    Grid<std::uint8_t> closed(80, 80, 0, Lattice{0.1});
    for (int i = 20; i <= 60; ++i)
        for (const Cell c : {Cell{i, 20}, {i, 60}, {20, i}, {60, i}}) closed[c] = 1;
    KnownMap room(Lattice{0.1});
    const auto learn = [&](const Grid<std::uint8_t>& walls) {  // the room with its walls, nothing else
        room = KnownMap(Lattice{0.1});
        for (int y = 20; y <= 60; ++y)
            for (int x = 20; x <= 60; ++x) {
                CellTile claim;
                const Cell c{x, y};
                claim.set(c, walls[c] ? CellState::occupied : CellState::free);
                room.observe(tile_of(c), claim, 0);
            }
    };
    learn(closed);
    CHECK(unknown_in_sight(room, {40, 40}, 35) == 0);
    Grid<std::uint8_t> open = closed;
    for (int x = 35; x <= 45; ++x) open[{x, 60}] = 0;
    learn(open);
    // By hand: unknown cells of which the middle is in range and in sight.
    int in_sight = 0;
    for (int y = 0; y < 110; ++y)
        for (int x = 0; x < 110; ++x)
            if (room.state({x, y}) == CellState::unknown && squared_distance({x, y}, {40, 40}) <= 35 * 35)
                in_sight += walk_segment({40.5, 40.5}, {x + 0.5, y + 0.5},
                                         [&](Cell c, double) { return !room.is_occupied(c); });
    REQUIRE(in_sight > 50);
    CHECK(unknown_in_sight(room, {40, 40}, 35, 720) == doctest::Approx(in_sight).epsilon(0.06));
    int near = 0;
    for (int y = 0; y < 110; ++y)
        for (int x = 0; x < 110; ++x)
            near += room.state({x, y}) == CellState::unknown && squared_distance({x, y}, {55, 50}) <= 20 * 20;
    CHECK(unknown_within(room, {55, 50}, 20) == near);
}

TEST_CASE("discs overlap wholly at distance 0, not at all from two radii on, and as counting says in between") {
    CHECK(disc_overlap(0, 10) == doctest::Approx(1));
    CHECK(disc_overlap(20, 10) == 0);
    int both = 0, one = 0;
    for (int y = -200; y <= 200; ++y)
        for (int x = -200; x <= 300; ++x) {
            const bool a = x * x + y * y <= 40000, b = (x - 150) * (x - 150) + y * y <= 40000;
            one += a;
            both += a && b;
        }
    CHECK(disc_overlap(150, 200) == doctest::Approx(double(both) / one).epsilon(0.01));
}

TEST_CASE("V10: alone, nearest, burgard, minpos and wavefront go to the same places, whatever beta is") {
    // In map 1 two frontiers are once equally far.
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        std::vector<std::vector<Pose>> tracks;
        for (const char* strategy :
             {"nearest(hysteresis_share=0)", "minpos", "wavefront", "burgard(goal_spacing=0)",
              "burgard(goal_spacing=0, beta=0.02, visibility=learned)", "burgard(goal_spacing=0, beta=50)"}) {
            CAPTURE(strategy);
            Notes notes;
            const Scenario s = make_scenario(
                parse_config(fmt::format("[team]\nstrategy='{}'\nrobots=1\n[sensor]\nrange_m=5\n", strategy), "s"), "s",
                rooms_map(220, 180, seed), notes);
            Simulation sim(s, {});
            struct Track final : Observer {
                std::vector<Pose> poses;
                void on_step(const StepView& view) override { poses.push_back(view.team.back().belief().pose()); }
            } track;
            sim.add_observer(track);
            CHECK(sim.run() == EndReason::all_home);
            tracks.push_back(std::move(track.poses));
            CHECK(tracks.back().size() > 100);
            CHECK(tracks.back() == tracks.front());
        }
    }
}

namespace {

/// A team in the middle of its exploration.
struct Midway {
    explicit Midway(std::uint64_t seed, int steps = 40) : sim(scenario(seed), options(steps)) { sim.run(); }
    static Scenario scenario(std::uint64_t seed) {
        Notes notes;
        return make_scenario(parse_config("[team]\nstrategy='minpos'\nrobots=4\n[sensor]\nrange_m=5\n", "s"), "s",
                             rooms_map(240, 200, seed), notes);
    }
    static SimulationOptions options(int steps) {
        SimulationOptions o;
        o.stop_after = steps;
        return o;
    }
    const Belief& belief(std::size_t robot = 1) const { return sim.team()[robot].belief(); }
    Simulation sim;
};

}  // namespace

TEST_CASE(
    "a long frontier becomes as many goals as the formula says, all of them frontier cells that see the unknown") {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const Midway midway(seed);
        const Belief& belief = midway.belief();
        const std::vector<Frontier> whole = candidate_frontiers(belief);
        REQUIRE(!whole.empty());
        CHECK(goal_candidates(belief, 0).size() == whole.size());
        for (const double spacing : {10.0, 25.0, 1000.0}) {
            std::size_t expected = 0;
            for (const Frontier& f : whole)
                expected += static_cast<std::size_t>(1 + std::floor(f.size / spacing + 0.5));
            const std::vector<Frontier> parts = goal_candidates(belief, spacing);
            CHECK(parts.size() <= expected);
            CHECK(parts.size() * 10 >= expected * 8);  // a part that sees nothing unknown straight ahead is no goal
            int cells = 0;
            for (const Frontier& f : parts) {
                CHECK(belief.nav().frontier(f.goal));
                CHECK(belief.nav().reached(f.goal));
                CHECK(belief.map().state(f.look) == CellState::unknown);
                CHECK(f.size > 0);
                cells += f.size;
            }
            int all = 0;
            for (const Frontier& f : whole) all += f.size;
            CHECK(cells <= all);
            CHECK(cells * 10 >= all * 8);
        }
    }
}

TEST_CASE("costs of ways are those of the paths, and the n nearest goals of each are enough for the least sum") {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        const Midway midway(seed);
        const Belief& belief = midway.belief();
        const std::vector<Participant> team = participants(belief, {});
        REQUIRE(team.size() == 4);
        CHECK(team[own_row(belief, team)].robot == belief.self());
        const std::vector<Cell> goals = goals_of(goal_candidates(belief, 10));
        REQUIRE(goals.size() > team.size());
        const CostMatrix all = way_costs(belief, team, goals, goals.size());
        const CostMatrix few = way_costs(belief, team, goals, team.size());
        for (std::size_t g = 0; g < goals.size(); ++g) {
            const Path& path = belief.path_to(goals[g]);
            CHECK(all(own_row(belief, team), g) == (path ? path.cost_cells() : no_way));
        }
        for (std::size_t r = 0; r < team.size(); ++r) {
            std::size_t known = 0;
            for (std::size_t g = 0; g < goals.size(); ++g) {
                if (few(r, g) == no_way) continue;
                ++known;
                CHECK(few(r, g) == all(r, g));
            }
            CHECK(known == team.size());
        }
        CHECK(value_of(few, hungarian(few)).second == doctest::Approx(value_of(all, hungarian(all)).second));
        CHECK(value_of(few, cheapest_pairs(few)).second == doctest::Approx(value_of(all, cheapest_pairs(all)).second));
    }
}

TEST_CASE(
    "sharing by utility: the best pair first, goals in sight of a taken one lose, absent robots' goals count as "
    "taken") {
    const Midway midway(2);
    const Belief& belief = midway.belief();
    const Cell here = belief.cell();
    const std::vector<Cell> goals{here, here + Cell{1, 0}, here + Cell{2, 0}};  // all in sight of each other
    CostMatrix costs(2, 3, 100);
    costs(0, 0) = 10;
    costs(1, 0) = 20;
    costs(1, 2) = 30;
    const VisibilityModel visibility(Visibility::linear);
    std::vector<double> utilities;
    CHECK(share_by_utility(belief, costs, goals, {1, 4, {}}, visibility, utilities) == std::vector<int>{0, 2});
    CHECK(utilities[0] == doctest::Approx(1 - 1 - 0.5));
    CHECK(utilities[1] == doctest::Approx(1 - 0.75 - 0.75));
    CHECK(utilities[2] == doctest::Approx(1 - 0.5 - 1));
    utilities.clear();
    CHECK(share_by_utility(belief, costs, goals, {0.01, 1, {goals[0]}}, visibility, utilities) ==
          std::vector<int>{1, 2});
}

TEST_CASE("visibility is learned from the own beams") {
    struct Asker final : Strategy {  // asks while it drives: a belief has its scans during a step only
        VisibilityModel model{Visibility::learned};
        double reached = 0, beams = 0, *share, *expected;
        Asker(double* s, double* e) : share(s), expected(e) {}
        Intent choose(const Belief& belief, Rng&) override {
            model.learn(belief);
            for (const Scan& scan : belief.percept().scans)
                for (const std::uint16_t r : scan.ranges) {
                    if (r == Scan::no_information) continue;
                    ++beams;
                    reached += r == Scan::nothing || r * belief.briefing().sensors[0].range_unit_m >= 2;
                }
            *share = model(20, 50);  // 2 m
            *expected = reached / beams;
            return {.motive = RandomStep{}};
        }
    };
    CHECK(VisibilityModel(Visibility::learned)(10, 50) == doctest::Approx(0.8));  // nothing learned yet: linear
    const Scenario s = Midway::scenario(1);
    const std::vector<Briefing> briefings = make_briefings(s);
    const std::unique_ptr<SimDriver> driver = make_driver(s);
    double share = -1, expected = -2;
    std::vector<Robot> team;
    for (std::size_t i = 0; i < briefings.size(); ++i)
        team.emplace_back(briefings[i], RobotOptions{},
                          i == 1 ? std::make_unique<Asker>(&share, &expected) : make_strategy("stay", "test"), 1);
    Run run{*driver, team, {}, {}};
    for (int k = 0; k < 20; ++k) step(run);
    CHECK(expected > 0);
    CHECK(share == doctest::Approx(expected));
}

TEST_CASE("a team led by the robot that it elects explores everything, also when that one dies or messages get lost") {
    for (const char* strategy : {"burgard(planner=leader)", "goal_candidates(planner=leader)",
                                 "segmentation(planner=leader)", "mcdm(planner=leader)"})
        for (const char* trouble : {"", "[comm]\nloss_rate=0.2\n", "[[robot]]\n[[robot]]\ndies_at_step=40\n"}) {
            CAPTURE(strategy);
            CAPTURE(trouble);
            Notes notes;
            const Scenario s = make_scenario(
                parse_config(fmt::format("[team]\nstrategy='{}'\nrobots=4\n[sensor]\nrange_m=4\n[run]\nsteps=2000\n{}",
                                         strategy, trouble),
                             "s"),
                "s", rooms_map(150, 120, 3), notes);
            Simulation sim(s, {});
            struct Watcher final : Observer {
                int led = 0, followed = 0;
                void on_step(const StepView& view) override {
                    // What the leader said a step ago is where its followers go, or near it.
                    for (std::size_t i = 0; i < view.team.size(); ++i) {
                        const Belief& belief = view.team[i].belief();
                        if (!view.percepts[i].alive || belief.briefing().is_base()) continue;
                        for (const Word& word : belief.latest(belief.self()).words) {
                            if (word.topic != topic_plan) continue;
                            ++led;
                            for (std::size_t k = 0; k + 2 < word.values.size(); k += 3) {
                                const auto& goal = view.team[static_cast<std::size_t>(word.values[k])].belief();
                                const auto at = goal.latest(goal.self()).goal;
                                if (!at) continue;
                                const Cell to{static_cast<int>(word.values[k + 1]),
                                              static_cast<int>(word.values[k + 2])};
                                followed += squared_distance(goal.map().lattice().cell_of(*at), to) <= 64;
                            }
                        }
                    }
                }
            } watcher;
            sim.add_observer(watcher);
            sim.run();
            CHECK(sim.metrics().steps().back().team_share > 0.99);
            CHECK(watcher.led > 20);
            CHECK(watcher.followed > watcher.led);  // more than the leader itself
        }
}

TEST_CASE("where all have heard all, the leader gives each robot what it would give itself") {
    /// Explores, then stands still, so that what is heard catches up with what is so; says what its strategy says.
    struct Pause final : Strategy {
        std::unique_ptr<Strategy> inner;
        int from;
        Pause(std::unique_ptr<Strategy> s, int step) : inner(std::move(s)), from(step) {}
        Intent choose(const Belief& belief, Rng& rng) override {
            Intent intent = inner->choose(belief, rng);
            if (belief.step() >= from) intent.motive = Stay{};
            return intent;
        }
    };
    const auto goal_of = [](const Intent& intent) {
        const auto* way = std::get_if<Goto>(&intent.motive);
        return way ? std::optional(way->goal) : std::nullopt;
    };
    for (const std::string name : {"burgard(", "goal_candidates(assign=greedy, ", "goal_candidates(assign=iterative, ",
                                   "goal_candidates(", "segmentation(segment_period_steps=1, ", "mcdm("}) {
        CAPTURE(name);
        Notes notes;
        const Scenario s =
            make_scenario(parse_config("[team]\nrobots=4\n[sensor]\nrange_m=4\n[comm]\nrange_m=1000", "s"), "s",
                          rooms_map(150, 120, 3), notes);
        const std::vector<Briefing> briefings = make_briefings(s);
        const std::unique_ptr<SimDriver> driver = make_driver(s);
        std::vector<Robot> team;
        for (const Briefing& b : briefings)
            team.emplace_back(b, RobotOptions{},
                              b.is_base() ? make_strategy("stay", "test")
                                          : std::make_unique<Pause>(
                                                make_strategy(name + "period_steps=5, planner=leader)", "test"), 15),
                              1);
        Run run{*driver, team, {}, {}};
        for (int k = 0; k < 15 + 20; ++k) step(run);  // all have heard all, and a plan was made since
        int leaders = 0, told = 0;
        for (const Robot& chief : team)
            for (const Word& word : chief.belief().latest(chief.belief().self()).words) {
                if (word.topic != topic_plan) continue;
                ++leaders;
                for (std::size_t k = 0; k + 2 < word.values.size(); k += 3) {
                    const Belief& belief = team[static_cast<std::size_t>(word.values[k])].belief();
                    Rng rng(1, 0, Purpose::strategy, 0);
                    const auto own = goal_of(make_strategy(name + "planner=each)", "test")->choose(belief, rng));
                    REQUIRE(own);
                    CHECK(belief.map().lattice().cell_of(*own) ==
                          Cell{static_cast<int>(word.values[k + 1]), static_cast<int>(word.values[k + 2])});
                    ++told;
                }
            }
        CHECK(leaders == 1);
        CHECK(told == 4);
    }
}
