#include "features/region/area.hpp"
#include "scenario/exclusions.hpp"

#include <algorithm>

#include "outrider/error.hpp"
#include "scenario/cell_areas.hpp"
#include "scenario/scenario.hpp"
#include "world/components.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_corners = 5000;  // each edge is compared with each other

/// Above 0: c lies to the left of the line from a to b.
double side_of(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

bool between(Point a, Point b, Point c) {
    return std::min(a.x, b.x) <= c.x && c.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= c.y &&
           c.y <= std::max(a.y, b.y);
}

/// Whether two segments have a point in common.
bool meet(Point a, Point b, Point c, Point d) {
    const double abc = side_of(a, b, c), abd = side_of(a, b, d), cda = side_of(c, d, a), cdb = side_of(c, d, b);
    if (((abc > 0 && abd < 0) || (abc < 0 && abd > 0)) && ((cda > 0 && cdb < 0) || (cda < 0 && cdb > 0))) return true;
    return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) || (cda == 0 && between(c, d, a)) ||
           (cdb == 0 && between(c, d, b));
}

/// Whether the edges from b to the corners beside it lie upon each other.
bool turns_back(Point a, Point b, Point c) {
    return side_of(a, b, c) == 0 && (a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y) >= 0;
}

void check_polygon(const RegionOptions& region, const std::vector<Point>& corners) {
    const auto refuse = [&](const std::string& what) { fail("{}: region.polygon: {}", region.where, what); };
    const std::size_t n = corners.size();
    if (n < 3) refuse(fmt::format("{} corners; expected at least three, as in \"2 3, 5 3, 4 6\"", n));
    if (n > most_corners)
        refuse(fmt::format("{} corners; expected at most {}: a mask can have any shape", n, most_corners));
    const auto text = [&](std::size_t i) { return fmt::format("({}, {})", corners[i].x, corners[i].y); };
    for (std::size_t i = 0; i < n; ++i) {
        if (turns_back(corners[i], corners[(i + 1) % n], corners[(i + 2) % n]))
            refuse(fmt::format("its edges at {} lie upon each other", text((i + 1) % n)));
        for (std::size_t k = i + 2; k < n; ++k)
            if ((k + 1) % n != i && meet(corners[i], corners[i + 1], corners[k], corners[(k + 1) % n]))
                refuse(fmt::format("it crosses itself: the edge from {} to {} meets that from {} to {}", text(i),
                                   text(i + 1), text(k), text((k + 1) % n)));
    }
}

/// Nonzero: cells with none of these within one row and column.
Grid<std::uint8_t> far_from(const Grid<std::uint8_t>& cells) {
    Grid<std::uint8_t> out(cells.width(), cells.height(), 1, cells.lattice());
    for (std::size_t i = 0; i < cells.cells().size(); ++i)
        for (int k = 0; cells.cells()[i] && k < 9; ++k)
            if (const Cell near = cells.cell(i) + Cell{k % 3 - 1, k / 3 - 1}; out.contains(near)) out[near] = 0;
    return out;
}

/// Lines between cells that are in the region and cells that are not, in cells of the grid: along rows, then columns.
std::vector<std::pair<Cell, Cell>> edges_of(const Grid<std::uint8_t>& cells) {
    std::vector<std::pair<Cell, Cell>> lines;
    const auto at_edge = [&](Cell c, Cell beside) { return (cells.get(c, 0) != 0) != (cells.get(c - beside, 0) != 0); };
    const auto trace = [&](int lines_across, int length, Cell along, Cell across) {
        const auto at = [&](int line, int k) {
            return Cell{along.x * k + across.x * line, along.y * k + across.y * line};
        };
        for (int line = 0; line <= lines_across; ++line)
            for (int k = 0; k < length; ++k) {
                const int from = k;
                while (k < length && at_edge(at(line, k), across)) ++k;
                if (k > from) lines.emplace_back(at(line, from), at(line, k));
            }
    };
    trace(cells.height(), cells.width(), {1, 0}, {0, 1});
    trace(cells.width(), cells.height(), {0, 1}, {1, 0});
    return lines;
}

}  // namespace

void check_region_shape(const RegionOptions& region) {
    if (!region.any()) return;
    if (!region.polygon.empty() + !region.mask.empty() + !region.cells.empty() > 1)
        fail("{}: region: several of polygon, mask and cells; expected one", region.where);
    if (!region.polygon.empty()) check_polygon(region, region_corners(region));
    read_runs(region.cells, region.where, "region.cells");
    read_runs(region.without, region.where, "region.without");
}

std::vector<Point> region_corners(const RegionOptions& region) {
    std::vector<Point> corners = read_corners(region.polygon, region.where, "region.polygon");
    if (corners.size() > 3 && corners.front() == corners.back()) corners.pop_back();
    return corners;
}

Grid<std::uint8_t> region_cells(const Scenario& s) {
    const RegionOptions& region = s.features.get<RegionOptions>();
    const bool whole = region.polygon.empty() && region.cells.empty();
    Grid<std::uint8_t> out(s.walls.width(), s.walls.height(), whole, s.walls.lattice());
    if (!region.polygon.empty())
        for (const Cell c : cells_in(region_corners(region), s.walls)) out[c] = 1;
    mark_runs(out, read_runs(region.cells, region.where, "region.cells"), 1);
    mark_runs(out, read_runs(region.without, region.where, "region.without"), 0);
    return out;
}

std::shared_ptr<const SearchRegion> search_region(const Scenario& s) {
    const Grid<std::uint8_t> cells = region_cells(s);
    const Grid<std::int32_t> part_of = label_components(far_from(cells));
    auto out = std::make_shared<SearchRegion>();
    std::vector<std::vector<std::pair<TileCoord, BitTile>>> by_part;
    std::vector<bool> free;  // whether the part has a free cell
    for (std::size_t i = 0; i < part_of.cells().size(); ++i) {
        if (!cells.cells()[i]) continue;
        const auto part = static_cast<std::size_t>(part_of.cells()[i] - 1);
        const Cell c = part_of.cell(i) - s.team_origin();
        out->cells.at(tile_of(c)).set(c);
        if (part >= by_part.size()) {
            by_part.resize(part + 1);
            free.resize(part + 1, has_part(s, "changing_walls"));
        }
        if (!s.walls.cells()[i]) free[part] = true;
        auto& tiles = by_part[part];
        auto tile = std::find_if(tiles.rbegin(), tiles.rend(), [&](const auto& t) { return t.first == tile_of(c); });
        if (tile == tiles.rend()) {
            tiles.emplace_back(tile_of(c), BitTile{});
            tile = tiles.rbegin();
        }
        tile->second.set(c);
    }
    for (std::size_t k = 0; k < by_part.size(); ++k)
        if (free[k]) out->parts.push_back(std::move(by_part[k]));
    return out;
}

std::vector<Point> region_outline(const Scenario& s) {
    std::vector<Point> out;
    const RegionOptions& region = s.features.get<RegionOptions>();
    const std::vector<Point> corners = region.without.empty() ? region_corners(region) : std::vector<Point>{};
    for (std::size_t i = 0; i < corners.size(); ++i)
        for (const std::size_t k : {i, (i + 1) % corners.size()}) out.push_back(corners[k] - s.team_origin_m());
    if (!corners.empty()) return out;
    const double cell_m = s.walls.lattice().cell_m;
    for (const auto& [a, b] : edges_of(region_cells(s)))
        for (const Cell c : {a - s.team_origin(), b - s.team_origin()}) out.push_back({c.x * cell_m, c.y * cell_m});
    return out;
}

}  // namespace outrider
