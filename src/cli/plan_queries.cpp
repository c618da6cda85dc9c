#include "cli/plan_queries.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/json.hpp"
#include "base/output.hpp"
#include "base/percentile.hpp"
#include "base/progress.hpp"
#include "cli/interrupt.hpp"
#include "grid/known_grid.hpp"
#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "plan/path_planner.hpp"
#include "scenario/imports/scen_file.hpp"
#include "world/map_file.hpp"

namespace outrider {

std::string_view status_text(PathStatus status) {
    static constexpr std::string_view texts[] = {"found", "there is no path", "the goal is in a wall or outside",
                                                 "too far",
                                                 "the budget of expansions is spent, or the path is too long"};
    return texts[static_cast<std::size_t>(status)];
}

double cpu_us() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

namespace {

struct Times {
    std::vector<double> us;
    /// Runs it and notes how long it took.
    template <class Run>
    auto operator()(Run&& run) {
        const double start = cpu_us();
        auto result = run();
        us.push_back(cpu_us() - start);
        return result;
    }
    double mean() const { return std::accumulate(us.begin(), us.end(), 0.0) / static_cast<double>(us.size()); }
    std::string text() const {
        std::vector<double> sorted = us;
        std::sort(sorted.begin(), sorted.end());
        return fmt::format("mean {:.1f} us, median {:.1f}, p99 {:.1f}", mean(), percentile(sorted, 0.5),
                           percentile(sorted, 0.99));
    }
};

template <class Number>
Json number(Number value) {
    return {static_cast<double>(value)};
}

/// Not among JSON.
void say_interrupted(std::size_t done, std::size_t count, bool json) {
    const std::string text = fmt::format("interrupted after {} of {} queries\n", done, count);
    json ? print_aside("{}", Lines{text}) : print_plain("{}", Lines{text});
}

/// What all kinds of queries have in common.
Json::Object answers_json(const std::string& file, const PlanOptions& plan, std::size_t wrong, const Times& times) {
    std::vector<double> sorted = times.us;
    std::sort(sorted.begin(), sorted.end());
    return {{"file", {file}},
            {"planner", {std::string(planner_names[static_cast<std::size_t>(plan.planner)])}},
            {"queries", number(times.us.size())},
            {"wrong", number(wrong)},
            {"mean_us", number(times.mean())},
            {"median_us", number(percentile(sorted, 0.5))},
            {"p99_us", number(percentile(sorted, 0.99))}};
}

/// Cells among which paths are searched for.
struct Network {
    KnownMap map;
    NavMap nav{FrontierKind::unknown, 0};
    PathPlanner planner;

