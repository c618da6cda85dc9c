#include <algorithm>
#include <cmath>

#include "outrider/skeleton.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/wall_distance.hpp"

namespace outrider {
namespace {

constexpr std::array<Cell, 8> ring{{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

/// How many ways (branches of the skeleton) leave the 3 x 3 cells around c: groups of skeleton cells on the ring around
/// these, next to one of them. Where ways meet the skeleton may be two cells wide, and no cell of it has three ways of
/// its own.
int branches_out(const Skeleton& skeleton, Cell c) {
    constexpr int size = 16;
    std::array<bool, size> out{};
    for (int k = 0; k < size; ++k) {  // around the square, four cells to a side
        const int along = k % 4 - 2;
        const std::array<Cell, 4> sides{{{along, -2}, {2, along}, {-along, 2}, {-2, -along}}};
        const Cell at = sides[static_cast<std::size_t>(k / 4)];
        const auto touches = [&](Cell d) {
            return std::max(std::abs(at.x - d.x), std::abs(at.y - d.y)) == 1 && skeleton.on(c + d);
        };
        out[static_cast<std::size_t>(k)] = skeleton.on(c + at) && std::any_of(ring.begin(), ring.end(), touches);
    }
    int branches = 0;
    for (std::size_t k = 0; k < size; ++k) branches += out[k] && !out[(k + size - 1) % size];
    return branches;
}

/// The skeleton's junctions, and its cells away from them: beside one, the cells of different ways touch.
class Branches {
  public:
    explicit Branches(const Skeleton& skeleton) {
        const std::vector<TileCoord> tiles = skeleton.tiles();
        const auto for_each_cell = [&](auto&& visit) {
            for (const TileCoord t : tiles)
                for (int row = 0; row < tile_size; ++row)
                    for (std::uint64_t bits = (*skeleton.rows(t))[static_cast<std::size_t>(row)]; bits;
                         bits &= bits - 1)
                        visit(cell_of(t, std::countr_zero(bits), row));
        };
        for_each_cell([&](Cell c) {
            if (skeleton.degree(c) >= 3 || (skeleton.neighbours(c) >= 3 && branches_out(skeleton, c) >= 3))
                junctions_.at(tile_of(c)).set(c);
        });
        for_each_cell([&](Cell c) {
            if (!junction(c) && std::none_of(ring.begin(), ring.end(), [&](Cell d) { return junction(c + d); }))
                paths_.at(tile_of(c)).set(c);
        });
    }
    bool junction(Cell c) const { return test(junctions_, c); }
    bool on_branch(Cell c) const { return test(paths_, c); }

  private:
    static bool test(const TileTable<BitTile>& table, Cell c) {
        const BitTile* tile = table.find(tile_of(c));
        return tile && tile->test(c);
    }
    TileTable<BitTile> junctions_, paths_;
};

/// A stretch of the skeleton between junctions and ends, its cells in order along it, the junctions at its ends
/// included.
struct Stretch {
    std::vector<Cell> cells;
    bool junction = false;
};

/// The stretch through c, a cell on a way; its cells are added to `seen`.
Stretch follow(const Skeleton& skeleton, const Branches& branches, Cell c, TileTable<BitTile>& seen) {
    // A breadth-first search from any cell ends at an end; from there, it finds the cells in order. A cell is marked in
    // `seen` while it is found, the second time by taking the mark away again.
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
                if (const Cell n = order[i] + d; branches.on_branch(n)) find(n);
        return order;
    };
    Stretch stretch{spread(spread(c, true).back(), false)};
    for (const Cell at : stretch.cells) seen.at(tile_of(at)).set(at);
    // From an end on to a junction: the cell beside the junction, which lies on no way, and the junction.
    using Exit = std::pair<Cell, Cell>;
    const auto exit_of = [&](Cell end, const std::optional<Exit>& other) -> std::optional<Exit> {
        for (const Cell d : ring) {
            const Cell beside = end + d;
            if (!skeleton.on(beside) || branches.on_branch(beside)) continue;
            if (other && squared_distance(beside, other->first) <= 1) continue;  // that side is taken
            for (const Cell e : ring)
                if (branches.junction(beside + e)) return Exit{beside, beside + e};
        }
        return {};
    };
    const Cell front = stretch.cells.front(), back = stretch.cells.back();
    const auto first = exit_of(front, {}), last = exit_of(back, first);
    if (first) stretch.cells.insert(stretch.cells.begin(), {first->second, first->first});
    if (last) stretch.cells.insert(stretch.cells.end(), {last->first, last->second});
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
    const Cell to = wall - c;
    std::optional<Cell> best;
    const auto look = [&](int reach) {
        for (int dy = -reach; dy <= reach; ++dy)
            for (int dx = -reach; dx <= reach; ++dx) {
                const Cell other = c + Cell{dx, dy};
                if (walls.squared(other) != 0 || to.x * dx + to.y * dy >= 0) continue;
                if (!best || squared_distance(c, other) < squared_distance(c, *best)) best = other;
            }
    };
    const int reach = static_cast<int>(2 * clearance) + 3;
    look(reach);
    // In a corner of the square; a nearer one may lie outside of it.
    if (const auto squared = best ? squared_distance(c, *best) : 0; squared > reach * reach)
        look(static_cast<int>(std::sqrt(static_cast<double>(squared))));
    return best;
}

}  // namespace

std::vector<CriticalPoint> find_critical_points(const SkeletonView& view, const WallView& wall_view,
                                                double most_clearance, double rise) {
    const Skeleton& skeleton = view;
    const WallDistance& walls = wall_view;
    std::vector<CriticalPoint> points;
    const Branches branches(skeleton);
    TileTable<BitTile> seen;
    for (const TileCoord t : skeleton.tiles())
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t bits = (*skeleton.rows(t))[static_cast<std::size_t>(row)]; bits; bits &= bits - 1) {
                const Cell first = cell_of(t, std::countr_zero(bits), row);
                if (!branches.on_branch(first) || seen.at(t).test(first)) continue;
                const Stretch stretch = follow(skeleton, branches, first, seen);
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
