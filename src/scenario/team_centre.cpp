#include "scenario/team_centre.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "messages/region_options.hpp"
#include "scenario/cell_areas.hpp"
#include "world/world.hpp"

namespace outrider {
namespace {

/// The area that lies outside of a building: the one that has at least half of the map's edge for itself.
std::optional<std::int32_t> margin_of(const std::vector<CellRun>& area, int w, int h) {
    std::map<std::int32_t, int> edge;
    for (const CellRun& run : area) {
        const int cells = run.y == 0 || run.y == h - 1 ? run.end - run.x : 0;
        const int ends = (run.x == 0) + (run.end == w), rows = h == 1 ? 2 : 1;
        if (cells + ends > 0) edge[run.label] += rows * cells + ends;
    }
    for (const auto& [label, cells] : edge)
        if (cells >= w + h) return label;
    return {};
}

/// What a team must not be placed on: also the margin around a building, where the building has room enough.
Grid<std::uint8_t> blocked_outside(const Scenario& s, const Grid<std::uint8_t>& blocked, Notes& notes) {
    const std::vector<CellRun> area = label_runs(s.walls);
    const std::optional<std::int32_t> margin = margin_of(area, s.walls.width(), s.walls.height());
    if (!margin) return blocked;
    const auto cells_of = [&](const CellRun& run) {
        return blocked.cells().begin() + static_cast<std::ptrdiff_t>(blocked.index({run.x, run.y}));
    };
    std::map<std::int32_t, std::int64_t> size;
    for (const CellRun& run : area) size[run.label] += std::count(cells_of(run), cells_of(run) + run.end - run.x, 0);
    std::int64_t enclosed = 0;
    for (const auto& [label, cells] : size)
        if (label != *margin) enclosed = std::max(enclosed, cells);
    const std::int64_t outside = size[*margin];
    if (outside <= enclosed || enclosed < outside / 10) return blocked;  // it is not there anyway, or a world outdoors
    const double cell_m2 = s.map.cell_m * s.map.cell_m;
    notes.push_back(fmt::format(
        "the largest free area, {:.4g} m2, lies along the edge of the map, outside of what walls enclose: the "
        "team is placed in the largest enclosed one, {:.4g} m2; --base X,Y, or x_m and y_m of [[base]], places it "
        "elsewhere",
        static_cast<double>(outside) * cell_m2, static_cast<double>(enclosed) * cell_m2));
    Grid<std::uint8_t> inside = blocked;
    for (const CellRun& run : area)
        if (run.label == *margin)
            for (Cell c{run.x, run.y}; c.x < run.end; ++c.x) inside[c] = 1;
    return inside;
}

/// The middle of the largest connected free area: of its cells the one nearest to their mean that has the most room.
Cell middle_of_largest(const Grid<std::uint8_t>& blocked) {
    std::vector<CellRun> largest = label_runs(blocked);
    std::vector<std::int64_t> size(1);
    for (const CellRun& run : largest) {
        size.resize(std::max(size.size(), static_cast<std::size_t>(run.label) + 1));
        size[static_cast<std::size_t>(run.label)] += run.end - run.x;
    }
    const auto label = std::max_element(size.begin(), size.end()) - size.begin();
    std::erase_if(largest, [&](const CellRun& run) { return run.label != label; });
    double x = 0, y = 0;  // sums of whole numbers
    for (const CellRun& run : largest) {
        const double cells = run.end - run.x;
        x += (run.x + run.end - 1) * cells / 2;
        y += run.y * cells;
    }
    x /= static_cast<double>(size[static_cast<std::size_t>(label)]);
    y /= static_cast<double>(size[static_cast<std::size_t>(label)]);
    CellBits open = open_bits(blocked), candidates(blocked.width(), blocked.height(), blocked.origin());
    for (const CellRun& run : largest)
        for (Cell c{run.x, run.y}; c.x < run.end; ++c.x) candidates.set(c);
    constexpr int enough = 8;  // cells around the base are room for a team
    for (int room = 2; room <= enough; ++room) {
        open = eroded(open);
        if (!keep_common(candidates, open)) break;
    }
    double nearest = INFINITY;
    Cell best;
    candidates.for_each([&](Cell c) {  // by row, then column: the first of equals stays
        if (const double away = std::hypot(c.x - x, c.y - y); away < nearest) {
            nearest = away;
            best = c;
        }
    });
    return best;
}

}  // namespace

Grid<std::uint8_t> left_out_cells(const Scenario& s) {
    const RegionOptions& region = s.features.get<RegionOptions>();
    Grid<std::uint8_t> out(s.walls.width(), s.walls.height(), 0, s.walls.lattice());
    mark_runs(out, read_runs(region.without, region.where, "region.without"), 1);
    return out;
}

Cell team_centre(const Scenario& s, const Grid<std::uint8_t>& blocked, Notes& notes) {
    if (!s.features.get<RegionOptions>().without.empty()) {
        Grid<std::uint8_t> inside = left_out_cells(s);
        for (std::size_t i = 0; i < inside.cells().size(); ++i) inside.cells()[i] |= blocked.cells()[i];
        const auto& cells = inside.cells();
        if (std::find(cells.begin(), cells.end(), 0) != cells.end()) return middle_of_largest(inside);
    }
    return middle_of_largest(blocked_outside(s, blocked, notes));
}

}  // namespace outrider
