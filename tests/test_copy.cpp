// A copy of a run: it and its original go on as the run would have without it, whichever goes first.
#include "helpers.hpp"
#include "messages/operator_options.hpp"
#include "robot/registry.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;

namespace test_copy {
namespace {

constexpr const char* lively =
    "[run]\nsteps=70\nseed=5\n[start]\njitter_cells=6\nrandom_heading=true\n[noise]\nrange_m=0.01\n[comm]\n"
    "range_m=6\nbase_range_m=6\nloss_rate=0.2\n";

Scenario rooms(const std::string& toml) {
    Notes notes;
    return make_scenario(parse_config(toml, "rooms"), "rooms", rooms_map(200, 150, 4), notes);
}

void go_on(Simulation& sim, int steps) {
    for (int k = 0; k < steps && !sim.done(); ++k) sim.step();
}

Hash128 end_of(Simulation& sim) {
    if (sim.perceived()) sim.act();
    sim.run();
    return sim.progress().digest;
}

/// Copies a run at these steps and, where `halved`, between the halves of a step. Returns whether it could be copied.
bool expect_equal_copies(const Scenario& scenario, std::initializer_list<int> steps, bool halved = false) {
    Simulation whole{Scenario(scenario)};
    const Hash128 digest = end_of(whole);
    for (const int at : steps) {
        CAPTURE(at);
        Simulation original{Scenario(scenario)};
        go_on(original, at);
        if (halved && !original.done()) original.perceive();
        std::optional<Simulation> first = original.copy();
        if (!first) return false;
        std::optional<Simulation> second = first->copy();
        REQUIRE(second.has_value());
        CHECK(end_of(*first) == digest);    // before its original
        CHECK(end_of(original) == digest);  // undisturbed by it
        first.reset();
        Simulation{std::move(original)};   // gone with all that it had
        CHECK(end_of(*second) == digest);  // a copy of a copy, of which nothing else is left
        CHECK(second->metrics().summary(*second->end(), 70).size() == whole.metrics().summary(*whole.end(), 70).size());
    }
    return true;
}

}  // namespace

TEST_CASE("a copy goes on as its original, with every strategy that can be copied") {
    std::vector<std::string> not_copied;
    for (const StrategyInfo& info : strategies()) {
        if (info.name == "external" || info.name == "python" || info.name == "tour") continue;
        CAPTURE(info.name);
        const std::string team = fmt::format("[team]\nrobots=3\nstrategy='{}'\n", info.name);
        if (!expect_equal_copies(rooms(team + lively), {0, 13, 40})) not_copied.push_back(info.name);
    }
    CHECK(not_copied == std::vector<std::string>{});
}

TEST_CASE("a copy between the halves of a step has its percepts") {
    CHECK(expect_equal_copies(rooms(std::string("[team]\nrobots=3\n") + lively), {0, 20}, true));
}

TEST_CASE("a copy goes on as its original, with every feature that can be copied") {
    for (const char* name :
         {"battery", "changing", "crowd", "dying_robot", "failures", "fading", "glass", "hazards", "hills", "hop",
          "late", "lossy", "mixed_team", "narrow_link", "prior", "rough", "second_channel", "shared_air", "smoke"}) {
        CAPTURE(name);
        Notes notes;
        const std::string file = fmt::format(OUTRIDER_SOURCE_DIR "/environments/{}.toml", name);
        const Scenario scenario = load_scenario(file, {{"run.steps", std::int64_t{50}, "test"}}, notes);
        CHECK(expect_equal_copies(scenario, {17}));
    }
    CHECK(expect_equal_copies(
        rooms(std::string("[team]\nrobots=3\n[crowd]\npeople=6\ntracks=true\n[sensor]\nrange_m=8\n") + lively), {17}));
}

TEST_CASE("a run with matched scans is not copied") {
    CHECK_FALSE(
        Simulation(rooms("[team]\nrobots=2\n[slam]\nmethod='scan_match'\n[noise]\nodometry_share=0.05\n")).copy());
}

}  // namespace test_copy