    Network(const Grid<std::uint8_t>& walls, const PlanOptions& plan) : map(known_grid(walls)), planner(plan) {
        nav.update(map, {0, 0});
    }
    bool holds(const PathQuery& query) const { return nav.passable(query.from); }
};

}  // namespace

int run_random_queries(const std::string& file, const PlanOptions& plan, std::size_t count, std::uint64_t seed,
                       bool json) {
    MapOptions map_options;
    const Grid<std::uint8_t> walls = read_map(map_options, file).walls;
    const KnownMap map = known_grid(walls);
    PlanOptions shortest_options;
    shortest_options.planner = Planner::astar;
    const PathPlanner planner(plan), shortest(shortest_options);
    const std::atomic<bool>& interrupted = catch_interrupts();
    Rng rng(seed, 0, Purpose::placement, 0);
    const auto random_cell = [&](auto&& wanted) -> Cell {
        for (int tries = 0; tries < 10'000'000; ++tries)
            if (const Cell c = walls.cell(rng.below(static_cast<std::uint32_t>(walls.cells().size()))); wanted(c))
                return c;
        fail("{}: there are too few free cells for random queries", file);
    };
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, random_cell([&](Cell c) { return !walls[c]; }));
    const auto reached = [&](Cell c) { return nav.reached(c); };
    (void)planner.shortest(nav, random_cell(reached),
                           random_cell(reached));  // so that what is made once for a map is not timed
    Times times, astar_times;
    double excess = 0, worst = 0;
    std::string worst_query;
    std::size_t wrong = 0, unchecked = 0;
    std::size_t done = 0;
    Work work(terminal_text("planning"));
    for (; done < count && !interrupted; ++done) {
        work.at(done, count, "queries");
        const Cell from = random_cell(reached), to = random_cell(reached);
        const Path path = times([&] { return planner.shortest(nav, from, to); });
        const Path best = astar_times([&] { return shortest.shortest(nav, from, to); });
        unchecked += !best;
        if (!best) continue;
        // All planners but the topological one promise the shortest path.
        wrong += !path || (plan.planner == Planner::topological ? path.cost < best.cost : path.cost != best.cost);
        const double more = best.cost > 0 ? path.cost / static_cast<double>(best.cost) - 1 : 0;
        excess += more;
        if (more > worst) {
            const Point a = walls.lattice().centre(from), b = walls.lattice().centre(to);
            worst = more;
            worst_query = fmt::format(" (--from {:.2f},{:.2f} --to {:.2f},{:.2f})", a.x, a.y, b.x, b.y);
        }
    }
    if (done < count) say_interrupted(done, count, json);
    if (done == 0) return 130;
    if (json) {
        Json::Object out = answers_json(file, plan, wrong, times);
        out.insert(out.end(), {{"not_checked", number(unchecked)},
                               {"astar_mean_us", number(astar_times.mean())},
                               {"longer_mean", number(excess / static_cast<double>(done))},
                               {"longer_most", number(worst)}});
        print_plain("{}\n", json_text({out}));
        return done < count ? 130 : wrong > 0;
    }
    print_plain("{}: {} random queries, {}, {} wrong; {}; A* mean {:.1f} us, {:.1f} times as long\n", file, done,
                planner_names[static_cast<std::size_t>(plan.planner)], wrong, times.text(), astar_times.mean(),
                astar_times.mean() / times.mean());
    if (unchecked > 0) print_plain("not checked: {}, for which A* found no path within its budget\n", unchecked);
    print_plain("longer than the shortest: {:.2f} % in the mean, {:.2f} % at most{}\n",
                100 * excess / static_cast<double>(done), 100 * worst, worst_query);
    return done < count ? 130 : wrong > 0;
}

int run_scen_queries(const std::string& file, const PlanOptions& plan, std::size_t sample, bool json) {
    const std::atomic<bool>& interrupted = catch_interrupts();
    const ScenFile scen = read_scen(file);
    std::vector<Network> networks;
    for (const Grid<std::uint8_t>& walls : read_networks(scen, file)) networks.emplace_back(walls, plan);
    Times times;
    std::size_t wrong = 0, unreachable = 0, k = 0;
    const std::size_t all = scen.queries.size(), count = sample > 0 ? std::min(sample, all) : all;
    Work work(terminal_text("planning"));
    for (; k < count && !interrupted; ++k) {
        work.at(k, count, "queries");
        const std::size_t i = k * all / count;
        const PathQuery& q = scen.queries[i];
        const Network& network = networks.back().holds(q) ? networks.back() : networks.front();
        const bool starts = network.holds(q);
        const Path path = times([&] {
            return starts ? network.planner.shortest(network.nav, q.from, q.to) : Path{PathStatus::goal_blocked};
        });
        unreachable += !path;
        // A length of 0 between two different cells, or in a wall, stands for "there is no path".
        const bool none = q.optimal == 0 && (q.from != q.to || !starts);
        const bool right = path ? !none && std::abs(path.length_cells() - q.optimal) <= 0.01 : none;
        if (!right && ++wrong <= 5)
            print_aside("wrong: query {}: {} of length {:.4f}, expected {:.4f}\n", i + 1,
                        starts ? status_text(path.status) : "the start is in a wall or outside", path.length_cells(),
                        q.optimal);
    }
    if (k < count) say_interrupted(k, count, json);
    if (k == 0 && count > 0) return 130;
    if (json) {
        Json::Object out = answers_json(file, plan, wrong, times);
        out.emplace_back("without_a_way", number(unreachable));
        print_plain("{}\n", json_text({out}));
        return k < count ? 130 : wrong > 0;
    }
    print_plain("{}: {} queries, {}, {} wrong, {} without a path; {}\n", file, times.us.size(),
                planner_names[static_cast<std::size_t>(plan.planner)], wrong, unreachable, times.text());
    return k < count ? 130 : wrong > 0;
}

}  // namespace outrider
