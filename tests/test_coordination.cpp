// What is exact about the strategies that share out goals, and what they share out by.
#include <algorithm>
#include <cmath>
#include <set>

#include "helpers.hpp"
#include "robot/registry.hpp"
#include "shared/team_plan.hpp"
#include "shared/topics.hpp"
#include "shared/utility_sharing.hpp"

using namespace outrider;

namespace test_coordination {

TEST_CASE("V10: alone, nearest, burgard, minpos and wavefront go to the same places, whatever beta is") {
    // In map 1 two frontiers are once equally far.
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        std::vector<std::vector<Pose>> tracks;
        const std::string spacing = fmt::format("goal_spacing={}", seed % 2 == 0 ? 0 : 0.25);
        for (const char* options : {"nearest(hysteresis_share=0, ", "minpos(", "wavefront(", "burgard(",
                                    "burgard(beta=0.02, visibility=learned, ", "burgard(beta=50, "}) {
            const std::string strategy = options + spacing + ")";
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

TEST_CASE("leftovers are shared out without a word: robots with the same map take all of them, and none twice") {
    std::size_t shared = 0;
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
        Notes notes;
        const Scenario s =
            make_scenario(parse_config("[team]\nstrategy='nearest'\nrobots=3\n[sensor]\nrange_m=20\n", "s"), "s",
                          rooms_map(240, 200, seed), notes);
        Simulation sim(s, {});
        for (int k = 0; k < 400 && !sim.done(); ++k) {
            sim.step();
            std::set<Hash128> maps;
            std::set<Cell> taken;
            std::size_t all = 0, sum = 0;
            for (const Robot& robot : sim.team()) {
                if (robot.belief().briefing().is_base()) continue;
                const std::vector<Frontier>& frontiers = robot.belief().frontiers();
                maps.insert(robot.map_name());
                all = frontiers.size();
                if (std::any_of(frontiers.begin(), frontiers.end(), [](const Frontier& f) { return !f.leftover; }))
                    all = 0;
                for (const Frontier& f : candidate_frontiers(robot.belief())) taken.insert(f.goal), ++sum;
            }
            if (maps.size() > 1 || all < 3) continue;  // other maps, other parts; fewer than robots: all may have them
            CHECK(sum == all);
            CHECK(taken.size() == all);
            ++shared;
        }
    }
    CHECK(shared > 0);
}

TEST_CASE("a target that is gone is replaced in the same step, and no sooner than min_gap_steps asks for") {
    for (const int gap : {1, 4}) {
        CAPTURE(gap);
        Simulation sim(Midway::scenario(1), {});
        for (int k = 0; k < 20; ++k) sim.step();
        const Belief& belief = sim.team()[1].belief();
        ReplanGuard::Options options;
        options.period_steps = 10'000;
        options.min_gap_steps = gap;
        ReplanGuard guard(options);
        CHECK(guard.due(belief, false));  // the first choice
        CHECK(!guard.due(belief, true));  // chosen in this very step
        for (int k = 1; k <= gap; ++k) {
            sim.step();
            CHECK(guard.due(belief, true) == (k == gap));
        }
        sim.step();
        CHECK(!guard.due(belief, false));
    }
}

TEST_CASE(
    "a long frontier becomes as many goals as the formula says, all of them frontier cells that see the unknown") {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const Midway midway(seed);
        const Belief& belief = midway.belief();
        const std::vector<Frontier> whole = candidate_frontiers(belief);
        REQUIRE(!whole.empty());
        for (const double share : {0.2, 0.5, 10.0}) {
            const double spacing = share * sensor_range_cells(belief);
            std::size_t expected = 0;
            for (const Frontier& f : whole)
                expected += static_cast<std::size_t>(1 + std::floor(f.size / spacing + 0.5));
            const std::vector<Frontier> parts = frontier_goals(belief, {.goal_spacing = share});
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
        const std::vector<Cell> goals = goals_of(frontier_goals(belief, {.goal_spacing = 0.2}));
        REQUIRE(goals.size() > team.size());
        const CostMatrix all = path_costs(belief, team, goals, goals.size());
        const CostMatrix few = path_costs(belief, team, goals, team.size());
        for (std::size_t g = 0; g < goals.size(); ++g) {
            const Path& path = belief.path_to(goals[g]);
            CHECK(all(own_row(belief, team), g) == (path ? path.cost_cells() : no_path));
        }
        for (std::size_t r = 0; r < team.size(); ++r) {
            std::size_t known = 0;
            for (std::size_t g = 0; g < goals.size(); ++g) {
                if (few(r, g) == no_path) continue;
                ++known;
                CHECK(few(r, g) == all(r, g));
            }
            CHECK(known == team.size());
        }
        for (const auto assign : {hungarian, cheapest_pairs}) {
            const auto sum = [&](const CostMatrix& costs) {
                const std::vector<int> assigned = assign(costs);
                double total = 0;
                for (std::size_t r = 0; r < team.size(); ++r)
                    if (assigned[r] >= 0) total += costs(r, static_cast<std::size_t>(assigned[r]));
                return total;
            };
            CHECK(sum(few) == doctest::Approx(sum(all)));
        }
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
    OwnWorth own{1, {}};
    CHECK(share_by_utility(belief, costs, goals, {1, 4, {}}, visibility, utilities, &own) == std::vector<int>{0, 2});
    // The second to choose: the first one's goal has taken its share of what is in sight of it.
    REQUIRE(own.goals.size() == 3);
    CHECK(own.goals[0] == doctest::Approx(1 - 1 - 0.2));
    CHECK(own.goals[1] == doctest::Approx(1 - 0.75 - 1));
    CHECK(own.goals[2] == doctest::Approx(1 - 0.5 - 0.3));
    CHECK(*std::max_element(own.goals.begin(), own.goals.end()) == own.goals[2]);
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
            return {.action = RandomStep{}};
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
            CHECK(watcher.led > 10);
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
            if (belief.step() >= from) intent.action = Stay{};
            return intent;
        }
    };
    const auto goal_of = [](const Intent& intent) {
        const auto* path = std::get_if<Goto>(&intent.action);
        return path ? std::optional(path->goal) : std::nullopt;
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

}  // namespace test_coordination
