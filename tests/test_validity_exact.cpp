// What holds in every run, of the orderings and invariants that docs/validity.md reports.
#include "helpers.hpp"
#include "shared/topics.hpp"

using namespace outrider;

namespace test_validity_exact {
namespace {

bool knows_all_of(const KnownMap& map, const KnownMap& other) {
    bool all = true;
    other.cells().for_each([&](TileCoord t, const CellTile& tile) {
        const CellTile* mine = map.tile(t);
        for (std::size_t i = 0; i < tile_size; ++i)
            all = all && (tile.known.rows[i] & ~(mine ? mine->known.rows[i] : 0)) == 0;
    });
    return all;
}

/// What those in service know together.
KnownMap joined(std::span<const Robot> team, std::span<const Percept> percepts, int without = -1) {
    KnownMap all(team[0].belief().map().lattice(), team[0].belief().map().frame());
    for (std::size_t i = 0; i < team.size(); ++i) {
        if (!percepts[i].alive || static_cast<int>(i) == without) continue;
        KnownMap copy = team[i].belief().map();
        all.merge(copy.snapshot());
    }
    return all;
}

Scenario rooms(const std::string& strategy, double radio_m, const std::string& more) {
    Notes notes;
    ConfigTable config = parse_config(fmt::format("[team]\nrobots = 4\n[run]\nsteps = 3000\n[sensor]\nrange_m = 4\n"
                                                  "[comm]\nrange_m = {0}\nbase_range_m = {0}\n{1}",
                                                  radio_m, more),
                                      "test");
    config.set({"team.strategy", strategy, "test"});
    return make_scenario(std::move(config), "rooms", rooms_map(160, 120, 11), notes);
}

/// Whenever somebody says a new plan, what all know then has to be known at the base a step later.
struct PlanWatch final : Observer {
    std::int64_t newest = 0;
    std::optional<KnownMap> then;
    int plans = 0, missing = 0;

    void on_step(const StepView& view) override {
        if (then) missing += !knows_all_of(view.team[0].belief().map(), *then);
        then.reset();
        for (const Decision& decision : view.decisions)
            for (const auto& message : decision.outbox)
                for (const Word& word : message->self().words)
                    if (word.topic == topic_places && !word.values.empty() && word.values[0] > newest) {
                        newest = word.values[0];
                        ++plans;
                        then = joined(view.team, view.percepts);
                    }
    }
};

/// What the others knew when a robot died.
struct DeathWatch final : Observer {
    explicit DeathWatch(int s) : step(s) {}
    const int step;
    std::optional<KnownMap> of_others;
    std::size_t lost = 0;

    void on_step(const StepView& view) override {
        if (view.step != step) return;
        REQUIRE_FALSE(view.percepts.back().alive);
        of_others = joined(view.team, view.percepts);
        KnownMap all = *of_others;
        KnownMap victim = view.team.back().belief().map();
        all.merge(victim.snapshot());
        lost = all.count(false) - of_others->count(false);
    }
};

}  // namespace

TEST_CASE("with recurrent connectivity the base knows a step after each plan all that the team knew then (V19)") {
    Simulation sim(rooms("recurrent", 6, ""), {});
    PlanWatch watch;
    sim.add_observer(watch);
    CHECK(sim.run() == EndReason::all_home);
    CHECK(watch.plans > 5);
    CHECK(watch.missing == 0);
    CHECK(sim.metrics().steps().back().base_share > 0.99);
}

TEST_CASE("a robot that dies takes along what it alone knew and nothing else, and the others finish (V21)") {
    std::size_t lost = 0;
    for (const char* strategy : {"mresim_greedy", "market", "role_based(swaps=false)", "role_based"}) {
        CAPTURE(strategy);
        Simulation sim(rooms(strategy, 2.5, "[[robot]]\n[[robot]]\n[[robot]]\n[[robot]]\ndies_at_step = 40\n"), {});
        DeathWatch watch(40);
        sim.add_observer(watch);
        const EndReason reason = sim.run();
        CHECK((reason == EndReason::all_home || reason == EndReason::nothing_left));
        REQUIRE(watch.of_others);
        lost += watch.lost;
        CHECK(knows_all_of(sim.team()[0].belief().map(), *watch.of_others));
        CHECK(sim.metrics().steps().back().base_share > 0.95);
    }
    CHECK(lost > 0);
}

}  // namespace test_validity_exact
