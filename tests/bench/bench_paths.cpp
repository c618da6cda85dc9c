// Shortest paths against the textbook: queries of MovingAI's maps, the same ones for all. tools/bench prints the
// ratios.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <queue>

#include "grid/known_grid.hpp"
#include "outrider/path.hpp"
#include "plan/distance_field.hpp"
#include "plan/path_planner.hpp"
#include "scenario/imports/scen_file.hpp"
#include "world/map_file.hpp"

using namespace outrider;

namespace {

struct Place {
    Grid<std::uint8_t> walls;
    NavMap nav;
    std::vector<PathQuery> queries;  // every tenth

    explicit Place(const std::string& file) {
        const ScenFile scen = read_scen(file);
        MapOptions options;
        walls = read_map(options, scen.map).walls;
        nav = NavMap(FrontierKind::unknown, 0);
        nav.update(known_grid(walls), {0, 0});
        for (std::size_t i = 0; i < scen.queries.size(); i += 10)
            if (!walls[scen.queries[i].from]) queries.push_back(scen.queries[i]);
    }
};

/// A* as it stands in textbooks: a binary heap with doubles, octile distance, bytes for walls; its arrays are made once
/// and cleared by a stamp.
double textbook(const Grid<std::uint8_t>& walls, Cell start, Cell goal) {
    static std::vector<double> cost;
    static std::vector<std::uint32_t> stamp, closed;
    static std::uint32_t now = 0;
    cost.resize(std::max(cost.size(), walls.cells().size()));
    stamp.resize(cost.size());
    closed.resize(cost.size());
    ++now;
    const double diagonal = std::sqrt(2.0);
    const auto estimate = [&](Cell c) {
        const double dx = std::abs(c.x - goal.x), dy = std::abs(c.y - goal.y);
        return std::max(dx, dy) + (diagonal - 1) * std::min(dx, dy);
    };
    std::priority_queue<std::pair<double, std::size_t>, std::vector<std::pair<double, std::size_t>>, std::greater<>>
        open;
    cost[walls.index(start)] = 0;
    stamp[walls.index(start)] = now;
    open.emplace(estimate(start), walls.index(start));
    while (!open.empty()) {
        const std::size_t i = open.top().second;
        open.pop();
        if (closed[i] == now) continue;
        closed[i] = now;
        const Cell c = walls.cell(i);
        if (c == goal) return cost[i];
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell n{c.x + dx, c.y + dy};
                if ((dx == 0 && dy == 0) || walls.get(n, 1) || walls.get({n.x, c.y}, 1) || walls.get({c.x, n.y}, 1))
                    continue;
                const std::size_t k = walls.index(n);
                const double there = cost[i] + (dx != 0 && dy != 0 ? diagonal : 1);
                if (closed[k] == now || (stamp[k] == now && cost[k] <= there)) continue;
                cost[k] = there;
                stamp[k] = now;
                open.emplace(there + estimate(n), k);
            }
    }
    return -1;
}

void run_textbook(benchmark::State& state, const Place& place) {
    for (auto _ : state)
        for (const PathQuery& q : place.queries) benchmark::DoNotOptimize(textbook(place.walls, q.from, q.to));
    state.SetItemsProcessed(static_cast<std::int64_t>(place.queries.size()) * state.iterations());
}

void run_planner(benchmark::State& state, const Place& place, Planner planner) {
    PlanOptions options;
    options.planner = planner;
    const PathPlanner paths(options);
    for (auto _ : state)
        for (const PathQuery& q : place.queries) benchmark::DoNotOptimize(paths.shortest(place.nav, q.from, q.to));
    state.SetItemsProcessed(static_cast<std::int64_t>(place.queries.size()) * state.iterations());
}

[[maybe_unused]] const bool paths_registered = [] {
    const char* data = std::getenv("OUTRIDER_DATA");
    const std::string root =
        data ? std::string(data) + "/movingai/" : std::string(OUTRIDER_SOURCE_DIR "/environments/");
    const std::vector<std::string> files =
        data ? std::vector<std::string>{"dao/arena2.map.scen", "dao/brc000d.map.scen", "sc1/AcrosstheCape.map.scen"}
             : std::vector<std::string>{"office.scen", "maze.scen"};
    static std::map<std::string, Place> places;
    for (const std::string& file : files) {
        if (!std::filesystem::exists(root + file)) continue;
        const Place& place = places.emplace(file, root + file).first->second;
        const std::string name = std::filesystem::path(file).stem().stem().string();
        const auto add = [&](const std::string& what, auto run) {
            benchmark::RegisterBenchmark(("paths_" + what + "/" + name).c_str(), run)->Unit(benchmark::kMicrosecond);
        };
        add("yardstick", [&place](benchmark::State& s) { run_textbook(s, place); });
        add("jps", [&place](benchmark::State& s) { run_planner(s, place, Planner::jps); });
        add("astar", [&place](benchmark::State& s) { run_planner(s, place, Planner::astar); });
        add("topological", [&place](benchmark::State& s) { run_planner(s, place, Planner::topological); });
    }
    return true;
}();

}  // namespace
