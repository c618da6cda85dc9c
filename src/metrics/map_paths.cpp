#include "metrics/map_paths.hpp"

#include <array>
#include <optional>
#include <vector>

#include "outrider/rng.hpp"

namespace outrider {
namespace {

constexpr int source_count = 10, target_count = 10;
constexpr std::array<Cell, 4> neighbours{Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}};

using Mask = Grid<std::uint8_t>;

/// Breadth first over cells that are not 0, 4-connected: 1 + the direction in which each cell was entered, 0 where
/// not reached.
Mask spread(const Mask& open, Cell from) {
    Mask entered(open.width(), open.height(), 0, open.lattice(), open.origin());
    std::vector<Cell> queue{from};
    entered[from] = 5;
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (std::size_t k = 0; k < 4; ++k) {
            const Cell c = queue[i] + neighbours[k];
            if (!open.contains(c) || !open[c] || entered[c]) continue;
            entered[c] = static_cast<std::uint8_t>(k + 1);
            queue.push_back(c);
        }
    return entered;
}

std::vector<Cell> path_back(const Mask& entered, Cell to) {
    std::vector<Cell> path{to};
    while (entered[path.back()] != 5) path.push_back(path.back() - neighbours[entered[path.back()] - 1u]);
    return path;
}

bool drivable(const std::vector<Cell>& path, const Mask& open, int within) {
    Mask near(open.width(), open.height(), 0, open.lattice(), open.origin());
    const auto around = [&](Cell at, auto&& visit) {
        for (int dy = -within; dy <= within; ++dy)
            for (int dx = -within; dx <= within; ++dx)
                if (const Cell c = at + Cell{dx, dy}; open.contains(c) && open[c]) visit(c);
    };
    for (const Cell c : path) around(c, [&](Cell n) { near[n] = 1; });
    bool connected = false;
    const auto nearest = [&](Cell at) {
        std::optional<Cell> best;
        around(at, [&](Cell c) {
            if (!best || squared_distance(c, at) < squared_distance(*best, at)) best = c;
        });
        return best;
    };
    const auto from = nearest(path.back()), to = nearest(path.front());
    if (from && to) connected = spread(near, *from)[*to] != 0;
    return connected;
}

double share_drivable(const Mask& planned_on, const Mask& driven_in, Cell body, int within) {
    if (!planned_on.contains(body) || !planned_on[body]) return 0;
    const Mask reached = spread(planned_on, body);
    std::vector<Cell> places;
    for (std::size_t i = 0; i < reached.cells().size(); ++i)
        if (reached.cells()[i]) places.push_back(reached.cell(i));
    Rng rng(1, 0, Purpose::placement, 0);
    const auto any = [&] { return places[rng.below(static_cast<std::uint32_t>(places.size()))]; };
    int good = 0;
    for (int s = 0; s < source_count; ++s) {
        const Mask entered = spread(planned_on, any());
        for (int t = 0; t < target_count; ++t) good += drivable(path_back(entered, any()), driven_in, within);
    }
    return good / static_cast<double>(source_count * target_count);
}

}  // namespace

PathShares compare_paths(const KnownMap& map, const World& world, Cell body, int within_cells) {
    const Grid<std::uint8_t>& walls = world.walls();
    Mask truth(walls.width(), walls.height(), 0, walls.lattice(), walls.origin()), believed = truth;
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        truth[c] = walls.cells()[i] == 0;
        believed[c] = map.is_free(c);
    }
    return {share_drivable(believed, truth, body, within_cells), share_drivable(truth, believed, body, within_cells)};
}

}  // namespace outrider
