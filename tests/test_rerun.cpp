#include "helpers.hpp"
#include "pictures/map_canvas.hpp"
#include "pictures/picture.hpp"
#include "simulation/rerun.hpp"

using namespace outrider;

namespace test_rerun {
namespace {

Scenario small_scenario() {
    Notes notes;
    return make_scenario(
        parse_config(
            "[team]\nrobots=3\nstrategy='mresim_greedy'\n[comm]\nrange_m=6\nbase_range_m=6\nloss_rate=0.1\n[start]\n"
            "jitter_cells=3\nrandom_heading=true\n[run]\nsteps=150\nseed=9\n",
            "small"),
        "small", rooms_map(200, 150, 4), notes);
}

}  // namespace

TEST_CASE("a log is enough to run its scenario again, step by step the same") {
    const TemporaryFolder folder;
    const Scenario original = small_scenario();
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    Simulation(original, options).run();

    LogReader log(folder / "run.sqlite");
    const Scenario again = log.scenario();
    CHECK(again.hash() == original.hash());
    CHECK(again.walls == original.walls);
    const LogSteps steps = log.steps();
    REQUIRE(steps.steps.size() > 80);
    REQUIRE(steps.robot_hashes.size() == steps.steps.size());
    for (const bool overlays : {false, true}) {  // showing reasons changes nothing
        SimulationOptions plain;
        plain.overlays = overlays;
        Simulation sim(again, plain);
        HashCheck check(steps);
        sim.add_observer(check);
        sim.run();
        CHECK(check.compared() == static_cast<int>(steps.steps.size()));
        CHECK_FALSE(check.divergence().has_value());
    }
    // Only so far, though the robots know the mission's length as before.
    SimulationOptions part;
    part.stop_after = 40;
    Simulation sim(again, part);
    HashCheck check(steps);
    sim.add_observer(check);
    sim.run();
    CHECK(check.compared() == 40);
    CHECK_FALSE(check.divergence().has_value());
}

TEST_CASE("the log of a run again that ends where the old run was interrupted says so, and is as if recorded then") {
    struct Interrupter final : Observer {
        std::atomic<bool> now{false};
        void on_step(const StepView& view) override { now = view.step == 39; }
    };
    const TemporaryFolder folder;
    for (const std::string name : {"then", "again"}) {
        Interrupter interrupter;
        SimulationOptions options;
        options.log_path = folder / name;
        options.interrupted = name == "then" ? &interrupter.now : nullptr;
        options.stop_after = name == "then" ? 0 : 40;
        Simulation sim(small_scenario(), options);
        sim.add_observer(interrupter);
        CHECK(sim.run() == (name == "then" ? EndReason::interrupted : EndReason::step_limit));
        CHECK(LogReader(folder / name).meta().at("end_reason") == "interrupted");
    }
    CHECK(LogReader(folder / "again").digest() == LogReader(folder / "then").digest());
}

TEST_CASE("in a picture of a run the team does not know any more what a robot took with it") {
    const auto known_when = [](int dies_at_step) {
        Scenario scenario = small_scenario();
        scenario.robots[1].dies_at_step = dies_at_step;
        SimulationOptions options;
        options.stop_after = 26;
        Simulation sim(scenario, options);
        TrackRecorder tracks(sim.driver());
        sim.add_observer(tracks);
        sim.run();
        scene::Stage stage(scenario);
        const Raster drawn = draw_run(moment_of(sim, tracks.tracks(), stage), "");
        int known = 0;
        for (std::size_t k = 0; k < drawn.values.size(); k += 3)
            known += drawn.values[k] == ink::known.red && drawn.values[k + 1] == ink::known.green &&
                     drawn.values[k + 2] == ink::known.blue;
        return std::pair(known, sim.metrics().steps().back().team_share);
    };
    const auto whole = known_when(-1), less = known_when(25);
    REQUIRE(less.second < 0.95 * whole.second);
    // Tracks and marks hide a few cells of each.
    CHECK(static_cast<double>(less.first) / whole.first == doctest::Approx(less.second / whole.second).epsilon(0.05));
}

TEST_CASE("a rerun names the first step and robot that diverge, and goes on over a gap") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    Simulation(small_scenario(), options).run();
    LogReader log(folder / "run.sqlite");
    const auto first_difference = [&](const LogSteps& steps) {
        Simulation sim(log.scenario(), {});
        HashCheck check(steps);
        sim.add_observer(check);
        sim.run();
        return check.divergence();
    };
    LogSteps changed = log.steps();
    for (const std::size_t step : {80u, 70u}) {
        changed.hashes[step].low ^= 1;
        changed.robot_hashes[step][2] ^= 1;
    }
    auto found = first_difference(changed);
    REQUIRE(found.has_value());
    CHECK(found->step == 70);
    CHECK(found->robot == 2);
    changed.robot_hashes.clear();  // a log that does not tell robots apart
    CHECK(first_difference(changed)->robot == -1);

    LogSteps gap = log.steps();
    const auto cut = [&](auto& list) { list.erase(list.begin() + 20, list.begin() + 60); };
    cut(gap.steps);
    cut(gap.hashes);
    cut(gap.robot_hashes);
    CHECK_FALSE(first_difference(gap).has_value());
    // Another strategy diverges.
    Scenario other = log.scenario();
    for (RobotEntry& r : other.robots)
        if (r.role == Role::explorer) r.strategy = "nearest";
    Simulation sim(other, {});
    const LogSteps steps = log.steps();
    HashCheck check(steps);
    sim.add_observer(check);
    sim.run();
    CHECK(check.divergence().has_value());
}

TEST_CASE("strategies that choose show their candidates and the rule that fired") {
    for (const char* strategy : {"nearest", "mresim_greedy"}) {
        CAPTURE(strategy);
        Scenario s = small_scenario();
        for (RobotEntry& r : s.robots)
            if (r.role == Role::explorer) r.strategy = strategy;
        SimulationOptions options;
        options.overlays = true;
        options.stop_after = 30;
        Simulation sim(s, options);
        struct Look final : Observer {
            void on_step(const StepView& view) override {
                if (view.step != 29) return;
                for (std::size_t i = 1; i < view.decisions.size(); ++i) {
                    const std::vector<Overlay>& shown = view.decisions[i].overlays;
                    REQUIRE(shown.size() == 2);
                    CHECK(shown[0].layer == "candidates");
                    CHECK(!shown[0].points.empty());
                    CHECK(shown[0].points.size() == shown[0].values.size());
                    CHECK(shown[1].layer == "rule");
                    CHECK(!shown[1].text.empty());
                    ++seen;
                }
            }
            int seen = 0;
        } look;
        sim.add_observer(look);
        sim.run();
        CHECK(look.seen == 3);
    }
}

TEST_CASE(
    "the sample log still comes out as it is; tools/make_sample makes it anew when decisions are meant to change") {
    LogReader log(OUTRIDER_SOURCE_DIR "/logs/sample/small_office.sqlite");
    const LogSteps steps = log.steps();
    CHECK(steps.damaged.empty());
    CHECK(steps.steps.size() <= 300);
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "again.sqlite";
    Simulation sim(log.scenario(), options);
    HashCheck check(steps);
    sim.add_observer(check);
    sim.run();
    CHECK(check.compared() == static_cast<int>(steps.steps.size()));
    CHECK_FALSE(check.divergence().has_value());
    CHECK(LogReader(folder / "again.sqlite").digest() == log.digest());
}

}  // namespace test_rerun
