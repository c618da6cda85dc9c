// Checks against maps and team files of MRESim, where OUTRIDER_DATA names a folder with them; skipped without.
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "grid/known_grid.hpp"
#include "helpers.hpp"
#include "plan/path_planner.hpp"
#include "scenario/imports/mresim.hpp"
#include "scenario/imports/scen_file.hpp"
#include "world/map_file.hpp"

using namespace outrider;

namespace test_data {
namespace {

bool no_data() { return std::getenv("OUTRIDER_DATA") == nullptr; }
std::string data(const std::string& path) { return std::string(std::getenv("OUTRIDER_DATA")) + "/mresim/" + path; }

Scenario imported(const std::string& team, const std::string& map, const std::string& strategy = "mresim_greedy") {
    Notes notes;
    ConfigTable config = import_mresim(data("teams/" + team), data("environments/" + map + ".png"), notes);
    config.set({"team.strategy", strategy, "test"});
    return make_scenario(std::move(config), team, "", notes);
}

}  // namespace

TEST_CASE("imported rooms with four robots: no start live-lock, the team knows 20 % by step 60" *
          doctest::skip(no_data())) {
    Scenario s = imported("4robots_rooms", "rooms");
    s.run.steps = 61;
    CHECK(run_scenario(s).team_share >= 0.2);
}

TEST_CASE("over 20 starts permuting the robots' numbers moves the mean T90 by less than 10 %" *
          doctest::skip(no_data())) {
    // The same bodies in the same places, numbered in another order.
    std::vector<double> as_is, permuted;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (const bool permute : {false, true}) {
            Scenario s = imported("4robots_rooms", "rooms");
            Rng rng(seed, 0, Purpose::placement, 0);
            for (std::size_t i = 1; i < s.robots.size(); ++i) {  // starts around the base, the same for both
                for (;;) {
                    const Cell c = s.start_cell(i) +
                                   Cell{static_cast<int>(rng.below(41)) - 20, static_cast<int>(rng.below(21)) - 10};
                    if (s.walls.get(c, 1)) continue;
                    const Point p = s.walls.lattice().centre(c);
                    s.robots[i].x_m = p.x;
                    s.robots[i].y_m = p.y;
                    break;
                }
                s.robots[i].yaw_deg = rng.uniform(-180, 180);
            }
            if (permute)
                std::rotate(s.robots.begin() + 1, s.robots.begin() + 2 + static_cast<int>(seed % 3), s.robots.end());
            s.stop = {StopOf::team, 0.9};
            const Outcome o = run_scenario(s);
            CHECK(o.reason == EndReason::stop_rule);
            (permute ? permuted : as_is).push_back(o.steps);
        }
    }
    const double a = std::accumulate(as_is.begin(), as_is.end(), 0.0) / 20,
                 b = std::accumulate(permuted.begin(), permuted.end(), 0.0) / 20;
    MESSAGE("mean T90 " << a << ", permuted " << b);
    CHECK(std::abs(a - b) < 0.1 * a);
}

TEST_CASE("on MRESim's maps a scan's polygon is falsely free for at most 0.01 % of its cells" *
          doctest::skip(no_data())) {
    for (const auto& [team, map] : {std::pair{"4robots_rooms", "rooms"}, {"intel_4", "intel-map"}}) {
        Simulation sim(imported(team, map), {});
        // Every scan of a run, drawn into an empty map.
        struct Watcher final : Observer {
            explicit Watcher(const Simulation& s) : sim(s) {}
            const Simulation& sim;
            std::int64_t filled = 0, wrong = 0;
            void on_step(const StepView& view) override {
                for (std::size_t i = 1; i < view.team.size(); ++i) {
                    const Briefing& b = view.team[i].belief().briefing();
                    ScanMapper mapper(b.sensors[0], b.lattice, {});
                    KnownMap fresh(b.lattice);
                    mapper.insert(fresh, view.team[i].belief().pose(), view.percepts[i].scans[0], 0);
                    fresh.cells().for_each([&](TileCoord t, const CellTile& tile) {
                        for (int row = 0; row < tile_size; ++row)
                            for (std::uint64_t bits = tile.free_row(row); bits; bits &= bits - 1, ++filled)
                                wrong += sim.driver().world().field().wall(cell_of(t, std::countr_zero(bits), row));
                    });
                }
            }
        } watcher(sim);
        sim.add_observer(watcher);
        sim.run();
        MESSAGE(map << ": falsely free "
                    << 100.0 * static_cast<double>(watcher.wrong) / static_cast<double>(watcher.filled) << " % of "
                    << watcher.filled << " cells");
        CHECK(static_cast<double>(watcher.wrong) <= 1e-4 * static_cast<double>(watcher.filled));
    }
}

TEST_CASE("every team file runs on its map" * doctest::skip(no_data())) {
    for (const auto& [team, map] : {std::pair{"4robots_grass", "grass"},
                                    {"4robots_grass_relay", "grass"},
                                    {"4robots_maze", "maze1"},
                                    {"4robots_rooms_relay", "rooms"},
                                    {"8robots-rooms", "rooms"},
                                    {"8robots-rooms-relays", "rooms"},
                                    {"8robots_library", "library"},
                                    {"8robots_library_relay", "library"},
                                    {"M1_L1_R4", "RAS2014/1"},
                                    {"M1_L4_R8_RB", "RAS2014/1"},
                                    {"M2_L2_R8", "RAS2014/2"},
                                    {"intel_8", "intel-map"},
                                    {"intel_4_relay", "intel-map"}}) {
        CAPTURE(team);
        for (const char* strategy : {"mresim_greedy", "nearest"}) {
            const Outcome o = run_scenario(imported(team, map, strategy));
            CHECK(o.reason == EndReason::stop_rule);
            CHECK(o.base_share >= 0.95);
        }
    }
}

TEST_CASE("the queries of MovingAI's maps have their optimal lengths" * doctest::skip(no_data())) {
    std::size_t queries = 0, wrong = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data("../movingai"))) {
        if (entry.path().extension() != ".scen") continue;
        const ScenFile scen = read_scen(entry.path().string());
        std::vector<NavMap> navs;
        for (const Grid<std::uint8_t>& walls : read_networks(scen, entry.path().string())) {
            navs.emplace_back(FrontierKind::unknown, 0);
            navs.back().update(known_grid(walls), {0, 0});
        }
        const PathPlanner planner;
        for (std::size_t i = 0; i < scen.queries.size(); i += 10) {
            const PathQuery& q = scen.queries[i];
            const Path path = planner.shortest(navs.back().passable(q.from) ? navs.back() : navs[0], q.from, q.to);
            const bool none = q.optimal == 0 && q.from != q.to;
            wrong += path ? none || std::abs(path.length_cells() - q.optimal) > 0.01 : !none;
            ++queries;
        }
    }
    CHECK(queries > 5000);
    CHECK(wrong == 0);
}

}  // namespace test_data
