// What follows a map as it grows: time and cells touched per update, against what changed, over an exploration of the
// campus (2048 x 2048). tools/bench prints it.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>

#include "base/config.hpp"
#include "cpu_time.hpp"
#include "plan/distance_field.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/path_planner.hpp"
#include "plan/path_transform.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/skeleton/topological_map.hpp"
#include "plan/wall_distance.hpp"
#include "robot/robot.hpp"
#include "run/run.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;

namespace {

/// Updates of one follower: how long each took, and how much changed.
struct Series {
    std::vector<double> us, changed;
    double touched = 0, first_us = 0;

    template <class Update, class Counters>
    void add(Update&& update, Counters&& counters) {
        const auto before = counters();
        const double start = thread_cpu_us();
        update();
        const double took = thread_cpu_us() - start;
        if (us.empty() && first_us == 0) {  // from nothing
            first_us = took;
            return;
        }
        us.push_back(took);
        changed.push_back(static_cast<double>(counters().changed - before.changed));
        touched += static_cast<double>(counters().touched - before.touched);
    }
    static double quantile(std::vector<double> values, double p) {
        std::sort(values.begin(), values.end());
        return values.empty() ? 0 : values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
    }
};

struct Count {
    std::uint64_t changed, touched;
};

/// One robot's map in a mission of four, followed in every step.
class Followers final : public Observer {
  public:
    std::array<Series, 10> series;
    static constexpr std::array<const char*, 10> names{
        "nav_map",  "frontiers",   "field_from_robot_start",  "field_of_frontiers", "wall_distance",
        "skeleton", "topological", "field_of_frontiers_anew", "costs_to_frontiers", "costs_to_frontiers_by_sweep"};

    void on_step(const StepView& view) override {
        const Belief& belief = view.team[1].belief();
        const KnownMap& map = belief.map();
        if (view.step == 0) home_ = belief.cell();
        const auto& nav_counts = nav_.counters();
        series[0].add([&] { nav_.update(map, belief.cell()); },
                      [&] {
                          return Count{64 * nav_counts.rows_changed, 64 * nav_counts.rows_computed};
                      });
        std::vector<Frontier> found;
        std::uint64_t changed = 0;  // by the map's update before this one
        series[1].add(
            [&] {
                found = frontiers_.update(map, nav_);
                changed = 64 * nav_counts.rows_changed - followed_;
            },
            [&] {
                return Count{followed_ + changed, frontiers_.counters().cells_looked};
            });
        followed_ += changed;
        std::vector<Cell> goals;
        for (const Frontier& f : found) goals.push_back(f.goal);
        const auto count_of = [](const DistanceField& f) { return Count{f.counters().changed, f.counters().touched}; };
        series[2].add([&] { from_home_.update(nav_, std::span(&home_, 1)); }, [&] { return count_of(from_home_); });
        series[3].add([&] { to_frontiers_.update(nav_, goals); }, [&] { return count_of(to_frontiers_); });
        series[4].add([&] { walls_.update(map); },
                      [&] {
                          return Count{walls_.counters().changed, walls_.counters().touched};
                      });
        series[5].add(
            [&] { skeleton_.update(nav_); },
            [&] {
                return Count{4096 * skeleton_.counters().tiles_changed, 64 * skeleton_.counters().words_thinned};
            });
        series[6].add([&] { graph_.update(nav_); },
                      [&] {
                          return Count{graph_.counters().cells_changed, graph_.counters().cells_touched};
                      });

        // From nothing in every step, as yardsticks; and what strategies ask for that need the costs to all frontiers.
        DistanceField anew, sweep;
        series[7].add([&] { anew.update(nav_, goals); }, [&] { return count_of(anew); });
        const Cell at = nav_.foothold(belief.cell());
        std::uint64_t costs = 0, swept = 0;
        auto goals_counted = [&, n = std::uint64_t{0}]() mutable { return Count{n += goals.size(), 0}; };
        series[8].add(
            [&] {
                PathSearch search = planner_.search(nav_, at, goals);
                while (search.find_next() >= 0) {
                }
                for (std::size_t g = 0; g < goals.size(); ++g) costs += search.cost(g);
            },
            goals_counted);
        series[9].add(
            [&] {
                sweep.update(nav_, std::span(&at, 1));
                for (const Cell g : goals) swept += sweep.cost(g);
            },
            goals_counted);
        if (costs != swept) std::abort();
    }

  private:
    Cell home_;
    std::uint64_t followed_ = 0;  // cells that changed, as far as the frontiers have followed
    NavMap nav_{FrontierKind::unknown, 0};
    FrontierFinder frontiers_;
    DistanceField from_home_, to_frontiers_;
    WallDistance walls_{50};
    Skeleton skeleton_;
    TopologicalMap graph_;
    PathPlanner planner_;
};

const Followers& followers() {
    static const Followers* done = [] {
        static Followers followers;
        const std::string folder = OUTRIDER_SOURCE_DIR "/environments";
        Notes notes;
        Scenario scenario = make_scenario(load_config(folder + "/campus.toml"), "campus", folder, notes);
        SimulationOptions options;
        options.threads = 1;
        options.stop_after = 600;
        Simulation simulation(std::move(scenario), options);
        simulation.add_observer(followers);
        simulation.run();
        return &followers;
    }();
    return *done;
}

void report(benchmark::State& state, std::size_t which) {
    const Series& s = followers().series[which];
    for (auto _ : state) state.SetIterationTime(Series::quantile(s.us, 0.5) * 1e-6);
    double changed = 0, us = 0;
    for (const double c : s.changed) changed += c;
    for (const double t : s.us) us += t;
    state.counters["p99_us"] = Series::quantile(s.us, 0.99);
    state.counters["changed_median"] = Series::quantile(s.changed, 0.5);
    state.counters["changed_p99"] = Series::quantile(s.changed, 0.99);
    state.counters["ns_per_changed"] = 1000 * us / std::max(changed, 1.0);
    state.counters["touched_per_changed"] = s.touched / std::max(changed, 1.0);
}

[[maybe_unused]] const bool upkeep_registered = [] {
    for (std::size_t i = 0; i < Followers::names.size(); ++i)
        benchmark::RegisterBenchmark((std::string("upkeep/") + Followers::names[i]).c_str(),
                                     [i](benchmark::State& s) { report(s, i); })
            ->Unit(benchmark::kMicrosecond)
            ->UseManualTime()
            ->Iterations(1);
    return true;
}();

}  // namespace
