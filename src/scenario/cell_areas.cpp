#include "scenario/cell_areas.hpp"

#include <fmt/core.h>

#include "outrider/error.hpp"
#include "scenario/number_lists.hpp"

namespace outrider {
namespace {

/// Even-odd: whether a ray to the right crosses an odd number of edges.
bool inside(const std::vector<Point>& corners, Point p) {
    bool odd = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point a = corners[i], b = corners[(i + 1) % corners.size()];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) odd = !odd;
    }
    return odd;
}

}  // namespace

std::vector<Point> read_corners(const std::string& text, std::string_view where, std::string_view what) {
    std::vector<Point> corners;
    for (const auto& p : read_lists<double>(text, 2, where, what, "2 3, 5 3, 4 6")) corners.push_back({p[0], p[1]});
    return corners;
}

std::vector<Cell> cells_in(const std::vector<Point>& corners, const Grid<std::uint8_t>& walls) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < walls.cells().size(); ++i)
        if (const Cell c = walls.cell(i); inside(corners, walls.lattice().centre(c))) cells.push_back(c);
    return cells;
}

std::vector<std::vector<int>> read_runs(const std::string& text, std::string_view where, std::string_view what) {
    std::vector<std::vector<int>> runs = read_lists<int>(text, 3, where, what, "12 5 3, 12 6 3");
    for (const std::vector<int>& run : runs)
        if (run[0] < 0 || run[1] < 0 || run[2] < 1)
            fail("{}: {}: {} cells from ({}, {}); expected at least one, on the map", where, what, run[2], run[0],
                 run[1]);
    return runs;
}

void mark_runs(Grid<std::uint8_t>& cells, const std::vector<std::vector<int>>& runs, std::uint8_t value) {
    for (const std::vector<int>& run : runs)
        for (int k = 0; k < run[2] && run[0] + k < cells.width() && run[1] < cells.height(); ++k)
            cells[Cell{run[0] + k, run[1]}] = value;
}

std::string runs_of(int width, int height, const std::function<bool(int, int)>& is_in) {
    std::string runs;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int from = x;
            while (x < width && is_in(x, y)) ++x;
            if (x > from) runs += fmt::format("{}{} {} {}", runs.empty() ? "" : ", ", from, y, x - from);
        }
    return runs;
}

std::string runs_in_mask(const std::string& path, Channels channels, const Grid<std::uint8_t>& walls, MaskPart part) {
    const GreyImage image = read_png(path, channels);
    if (image.width != walls.width() || image.height != walls.height())
        fail("{}: {} x {} pixels, but the map has {} x {} cells; expected the same size", path, image.width,
             image.height, walls.width(), walls.height());
    return runs_of(image.width, image.height, [&](int x, int y) {
        const auto row = static_cast<std::size_t>(image.height - 1 - y);
        return (image.values[row * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)] < 32768) ==
               (part == MaskPart::dark);
    });
}

}  // namespace outrider
