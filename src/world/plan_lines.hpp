// Plans that are drawn with lines, as cells.
#pragma once

#include <string>
#include <vector>

#include "world/map_file.hpp"

namespace outrider {

/// Marks each cell that the line from `a` to `b` touches; both in cells from the lower left corner. What lies on the
/// upper or right edge of the grid belongs to its last row or column; what is outside is left out. Returns how many
/// cells it went through.
std::int64_t draw_line(Grid<std::uint8_t>& walls, Point a, Point b);

/// HouseExpo's JSON: the outline `verts` in metres; a cell whose centre is inside (even-odd) is free, all else wall,
/// also a rim of one cell. Throws Error: no such JSON, fewer than three places, places that are no numbers or beyond
/// 100 km, a bbox that is not theirs.
MapFile read_houseexpo_map(const std::string& path, double cell_m);

/// Outlines of an SVG as walls, a cell wide. Throws Error with the line: no XML, cut off, no lines, numbers that cannot
/// be, paths that cannot be read; also where this program was built without expat.
MapFile read_svg_map(const std::string& path, double cell_m);

/// The size of a map; throws Error where it is none, or too large.
void check_map_size(const std::string& path, double width, double height);

}  // namespace outrider
