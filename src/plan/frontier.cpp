#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "outrider/nav_map.hpp"
#include "outrider/ray.hpp"

namespace outrider {
namespace {

/// Frontier cells side by side in a row: columns first ... last.
struct Run {
    int row, first, last;
    const NavTile* tile;
    int label = 0;
};

std::vector<std::pair<TileCoord, const NavTile*>> tiles_by_row(const NavMap& nav) {
    std::vector<std::pair<TileCoord, const NavTile*>> tiles;
    nav.tiles().for_each([&](TileCoord t, const NavTile& tile) { tiles.emplace_back(t, &tile); });
    std::sort(tiles.begin(), tiles.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return tiles;
}

/// Runs of frontier cells, reached or not, by row, then column. A run ends at the edge of a tile.
std::vector<Run> collect_runs(const NavMap& nav, bool reached) {
    std::vector<Run> runs;
    const auto tiles = tiles_by_row(nav);
    for (std::size_t begin = 0, end; begin < tiles.size(); begin = end) {
        const int ty = tiles[begin].first.y;
        for (end = begin; end < tiles.size() && tiles[end].first.y == ty; ++end) {
        }
        for (int row = 0; row < tile_size; ++row)
            for (std::size_t k = begin; k < end; ++k) {
                const NavTile& tile = *tiles[k].second;
                const auto i = static_cast<std::size_t>(row);
                std::uint64_t word = tile.frontier[i] & (reached ? tile.reached[i] : ~tile.reached[i]);
                while (word) {
                    const int first = std::countr_zero(word), length = std::countr_one(word >> first);
                    const int column = tiles[k].first.x * tile_size + first;
                    runs.push_back({ty * tile_size + row, column, column + length - 1, &tile});
                    word &= length == 64 ? 0 : ~(((std::uint64_t{1} << length) - 1) << first);
                }
            }
    }
    return runs;
}

int root(std::vector<int>& parent, int i) {
    while (parent[static_cast<std::size_t>(i)] != i)
        i = parent[static_cast<std::size_t>(i)] = parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
    return i;
}

/// Labels runs that touch (8-connected) alike; labels count up in the order of the clusters' first runs.
int label_clusters(std::vector<Run>& runs) {
    std::vector<int> parent(runs.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto join = [&](std::size_t a, std::size_t b) {
        const int ra = root(parent, static_cast<int>(a)), rb = root(parent, static_cast<int>(b));
        parent[static_cast<std::size_t>(std::max(ra, rb))] = std::min(ra, rb);
    };
    std::size_t above = 0;  // first run of the row before that can still touch
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i > 0 && runs[i - 1].row == runs[i].row && runs[i - 1].last + 1 == runs[i].first) join(i - 1, i);
        while (above < i && (runs[above].row < runs[i].row - 1 ||
                             (runs[above].row == runs[i].row - 1 && runs[above].last + 1 < runs[i].first)))
            ++above;
        for (std::size_t k = above; k < i && runs[k].row == runs[i].row - 1 && runs[k].first <= runs[i].last + 1; ++k)
            join(k, i);
    }
    int labels = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const int r = root(parent, static_cast<int>(i));
        runs[i].label = r == static_cast<int>(i) ? labels++ : runs[static_cast<std::size_t>(r)].label;
    }
    return labels;
}

/// The best representative so far: farther from walls, then nearer to the centroid, then by row and column.
struct Representative {
    Cell cell;
    int clearance = 0;
    double distance = std::numeric_limits<double>::infinity();

