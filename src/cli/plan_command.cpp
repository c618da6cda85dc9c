// outrider plan
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "base/canvas.hpp"
#include "base/output.hpp"
#include "cli/arguments.hpp"
#include "grid/known_grid.hpp"
#include "outrider/path.hpp"
#include "outrider/rng.hpp"
#include "run/scen_file.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

constexpr std::string_view status_texts[] = {"found", "there is no way", "the goal is in a wall or outside", "too far",
                                             "the budget of expansions is spent"};

double cpu_us() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

/// "3.5,2" in metres.
Point read_point(const std::string& option, const std::string& text) {
    Point p;
    char end = 0;
    if (std::sscanf(text.c_str(), "%lf,%lf%c", &p.x, &p.y, &end) != 2 || !std::isfinite(p.x) || !std::isfinite(p.y) ||
        std::abs(p.x) > 1e6 || std::abs(p.y) > 1e6)
        fail("--{} {}: expected x,y in metres from the lower left corner, such as 3.5,2", option, text);
    return p;
}

/// The map with the path on it.
Raster draw_path(const Grid<std::uint8_t>& walls, const Path& path, Cell from, Cell to) {
    const int scale = std::clamp(1200 / std::max(walls.width(), walls.height()), 1, 16);
    Canvas canvas(walls.width() * scale, walls.height() * scale, {255, 255, 255});
    for (std::size_t i = 0; i < walls.cells().size(); ++i)
        if (const Cell c = walls.cell(i); walls[c])
            canvas.rectangle(c.x * scale, (walls.height() - 1 - c.y) * scale, scale, scale, {43, 48, 58});
    const auto pixel = [&](Cell c) { return Point{(c.x + 0.5) * scale, (walls.height() - c.y - 0.5) * scale}; };
    std::vector<Point> line;
    for (const Cell c : path.cells) line.push_back(pixel(c));
    const double width = std::max(2.0, canvas.width() / 500.0);
    canvas.line(line, width, palette[1]);
    canvas.disc(pixel(from), 2.5 * width, palette[0]);
    canvas.disc(pixel(to), 2.5 * width, palette[2]);
    return canvas.raster();
}

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
        const auto at = [&](double p) {
            return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1))];
        };
        return fmt::format("mean {:.1f} us, median {:.1f}, p99 {:.1f}", mean(), at(0.5), at(0.99));
    }
};

/// Random queries between connected cells: how much longer than the shortest the paths are, and how long they take, A*
/// beside them. 1 when one is not found, or shorter than the shortest.
int run_random(const std::string& file, const PlanOptions& plan, std::size_t count, std::uint64_t seed) {
    MapOptions map_options;
    const Grid<std::uint8_t> walls = read_map(map_options, file).walls;
    const KnownMap map = known_grid(walls);
    PlanOptions shortest_options;
    shortest_options.planner = Planner::astar;
    const PathPlanner planner(plan), shortest(shortest_options);
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
    (void)planner.shortest(nav, random_cell(reached), random_cell(reached));  // what is made once for a map
    Times times, astar_times;
    double excess = 0, worst = 0;
    std::string worst_query;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Cell from = random_cell(reached), to = random_cell(reached);
        const Path path = times([&] { return planner.shortest(nav, from, to); });
        const Path best = astar_times([&] { return shortest.shortest(nav, from, to); });
        wrong += !path || path.cost < best.cost;
        const double more = best.cost > 0 ? path.cost / static_cast<double>(best.cost) - 1 : 0;
        excess += more / static_cast<double>(count);
        if (more > worst) {
            const Point a = walls.lattice().centre(from), b = walls.lattice().centre(to);
            worst = more;
            worst_query = fmt::format(" (--from {:.2f},{:.2f} --to {:.2f},{:.2f})", a.x, a.y, b.x, b.y);
        }
    }
    fmt::print("{}: {} random queries, {}, {} wrong; {}; A* mean {:.1f} us, {:.1f} times as long\n", file, count,
               planner_names[static_cast<std::size_t>(plan.planner)], wrong, times.text(), astar_times.mean(),
               astar_times.mean() / times.mean());
    fmt::print("longer than the shortest: {:.2f} % in the mean, {:.2f} % at most{}\n", 100 * excess, 100 * worst,
               worst_query);
    return wrong > 0;
}

/// All queries of a scenario file. 1 when a length is wrong.
int run_scen(const std::string& file, const PathPlanner& planner, std::string_view name, std::size_t sample) {
    const ScenFile scen = read_scen(file);
    MapOptions options;
    const KnownMap map = known_grid(read_map(options, scen.map).walls);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {0, 0});
    Times times;
    std::size_t wrong = 0, unreachable = 0;
    const std::size_t step = sample > 0 ? std::max<std::size_t>(1, scen.queries.size() / sample) : 1;
    for (std::size_t i = 0; i < scen.queries.size(); i += step) {
        const PathQuery& q = scen.queries[i];
        const Path path = times([&] {
            return nav.passable(q.from) ? planner.shortest(nav, q.from, q.to) : Path{PathStatus::goal_blocked};
        });
        unreachable += !path;
        // A length of 0 between two different cells stands for "there is no way".
        const bool none = q.optimal == 0 && q.from != q.to;
        const bool right = path ? !none && std::abs(path.length_cells() - q.optimal) <= 0.01 : none;
        if (!right && ++wrong <= 5)
            fmt::print("wrong: query {}: {} of length {:.4f}, expected {:.4f}\n", i + 1,
                       status_texts[static_cast<std::size_t>(path.status)], path.length_cells(), q.optimal);
    }
    if (times.us.empty()) fail("{}: there is no query", file);
    fmt::print("{}: {} queries, {}, {} wrong, {} without a way; {}\n", file, times.us.size(), name, wrong, unreachable,
               times.text());
    return wrong > 0;
}

