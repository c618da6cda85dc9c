// outrider plan
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/ranges.h>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "cli/interrupt.hpp"
#include "cli/plan_queries.hpp"
#include "grid/known_grid.hpp"
#include "pictures/plan_picture.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

/// "3.5,2" in metres.
Point read_point(const std::string& option, const std::string& text) {
    Point p;
    char end = 0;
    if (std::sscanf(text.c_str(), "%lf,%lf%c", &p.x, &p.y, &end) != 2 || !std::isfinite(p.x) || !std::isfinite(p.y) ||
        std::abs(p.x) > 1e6 || std::abs(p.y) > 1e6)
        fail("--{} {}: expected x,y in metres from the lower left corner, such as 3.5,2", option, text);
    return p;
}

template <std::size_t n>
std::size_t choose(const cxxopts::ParseResult& result, const char* option,
                   const std::array<std::string_view, n>& names) {
    const auto text = result[option].as<std::string>();
    const auto at = std::find(names.begin(), names.end(), text);
    if (at == names.end()) fail("--{} {}: expected one of {}", option, text, fmt::join(names, ", "));
    return static_cast<std::size_t>(at - names.begin());
}

double read_cell(const cxxopts::ParseResult& result) {
    const double cell_m = result["cell"].as<double>();
    if (!(cell_m >= 0.001 && cell_m <= 100)) fail("--cell {}: expected 0.001 to 100 m", cell_m);
    return cell_m;
}

/// Options that would have no effect beside this one are mistakes.
void expect_without(const cxxopts::ParseResult& result, const char* option, std::initializer_list<const char*> others) {
    for (const char* other : others)
        if (result.count(other)) fail("--{} does not go with --{}", other, option);
}

/// One query, or none, and a picture.
int run_query(const cxxopts::ParseResult& result, const PlanOptions& plan) {
    PlanPicture picture;
    picture.layer = static_cast<PlanLayer>(choose(result, "show", plan_layer_names));
    const bool query = result.count("from") > 0 || result.count("to") > 0 || picture.layer == PlanLayer::none;
    if (!result.count("map") || (query && !(result.count("from") && result.count("to"))))
        fail("expected --map, --from and --to, or --scen; see outrider plan --help");
    if (picture.layer != PlanLayer::none && !result.count("png")) fail("--show: expected --png, too");
    if (picture.layer == PlanLayer::transform && !query) fail("--show transform: expected --from and --to, too");
    MapOptions options;
    if (result.count("cell")) options.cell_m = read_cell(result);
    const std::string png = result.count("png") ? result["png"].as<std::string>() : std::string();
    const bool force = result.count("force") > 0;
    expect_distinct(result, {"png"}, {});
    if (!png.empty()) OutputFile(png, force);
    end_when_interrupted(nothing_written);
    const Grid<std::uint8_t> walls = read_map(options, result["map"].as<std::string>()).walls;
    const double radius_m = result.count("radius") ? result["radius"].as<double>() : 0;
    if (!(radius_m >= 0 && radius_m <= 30 * options.cell_m))
        fail("--radius {}: expected 0 to {} m, which is 30 cells", radius_m, 30 * options.cell_m);
    const KnownMap map = known_grid(walls);
    NavMap nav(FrontierKind::unknown, walls.lattice().cells(radius_m));
    const auto cell = [&](const char* option) {
        return walls.lattice().cell_of(read_point(option, result[option].as<std::string>()));
    };
    Path path;
    std::optional<PathTransform> transform;
    if (query) {
        picture.from = cell("from");
        picture.to = cell("to");
        nav.update(map, *picture.from);
        if (!nav.passable(*picture.from)) {
            fmt::print("no path: the start is in a wall, outside of the map, or too close to a wall for the radius\n");
            return 1;
        }
        const double start = cpu_us();
        if (result.count("danger") || picture.layer == PlanLayer::transform) {
            DangerOptions danger;
            if (result.count("danger")) danger.danger = static_cast<Danger>(choose(result, "danger", danger_names));
            if (!nav.passable(*picture.to)) {
                fmt::print("no path: {}\n", status_text(PathStatus::goal_blocked));
                return 1;
            }
            transform.emplace(danger, options.cell_m);
            WallDistance distance(transform->horizon());
            distance.update(map);
            for (const auto& [name, at] : {std::pair("start", *picture.from), {"goal", *picture.to}})
                if (transform->danger_cost(distance.squared(at)) == no_bound) {
                    fmt::print("no path: the {} is nearer than {} m to a wall\n", name, danger.min_m);
                    return 1;
                }
            transform->update(nav, distance, std::span(&*picture.to, 1));
            path = transform->path(*picture.from);
            picture.transform = &*transform;
        } else {
            const PathPlanner planner(plan);
            path = result.count("clear") ? planner.clearest(nav, *picture.from, *picture.to)
                                         : planner.shortest(nav, *picture.from, *picture.to);
        }
        const double us = cpu_us() - start;
        if (!path) {
            fmt::print("no path: {}\n", status_text(path.status));
            return 1;
        }
        fmt::print("{:.3f} m, {} cells, {:.1f} us\n", path.length_cells() * options.cell_m, path.cells.size(), us);
        picture.path = &path;
        if (result.count("any-angle")) {
            const Point from{picture.from->x + 0.5, picture.from->y + 0.5};
            picture.way_points = any_angle(nav, from, path.cells);
            picture.way_points.insert(picture.way_points.begin(), *picture.from);
            double length = 0;
            for (std::size_t i = 1; i < picture.way_points.size(); ++i)
                length += distance(walls.lattice().centre(picture.way_points[i - 1]),
                                   walls.lattice().centre(picture.way_points[i]));
            fmt::print("{:.3f} m with its corners cut, {} straight lines\n", length, picture.way_points.size() - 1);
        }
    } else {
        std::size_t first = 0;
        while (first < walls.cells().size() && walls.cells()[first]) ++first;
        nav.update(map, walls.cell(std::min(first, walls.cells().size() - 1)));
    }
    if (!png.empty()) {
        const std::string bytes = encode_png(draw_plan(walls, map, nav, picture));
        ignore_interrupts();
        OutputFile file(png, force);
        file.write(bytes);
        file.commit();
        fmt::print("picture {}\n", png);
    }
    return 0;
}

}  // namespace