    void offer(Cell c, int c_clearance, double c_distance) {
        if (c_clearance > clearance || (c_clearance == clearance && c_distance < distance))
            *this = {c, c_clearance, c_distance};
    }
};

/// Bits of the run's cells in its row of the tile.
std::uint64_t cells_of(const Run& run) {
    const int length = run.last - run.first + 1;
    return (length == tile_size ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1) << (run.first & 63);
}

/// Calls visit(cell, bit) for each cell of the run in `bits`.
template <class Visit>
void for_each_cell(const Run& run, std::uint64_t bits, Visit&& visit) {
    for (; bits; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        visit(Cell{run.first - (run.first & 63) + bit, run.row}, bit);
    }
}

/// Size and centroid of each cluster.
std::vector<Frontier> measure(const std::vector<Run>& runs, int clusters) {
    std::vector<Frontier> out(static_cast<std::size_t>(clusters));
    for (const Run& run : runs) {
        Frontier& f = out[static_cast<std::size_t>(run.label)];
        const int length = run.last - run.first + 1;
        f.size += length;
        f.centroid.x += length * 0.5 * (run.first + run.last + 1);
        f.centroid.y += length * (run.row + 0.5);
    }
    for (Frontier& f : out) {
        f.centroid = f.centroid * (1.0 / f.size);
        f.area = f.size;
    }
    return out;
}

/// Of the unknown cells beside c the one that lies most towards all that is unknown around it: looking exactly at one
/// cell, even a narrow field of view sees it.
Cell unknown_beside(const KnownMap& map, Cell c) {
    static constexpr std::array<Cell, 4> beside{{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
    Cell lean;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            if (map.state(c + Cell{dx, dy}) == CellState::unknown) lean = lean + Cell{dx, dy};
    const auto dot = [&](Cell d) { return d.x * lean.x + d.y * lean.y; };
    const Cell* best = nullptr;
    for (const Cell& d : beside)
        if (map.state(c + d) == CellState::unknown && (!best || dot(d) > dot(*best))) best = &d;
    return best ? c + *best : c;
}

/// The nearest reached cell to `look` with nothing known to stand between them, along rays in all directions.
std::optional<Cell> view_of(const KnownMap& map, const NavMap& nav, Cell look, double range,
                            const std::function<bool(Cell, Cell)>& in_vain) {
    std::optional<Cell> best;
    const auto better = [&](Cell at) {
        const auto rank = [&](Cell c) { return std::pair(squared_distance(c, look), c); };
        return nav.reached(at) && (!best || rank(at) < rank(*best)) && !in_vain(at, look);
    };
    const auto take = [&](Cell at) {
        best = at;
        return false;  // a later ray may find a nearer one
    };
    find_view(
        look, range, [&](Cell at) { return map.is_occupied(at); }, better, take);
    return best;
}

}  // namespace

std::vector<Frontier> find_frontiers(const KnownMap& map, const NavMap& nav, const FrontierOptions& options) {
    std::vector<Run> runs = collect_runs(nav, true);
    const int count = label_clusters(runs);
    std::vector<Frontier> clusters = measure(runs, count);
    std::vector<Representative> best(clusters.size());
    for (const Run& run : runs) {
        const auto label = static_cast<std::size_t>(run.label);
        const auto i = static_cast<std::size_t>(run.row & 63);
        for_each_cell(run, run.tile->edge[i] & cells_of(run), [&](Cell c, int bit) {
            const int clearance = run.tile->near1[i] >> bit & 1 ? 1 : run.tile->near2[i] >> bit & 1 ? 2 : 3;
            const double dx = c.x + 0.5 - clusters[label].centroid.x, dy = c.y + 0.5 - clusters[label].centroid.y;
            best[label].offer(c, clearance, dx * dx + dy * dy);
        });
        if (options.kind == FrontierKind::unsafe)
            for_each_cell(run, cells_of(run), [&](Cell c, int) {
                const bool inside = nav.frontier(c + Cell{1, 0}) && nav.frontier(c - Cell{1, 0}) &&
                                    nav.frontier(c + Cell{0, 1}) && nav.frontier(c - Cell{0, 1});
                clusters[label].area += inside ? 0 : 1;
            });
    }
    std::vector<Frontier> frontiers;
    for (std::size_t k = 0; k < clusters.size(); ++k) {
        Frontier& f = clusters[k];
        f.leftover = f.size < options.min_cells;
        if (best[k].clearance == 0) continue;  // from nowhere in it can the unknown be seen
        if (f.leftover && options.leftovers == Leftovers::drop) continue;
        f.goal = best[k].cell;
        f.look = unknown_beside(map, f.goal);
        frontiers.push_back(f);
    }
    return frontiers;
}

std::vector<Frontier> find_views(const KnownMap& map, const NavMap& nav, double range_cells,
                                 const std::function<bool(Cell goal, Cell look)>& in_vain) {
    std::vector<Run> runs = collect_runs(nav, false);
    const int count = label_clusters(runs);
    std::vector<Frontier> clusters = measure(runs, count);
    std::vector<bool> seen(clusters.size(), false);
    for (const Run& run : runs) {
        const auto label = static_cast<std::size_t>(run.label);
        for_each_cell(run, run.tile->edge[static_cast<std::size_t>(run.row & 63)] & cells_of(run), [&](Cell c, int) {
            if (seen[label]) return;
            const Cell look = unknown_beside(map, c);
            const auto goal = view_of(map, nav, look, range_cells, in_vain);
            if (!goal) return;
            seen[label] = true;
            clusters[label].goal = *goal;
            clusters[label].look = look;
            clusters[label].leftover = true;
        });
    }
    std::vector<Frontier> views;
    for (std::size_t k = 0; k < clusters.size(); ++k)
        if (seen[k]) views.push_back(clusters[k]);
    return views;
}

}  // namespace outrider
