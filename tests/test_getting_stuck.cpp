// Robots that would stand for no good reason: called stuck because they waited, waiting for the dead, blind to the
// base.
#include "helpers.hpp"
#include "outrider/behaviours.hpp"

using namespace outrider;

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
