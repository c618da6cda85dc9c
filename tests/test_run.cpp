#include <cstdlib>

#include "helpers.hpp"
#include "log/step_recorder.hpp"
#include "messages/map_payload.hpp"

using namespace outrider;

namespace test_run {
namespace {

/// Runs and calls look(simulation) after each step.
template <class Look>
EndReason run_looking(Simulation& sim, Look look) {
    struct Watcher final : Observer {
        explicit Watcher(std::function<void(const StepView&)> f) : look(std::move(f)) {}
        void on_step(const StepView& view) override { look(view); }
        std::function<void(const StepView&)> look;
    };
    Watcher watcher(look);
    sim.add_observer(watcher);
    return sim.run();
}

Scenario rooms_scenario(const std::string& toml, std::uint64_t seed = 5, int width = 260, int height = 200) {
    Notes notes;
    return make_scenario(parse_config(toml, "rooms"), "rooms", rooms_map(width, height, seed), notes);
}

const std::vector<std::string> corridor{"##################################",  //
                                        "#B1.#############################",   //
                                        "###.####################.........#",  //
                                        "###.####################.#######.#",  //
                                        "###......................#######.#",  //
                                        "################################.#",  //
                                        "##......................########.#",  //
                                        "##.####################..........#",  //
                                        "##################################"};

std::vector<std::string> padded(std::vector<std::string> rows) {
    std::size_t width = 0;
    for (const std::string& r : rows) width = std::max(width, r.size());
    for (std::string& r : rows) r.resize(width, '#');
    return rows;
}

const std::vector<std::string> pocket{"####################",  //
                                      "#.........#........#",  //
                                      "#.........#........#",  //
                                      "#...B.1...#..####..#",  //
                                      "#............#..#..#",  //
                                      "#.........#..#..#..#",  //
                                      "#.........#..####..#",  //
                                      "####################"};

const std::vector<std::string> slit{"##############################",  //
                                    "#.............#..............#",  //
                                    "#.............#..............#",  //
                                    "#.............#..............#",  //
                                    "#...B..1......#..............#",  //
                                    "#............................#",  //
                                    "#.............#..............#",  //
                                    "#.............#..............#",  //
                                    "#.............#..............#",  //
                                    "##############################"};

}  // namespace

TEST_CASE("a one-cell corridor and an unreachable pocket end at exactly 100 % of what can be sensed") {
    for (const char* strategy : {"nearest", "mresim_greedy"})
        for (const auto* rows : {&corridor, &pocket})
            for (const char* update : {"polygon", "per_beam"}) {
                CAPTURE(strategy);
                CAPTURE(update);
                const Scenario s = text_scenario(
                    padded(*rows), fmt::format("[team]\nstrategy='{}'\n[mapping]\nupdate='{}'\n", strategy, update));
                const Outcome o = run_scenario(s);
                CHECK(o.reason == EndReason::all_home);
                CHECK(o.team_share == 1);
                CHECK(o.base_share == 1);
            }
}

TEST_CASE("behind a window slit that the body cannot pass, all that can be sensed is sensed") {
    for (const char* strategy : {"nearest", "mresim_greedy"}) {
        CAPTURE(strategy);
        const Scenario s = text_scenario(slit, fmt::format("[team]\nstrategy='{}'\n[body]\nradius_m=0.1\n", strategy));
        Simulation sim(s, {});
        std::int64_t behind = 0;
        sim.run();
        for (std::size_t i = 0; i < sim.sensable().cells().size(); ++i)
            behind += sim.sensable().cells()[i] && i % 30 > 14;
        CHECK(behind > 30);  // a part of the other room is in sight, never all of it
        CHECK(behind < 8 * 14);
        CHECK(sim.metrics().steps().back().team_share == 1);
        CHECK(sim.driver().world().body(1).pose.x < 1.5);
    }
}

TEST_CASE("what the base knows, the team knows; what its connected robots knew, it knows a step later") {
    for (const char* delivery : {"component", "hop"}) {
        CAPTURE(delivery);
        const Scenario s = rooms_scenario(
            fmt::format("[comm]\nrange_m=8\nbase_range_m=8\ndelivery='{}'\n[run]\nsteps=250\n", delivery));
        Simulation sim(s, {});
        std::vector<Hash128> before;
        std::vector<MapSnapshot> maps;
        int connected = 0;
        run_looking(sim, [&](const StepView& view) {
            const StepMetrics& row = sim.metrics().steps().back();
            CHECK(row.base_cells <= row.team_cells);
            CHECK(row.team_cells <= sim.metrics().coverage().sensable());
            // Everything that a linked robot said in the last step is in the base's map.
            for (const Received& r : view.percepts[0].inbox) {
                const PlaneSnapshot<CellTile>& theirs = *r.message->payload->map->cells;
                for (const auto& [at, block] : theirs.blocks)
                    for (std::size_t i = 0; i < 16; ++i) {
                        if (!block->data.tiles[i]) continue;
                        const TileCoord t{at.x * 4 + static_cast<int>(i % 4), at.y * 4 + static_cast<int>(i / 4)};
                        const CellTile* mine = view.team[0].map().tile(t);
                        REQUIRE(mine);
                        CellTile merged;
                        CHECK(merge_cells(*mine, block->data.tiles[i]->data, merged).rows == 0);
                    }
                ++connected;
            }
        });
        CHECK(connected > 50);
    }
}

TEST_CASE("the same digest at 1, 2, 3 and 8 threads, and another for another seed") {
    const std::string toml =
        "[team]\nrobots=7\n[comm]\nrange_m=6\nloss_rate=0.2\n[noise]\nrange_m=0.005\n[run]\nsteps=120\n[start]\njitter_"
        "cells=3\n";
    const Scenario s = rooms_scenario(toml);
    const Outcome one = run_scenario(s, 1);
    for (const int threads : {2, 3, 8}) {
        const Outcome more = run_scenario(s, threads);
        CHECK(more.digest == one.digest);
        CHECK(more.steps == one.steps);
    }
    CHECK(run_scenario(rooms_scenario(toml + "[run]\n" == ""
                                          ? ""
                                          : "[run]\nsteps=120\nseed=2\n" + toml.substr(0, toml.find("[run]")) +
                                                "[start]\njitter_cells=3\n"))
              .digest != one.digest);
}

TEST_CASE("the golden runs come out as they are written down") {
    // tests/golden/runs.txt: name, steps, digest. OUTRIDER_REGENERATE=1 writes it anew.
    std::string text;
    for (const char* strategy : {"nearest", "mresim_greedy", "random_walk"})
        for (const char* variant : {"", "[comm]\nrange_m=5\ndelivery='hop'\nloss_rate=0.1\n",
                                    "[mapping]\nupdate='per_beam'\n[sensor]\nrange_m=4\n[frontier]\nkind='unsafe'\n",
                                    "[body]\nradius_m=0.2\nkinematics='diff_drive'\n"}) {
            const Outcome o = run_scenario(
                rooms_scenario(fmt::format("[team]\nrobots=3\nstrategy='{}'\n[run]\nsteps=80\n", strategy) + variant));
            std::string name = variant;
            std::replace(name.begin(), name.end(), '\n', ' ');
            text += fmt::format("{} {}: {} steps, {}\n", strategy, name, o.steps, o.digest.hex());
        }
    const std::string path = OUTRIDER_SOURCE_DIR "/tests/golden/runs.txt";
    if (std::getenv("OUTRIDER_REGENERATE")) write_text(path, text);
    CHECK(text == read_text(path));
}

TEST_CASE("a run replays from its percepts without a world, and a changed decision is noticed") {
    const Scenario s = rooms_scenario("[team]\nrobots=3\n[comm]\nrange_m=6\nloss_rate=0.1\n[run]\nsteps=100\n");
    Simulation sim(s, {});
    StepRecorder recorder(sim.briefings());
    sim.add_observer(recorder);
    sim.run();

    const RecordedRun& log = recorder.log();
    LogDriver driver(log);
    std::vector<Robot> team = make_team(s, log.briefings, false);
    Run run{driver, team, {}, {}};
    run.limits.steps = 1 << 30;
    CHECK(run_to_end(run) == EndReason::log_ended);
    CHECK(run.steps == 100);
    CHECK_FALSE(driver.divergence());
    CHECK(run.digest == sim.progress().digest);

    Scenario other = s;
    other.robots[2].strategy = "nearest";
    LogDriver again(log);
    std::vector<Robot> others = make_team(other, log.briefings, false);
    Run second{again, others, {}, {}};
    second.limits.steps = 1 << 30;
    run_to_end(second);
    REQUIRE(again.divergence());
    CHECK(again.divergence()->robot == 2);
    CHECK(second.steps == 100);  // plays on
}

TEST_CASE("a run ends for the reason that holds") {
    const auto reason = [](const std::string& toml) { return run_scenario(text_scenario(pocket, toml)).reason; };
    CHECK(reason("") == EndReason::all_home);
    CHECK(reason("[run]\nsteps=3") == EndReason::step_limit);
    CHECK(reason("[stop]\nof='team'\nfraction=0.5") == EndReason::stop_rule);
    CHECK(reason("[stop]\nof='base'\nfraction=1") == EndReason::stop_rule);
    CHECK(reason("[team]\nstrategy='random_walk'\n[run]\nsteps=50") == EndReason::step_limit);
    CHECK(reason("[team]\nstrategy='stay'") == EndReason::nothing_left);
    CHECK(reason("[team]\nbases=0\nstrategy='stay'") == EndReason::all_home);
    std::vector<std::string> far = pocket;
    far[3] = "#...B.....#..####.1#";
    CHECK(run_scenario(text_scenario(far, "[team]\nstrategy='stay'")).reason == EndReason::nothing_left);
    std::atomic<bool> interrupted{true};
    SimulationOptions options;
    options.interrupted = &interrupted;
    Simulation sim(text_scenario(pocket, ""), options);
    CHECK(sim.run() == EndReason::interrupted);
    CHECK(sim.progress().steps == 1);
    CHECK(run_scenario(text_scenario(
                           {"....", ".B1.", "...."},
                           "[[robot]]\ndies_at_step=4\nx_m=0.25\ny_m=0.15\nstrategy='random_walk'\n[team]\nrobots=1\n"))
              .reason == EndReason::all_lost);
}

TEST_CASE("a robot that dies says and does nothing any more; its knowledge leaves the team's") {
    const Scenario s = rooms_scenario(
        "[team]\nrobots=2\n[comm]\nrange_m=0.1\nbase_range_m=0.1\n[[base]]\n[[robot]]\n[[robot]]\ndies_at_step=30\n["
        "run]\nsteps=40\n");
    Simulation sim(s, {});
    std::int64_t before = 0;
    Pose pose;
    run_looking(sim, [&](const StepView& view) {
        if (view.step == 29) before = sim.metrics().steps().back().team_cells;
        if (view.step == 29) pose = sim.driver().world().body(2).pose;
        CHECK(view.percepts[2].alive == (view.step < 30));
        if (view.step < 30) return;
        CHECK(view.decisions[2].outbox.empty());
        CHECK(view.percepts[1].links.empty());
        CHECK(sim.driver().world().body(2).pose == pose);
        CHECK(sim.metrics().steps().back().alive == 1);
    });
    CHECK(sim.metrics().steps()[30].team_cells < before);
}

TEST_CASE("noise is drawn per robot and step: another robot's options do not change a robot's noise") {
    const auto motion_of = [](const std::string& toml) {
        Simulation sim(text_scenario(slit, toml + "[noise]\nodometry_share=0.1\nrange_m=0.02\n[team]\nrobots="
                                                  "2\nstrategy='random_walk'\n[run]\nsteps=5\n[comm]\nrange_m=0\n"),
                       {});
        std::vector<Hash128> percepts;
        run_looking(sim, [&](const StepView& view) { percepts.push_back(hash_of(view.percepts[1])); });
        return percepts;
    };
    CHECK(motion_of("") == motion_of(""));
    Simulation exact(text_scenario(slit, "[run]\nsteps=1"), {}),
        noisy(text_scenario(slit, "[run]\nsteps=1\n[noise]\nrange_m=0.02"), {});
    exact.run();
    noisy.run();
    const auto& a = exact.progress().percepts[1].scans[0].ranges;
    const auto& b = noisy.progress().percepts[1].scans[0].ranges;
    int differing = 0;
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        differing += a[i] != b[i];
        if (a[i] != Scan::nothing) squares += std::pow((a[i] - b[i]) / 1000.0, 2.0);
    }
    CHECK(differing > 150);
    CHECK(std::sqrt(squares / static_cast<double>(a.size())) == doctest::Approx(0.02).epsilon(0.2));
}

TEST_CASE("what is off draws nothing: options of a part that is not used leave the digest as it is") {
    const Hash128 plain = run_scenario(text_scenario(pocket, "")).digest;
    CHECK(run_scenario(text_scenario(pocket, "[radio]\nwall_db=9\nmodel='circle'\n")).digest ==
          run_scenario(text_scenario(pocket, "[radio]\nwall_db=1\nmodel='circle'\n")).digest);
    CHECK(run_scenario(text_scenario(pocket, "[comm]\nloss_rate=0\n[noise]\nrange_m=0\n")).digest == plain);
}

}  // namespace test_run
