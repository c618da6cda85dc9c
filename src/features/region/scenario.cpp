// Which scenarios have a region of interest.
#include <algorithm>

#include "features/region/area.hpp"
#include "robot/robot_options.hpp"
#include "scenario/cell_areas.hpp"
#include "scenario/feature.hpp"
#include "world/components.hpp"

namespace outrider {
namespace {

const RegionOptions& region_options(const Scenario& s) { return s.features.get<RegionOptions>(); }

void read_region(ConfigTable& config, Scenario& s) {
    RegionOptions& region = s.features.edit<RegionOptions>();
    if (!region.any()) return;
    const ConfigTable& table = *config.table("region");
    region.where = table.settings.empty() ? table.where : table.settings.back().where;
    check_region_shape(region);
}

/// map.unknown = outside: what is unknown in the file of the map is not in the region.
void leave_unknown_out(const Scenario& s, const ScenarioFiles& files, RegionOptions& region) {
    if (files.outside.empty()) return;
    if (!region.any()) region.where = s.map_path;
    Grid<std::uint8_t> out(s.walls.width(), s.walls.height(), 0, s.walls.lattice());
    out.cells() = files.outside;
    mark_runs(out, read_runs(region.without, region.where, "region.without"), 1);
    region.without = runs_of(out.width(), out.height(), [&](int x, int y) { return out[Cell{x, y}] != 0; });
}

void load_region(Scenario& s, const ScenarioFiles& files) {
    RegionOptions& region = s.features.edit<RegionOptions>();
    leave_unknown_out(s, files, region);
    if (region.mask.empty()) return;
    const std::string file = files.path(region.mask);
    try {
        region.cells = runs_in_mask(file, s.map.channels, s.walls, MaskPart::bright);
    } catch (const Error& error) {
        fail("{}: region.mask: {}", region.where, error.what());
    }
    if (region.cells.empty())
        fail("{}: region.mask: {}: no bright pixel; bright are the cells of the region", region.where, file);
    region.mask.clear();
}

/// Whether somebody can get into the region, or as near as a point could.
bool can_be_reached(const Scenario& s, const Grid<std::uint8_t>& cells) {
    std::vector<Cell> starts;
    for (std::size_t i = 0; i < s.robots.size(); ++i)
        if (s.robots[i].body.speed_mps > 0) starts.push_back(s.start_cell(i));
    const Grid<std::uint8_t> reached = connected_cells(s.walls, starts);
    for (std::size_t i = 0; i < cells.cells().size(); ++i)
        if (cells.cells()[i] && reached.cells()[i]) return true;
    return false;
}

void check_region(const Scenario& s) {
    const RegionOptions& region = region_options(s);
    if (!region.any()) return;
    if (!region.mask.empty())
        fail(
            "{}: region.mask = {}: an image belongs to the map of one scenario file; in sweeps and on generated maps "
            "expected a polygon",
            region.where, toml_quoted(region.mask));
    if (s.frontier.kind == FrontierKind::regions)
        fail(
            "{}: region: with frontier.kind = regions goals are the middles of outlines, whatever lies in them; "
            "expected one of the two",
            region.where);
    const double width_m = s.walls.width() * s.walls.lattice().cell_m,
                 height_m = s.walls.height() * s.walls.lattice().cell_m;
    for (const Point& p : region_corners(region))
        if (p.x < 0 || p.y < 0 || p.x > width_m + 1e-9 || p.y > height_m + 1e-9)
            fail("{}: region.polygon: the corner ({}, {}) m is not on the map, which is {:g} by {:g} m", region.where,
                 p.x, p.y, width_m, height_m);
    const Grid<std::uint8_t> cells = region_cells(s);
    bool free = false;
    for (std::size_t i = 0; i < cells.cells().size(); ++i) free |= cells.cells()[i] && !s.walls.cells()[i];
    if (has_part(s, "changing_walls")) return;
    if (!free) fail("{}: region: there is no free cell in it", region.where);
    if (!can_be_reached(s, cells)) fail("{}: region: no robot can get to a free cell of it", region.where);
}

std::shared_ptr<const Grid<std::uint8_t>> only_region(const Scenario& s) {
    return region_options(s).any() ? std::make_shared<const Grid<std::uint8_t>>(region_cells(s)) : nullptr;
}

void explore_region(const Scenario& s, RobotOptions& options) {
    if (region_options(s).any()) options.region = search_region(s);
}

/// The corners of the polygon, or of the box around all cells of the region.
void brief_region(const Scenario& s, Briefing& briefing) {
    const RegionOptions& region = region_options(s);
    if (!region.any()) return;
    std::vector<Point> corners = region_corners(region);
    if (corners.empty()) {
        const Grid<std::uint8_t> cells = region_cells(s);
        Cell low{cells.width(), cells.height()}, high;
        for (std::size_t i = 0; i < cells.cells().size(); ++i) {
            if (!cells.cells()[i]) continue;
            const Cell c = cells.cell(i);
            low = {std::min(low.x, c.x), std::min(low.y, c.y)};
            high = {std::max(high.x, c.x + 1), std::max(high.y, c.y + 1)};
        }
        const double m = cells.lattice().cell_m;
        corners = {{low.x * m, low.y * m}, {high.x * m, low.y * m}, {high.x * m, high.y * m}, {low.x * m, high.y * m}};
    }
    for (const Point& p : corners) briefing.region.push_back(p - s.team_origin_m());
}

constexpr Exclusion region_excludes[] = {{"region", "unknown_starts", "nobody knows where in the building it is"}};

}  // namespace

ScenarioFeature region_scenario() {
    return {.section = "region",
            .options = make_options<RegionOptions>,
            .parts = {{"region", "region.polygon = '0 0, 1.5 0, 1.5 2.4, 0 2.4'",
                       [](const Scenario& s) { return std::string(region_options(s).any() ? "region" : ""); }}},
            .excludes = region_excludes,
            .read = read_region,
            .load = load_region,
            .check = check_region,
            .robots = explore_region,
            .brief = brief_region,
            .counted = only_region};
}

}  // namespace outrider
