// Strategies that explore beyond the reach of the radio, or hold a network together while they explore.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "beside.hpp"
#include "helpers.hpp"
#include "robot/registry.hpp"
#include "shared/topics.hpp"
#include "standing_watch.hpp"

using namespace outrider;

namespace test_beyond_range {
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
                                            "role_based(strict_swaps=true)",
                                            "role_based(relays=2)",
                                            "role_based(relays_explore=true, rendezvous='multi_point')",
                                            "role_based(swaps=false, rendezvous='through_walls')",
                                            "role_based(relays=2, rendezvous='simple')"};

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
    return {reason, sim.progress().steps, last.team_share, last.base_share,
            std::max(watch.longest, watch.longest_wait)};
}

}  // namespace

TEST_CASE("recurrent connectivity: a step after every plan the base knows what the team knew") {
    int alone = 0;
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
                        if (word.topic == topic_places && word.values.at(0) >> 20 == view.step && !team) {
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
        CHECK(watcher.alone > 0);  // in between it is not
        alone += watcher.alone;
    }
    CHECK(alone > 50);
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
                    for (const StrategyEvent& h : decision.strategy_events) {
                        met += h.kind == StrategyEvent::Kind::met;
                        missed += h.kind == StrategyEvent::Kind::missed;
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

TEST_CASE("strategies that hold a network end by themselves whatever happens to it" * slow()) {
    std::vector<std::tuple<std::string, int, const char*>> runs;
    for (const int robots : {16, 8, 3, 2, 1})  // those that take long first
        for (const std::string& strategy : in_this_file)
            for (const char* trouble :
                 {"", "comm.loss_rate=0.2", "comm.loss_rate=1", "comm.range_m=3\ncomm.base_range_m=3",
                  "comm.range_m=0\ncomm.base_range_m=0", "[[robot]]\ndies_at_step=100"})
                runs.emplace_back(strategy, robots, trouble);
    beside_each_other(runs.size(), [&](std::size_t k) {
        const auto& [strategy, robots, trouble] = runs[k];
        CAPTURE(strategy);
        CAPTURE(robots);
        CAPTURE(trouble);
        const Conduct c = run_on_rooms(strategy, robots, trouble);
        const bool ended =
            c.reason == EndReason::all_home || c.reason == EndReason::nothing_left || c.reason == EndReason::all_lost;
        CHECK(ended);
        CHECK(c.stood < 300);
    });
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

TEST_CASE("leader-follower: the first robot waits where the chain would break, and ends the run") {
    static const Grid<std::uint8_t> walls = rooms_map(150, 120, 2);
    Notes notes;
    const Scenario s =
        make_scenario(parse_config("team.strategy='leader_follower'\nteam.robots=3\nsensor.range_m=4\nrun.steps=1500\n"
                                   "comm.range_m=4\ncomm.base_range_m=4",
                                   "s"),
                      "s", walls, notes);
    SimulationOptions watched;
    watched.overlays = true;
    Simulation sim(s, watched);
    struct Watcher final : Observer {
        std::map<std::string, int> leads, follows;  // steps in each state
        std::string before;
        int drove_on = 0, after_end = 0;
        void on_step(const StepView& view) override {
            for (std::size_t i = 1; i < view.decisions.size(); ++i)
                for (const Overlay& overlay : view.decisions[i].overlays) {
                    if (overlay.layer != "state") continue;
                    const bool last = i + 1 == view.decisions.size();
                    ++(last ? leads : follows)[overlay.text];
                    if (!last) continue;
                    drove_on += overlay.text == "wait for the chain" && !view.decisions[i].command.path_body.empty();
                    after_end += before == "finished" && overlay.text == "lead";
                    before = overlay.text;
                }
        }
    } watcher;
    sim.add_observer(watcher);
    CHECK(sim.run() == EndReason::all_home);
    for (const char* state : {"lead", "wait for the chain", "finished"}) {
        CAPTURE(state);
        CHECK(watcher.leads[state] > 0);
    }
    CHECK(watcher.leads["follow"] == 0);
    CHECK(watcher.follows["follow"] > 0);
    CHECK(watcher.follows["lead"] == 0);
    CHECK(watcher.drove_on == 0);
    CHECK(watcher.before == "finished");
    CHECK(watcher.after_end == 0);
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
    CHECK(relays >= 1);
    CHECK(sim.metrics().steps().back().team_share > 0.3);
}

namespace {

/// A run in one of the shipped environments.
Conduct run_shipped(const std::string& map, const std::string& strategy, std::int64_t robots, double radios_m,
                    std::int64_t steps, std::int64_t seed = 1) {
    ConfigTable config = load_config(fmt::format(OUTRIDER_SOURCE_DIR "/environments/{}.toml", map));
    config.set({"team.strategy", strategy, "test"});
    config.set({"team.robots", robots, "test"});
    config.set({"run.steps", steps, "test"});
    config.set({"run.seed", seed, "test"});
    if (radios_m > 0)
        for (const char* range : {"comm.range_m", "comm.base_range_m"}) config.set({range, radios_m, "test"});
    Notes notes;
    Simulation sim(make_scenario(std::move(config), map, OUTRIDER_SOURCE_DIR "/environments", notes), {});
    const EndReason reason = sim.run();
    const StepMetrics& last = sim.metrics().steps().back();
    return {reason, sim.progress().steps, last.team_share, last.base_share};
}

}  // namespace

TEST_CASE("time preference: the more the base was promised, the more often a robot comes home") {
    std::vector<Conduct> runs;
    for (const char* ratio : {"0", "0.5", "0.9", "1"})
        runs.push_back(run_shipped("rooms", fmt::format("time_preference(ratio={})", ratio), 1, 5, 300, 2));
    for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(i);
        CHECK(runs[i].team_share > runs[i + 1].team_share);
        CHECK(runs[i].base_share / runs[i].team_share < runs[i + 1].base_share / runs[i + 1].team_share);
    }
    CHECK(runs[0].base_share < 0.1);  // what it saw from home
    CHECK(runs[3].base_share > 0.95 * runs[3].team_share);
}

TEST_CASE("far from the radio's reach one or two robots come to an end, whatever they measured of the signal" *
          slow()) {
    std::vector<std::string> names;
    for (const StrategyInfo& info : strategies())
        if (info.traits.explores && info.name != "external" && !info.name.starts_with("test_"))
            names.push_back(info.name);
    // The one that takes by far the longest begins, so that nobody waits for it alone at the end.
    std::partition(names.begin(), names.end(), [](const std::string& name) { return name == "rrt"; });
    constexpr std::array runs{std::tuple{"office", 2, 3}, std::tuple{"rooms", 1, 1}, std::tuple{"rooms", 1, 2}};
    beside_each_other(names.size() * runs.size(), [&](std::size_t k) {
        const std::string& name = names[k / runs.size()];
        const auto& [map, robots, seed] = runs[k % runs.size()];
        CAPTURE(name);
        CAPTURE(map);
        CAPTURE(seed);
        const Conduct c = run_shipped(map, name, robots, 0, 8000, seed);
        CHECK(c.reason == EndReason::all_home);
        CHECK(c.base_share > 0.99);
    });
}

TEST_CASE("recurrent connectivity and relay networks find places that short radios reach") {
    // Their sensors see farther than that; 10 % is what they begin with.
    CHECK(run_shipped("open", "recurrent", 8, 8, 3000).team_share > 0.3);
    CHECK(run_shipped("open", "relay_network", 8, 8, 3000).team_share > 0.2);
}

}  // namespace test_beyond_range
