#include <algorithm>
#include <limits>
#include <optional>

#include "outrider/frontier.hpp"
#include "outrider/ray.hpp"
#include "plan/frontier_runs.hpp"

namespace outrider {
namespace {

/// The columns in which the tile has reached frontier cells.
std::uint64_t columns_of(const NavTile& tile) {
    std::uint64_t columns = 0;
    for (std::size_t i = 0; i < tile_size; ++i) columns |= tile.frontier[i] & tile.reached[i];
    return columns;
}

/// Whether a frontier cell of the tile touches one of the tile (dx, dy) beside it.
bool touch(const NavTile* tile, const NavTile& beside, int dx, int dy) {
    if (!tile) return false;
    const auto cells = [](const NavTile& t, int row) {
        const auto i = static_cast<std::size_t>(row);
        return t.frontier[i] & t.reached[i];
    };
    const auto spread = [](std::uint64_t word) { return word | word << 1 | word >> 1; };
    const int mine = dx > 0 ? 63 : 0, theirs = 63 - mine;  // columns that meet
    if (dy != 0) {
        const std::uint64_t a = cells(*tile, dy > 0 ? 63 : 0), b = cells(beside, dy > 0 ? 0 : 63);
        return dx == 0 ? (spread(a) & b) != 0 : (a >> mine & b >> theirs & 1) != 0;
    }
    if (!(columns_of(*tile) >> mine & columns_of(beside) >> theirs & 1)) return false;
    std::uint64_t a = 0, b = 0;
    for (int row = 0; row < tile_size; ++row) {
        a |= (cells(*tile, row) >> mine & 1) << row;
        b |= (cells(beside, row) >> theirs & 1) << row;
    }
    return (spread(a) & b) != 0;
}

/// Size and centroid of a cluster.
Frontier measure(std::span<const FrontierRun> runs) {
    Frontier f;
    for (const FrontierRun& run : runs) {
        const int length = run.last - run.first + 1;
        f.size += length;
        f.centroid.x += length * 0.5 * (run.first + run.last + 1);
        f.centroid.y += length * (run.row + 0.5);
    }
    f.centroid = f.centroid * (1.0 / f.size);
    f.area = f.size;
    return f;
}

/// Of the unknown cells beside c the one that lies most towards all that is unknown around it: looking exactly at one
/// cell, even a narrow field of view sees it.
Cell unknown_beside(const KnownMap& map, Cell c) {
    static constexpr std::array<Cell, 4> beside{{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
    const int column = column_in_tile(c), row = row_in_tile(c);
    const bool within = column >= 2 && column < 62 && row >= 2 && row < 62;  // with all that is looked at
    const CellTile* tile = map.tile(tile_of(c));
    const auto unknown = [&](Cell d) {
        return within && tile ? !tile->known.test(c + d) : map.state(c + d) == CellState::unknown;
    };
    Cell lean;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            if (unknown({dx, dy})) lean = lean + Cell{dx, dy};
    const auto dot = [&](Cell d) { return d.x * lean.x + d.y * lean.y; };
    const Cell* best = nullptr;
    for (const Cell& d : beside)
        if (unknown(d) && (!best || dot(d) > dot(*best))) best = &d;
    return best ? c + *best : c;
}

/// Frontier cells of the run's row of its tile whose four neighbours are frontier cells, too.
std::uint64_t surrounded(const NavMap& nav, const NavTile& own, const FrontierRun& run) {
    const TileCoord t = tile_of({run.first, run.row});
    const auto row_of = [&](int dx, int dy) -> std::uint64_t {
        const TileCoord at{t.x + dx, (run.row + dy) >> 6};
        const NavTile* tile = at == t ? &own : nav.tile(at);
        return tile ? tile->frontier[static_cast<std::size_t>((run.row + dy) & 63)] : 0;
    };
    const std::uint64_t here = row_of(0, 0), between = here & row_of(0, -1) & row_of(0, 1) & cells_of(run);
    if (!between) return 0;
    const std::uint64_t left = here << 1 | (between & 1 ? row_of(-1, 0) >> 63 : 0);
    const std::uint64_t right = here >> 1 | (between >> 63 ? row_of(1, 0) << 63 : 0);
    return between & left & right;
}

/// What a cluster is, and where to stand to see the unknown behind it: far from walls, then near its middle. False:
/// from nowhere in it can it be seen.
bool describe(const KnownMap& map, const NavMap& nav, std::span<const FrontierRun> runs, const FrontierOptions& options,
              Frontier& f) {
    f = measure(runs);
    f.leftover = f.size < options.min_cells;
    // Only the cells that are farthest from walls can be chosen.
    std::uint64_t clear = 0, loose = 0, any = 0;
    const NavTile* tile = nullptr;  // of the run before: most runs stay in it
    TileCoord tile_at;
    const auto tile_with = [&](const FrontierRun& run) -> const NavTile& {
        if (const TileCoord t = tile_of({run.first, run.row}); !tile || t != tile_at) {
            tile = nav.tile(t);
            tile_at = t;
        }
        return *tile;
    };
    const auto at_edge = [](const FrontierRun& run, const NavTile& here) {
        return here.edge[static_cast<std::size_t>(run.row & 63)] & cells_of(run);
    };
    for (const FrontierRun& run : runs) {
        const NavTile& here = tile_with(run);
        const auto i = static_cast<std::size_t>(run.row & 63);
        const std::uint64_t edge = at_edge(run, here);
        any |= edge;
        loose |= edge & ~here.near1[i];
        clear |= edge & ~here.near2[i];
        if (options.kind == FrontierKind::unsafe) f.area += std::popcount(cells_of(run) & ~surrounded(nav, here, run));
    }
    if (!any) return false;
    double least = std::numeric_limits<double>::infinity();
    for (const FrontierRun& run : runs) {
        const NavTile& here = tile_with(run);
        const auto i = static_cast<std::size_t>(run.row & 63);
        const std::uint64_t close = clear ? here.near2[i] : loose ? here.near1[i] : 0;
        for_each_cell(run, at_edge(run, here) & ~close, [&](Cell c) {
            const double dx = c.x + 0.5 - f.centroid.x, dy = c.y + 0.5 - f.centroid.y, d = dx * dx + dy * dy;
            if (d >= least) return;  // of equally near ones the first by row and column
            least = d;
            f.goal = c;
        });
    }
    f.look = unknown_beside(map, f.goal);
    return true;
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

struct FrontierFinder::Clusters {
    struct Cluster {
        Frontier frontier;
        std::vector<FrontierRun> runs;  // by row, then column; none: the place is free
        std::vector<TileCoord> tiles;   // that it has cells in
        bool visible = false;           // the unknown can be seen from one of its cells
    };
    std::vector<Cluster> all;
    std::vector<int> free;
    TileTable<std::vector<int>> in_tile;

    void add(Cluster cluster) {
        if (free.empty()) {
            free.push_back(static_cast<int>(all.size()));
            all.emplace_back();
        }
        const int place = free.back();
        free.pop_back();
        for (const TileCoord t : cluster.tiles) in_tile.at(t).push_back(place);
        all[static_cast<std::size_t>(place)] = std::move(cluster);
    }
    /// Takes a cluster apart. Its runs.
    std::vector<FrontierRun> dissolve(int place) {
        Cluster& cluster = all[static_cast<std::size_t>(place)];
        for (const TileCoord t : cluster.tiles) std::erase(*in_tile.find(t), place);
        free.push_back(place);
        return std::exchange(cluster, {}).runs;
    }
    /// The runs that are to be put together: all in tiles that changed, and the others of clusters with cells in these,
    /// or that touch a cell in these from the tile beside. Such a cluster may be cut, joined with another, or see
    /// something else.
    std::vector<FrontierRun> loosen(const NavMap& nav, const std::vector<TileCoord>& changed) {
        std::vector<FrontierRun> runs;
        const auto did_change = [&](TileCoord t) { return std::binary_search(changed.begin(), changed.end(), t); };
        for (const TileCoord t : changed) {
            const NavTile* tile = nav.tile(t);
            if (tile) collect_runs(*tile, t, true, runs);
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const TileCoord beside{t.x + dx, t.y + dy};
                    auto* here = in_tile.find(beside);
                    if (!here || here->empty()) continue;
                    if ((dx != 0 || dy != 0) && (did_change(beside) || !touch(tile, *nav.tile(beside), dx, dy)))
                        continue;
                    while (!here->empty())
                        for (const FrontierRun& run : dissolve(here->back()))
                            if (!did_change(tile_of({run.first, run.row}))) runs.push_back(run);
                }
        }
        sort_runs(runs);
        return runs;
    }
};

FrontierFinder::FrontierFinder(const FrontierOptions& options)
    : options_(options), clusters_(std::make_unique<Clusters>()) {}
FrontierFinder::~FrontierFinder() = default;
FrontierFinder::FrontierFinder(FrontierFinder&&) noexcept = default;
FrontierFinder& FrontierFinder::operator=(FrontierFinder&&) noexcept = default;

const std::vector<Frontier>& FrontierFinder::update(const KnownMap& map, const NavMap& nav) {
    const TileChanges changes = nav.frontier_tiles_since(begun_ ? seen_ : ~std::uint64_t{0});
    if (!changes.everything && changes.tiles.empty()) return frontiers_;
    seen_ = nav.frontier_version();
    begun_ = true;
    std::vector<TileCoord> changed(changes.tiles.begin(), changes.tiles.end());
    if (changes.everything) {
        *clusters_ = {};
        ++counters_.rebuilds;
        nav.tiles().for_each([&](TileCoord t, const NavTile&) { changed.push_back(t); });
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    counters_.tiles_looked += changed.size();

    std::vector<FrontierRun> runs = clusters_->loosen(nav, changed);
    std::vector<Clusters::Cluster> fresh(static_cast<std::size_t>(label_clusters(runs)));
    std::vector<std::uint32_t> sizes(fresh.size(), 0);
    for (const FrontierRun& run : runs) ++sizes[static_cast<std::size_t>(run.label)];
    for (std::size_t i = 0; i < fresh.size(); ++i) fresh[i].runs.reserve(sizes[i]);
    for (const FrontierRun& run : runs) {
        Clusters::Cluster& cluster = fresh[static_cast<std::size_t>(run.label)];
        cluster.runs.push_back(run);
        if (const TileCoord t = tile_of({run.first, run.row});
            std::find(cluster.tiles.begin(), cluster.tiles.end(), t) == cluster.tiles.end())
            cluster.tiles.push_back(t);
        counters_.cells_looked += static_cast<std::uint64_t>(run.last - run.first + 1);
    }
    for (Clusters::Cluster& cluster : fresh) {
        cluster.visible = describe(map, nav, cluster.runs, options_, cluster.frontier);
        clusters_->add(std::move(cluster));
    }

    std::vector<const Clusters::Cluster*> shown;
    for (const Clusters::Cluster& c : clusters_->all)
        if (c.visible && !(c.frontier.leftover && options_.leftovers == Leftovers::drop)) shown.push_back(&c);
    std::sort(shown.begin(), shown.end(), [](const auto* a, const auto* b) { return a->runs[0] < b->runs[0]; });
    frontiers_.clear();
    for (const Clusters::Cluster* c : shown) frontiers_.push_back(c->frontier);
    return frontiers_;
}

std::vector<Frontier> find_frontiers(const KnownMap& map, const NavMap& nav, const FrontierOptions& options) {
    return FrontierFinder(options).update(map, nav);
}

std::optional<Frontier> describe_part(const KnownMap& map, const NavMap& nav, std::span<const Cell> cells) {
    std::vector<FrontierRun> runs;
    for (const Cell c : cells) {
        if (!runs.empty() && runs.back().row == c.y && runs.back().last + 1 == c.x && (c.x & 63) != 0)
            runs.back().last = c.x;
        else
            runs.push_back({c.y, c.x, c.x});
    }
    FrontierOptions options;
    options.min_cells = 1;
    Frontier f;
    if (runs.empty() || !describe(map, nav, runs, options, f)) return {};
    return f;
}

std::vector<Frontier> find_views(const KnownMap& map, const NavMap& nav, double range_cells,
                                 const std::function<bool(Cell goal, Cell look)>& in_vain) {
    std::vector<FrontierRun> runs;
    nav.tiles().for_each([&](TileCoord t, const NavTile& tile) { collect_runs(tile, t, false, runs); });
    std::sort(runs.begin(), runs.end());
    std::vector<std::vector<FrontierRun>> clustered(static_cast<std::size_t>(label_clusters(runs)));
    for (const FrontierRun& run : runs) clustered[static_cast<std::size_t>(run.label)].push_back(run);
    std::vector<Frontier> clusters;
    for (const std::vector<FrontierRun>& cluster : clustered) clusters.push_back(measure(cluster));
    std::vector<bool> seen(clusters.size(), false);
    for (const FrontierRun& run : runs) {
        const auto label = static_cast<std::size_t>(run.label);
        const NavTile& tile = *nav.tile(tile_of({run.first, run.row}));
        for_each_cell(run, tile.edge[static_cast<std::size_t>(run.row & 63)] & cells_of(run), [&](Cell c) {
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