int plan_command(const Arguments& arguments) {
    cxxopts::Options options(
        "outrider plan",
        "Plan a path on a map that is known, draw what planning works out, or answer many queries: are\n"
        "the lengths right, and how long does it take?\n\n"
        "  outrider plan --map environments/office.png --from 3,4 --to 50,20 --png path.png\n"
        "  outrider plan --map environments/office.png --show skeleton --png skeleton.png\n"
        "  outrider plan --scen environments/office.scen --planner astar\n"
        "  outrider plan --map environments/office.png --random 1000 --planner topological\n");
    options.add_options()("map", "map: .png, .yaml, .map, .txt", cxxopts::value<std::string>(), "MAP")(
        "from", "start in metres from the lower left corner", cxxopts::value<std::string>(), "x,y")(
        "to", "goal likewise", cxxopts::value<std::string>(), "x,y")(
        "planner", "jps, astar, field or topological", cxxopts::value<std::string>()->default_value("jps"), "NAME")(
        "clear", "the path that keeps clear of walls instead of the shortest")(
        "danger", "the path by the path transform: none, near_only or near_and_open", cxxopts::value<std::string>(),
        "KIND")("any-angle", "cut the corners of the path")("radius", "of the robot, in metres",
                                                            cxxopts::value<double>(), "M")(
        "cell", "side of a cell, for maps that do not say it", cxxopts::value<double>(), "M")(
        "png", "draw the map with the path", cxxopts::value<std::string>(), "FILE")(
        "show", "draw also: skeleton, segments, graph or transform",
        cxxopts::value<std::string>()->default_value("none"), "LAYER")("force", "overwrite a picture that exists")(
        "scen", "the queries of a scenario file of MovingAI; its map lies beside it", cxxopts::value<std::string>(),
        "FILE.scen")("sample", "with --scen, only about so many of its queries", cxxopts::value<std::string>(), "N")(
        "random", "so many random queries on --map", cxxopts::value<std::string>(), "N")(
        "seed", "of the random queries", cxxopts::value<std::string>(), "S");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    const auto name = (*result)["planner"].as<std::string>();
    PlanOptions plan;
    std::vector<Setting> settings{{"planner", name, "--planner"}};
    SettingReader reader(settings);
    plan.fields(reader);
    if (const auto count = whole_number(*result, "random", 1, 1'000'000'000)) {
        if (!result->count("map")) fail("--random: expected --map, too");
        expect_without(
            *result, "random",
            {"from", "to", "clear", "danger", "any-angle", "radius", "cell", "png", "show", "scen", "sample"});
        return run_random_queries(
            (*result)["map"].as<std::string>(), plan, static_cast<std::size_t>(*count),
            static_cast<std::uint64_t>(whole_number(*result, "seed", 0, 1'000'000'000).value_or(1)));
    }
    if (!result->count("scen")) {
        expect_without(*result, "map", {"sample", "seed"});
        return run_query(*result, plan);
    }
    expect_without(*result, "scen",
                   {"map", "from", "to", "clear", "danger", "any-angle", "radius", "cell", "png", "show", "seed"});
    const auto sample = whole_number(*result, "sample", 1, 1'000'000'000).value_or(0);
    return run_scen_queries((*result)["scen"].as<std::string>(), plan, static_cast<std::size_t>(sample));
}

}  // namespace outrider
