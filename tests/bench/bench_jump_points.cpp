// Shortest paths by jump points, which are kept between searches: on MovingAI's maps, and on the maps of robots that
// explore.
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

/// Times of queries.
struct Times {
    std::vector<double> us;

    void report(benchmark::State& state) const {
        for (auto _ : state) state.SetIterationTime(mean(us) * 1e-6);
        state.counters["median_us"] = median(us);
        state.counters["queries"] = static_cast<double>(us.size());
    }
};

/// Every query once, in the order of the file, from nothing.
Times on_scenario(const std::string& file) {
    const ScenFile scen = read_scen(file);
    const Grid<std::uint8_t> walls = read_networks(scen, file)[0];
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(known_grid(walls), {0, 0});
    const PathPlanner planner;
    Times out;
    for (const PathQuery& q : scen.queries) {
        if (walls[q.from]) continue;
        const double start = thread_cpu_us();
        benchmark::DoNotOptimize(planner.shortest(nav, q.from, q.to));
        out.us.push_back(thread_cpu_us() - start);
    }
    return out;
}

/// In every fifth step, from each robot to the goals of up to ten frontiers: in its map as it is by then.
class Explorers final : public Observer {
  public:
    Times times;

    void on_step(const StepView& view) override {
        robots_.resize(view.team.size());
        for (std::size_t i = 0; i < view.team.size(); ++i) {
            Robot& robot = robots_[i];
            const Belief& belief = view.team[i].belief();
            if (!belief.briefing().me().mobile) continue;
            robot.nav.update(belief.map(), belief.cell());
            if (view.step % 5 != 0) continue;
            const std::vector<Frontier>& frontiers = belief.frontiers();
            for (std::size_t k = 0; k < frontiers.size() && k < 10; ++k) {
                const double start = thread_cpu_us();
                benchmark::DoNotOptimize(robot.planner.shortest(robot.nav, belief.cell(), frontiers[k].goal));
                times.us.push_back(thread_cpu_us() - start);
            }
        }
    }

  private:
    struct Robot {
        NavMap nav{FrontierKind::unknown, 0};
        PathPlanner planner;
    };
    std::vector<Robot> robots_;
};

Times in_mission(const std::string& name) {
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

void add(const std::string& name, const std::function<Times()>& measure) {
    benchmark::RegisterBenchmark(("jump_points/" + name).c_str(),
                                 [measure, done = std::make_shared<std::optional<Times>>()](benchmark::State& s) {
                                     if (!*done) *done = measure();
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
