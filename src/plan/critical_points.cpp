#include <algorithm>
#include <cmath>

#include "outrider/topology.hpp"

namespace outrider {
namespace {

constexpr std::array<Cell, 8> ring{{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

/// The skeleton's junctions, and its cells away from them: beside one, the cells of different ways touch.
class Ways {
  public:
    explicit Ways(const Skeleton& skeleton) {
        const std::vector<TileCoord> tiles = skeleton.tiles();
        const auto for_each_cell = [&](auto&& visit) {
            for (const TileCoord t : tiles)
                for (int row = 0; row < tile_size; ++row)
                    for (std::uint64_t bits = (*skeleton.rows(t))[static_cast<std::size_t>(row)]; bits;
                         bits &= bits - 1)
                        visit(cell_of(t, std::countr_zero(bits), row));
        };
        for_each_cell([&](Cell c) {
            if (skeleton.degree(c) >= 3) junctions_.at(tile_of(c)).set(c);
        });
        for_each_cell([&](Cell c) {
            if (!junction(c) && std::none_of(ring.begin(), ring.end(), [&](Cell d) { return junction(c + d); }))
                ways_.at(tile_of(c)).set(c);
        });
    }
    bool junction(Cell c) const { return test(junctions_, c); }
    bool on_way(Cell c) const { return test(ways_, c); }

  private:
    static bool test(const TileTable<BitTile>& table, Cell c) {
        const BitTile* tile = table.find(tile_of(c));
        return tile && tile->test(c);
    }
    TileTable<BitTile> junctions_, ways_;
};

/// A stretch of the skeleton between junctions and ends, its cells in the order of the way along it, the junctions at
/// its ends included.
struct Stretch {
    std::vector<Cell> cells;
    bool junction = false;
};

/// The stretch through c, a cell on a way; its cells are added to `seen`.
Stretch follow(const Skeleton& skeleton, const Ways& ways, Cell c, TileTable<BitTile>& seen) {
    // Breadth first from anywhere ends at an end; from there, in the order of the way. A cell is marked in `seen` while
    // it is found, the second time by taking the mark away again.
    const auto spread = [&](Cell from, bool mark) {
        std::vector<Cell> order;
        const auto find = [&](Cell n) {
            BitTile& tile = seen.at(tile_of(n));
            if (tile.test(n) == mark) return;
            mark ? tile.set(n) : tile.reset(n);
            order.push_back(n);
        };
        find(from);
        for (std::size_t i = 0; i < order.size(); ++i)
            for (const Cell d : ring)
                if (const Cell n = order[i] + d; ways.on_way(n)) find(n);
        return order;
    };
    Stretch stretch{spread(spread(c, true).back(), false)};
    for (const Cell at : stretch.cells) seen.at(tile_of(at)).set(at);
    const auto junction_near = [&](Cell end) -> std::optional<Cell> {
        for (const Cell d : ring)
            for (const Cell e : ring)
                if (const Cell beside = end + d; skeleton.on(beside) && ways.junction(beside + e)) return beside + e;
        return {};
    };
    const auto first = junction_near(stretch.cells.front()), last = junction_near(stretch.cells.back());
    if (first) stretch.cells.insert(stretch.cells.begin(), *first);
    if (last) stretch.cells.push_back(*last);
    stretch.junction = first || last;
    return stretch;
}

/// The narrowest places of a way by their distances to walls: indices whose value grows on both sides by the share
/// `rise` before it falls below; in the middle of those that are equally narrow.
std::vector<std::size_t> narrow_places(const std::vector<double>& clearance, double most, double rise) {
    std::vector<std::size_t> places;
    double before = 0;  // the widest since the last place that was narrower than all after it
    for (std::size_t i = 0; i < clearance.size();) {
        const double least = clearance[i];
        std::size_t last = i, end = i + 1;
        while (end < clearance.size() && clearance[end] >= least && clearance[end] < (1 + rise) * least) {
            if (clearance[end] == least) last = end;
            ++end;
        }
        const bool rises_after = end < clearance.size() && clearance[end] >= (1 + rise) * least;
        if (least <= most && rises_after && before >= (1 + rise) * least) {
            std::size_t middle = (i + last) / 2;
            while (clearance[middle] != least) ++middle;
            places.push_back(middle);
        }
        if (rises_after)
            before = 0;  // what comes next is compared with the hill between
        else
            before = std::max(before, least);
        for (std::size_t k = i; k < end; ++k) before = std::max(before, clearance[k]);
        i = end;
        if (rises_after) before = std::max(before, clearance[end]);
    }
    return places;
}

/// The nearest wall that lies on the other side of c than `wall`.
std::optional<Cell> opposite_wall(const WallDistance& walls, Cell c, Cell wall, double clearance) {
    const int reach = static_cast<int>(2 * clearance) + 3;
    std::optional<Cell> best;
    const Cell to = wall - c;
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx) {
            const Cell other = c + Cell{dx, dy};
            if (walls.squared(other) != 0 || to.x * dx + to.y * dy >= 0) continue;
            if (!best || squared_distance(c, other) < squared_distance(c, *best)) best = other;
        }
    return best;
}

}  // namespace

std::vector<CriticalPoint> find_critical_points(const Skeleton& skeleton, const WallDistance& walls,
                                                double most_clearance, double rise) {
    std::vector<CriticalPoint> points;
    const Ways ways(skeleton);
    TileTable<BitTile> seen;
    for (const TileCoord t : skeleton.tiles())
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t bits = (*skeleton.rows(t))[static_cast<std::size_t>(row)]; bits; bits &= bits - 1) {
                const Cell first = cell_of(t, std::countr_zero(bits), row);
                if (!ways.on_way(first) || seen.at(t).test(first)) continue;
                const Stretch stretch = follow(skeleton, ways, first, seen);
                if (!stretch.junction) continue;
                std::vector<double> clearance;
                for (const Cell c : stretch.cells) clearance.push_back(walls.cells(c));
                for (const std::size_t i : narrow_places(clearance, most_clearance, rise)) {
                    const Cell c = stretch.cells[i];
                    if (const auto wall = walls.nearest(c))
                        if (const auto other = opposite_wall(walls, c, *wall, clearance[i]))
                            points.push_back({c, clearance[i], *wall, *other});
                }
            }
    std::sort(points.begin(), points.end(),
              [](const CriticalPoint& a, const CriticalPoint& b) { return a.cell < b.cell; });
    return points;
}

}  // namespace outrider