int run_query(const cxxopts::ParseResult& result, const PathPlanner& planner) {
    for (const char* needed : {"map", "from", "to"})
        if (!result.count(needed)) fail("expected --map, --from and --to, or --scen; see outrider plan --help");
    const Point from_m = read_point("from", result["from"].as<std::string>()),
                to_m = read_point("to", result["to"].as<std::string>());
    MapOptions options;
    if (result.count("cell")) options.cell_m = result["cell"].as<double>();
    const std::string png = result.count("png") ? result["png"].as<std::string>() : std::string();
    const bool force = result.count("force") > 0;
    expect_distinct(result, {"png"}, {});
    if (!png.empty()) OutputFile(png, force);
    const Grid<std::uint8_t> walls = read_map(options, result["map"].as<std::string>()).walls;
    const double radius_m = result.count("radius") ? result["radius"].as<double>() : 0;
    if (!(radius_m >= 0 && radius_m <= 30 * options.cell_m)) fail("--radius {}: expected 0 to 30 cells", radius_m);
    const Cell from = walls.lattice().cell_of(from_m), to = walls.lattice().cell_of(to_m);
    NavMap nav(FrontierKind::unknown, walls.lattice().cells(radius_m));
    nav.update(known_grid(walls), from);
    if (!nav.passable(from)) {
        fmt::print("no path: the start is in a wall, outside of the map, or too close to a wall for the radius\n");
        return 1;
    }
    const double start = cpu_us();
    const Path path = result.count("clear") ? planner.clearest(nav, from, to) : planner.shortest(nav, from, to);
    const double us = cpu_us() - start;
    if (!path) {
        fmt::print("no path: {}\n", status_texts[static_cast<std::size_t>(path.status)]);
        return 1;
    }
    fmt::print("{:.3f} m, {} cells, {:.1f} us\n", path.length_cells() * options.cell_m, path.cells.size(), us);
    if (!png.empty()) {
        OutputFile file(png, force);
        file.write(encode_png(draw_path(walls, path, from, to)));
        file.commit();
        fmt::print("picture {}\n", png);
    }
    return 0;
}

}  // namespace

int plan_command(const Arguments& arguments) {
    cxxopts::Options options(
        "outrider plan",
        "Plan a path on a map that is known, or run a scenario file of MovingAI: its lengths, and the "
        "time of a query.\n");
    options.add_options()("map", "map: .png, .yaml, .map, .txt", cxxopts::value<std::string>(), "MAP")(
        "from", "start in metres from the lower left corner", cxxopts::value<std::string>(), "x,y")(
        "to", "goal likewise", cxxopts::value<std::string>(), "x,y")(
        "scen", "scenario file of MovingAI; its map lies beside it", cxxopts::value<std::string>(), "FILE.scen")(
        "sample", "with --scen, only about so many of its queries", cxxopts::value<std::string>(), "N")(
        "random", "with --map, so many random queries: how long the paths are, and how long they take",
        cxxopts::value<std::string>(), "N")("seed", "of the random queries", cxxopts::value<std::string>(), "S")(
        "planner", "jps, astar, field or topological", cxxopts::value<std::string>()->default_value("jps"), "NAME")(
        "clear", "the path that keeps clear of walls instead of the shortest")("radius", "of the robot, in metres",
                                                                               cxxopts::value<double>(), "M")(
        "cell", "side of a cell, for maps that do not say it", cxxopts::value<double>(), "M")(
        "png", "draw the path", cxxopts::value<std::string>(), "FILE")("force", "overwrite a picture that exists");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    const auto name = (*result)["planner"].as<std::string>();
    PlanOptions plan;
    std::vector<Setting> settings{{"planner", name, "--planner"}};
    SettingReader reader(settings);
    plan.fields(reader);
    if (const auto count = whole_number(*result, "random", 1, 1'000'000'000)) {
        if (!result->count("map")) fail("--random: expected --map, too");
        return run_random((*result)["map"].as<std::string>(), plan, static_cast<std::size_t>(*count),
                          static_cast<std::uint64_t>(whole_number(*result, "seed", 0, 1'000'000'000).value_or(1)));
    }
    const PathPlanner planner(plan);
    if (!result->count("scen")) return run_query(*result, planner);
    const auto sample = whole_number(*result, "sample", 1, 1'000'000'000).value_or(0);
    return run_scen((*result)["scen"].as<std::string>(), planner, name, static_cast<std::size_t>(sample));
}

}  // namespace outrider
