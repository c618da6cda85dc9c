// Clusters of frontier cells, kept up as the map grows.
#include <algorithm>

#include "outrider/frontier.hpp"
#include "plan/frontier_runs.hpp"

namespace outrider {
namespace {

/// The rows in which a column of the tile has a reached frontier cell.
std::uint64_t rows_of_column(const NavTile& tile, int column) {
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < tile_size; ++i) rows |= ((tile.frontier[i] & tile.reached[i]) >> column & 1) << i;
    return rows;
}

std::uint64_t with_neighbours(std::uint64_t bits) { return bits | bits << 1 | bits >> 1; }

/// The rows of the tile (dx, dy) beside this one whose frontier cells touch one in these rows of this tile.
std::uint64_t touched_rows(const NavTile& tile, std::uint64_t rows, const NavTile& beside, int dx, int dy) {
    const auto cells = [](const NavTile& t, int row) {
        const auto i = static_cast<std::size_t>(row);
        return t.frontier[i] & t.reached[i];
    };
    const int column = dx > 0 ? 63 : 0, row = dy > 0 ? 63 : 0;  // of this tile, that meet the other one
    if (dy == 0) {
        rows &= rows_of_column(tile, column);
        return rows ? with_neighbours(rows) & rows_of_column(beside, 63 - column) : 0;
    }
    if (!(rows >> row & 1)) return 0;
    const std::uint64_t mine = cells(tile, row), theirs = cells(beside, 63 - row);
    const bool touch =
        dx == 0 ? (with_neighbours(mine) & theirs) != 0 : (mine >> column & theirs >> (63 - column) & 1) != 0;
    return touch ? std::uint64_t{1} << (63 - row) : 0;
}

}  // namespace

struct FrontierFinder::Clusters {
    struct Cluster {
        Frontier frontier;
        std::vector<FrontierRun> runs;  // by row, then column; none: the place is free, and keeps its memory
        std::vector<TileRows> parts;    // where it has cells
        bool visible = false;           // the unknown can be seen from one of its cells
    };
    struct Share {
        int cluster;
        std::uint64_t rows;  // in which it has cells of the tile
    };
    struct Placed {
        std::int64_t first;  // order of the cluster's first run
        int cluster;         // -1: it was taken apart
    };
    std::vector<Cluster> all;
    std::vector<int> free;
    std::vector<Placed> order;  // by first run
    TileTable<std::vector<Share>> in_tile;
    // While an update is going on:
    std::vector<TileCoord> changed;
    TileTable<std::uint64_t> changed_rows;  // of these tiles
    std::vector<FrontierRun> loose;         // to be put together

    Cluster& at(int place) { return all[static_cast<std::size_t>(place)]; }

    void note_change(TileCoord t, std::uint64_t rows) {
        std::uint64_t& noted = changed_rows.at(t);
        if (!noted) changed.push_back(t);
        noted |= rows;
    }

    /// Takes apart the clusters that have cells in the rows that changed, or that touch a cell in these: such a cluster
    /// may be cut, joined with another, or see something else. Loose are then all cells in rows that changed, and what
    /// these clusters have elsewhere; by row, then column.
    void loosen(const NavMap& nav) {
        loose.clear();
        for (const TileCoord t : changed) {
            const std::uint64_t rows = *changed_rows.find(t);
            const NavTile* tile = nav.tile(t);
            if (tile) collect_runs(*tile, t, rows, true, loose);
            dissolve_in(t, with_neighbours(rows));
            for (int dy = -1; tile && dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const TileCoord beside{t.x + dx, t.y + dy};
                    const auto* shares = in_tile.find(beside);
                    if ((dx == 0 && dy == 0) || !shares || shares->empty()) continue;
                    dissolve_in(beside, touched_rows(*tile, rows, *nav.tile(beside), dx, dy));
                }
        }
        std::erase_if(order, [](const Placed& p) { return p.cluster < 0; });
        for (const TileCoord t : changed) *changed_rows.find(t) = 0;
        changed.clear();
        sort_runs(loose);
    }

