// The shortest paths at any angle beside jump points and pulled paths: 60 queries on each of some known maps.
// tools/bench prints them.
#include <benchmark/benchmark.h>

#include "base/config.hpp"
#include "cpu_time.hpp"
#include "grid/known_grid.hpp"
#include "outrider/rng.hpp"
#include "plan/any_angle/taut_path.hpp"
#include "plan/path_planner.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;

namespace {

constexpr std::array<const char*, 8> taut_maps{"office", "hospital", "campus", "maze",
                                               "cave",   "forest",   "ruin",   "school"};

void bench_taut_paths(benchmark::State& state, const std::string& name) {
    const std::string folder = OUTRIDER_SOURCE_DIR "/environments";
    Notes notes;
    const Scenario scenario = make_scenario(load_config(folder + "/" + name + ".toml"), name, folder, notes);
    const KnownMap map = known_grid(scenario.walls);
    Rng rng(1, 0, Purpose::placement, 0);
    const auto random_cell = [&] {
        return scenario.walls.cell(rng.below(static_cast<std::uint32_t>(scenario.walls.cells().size())));
    };
    NavMap nav(FrontierKind::unknown, 0);
    Cell first = random_cell();
    while (scenario.walls[first]) first = random_cell();
    nav.update(map, first);
    std::vector<std::pair<Cell, Cell>> queries;
    while (queries.size() < 60) {
        const Cell start = random_cell(), goal = random_cell();
        if (nav.reached(start) && nav.reached(goal)) queries.emplace_back(start, goal);
    }
    const PathPlanner planner;
    for (const auto& [start, goal] : queries) planner.shortest(nav, start, goal);  // what is kept is known
    double kept_us = 0, jps_us = 0, pull_us = 0, taut_us = 0, excess = 0, looked = 0;
    const auto timed = [](double& sum, auto&& call) {
        const double begin = thread_cpu_us();
        auto result = call();
        sum += thread_cpu_us() - begin;
        return result;
    };
    for (auto _ : state)
        for (const auto& [start, goal] : queries) {
            const Cell from = start, to = goal;
            const Path path = timed(kept_us, [&] { return planner.shortest(nav, from, to); });
            const PathPlanner fresh;
            timed(jps_us, [&] { return fresh.shortest(nav, from, to); });
            const Point here{static_cast<double>(from.x), static_cast<double>(from.y)};
            const auto pulled = timed(pull_us, [&] { return any_angle(nav, here, path.cells); });
            const TautPath taut = timed(taut_us, [&] { return taut_path(nav, from, to); });
            double length = 0;
            Point at = here;
            for (const Cell c : pulled) {
                const Point next{static_cast<double>(c.x), static_cast<double>(c.y)};
                length += distance(at, next);
                at = next;
            }
            excess += length / taut.length_cells - 1;
            looked += static_cast<double>(taut.expansions);
        }
    const double queries_done = static_cast<double>(state.iterations()) * static_cast<double>(queries.size());
    state.counters["jps_kept_us"] = kept_us / queries_done;
    state.counters["jps_us"] = jps_us / queries_done;
    state.counters["pull_us"] = pull_us / queries_done;
    state.counters["taut_us"] = taut_us / queries_done;
    state.counters["taut_to_jps"] = taut_us / jps_us;
    state.counters["pulled_excess_percent"] = 100 * excess / queries_done;
    state.counters["expansions"] = looked / queries_done;
}

[[maybe_unused]] const bool taut_paths_registered = [] {
    for (const std::string name : taut_maps)
        benchmark::RegisterBenchmark(("taut_paths/" + name).c_str(),
                                     [name](benchmark::State& s) { bench_taut_paths(s, name); })
            ->Unit(benchmark::kMillisecond)
            ->Iterations(3);
    return true;
}();

}  // namespace
