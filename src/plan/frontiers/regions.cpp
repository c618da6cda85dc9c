#include "plan/frontiers/regions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "grid/grid.hpp"

namespace outrider {
namespace {

constexpr double least_area = 3;

// In the order of the search, clockwise from east; y points up here and down in the source.
constexpr std::array<Cell, 8> ring_steps{{{1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
constexpr std::size_t first_direction = 7, back_from = 6;

bool unknown_around(const KnownMap& map, Cell c) {
    return std::any_of(ring_steps.begin(), ring_steps.end(),
                       [&](Cell d) { return map.state(c + d) == CellState::unknown; });
}

/// The cells of the regions as a grid, which answers faster than the map does.
struct Regions {
    Cell low, high;
    std::vector<std::uint8_t> cells;  // 1: of a region, 2: free besides
    int width = 0;

    std::uint8_t at(Cell c) const {
        if (c.x < low.x || c.y < low.y || c.x > high.x || c.y > high.y) return 0;
        return cells[static_cast<std::size_t>(c.y - low.y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(c.x - low.x)];
    }
    bool inside(Cell c) const { return at(c) == 1; }
    bool free(Cell c) const { return at(c) != 0; }

    Regions(const KnownMap& map, const NavMap& nav) {
        const auto [first, last] = nav.extent();
        low = cell_of(first, 0, 0);
        high = cell_of(last, tile_size - 1, tile_size - 1);
        if (high.x < low.x) return;
        width = high.x - low.x + 1;
        cells.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(high.y - low.y + 1));
        for (int ty = first.y; ty <= last.y; ++ty)
            for (int tx = first.x; tx <= last.x; ++tx)
                if (const CellTile* tile = map.tile({tx, ty})) add(map, {tx, ty}, *tile);
    }

  private:
    void add(const KnownMap& map, TileCoord t, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t free = tile.free_row(row); free; free &= free - 1) {
                const int column = std::countr_zero(free);
                const Cell c = cell_of(t, column, row);
                const bool safe = tile.safe.rows[static_cast<std::size_t>(row)] >> column & 1;
                cells[static_cast<std::size_t>(c.y - low.y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(c.x - low.x)] = !safe || unknown_around(map, c) ? 1 : 2;
            }
    }
};

/// The direction of the next cell of the outline after `at`, searched for from `from` on; none: the cell is alone.
std::optional<std::size_t> next_step(const Regions& regions, Cell at, std::size_t from) {
    for (std::size_t k = 0; k < 8; ++k) {
        const std::size_t direction = (from + k) % 8;
        const Cell d = ring_steps[direction];
        const bool cuts = d.x != 0 && d.y != 0 && !(regions.free(at + Cell{d.x, 0}) && regions.free(at + Cell{0, d.y}));
        if (regions.inside(at + d) && !cuts) return direction;
    }
    return {};
}

std::vector<Cell> trace(const Regions& regions, Cell start) {
    std::vector<Cell> outline{start};
    auto step = next_step(regions, start, first_direction);
    if (!step) return outline;
    const Cell second = start + ring_steps[*step];
    const std::size_t most = 8 * regions.cells.size();
    Cell at = second;
    while (outline.size() < most) {
        outline.push_back(at);
        step = next_step(regions, at, (*step + back_from) % 8);
        const Cell next = at + ring_steps[*step];  // there is a way back at least
        if (at == start && next == second) {
            outline.pop_back();
            break;
        }
        at = next;
    }
    return outline;
}

/// Even-odd rule, at the point itself; corners are the cells' positions.
bool contains(const std::vector<Point>& outline, Point p) {
    bool inside = false;
    for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
        const Point a = outline[i], b = outline[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
    }
    return inside;
}

Frontier describe(const std::vector<Cell>& outline, const FrontierOptions& options) {
    // As pixels of the image: y down from its upper left corner.
    const Cell corner = options.image_corner;
    std::vector<Point> pixels;
    for (const Cell c : outline) pixels.push_back({1.0 * (c.x - corner.x), 1.0 * (corner.y - c.y)});
    double twice = 0;
    Point sum;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const Point a = pixels[i], b = pixels[(i + 1) % pixels.size()];
        const double cross = a.x * b.y - b.x * a.y;
        twice += cross;
        sum = sum + (a + b) * cross;
    }
    Frontier f;
    f.size = static_cast<int>(outline.size());
    f.area = std::abs(twice) / 2 + (outline.size() > 1 ? static_cast<double>(outline.size()) : 0);
    f.region = true;
    const Point centre{std::floor(std::abs(sum.x) / (6 * f.area)), std::floor(std::abs(sum.y) / (6 * f.area))};
    f.goal = f.area > 0 && contains(pixels, centre)
                 ? Cell{corner.x + static_cast<int>(centre.x), corner.y - static_cast<int>(centre.y)}
                 : outline[options.pick % outline.size()];
    return f;
}

/// Moves a goal in the unknown to the nearest reached cell of the outline; false: it cannot be reached.
bool make_reachable(const KnownMap& map, const NavMap& nav, const std::vector<Cell>& outline, Frontier& f) {
    if (nav.reached(f.goal)) return true;
    if (map.state(f.goal) != CellState::unknown) return false;
    std::optional<Cell> best;
    for (const Cell c : outline)
        if (nav.reached(c) && (!best || squared_distance(c, f.goal) < squared_distance(*best, f.goal))) best = c;
    if (best) f.goal = *best;
    return best.has_value();
}

}  // namespace

bool in_region(const KnownMap& map, Cell c) {
    const CellState state = map.state(c);
    return state == CellState::free || (state == CellState::safe_free && unknown_around(map, c));
}

std::vector<std::vector<Cell>> region_outlines(const KnownMap& map, const NavMap& nav) {
    const Regions regions(map, nav);
    std::vector<std::vector<Cell>> outlines;
    std::vector<std::uint8_t> traced(regions.cells.size());
    const auto index = [&](Cell c) {
        return static_cast<std::size_t>(c.y - regions.low.y) * static_cast<std::size_t>(regions.width) +
               static_cast<std::size_t>(c.x - regions.low.x);
    };
    for (int y = regions.high.y; y >= regions.low.y; --y)
        for (int x = regions.low.x; x <= regions.high.x; ++x) {
            const Cell c{x, y};
            if (!regions.inside(c) || regions.inside({x, y + 1}) || traced[index(c)]) continue;
            std::vector<Cell> outline = trace(regions, c);
            for (const Cell on : outline) traced[index(on)] = 1;
            if (std::any_of(outline.begin(), outline.end(), [&](Cell on) { return unknown_around(map, on); }))
                outlines.push_back(std::move(outline));
        }
    return outlines;
}

std::vector<Frontier> find_regions(const KnownMap& map, const NavMap& nav, const FrontierOptions& options) {
    std::vector<Frontier> out;
    for (const std::vector<Cell>& outline : region_outlines(map, nav)) {
        Frontier f = describe(outline, options);
        if (f.area < least_area || !make_reachable(map, nav, outline, f)) continue;
        f.look = f.goal;
        f.centroid = {f.goal.x + 0.5, f.goal.y + 0.5};
        out.push_back(f);
    }
    return out;
}

}  // namespace outrider
