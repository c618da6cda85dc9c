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

/// All queries of a scenario file. 1 when a length is wrong.
int run_scen(const std::string& file, const PathPlanner& planner, std::string_view name, std::size_t sample) {
    const ScenFile scen = read_scen(file);
    MapOptions options;
    const KnownMap map = known_grid(read_map(options, scen.map).walls);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {0, 0});
    std::vector<double> times;
    std::size_t wrong = 0, unreachable = 0;
    const std::size_t step = sample > 0 ? std::max<std::size_t>(1, scen.queries.size() / sample) : 1;
    for (std::size_t i = 0; i < scen.queries.size(); i += step) {
        const PathQuery& q = scen.queries[i];
        const double start = cpu_us();
        const Path path = nav.passable(q.from) ? planner.shortest(nav, q.from, q.to) : Path{PathStatus::goal_blocked};
        times.push_back(cpu_us() - start);
        unreachable += !path;
        // A length of 0 between two different cells stands for "there is no way".
        const bool none = q.optimal == 0 && q.from != q.to;
        const bool right = path ? !none && std::abs(path.length_cells() - q.optimal) <= 0.01 : none;
        if (!right && ++wrong <= 5)
            fmt::print("wrong: query {}: {} of length {:.4f}, expected {:.4f}\n", i + 1,
                       status_texts[static_cast<std::size_t>(path.status)], path.length_cells(), q.optimal);
    }
    if (times.empty()) fail("{}: there is no query", file);
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    std::sort(times.begin(), times.end());
    const auto at = [&](double p) {
        return times[static_cast<std::size_t>(p * static_cast<double>(times.size() - 1))];
    };
    fmt::print("{}: {} queries, {}, {} wrong, {} without a way; mean {:.1f} us, median {:.1f}, p99 {:.1f}\n", file,
               times.size(), name, wrong, unreachable, mean, at(0.5), at(0.99));
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
        "planner", "jps, astar or field", cxxopts::value<std::string>()->default_value("jps"), "NAME")(
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
    const PathPlanner planner(plan);
    if (!result->count("scen")) return run_query(*result, planner);
    const auto sample = whole_number(*result, "sample", 1, 1'000'000'000).value_or(0);
    return run_scen((*result)["scen"].as<std::string>(), planner, name, static_cast<std::size_t>(sample));
}

}  // namespace outrider
