// Plain versions of what the program does: what the benchmarks are measured against, in the same run.
#pragma once

#include <cmath>
#include <cstdlib>
#include <limits>
#include <queue>
#include <span>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "outrider/ray.hpp"
#include "world/map_file.hpp"

namespace outrider::bench {

using Bytes = Grid<std::uint8_t>;

/// The first wall along a ray, cell by cell (Amanatides & Woo 1987) on a grid of bytes; outside is wall.
inline double amanatides_woo(const Bytes& walls, Point origin, Point direction, double most) {
    int x = static_cast<int>(std::floor(origin.x)), y = static_cast<int>(std::floor(origin.y));
    const int step_x = direction.x >= 0 ? 1 : -1, step_y = direction.y >= 0 ? 1 : -1;
    const double delta_x = 1 / std::abs(direction.x), delta_y = 1 / std::abs(direction.y);
    double next_x = (direction.x >= 0 ? x + 1 - origin.x : origin.x - x) * delta_x;
    double next_y = (direction.y >= 0 ? y + 1 - origin.y : origin.y - y) * delta_y;
    const int width = walls.width(), height = walls.height();
    const std::uint8_t* cells = walls.cells().data();
    for (double t = 0;;) {
        if (next_x < next_y) {
            t = next_x;
            next_x += delta_x;
            x += step_x;
        } else {
            t = next_y;
            next_y += delta_y;
            y += step_y;
        }
        if (t > most) return std::numeric_limits<double>::infinity();
        if (x < 0 || y < 0 || x >= width || y >= height ||
            cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)])
            return t;
    }
}

/// Textbook A*: binary heap, octile heuristic, no cutting of corners. The cost in cells; infinity without a path.
inline double astar(const Bytes& walls, Cell start, Cell goal) {
    struct Entry {
        double f;
        std::size_t cell;
        bool operator<(const Entry& o) const { return f > o.f; }
    };
    const auto octile = [&](Cell a) {
        const double dx = std::abs(a.x - goal.x), dy = std::abs(a.y - goal.y);
        return std::max(dx, dy) + (std::sqrt(2.0) - 1) * std::min(dx, dy);
    };
    std::vector<double> cost(walls.cells().size(), std::numeric_limits<double>::infinity());
    std::vector<std::uint8_t> closed(walls.cells().size());
    std::priority_queue<Entry> open;
    cost[walls.index(start)] = 0;
    open.push({octile(start), walls.index(start)});
    const auto free = [&](Cell c) { return walls.contains(c) && !walls[c]; };
    while (!open.empty()) {
        const std::size_t i = open.top().cell;
        open.pop();
        if (closed[i]) continue;
        closed[i] = 1;
        const Cell c = walls.cell(i);
        if (c == goal) return cost[i];
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell to = c + Cell{dx, dy};
                if ((dx == 0 && dy == 0) || !free(to)) continue;
                if (dx != 0 && dy != 0 && (!free(c + Cell{dx, 0}) || !free(c + Cell{0, dy}))) continue;
                const double total = cost[i] + (dx != 0 && dy != 0 ? std::sqrt(2.0) : 1.0);
                if (total >= cost[walls.index(to)]) continue;
                cost[walls.index(to)] = total;
                open.push({total + octile(to), walls.index(to)});
            }
    }
    return std::numeric_limits<double>::infinity();
}

/// Cells of a byte grid (0 unknown, 1 free, 2 wall) that are free with an unknown 8-neighbour.
inline std::size_t scan_frontiers(const Bytes& cells, std::vector<std::uint8_t>& out) {
    std::size_t n = 0;
    const int w = cells.width();
    out.assign(cells.cells().size(), 0);
    for (int y = 1; y + 1 < cells.height(); ++y)
        for (int x = 1; x + 1 < w; ++x) {
            const std::uint8_t* p =
                &cells.cells()[static_cast<std::size_t>(y) * static_cast<std::size_t>(w) + static_cast<std::size_t>(x)];
            if (p[0] != 1) continue;
            const bool unknown =
                !p[-1] || !p[1] || !p[-w] || !p[w] || !p[-w - 1] || !p[-w + 1] || !p[w - 1] || !p[w + 1];
            out[static_cast<std::size_t>(y) * static_cast<std::size_t>(w) + static_cast<std::size_t>(x)] = unknown;
            n += unknown;
        }
    return n;
}

/// Per cell the higher rank of two byte grids.
inline void merge_bytes(Bytes& mine, const Bytes& theirs) {
    for (std::size_t i = 0; i < mine.cells().size(); ++i)
        mine.cells()[i] = std::max(mine.cells()[i], theirs.cells()[i]);
}

/// The named map of MRESim in OUTRIDER_DATA, or an office of the same kind of the project's own.
inline Bytes map_for_scans() {
    MapOptions options;
    options.channels = Channels::first;
    options.occupied_thresh = 0.99999;
    if (const char* data = std::getenv("OUTRIDER_DATA"))
        return load_map(options, std::string(data) + "/mresim/environments/intel-map.png");
    return load_map(options, OUTRIDER_SOURCE_DIR "/environments/office.png");
}

}  // namespace outrider::bench
