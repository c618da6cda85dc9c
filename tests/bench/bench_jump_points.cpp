// Jump points that are kept between searches against the search as it was without: on MovingAI's maps, and on the maps
// of robots that explore. tools/bench prints the ratios.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/config.hpp"
#include "cpu_time.hpp"
#include "grid/known_grid.hpp"
#include "plan/path_planner.hpp"
#include "robot/robot.hpp"
#include "run/run.hpp"
#include "scenario/imports/scen_file.hpp"
#include "simulation/simulation.hpp"
#include "uncached_jump_points.hpp"

using namespace outrider;

namespace {

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Times of the same queries, by both.
struct Comparison {
    std::vector<double> before, now;
    std::size_t differing = 0;  ///< paths of different lengths

    void report(benchmark::State& state) const {
        for (auto _ : state) state.SetIterationTime(mean(now) * 1e-6);
        state.counters["mean_ratio"] = mean(now) / mean(before);
        state.counters["median_ratio"] = median(now) / median(before);
        state.counters["mean_before_us"] = mean(before);
        state.counters["queries"] = static_cast<double>(now.size());
        state.counters["wrong"] = static_cast<double>(differing);
    }
};

Path uncached(const NavMap& nav, Cell from, Cell to) {
    UncachedJumpPoints search(nav, from, std::span(&to, 1));
    const PathStatus status = search.find(0);
    return status == PathStatus::found ? search.path(0) : Path{status};
}

/// Every query once, in the order of the file: first by the one for all, then by the other, from nothing.
Comparison on_scenario(const std::string& file) {
    const ScenFile scen = read_scen(file);
    const Grid<std::uint8_t> walls = read_networks(scen, file)[0];
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(known_grid(walls), {0, 0});
    std::vector<PathQuery> queries;
    for (const PathQuery& q : scen.queries)
        if (!walls[q.from]) queries.push_back(q);
    Comparison out;
    std::vector<std::uint32_t> costs;
    uncached(nav, queries[0].from, queries[0].to);
    for (const PathQuery& q : queries) {
        const double start = thread_cpu_us();
        const Path path = uncached(nav, q.from, q.to);
        out.before.push_back(thread_cpu_us() - start);
        costs.push_back(path.cost);
    }
    const PathPlanner planner;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const double start = thread_cpu_us();
        const Path path = planner.shortest(nav, queries[i].from, queries[i].to);
        out.now.push_back(thread_cpu_us() - start);
        out.differing += path.cost != costs[i];
    }
    return out;
}

/// In every fifth step, from each robot to the goals of up to ten frontiers: in its map as it is by then.
class Explorers final : public Observer {
  public:
    Comparison times;

    void on_step(const StepView& view) override {
        robots_.resize(view.team.size());
        for (std::size_t i = 0; i < view.team.size(); ++i) {
            Robot& robot = robots_[i];
            const Belief& belief = view.team[i].belief();
            if (!belief.briefing().me().mobile) continue;
            robot.nav.update(belief.map(), belief.cell());
            robot.nav_before.update(belief.map(), belief.cell());
            if (view.step % 5 != 0) continue;
            const std::vector<Frontier>& frontiers = belief.frontiers();
            for (std::size_t k = 0; k < frontiers.size() && k < 10; ++k) {
                const Cell goal = frontiers[k].goal;
                const double start = thread_cpu_us();
                const Path before = uncached(robot.nav_before, belief.cell(), goal);
                const double between = thread_cpu_us();
                const Path now = robot.planner.shortest(robot.nav, belief.cell(), goal);
                times.now.push_back(thread_cpu_us() - between);
                times.before.push_back(between - start);
                times.differing += before.cost != now.cost;
            }
        }
    }

  private:
    struct Robot {
        // Each with the bit planes that it asked for itself.
        NavMap nav{FrontierKind::unknown, 0}, nav_before{FrontierKind::unknown, 0};
        PathPlanner planner;
    };
    std::vector<Robot> robots_;
};

Comparison in_mission(const std::string& name) {
    const std::string folder = OUTRIDER_SOURCE_DIR "/environments";
    Notes notes;
    Scenario scenario = make_scenario(load_config(folder + "/" + name + ".toml"), name, folder, notes);
    SimulationOptions options;
    options.threads = 1;
    options.stop_after = 600;
    Explorers explorers;
    Simulation simulation(std::move(scenario), options);
    simulation.add_observer(explorers);
    simulation.run();
    return std::move(explorers.times);
}

void add(const std::string& name, const std::function<Comparison()>& compare) {
    benchmark::RegisterBenchmark(("jump_points/" + name).c_str(),
                                 [compare, done = std::make_shared<std::optional<Comparison>>()](benchmark::State& s) {
                                     if (!*done) *done = compare();
                                     (*done)->report(s);
                                 })
        ->Unit(benchmark::kMicrosecond)
        ->UseManualTime()
        ->Iterations(1);
}

[[maybe_unused]] const bool jump_points_registered = [] {
    for (const char* name : {"office", "hospital", "campus"})
        add("mission/" + std::string(name), [name] { return in_mission(name); });
    const char* data = std::getenv("OUTRIDER_DATA");
    std::vector<std::string> files;
    const std::string folder = data ? std::string(data) + "/movingai" : OUTRIDER_SOURCE_DIR "/environments";
    if (std::filesystem::exists(folder))
        for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
            if (file.path().extension() == ".scen") files.push_back(file.path().string());
    std::sort(files.begin(), files.end());
    for (const std::string& file : files)
        add("map/" + std::filesystem::path(file).stem().stem().string(), [file] { return on_scenario(file); });
    return true;
}();

}  // namespace
