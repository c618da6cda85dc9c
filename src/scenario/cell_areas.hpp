// Parts of the map that texts and images of a scenario name: polygons, runs of cells, masks.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/image.hpp"
#include "grid/grid.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

/// "x y, x y, ..." in metres from the map's lower left corner. Throws Error; where, what: for its message.
std::vector<Point> read_corners(const std::string& text, std::string_view where, std::string_view what);

/// The cells of the map whose middles lie in the polygon (even-odd), in the map's frame, by row.
std::vector<Cell> cells_in(const std::vector<Point>& corners, const Grid<std::uint8_t>& walls);

/// Runs of cells, "column row length, ...", counted from the lower left. Throws Error unless each has at least one
/// cell, none of them left of or below the map.
std::vector<std::vector<int>> read_runs(const std::string& text, std::string_view where, std::string_view what);
/// Sets these cells to `value`; those off the map are left out.
void mark_runs(Grid<std::uint8_t>& cells, const std::vector<std::vector<int>>& runs, std::uint8_t value);
/// The cells of a map, row by row from its lower left, for which is_in(column, row) holds, as runs; "": none.
std::string runs_of(int width, int height, const std::function<bool(int, int)>& is_in);

enum class MaskPart { dark, bright };
/// The dark pixels of an image as large as the map (below half of the brightness), or the bright ones, as runs:
/// "column row length, ...", counted from the lower left; "": there is none. Throws Error.
std::string runs_in_mask(const std::string& path, Channels channels, const Grid<std::uint8_t>& walls, MaskPart part);

}  // namespace outrider
