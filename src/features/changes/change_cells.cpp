#include "features/changes/change_cells.hpp"

#include <fmt/core.h>

#include <cmath>

#include "outrider/error.hpp"
#include "scenario/cell_areas.hpp"
#include "scenario/number_lists.hpp"

namespace outrider {
namespace {

std::vector<Point> corners_of(const ChangeEntry& change) {
    return read_corners(change.polygon, change.where, "polygon");
}

std::vector<std::vector<int>> runs_in(const ChangeEntry& change) {
    return read_lists<int>(change.cells, 3, change.where, "cells", "12 5 3, 12 6 3");
}

}  // namespace

void check_shape(const ChangeEntry& c) {
    const bool any = !(std::isnan(c.x_m) && std::isnan(c.y_m) && std::isnan(c.width_m) && std::isnan(c.height_m));
    if (any)
        for (const auto& [name, value] : {std::pair("x_m", c.x_m), std::pair("y_m", c.y_m),
                                          std::pair("width_m", c.width_m), std::pair("height_m", c.height_m)})
            if (std::isnan(value)) fail("{}: no {}; a rectangle has x_m, y_m, width_m and height_m", c.where, name);
    const int shapes = any + !c.polygon.empty() + !c.mask.empty() + !c.cells.empty();
    if (shapes != 1)
        fail("{}: {} of a rectangle (x_m, y_m, width_m, height_m), polygon, mask and cells; expected one", c.where,
             shapes == 0 ? "none" : "several");
    if (!c.polygon.empty() && corners_of(c).size() < 3)
        fail("{}: polygon = \"{}\": expected at least three corners, as in \"2 3, 5 3, 4 6\"", c.where, c.polygon);
    for (const std::vector<int>& run : runs_in(c))
        if (run[2] < 1)
            fail("{}: cells: a run of {} cells from ({}, {}); expected at least one", c.where, run[2], run[0], run[1]);
}

std::vector<Cell> cells_of(const ChangeEntry& change, const Grid<std::uint8_t>& walls) {
    std::vector<Cell> cells;
    const auto add = [&](Cell c) {
        if (walls.contains(c)) cells.push_back(c);
    };
    if (!change.cells.empty()) {
        for (const std::vector<int>& run : runs_in(change))
            for (int k = 0; k < run[2] && run[0] + k < walls.width(); ++k) add({run[0] + k, run[1]});
        return cells;
    }
    if (!change.polygon.empty()) return cells_in(corners_of(change), walls);
    const double cell_m = walls.lattice().cell_m;
    const auto first = [&](double low_m) { return static_cast<int>(std::ceil(low_m / cell_m - 0.5)); };
    for (int y = first(change.y_m); y < first(change.y_m + change.height_m); ++y)
        for (int x = first(change.x_m); x < first(change.x_m + change.width_m); ++x) add({x, y});
    return cells;
}

std::string runs_of_mask(const std::string& path, Channels channels, const Grid<std::uint8_t>& walls) {
    const std::string runs = runs_in_mask(path, channels, walls, MaskPart::dark);
    if (runs.empty()) fail("{}: no dark pixel; dark are the cells that change", path);
    return runs;
}

}  // namespace outrider
