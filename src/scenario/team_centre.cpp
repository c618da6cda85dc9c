#include "scenario/team_centre.hpp"

#include <algorithm>
#include <bit>
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

/// What a team must not be placed on: also the margin around a building, where the building has room enough. None:
/// just what is blocked.
std::optional<Grid<std::uint8_t>> blocked_outside(const Scenario& s, const Grid<std::uint8_t>& blocked, Notes& notes) {
    const std::vector<CellRun> area = label_runs(s.walls);
    const std::optional<std::int32_t> margin = margin_of(area, s.walls.width(), s.walls.height());
    if (!margin) return {};
    const auto cells_of = [&](const CellRun& run) {
        return blocked.cells().begin() + static_cast<std::ptrdiff_t>(blocked.index({run.x, run.y}));
    };
    std::map<std::int32_t, std::int64_t> size;
    for (const CellRun& run : area) size[run.label] += std::count(cells_of(run), cells_of(run) + run.end - run.x, 0);
    std::int64_t enclosed = 0;
    for (const auto& [label, cells] : size)
        if (label != *margin) enclosed = std::max(enclosed, cells);
    const std::int64_t outside = size[*margin];
    if (outside <= enclosed || enclosed < outside / 10) return {};  // it is not there anyway, or a world outdoors
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

/// Of the cells that are set the nearest to a point; of equal ones the first by row, then column.
Cell nearest_of(const CellBits& cells, double x, double y) {
    double nearest = INFINITY;
    Cell best;
    const auto look_along = [&](int row) {
        if (std::abs(row - y) > nearest) return false;
        for (int w = 0; w < cells.words(); ++w) {
            const double first = cells.origin().x + 64 * w;
            if (std::max(first - x, x - (first + 63)) > nearest) continue;
            for (std::uint64_t left = cells.row(row - cells.origin().y)[w]; left; left &= left - 1) {
                const Cell c{cells.origin().x + 64 * w + std::countr_zero(left), row};
                const double away = std::hypot(c.x - x, c.y - y);
                if (away > nearest || (away == nearest && row > best.y)) continue;
                if (away < nearest || row < best.y) best = c;
                nearest = away;
            }
        }
        return true;
    };
    const int low = cells.origin().y, high = low + cells.height() - 1;
    int up = std::clamp(static_cast<int>(y), low, high), down = up - 1;
    while (up <= high && look_along(up)) ++up;
    while (down >= low && look_along(down)) --down;
    return best;
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
    for (const CellRun& run : largest) candidates.set_run(run.y, run.x, run.end);
    constexpr int enough = 8;  // cells around the base are room for a team
    for (int room = 2; room <= enough; ++room) {
        open = eroded(open);
        if (!keep_common(candidates, open)) break;
    }
    return nearest_of(candidates, x, y);
}

}  // namespace

CellBits left_out_cells(const Scenario& s) {
    const RegionOptions& region = s.features.get<RegionOptions>();
    const Cell origin = s.walls.origin();
    CellBits out(s.walls.width(), s.walls.height(), origin);
    for (const std::vector<int>& run : read_runs(region.without, region.where, "region.without"))
        if (run[0] < out.width() && run[1] < out.height())
            out.set_run(origin.y + run[1], origin.x + run[0],
                        origin.x + run[0] + std::min(run[2], out.width() - run[0]));
    return out;
}

Cell team_centre(const Scenario& s, const Grid<std::uint8_t>& blocked, Notes& notes) {
    if (!s.features.get<RegionOptions>().without.empty()) {
        Grid<std::uint8_t> inside = blocked;
        left_out_cells(s).for_each([&](Cell c) { inside[c] = 1; });
        const auto& cells = inside.cells();
        if (std::find(cells.begin(), cells.end(), 0) != cells.end()) return middle_of_largest(inside);
    }
    const auto also_outside = blocked_outside(s, blocked, notes);
    return middle_of_largest(also_outside ? *also_outside : blocked);
}

}  // namespace outrider