    /// Takes apart the clusters with cells in these rows of a tile.
    void dissolve_in(TileCoord t, std::uint64_t rows) {
        std::vector<Share>* shares = in_tile.find(t);
        for (std::size_t i = 0; shares && i < shares->size();)
            if ((*shares)[i].rows & rows)
                dissolve((*shares)[i].cluster);  // the next one moves up
            else
                ++i;
    }
    void dissolve(int place) {
        Cluster& cluster = at(place);
        for (const TileRows& part : cluster.parts)
            std::erase_if(*in_tile.find(part.tile), [&](const Share& s) { return s.cluster == place; });
        for (const FrontierRun& run : cluster.runs) {
            const std::uint64_t* rows = changed_rows.find(tile_of({run.first, run.row}));
            if (!rows || !(*rows >> (run.row & 63) & 1)) loose.push_back(run);
        }
        const auto placed = std::lower_bound(order.begin(), order.end(), cluster.runs[0].order(),
                                             [](const Placed& p, std::int64_t first) { return p.first < first; });
        placed->cluster = -1;
        cluster.runs.clear();
        cluster.parts.clear();
        free.push_back(place);
    }

    /// Puts together what is loose.
    void join(const KnownMap& map, const NavMap& nav, const FrontierOptions& options) {
        const auto count = static_cast<std::size_t>(label_clusters(loose));
        while (free.size() < count) {
            free.push_back(static_cast<int>(all.size()));
            all.emplace_back();
        }
        const std::vector<int> places(free.end() - static_cast<std::ptrdiff_t>(count), free.end());
        free.resize(free.size() - count);
        for (const FrontierRun& run : loose) {
            Cluster& cluster = at(places[static_cast<std::size_t>(run.label)]);
            cluster.runs.push_back(run);
            const TileCoord t = tile_of({run.first, run.row});
            auto part = std::find_if(cluster.parts.rbegin(), cluster.parts.rend(),
                                     [&](const TileRows& p) { return p.tile == t; });
            if (part == cluster.parts.rend()) {
                cluster.parts.push_back({t, 0});
                part = cluster.parts.rbegin();
            }
            part->rows |= std::uint64_t{1} << (run.row & 63);
        }
        const auto old = static_cast<std::ptrdiff_t>(order.size());
        for (const int place : places) {
            Cluster& cluster = at(place);
            for (const TileRows& part : cluster.parts) in_tile.at(part.tile).push_back({place, part.rows});
            cluster.visible = describe_cluster(map, nav, cluster.runs, options, cluster.frontier);
            order.push_back({cluster.runs[0].order(), place});
        }
        std::inplace_merge(order.begin(), order.begin() + old, order.end(),
                           [](const Placed& a, const Placed& b) { return a.first < b.first; });
    }
};

FrontierFinder::FrontierFinder(const FrontierOptions& options)
    : options_(options), clusters_(std::make_unique<Clusters>()) {}
FrontierFinder::~FrontierFinder() = default;
FrontierFinder::FrontierFinder(FrontierFinder&&) noexcept = default;
FrontierFinder& FrontierFinder::operator=(FrontierFinder&&) noexcept = default;

const std::vector<Frontier>& FrontierFinder::update(const KnownMap& map, const NavMap& nav) {
    const FrontierChanges changes = nav.frontier_changes_since(begun_ ? seen_ : ~std::uint64_t{0});
    if (!changes.everything && changes.rows.empty()) return frontiers_;
    seen_ = nav.frontier_version();
    begun_ = true;
    if (changes.everything) {
        *clusters_ = {};
        ++counters_.rebuilds;
        nav.tiles().for_each([&](TileCoord t, const NavTile&) { clusters_->note_change(t, ~std::uint64_t{0}); });
    }
    for (const TileRows& change : changes.rows) clusters_->note_change(change.tile, change.rows);
    counters_.tiles_looked += clusters_->changed.size();
    clusters_->loosen(nav);
    for (const FrontierRun& run : clusters_->loose)
        counters_.cells_looked += static_cast<std::uint64_t>(run.last - run.first + 1);
    clusters_->join(map, nav, options_);

    frontiers_.clear();
    for (const Clusters::Placed& placed : clusters_->order)
        if (const Clusters::Cluster& c = clusters_->at(placed.cluster);
            c.visible && !(c.frontier.leftover && options_.leftovers == Leftovers::drop))
            frontiers_.push_back(c.frontier);
    return frontiers_;
}

std::vector<Frontier> find_frontiers(const KnownMap& map, const NavMap& nav, const FrontierOptions& options) {
    return FrontierFinder(options).update(map, nav);
}

}  // namespace outrider
