#include "world/plan_lines.hpp"

#include <algorithm>
#include <cmath>

#include "base/budget.hpp"
#include "base/input.hpp"
#include "base/json.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double farthest_outline_m = 1e5;

std::vector<Point> outline_of(const Json& json, const std::string& path) {
    const Json* verts = json.find("verts");
    if (!verts || !verts->array() || verts->array()->size() < 3)
        fail("{}: verts: expected three places [x, y] or more, as in HouseExpo", path);
    std::vector<Point> outline;
    for (const Json& vert : *verts->array()) {
        const Json::Array* pair = vert.array();
        const double *x = pair && pair->size() == 2 ? (*pair)[0].number() : nullptr,
                     *y = pair && pair->size() == 2 ? (*pair)[1].number() : nullptr;
        if (!x || !y || !(std::abs(*x) <= farthest_outline_m) || !(std::abs(*y) <= farthest_outline_m))
            fail("{}: verts[{}]: expected two numbers of metres, at most {:.0f}", path, outline.size(),
                 farthest_outline_m);
        outline.push_back({*x, *y});
    }
    return outline;
}

struct Extent {
    Point low{1e300, 1e300}, high{-1e300, -1e300};
};

Extent extent_of(const std::vector<Point>& points) {
    Extent e;
    for (const Point& p : points) {
        e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y)};
        e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y)};
    }
    return e;
}

/// Throws Error where the file says another size than that of its outline.
void expect_bbox(const Json& json, const Extent& extent, const std::string& path) {
    const Json* bbox = json.find("bbox");
    if (!bbox) return;
    constexpr double rounding_m = 0.1;
    for (const auto& [key, corner] : {std::pair{"min", extent.low}, {"max", extent.high}}) {
        const Json* given = bbox->find(key);
        const Json::Array* pair = given ? given->array() : nullptr;
        const double *x = pair && pair->size() == 2 ? (*pair)[0].number() : nullptr,
                     *y = pair && pair->size() == 2 ? (*pair)[1].number() : nullptr;
        if (!x || !y) fail("{}: bbox.{}: expected two numbers [x, y]", path, key);
        if (!(std::abs(*x - corner.x) <= rounding_m) || !(std::abs(*y - corner.y) <= rounding_m))
            fail("{}: bbox.{} is [{}, {}], but verts reach [{}, {}]", path, key, *x, *y, corner.x, corner.y);
    }
}

}  // namespace

void check_map_size(const std::string& path, double width, double height) {
    if (!(width >= 1) || !(height >= 1) || width > max_map_side || height > max_map_side ||
        width * height > static_cast<double>(max_map_cells))
        fail(
            "{}: a map of {:.6g} x {:.6g} cells; expected 1 to {} on a side and at most {} cells: --set map.cell_m=... "
            "makes them larger",
            path, width, height, max_map_side, max_map_cells);
    expect_affordable(path, static_cast<std::uint64_t>(width * height),
                      fmt::format("{:.0f} x {:.0f} cells", width, height));
}

std::int64_t draw_line(Grid<std::uint8_t>& walls, Point a, Point b) {
    if (a.x > b.x) std::swap(a, b);
    const int width = walls.width(), height = walls.height();
    const auto cell = [](double v, int size) { return v == size ? size - 1 : static_cast<int>(std::floor(v)); };
    if (b.x < 0 || a.x > width || std::max(a.y, b.y) < 0 || std::min(a.y, b.y) > height) return 0;
    const int first = cell(std::max(0.0, a.x), width), last = cell(std::min<double>(width, b.x), width);
    const double slope = b.x > a.x ? (b.y - a.y) / (b.x - a.x) : 0;
    const auto y_at = [&](double x) { return x <= a.x ? a.y : x >= b.x ? b.y : a.y + slope * (x - a.x); };
    std::int64_t count = 0;
    for (int x = first; x <= last; ++x) {
        const double y0 = y_at(std::max(a.x, static_cast<double>(x))),
                     y1 = b.x > a.x ? y_at(std::min(b.x, x + 1.0)) : b.y;
        const double low = std::max(0.0, std::min(y0, y1)), high = std::min<double>(height, std::max(y0, y1));
        ++count;
        if (low > height || high < 0) continue;
        for (int y = cell(low, height); y <= cell(high, height); ++y, ++count) walls[Cell{x, y} + walls.origin()] = 1;
    }
    return count;
}

MapFile read_houseexpo_map(const std::string& path, double cell_m) {
    Json json;
    try {
        json = parse_json(read_file(path, "a house of HouseExpo", 60));
    } catch (const Error& error) {
        const std::string what = error.what();
        fail("{}", what.starts_with(path) ? what : path + ": " + what);
    }
    const std::vector<Point> outline = outline_of(json, path);
    const Extent extent = extent_of(outline);
    expect_bbox(json, extent, path);
    const double width = std::ceil((extent.high.x - extent.low.x) / cell_m) + 2,
                 height = std::ceil((extent.high.y - extent.low.y) / cell_m) + 2;
    check_map_size(path, width, height);
    MapFile map{Grid<std::uint8_t>(static_cast<int>(width), static_cast<int>(height), 1, Lattice{cell_m}),
                Pose{extent.low.x - cell_m, extent.low.y - cell_m, 0}};
    // Where each row of centres crosses the outline.
    std::vector<std::vector<double>> crossings(static_cast<std::size_t>(map.walls.height()));
    std::int64_t count = 0;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        Point a = outline[i], b = outline[(i + 1) % outline.size()];
        if (a.y > b.y) std::swap(a, b);
        const auto row_above = [&](double y) { return static_cast<int>(std::ceil((y - map.origin.y) / cell_m - 0.5)); };
        for (int row = std::max(0, row_above(a.y)); row < std::min(map.walls.height(), row_above(b.y)); ++row) {
            const double y = map.origin.y + (row + 0.5) * cell_m;
            if (++count > 20'000'000)
                fail("{}: its outline crosses the rows of cells more than 20 million times", path);
            crossings[static_cast<std::size_t>(row)].push_back(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y));
        }
    }
    for (int row = 0; row < map.walls.height(); ++row) {
        std::vector<double>& at = crossings[static_cast<std::size_t>(row)];
        std::sort(at.begin(), at.end());
        for (std::size_t k = 0; k + 1 < at.size(); k += 2) {
            const auto column = [&](double x) {
                return std::clamp(static_cast<int>(std::ceil((x - map.origin.x) / cell_m - 0.5)), 0, map.walls.width());
            };
            for (int x = column(at[k]); x < column(at[k + 1]); ++x) map.walls[{x, row}] = 0;
        }
    }
    return map;
}

}  // namespace outrider
