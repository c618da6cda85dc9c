// Who reports to whom, as the layer "hierarchy" shows it.
#include <chrono>
#include <set>
#include <thread>

#include "helpers.hpp"
#include "view/snapshot_maker.hpp"
#include "view/source.hpp"

using namespace outrider;
using namespace outrider::view;

namespace test_view_hierarchy {
namespace {

using Parents = std::vector<RobotId>;

Scenario rooms(const std::string& team, const std::string& more = "") {
    Notes notes;
    return make_scenario(
        parse_config(fmt::format("[team]\n{}\n[comm]\nrange_m=6\nbase_range_m=6\n[run]\nsteps={}\n{}", team, 400, more),
                     "rooms"),
        "rooms", rooms_map(200, 150, 4), notes);
}

Parents parents_in(const StepView& view) {
    Parents out;
    for (std::size_t i = 0; i < view.team.size(); ++i)
        out.push_back(superior(view.team[i].belief().briefing(), view.decisions[i].overlays));
    return out;
}

SimulationOptions with_reasons() {
    SimulationOptions options;
    options.overlays = true;
    return options;
}

/// After the first step.
Parents parents_of(const Scenario& scenario) {
    struct Watcher final : Observer {
        void on_step(const StepView& view) override { parents = parents_in(view); }
        Parents parents;
    } watcher;
    SimulationOptions options = with_reasons();
    options.stop_after = 1;
    Simulation sim(scenario, options);
    sim.add_observer(watcher);
    sim.run();
    return watcher.parents;
}

}  // namespace

TEST_CASE("a team that names no parents has those of its strategy; one without a hierarchy has none") {
    CHECK(parents_of(rooms("robots=4\nstrategy='role_based'")) == Parents{-1, 0, 1, 0, 3});
    CHECK(parents_of(rooms("robots=3\nstrategy='role_based(relays=2)'")) == Parents{-1, 2, 0, 1});
    CHECK(parents_of(rooms("robots=3\nstrategy='leader_follower'")) == Parents{-1, 0, 1, 2});
    CHECK(parents_of(rooms("robots=3\nstrategy='nearest'")) == Parents{-1, -1, -1, -1});
}

TEST_CASE("parents that the scenario names count, with a strategy that knows of them and with one that does not") {
    const std::string named =
        "[[robot]]\nname='a'\nrole='relay'\n[[robot]]\nname='b'\n[[robot]]\nname='c'\nparent='a'\n";
    for (const char* strategy : {"role_based", "nearest"}) {
        CAPTURE(strategy);
        const Parents parents = parents_of(rooms(fmt::format("robots=3\nstrategy='{}'", strategy), named));
        CHECK(parents[3] == 1);
        CHECK(parents[1] == (strategy == std::string("nearest") ? -1 : 0));
    }
}

TEST_CASE("robots that exchange their roles exchange their parents") {
    const Scenario scenario = rooms("robots=4\nstrategy='role_based'");
    struct Watcher final : Observer {
        void on_step(const StepView& view) override {
            for (const Decision& d : view.decisions)
                for (const StrategyEvent& h : d.strategy_events) swaps += h.kind == StrategyEvent::Kind::swapped;
            seen.insert(parents_in(view));
        }
        int swaps = 0;
        std::set<Parents> seen;
    } watcher;
    Simulation sim(scenario, with_reasons());
    sim.add_observer(watcher);
    sim.run();
    REQUIRE(watcher.swaps > 0);
    CHECK(watcher.seen.size() > 1);
    for (const Parents& parents : watcher.seen) {
        CHECK(parents[0] == -1);
        CHECK(std::count(parents.begin(), parents.end(), 0) >= 1);  // somebody reports to the base
    }
}

TEST_CASE("the window is told who reports to whom, live and from a log") {
    const TemporaryFolder folder;
    const Scenario scenario = rooms("robots=2\nstrategy='role_based'");
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    options.stop_after = 3;
    Simulation(scenario, options).run();
    for (const bool live : {true, false}) {
        CAPTURE(live);
        const std::unique_ptr<Source> source = live ? make_live(scenario, {}, {}) : make_replay(folder / "run.sqlite");
        std::optional<Snapshot> first;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!first && std::chrono::steady_clock::now() < end) {
            first = source->telemetry().take();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        REQUIRE(first);
        REQUIRE(first->robots.size() == 3);
        CHECK(first->robots[0].parent == -1);
        CHECK(first->robots[1].parent == 0);
        CHECK(first->robots[2].parent == 1);
    }
}

}  // namespace test_view_hierarchy
