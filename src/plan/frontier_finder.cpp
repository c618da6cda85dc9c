// Clusters of frontier cells, kept up as the map grows.
#include <algorithm>

#include "outrider/frontier.hpp"
#include "plan/frontier_runs.hpp"

namespace outrider {
namespace {

/// Of 64 bits the part within `reach` of a set one: of these (side 0), of the 64 before (-1) or of those behind (1).
std::uint64_t spread(std::uint64_t bits, int side, int reach) {
    std::uint64_t out = side == 0 ? bits : 0;
    for (int d = 1; d <= reach; ++d)
        out |= side < 0 ? bits << (64 - d) : side > 0 ? bits >> (64 - d) : bits << d | bits >> d;
    return out;
}

/// Cells of a tile, where rows have any.
struct SomeCells {
    std::uint64_t rows = 0, columns = 0;  // that have any
    NavTile::Rows cells;                  // only those of `rows` mean something

    SomeCells() {}  // leaves `cells` as they are
    void add(int row, std::uint64_t these) {
        std::uint64_t& word = cells[static_cast<std::size_t>(row)];
        word = rows >> row & 1 ? word | these : these;
        rows |= std::uint64_t{1} << row;
        columns |= these;
    }
    std::uint64_t operator[](int row) const {
        return row >= 0 && row < tile_size && rows >> row & 1 ? cells[static_cast<std::size_t>(row)] : 0;
    }
};

/// What changed in a tile, and what has to be put together anew.
struct ChangedTile {
    TileCoord at;
    SomeCells changed, loose;
    explicit ChangedTile(TileCoord t) : at(t) {}
};

}  // namespace

struct FrontierFinder::Clusters {
    struct Part {
        TileCoord tile;
        std::uint64_t rows;  // in which it has cells of the tile
    };
    struct Cluster {
        Frontier frontier;
        std::vector<FrontierRun> runs;  // by row, then column; none: the place is free, and keeps its memory
        std::vector<Part> parts;        // where it has cells
        bool visible = false;           // the unknown can be seen from one of its cells
    };
    struct Share {
        int cluster;
        std::uint64_t rows;
    };
    struct Placed {
        std::int64_t first;  // order of the cluster's first run
        int cluster;         // -1: it was taken apart
    };
    /// Cells in whose sight the map changed: those in these rows and these columns of a tile.
    struct Sight {
        std::uint64_t rows = 0, columns = 0;
    };
    std::vector<Cluster> all;
    std::vector<int> free;
    std::vector<Placed> order;  // by first run
    TileTable<std::vector<Share>> in_tile;
    // While an update is going on:
    TileTable<std::uint32_t> change_of;  // the tile's place in changed(), plus one
    std::vector<FrontierRun> loose;      // to be put together
    std::vector<TileCoord> in_sight;
    TileTable<Sight> sights;  // of these tiles

    Cluster& at(int place) { return all[static_cast<std::size_t>(place)]; }

    /// What changed, in memory of this thread: an update uses much of it, and keeps nothing.
    static std::vector<ChangedTile>& changed() {
        thread_local std::vector<ChangedTile> memory;
        return memory;
    }

    SomeCells& changed_in(TileCoord t) {
        std::uint32_t& place = change_of.at(t);
        if (!place) {
            changed().emplace_back(t);
            place = static_cast<std::uint32_t>(changed().size());
        }
        return changed()[place - 1].changed;
    }
    void note_changes(std::span<const RowChange> rows) {
        for (auto next = rows.begin(); next != rows.end();) {
            const TileCoord t = next->tile;  // of many rows, one after the other
            SomeCells& cells = changed_in(t);
            for (; next != rows.end() && next->tile == t; ++next) cells.add(next->row, next->cells);
        }
    }

    /// Takes apart the clusters that have, or touch, a cell that changed: such a cluster may be cut, or joined with
    /// another. Loose are then the cells that changed, and what else these clusters have; by row, then column.
    void loosen(const NavMap& nav) {
        loose.clear();
        for (const ChangedTile& tile : changed()) {
            const SomeCells& cells = tile.changed;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    if (spread(cells.rows, dy, 1) && spread(cells.columns, dx, 1)) dissolve_beside(tile, dx, dy);
        }
        std::erase_if(order, [](const Placed& p) { return p.cluster < 0; });
        for (const ChangedTile& tile : changed()) {
            if (const NavTile* now = nav.tile(tile.at))
                for (std::uint64_t rows = tile.changed.rows | tile.loose.rows; rows; rows &= rows - 1) {
                    const int row = std::countr_zero(rows);
                    const auto i = static_cast<std::size_t>(row);
                    add_runs(tile.at, row, (tile.changed[row] | tile.loose[row]) & now->frontier[i] & now->reached[i],
                             loose);
                }
            *change_of.find(tile.at) = 0;
        }
        changed().clear();
        sort_runs(loose);
    }

    /// Takes apart the clusters with cells in the tile (dx, dy) beside one that are, or touch, a cell that changed.
    void dissolve_beside(const ChangedTile& tile, int dx, int dy) {
        const TileCoord t{tile.at.x + dx, tile.at.y + dy};
        std::vector<Share>* shares = in_tile.find(t);
        if (!shares) return;
        const std::uint64_t rows = spread(tile.changed.rows, dy, 1), columns = spread(tile.changed.columns, dx, 1);
        const int base = t.y * tile_size;
        const auto touched = [&](const Share& share) {
            const std::uint64_t common = share.rows & rows;
            if (!common) return false;
            const std::vector<FrontierRun>& runs = at(share.cluster).runs;
            const int first = base + std::countr_zero(common), last = base + 63 - std::countl_zero(common);
            for (auto run = std::lower_bound(runs.begin(), runs.end(), first,
                                             [](const FrontierRun&r, int row) { return r.row < row; });
                 run != runs.end() && run->row <= last; ++run) {
                if (run->first >> 6 != t.x || !(cells_of(*run) & columns)) continue;
                const int row = run->row - tile.at.y * tile_size;
                const std::uint64_t cells = tile.changed[row - 1] | tile.changed[row] | tile.changed[row + 1];
                if (spread(cells, dx, 1) & cells_of(*run)) return true;
            }
            return false;
        };
        for (std::size_t i = 0; i < shares->size();)
            if (touched((*shares)[i]))
                dissolve((*shares)[i].cluster);  // the next one moves up
            else
                ++i;
    }
    void dissolve(int place) {
        Cluster& cluster = at(place);
        for (const Part& part : cluster.parts)
            std::erase_if(*in_tile.find(part.tile), [&](const Share& s) { return s.cluster == place; });
        for (const FrontierRun& run : cluster.runs) {
            const std::uint32_t* change = change_of.find(tile_of({run.first, run.row}));
            if (change && *change)
                changed()[*change - 1].loose.add(run.row & 63, cells_of(run));
            else
                loose.push_back(run);
        }
        const auto placed = std::lower_bound(order.begin(), order.end(), cluster.runs[0].order(),
                                             [](const Placed& p, std::int64_t first) { return p.first < first; });
        placed->cluster = -1;
        cluster.runs.clear();
        cluster.parts.clear();
        free.push_back(place);
    }

    /// What unknown cell is looked at depends on what is known within two cells.
    void note_in_sight(const TileChange& change) {
        constexpr int reach = 2;
        for (int dy = -1; dy <= 1; ++dy) {
            const std::uint64_t rows = spread(change.rows, dy, reach);
            for (int dx = -1; rows && dx <= 1; ++dx) {
                const std::uint64_t columns = spread(change.columns, dx, reach);
                const TileCoord t{change.tile.x + dx, change.tile.y + dy};
                if (const auto* shares = in_tile.find(t); !columns || !shares || shares->empty()) continue;
                Sight& sight = sights.at(t);
                if (!sight.rows) in_sight.push_back(t);
                sight.rows |= rows;
                sight.columns |= columns;
            }
        }
    }
    void look_again(const KnownMap& map, bool everywhere) {
        for (const Placed& placed : order) {
            Frontier& f = at(placed.cluster).frontier;
            const Sight* sight = sights.find(tile_of(f.goal));
            if (everywhere ||
                (sight && sight->rows >> row_in_tile(f.goal) & 1 && sight->columns >> column_in_tile(f.goal) & 1))
                f.look = unknown_beside(map, f.goal);
        }
        for (const TileCoord t : in_sight) *sights.find(t) = {};
        in_sight.clear();
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
            auto part =
                std::find_if(cluster.parts.rbegin(), cluster.parts.rend(), [&](const Part& p) { return p.tile == t; });
            if (part == cluster.parts.rend()) {
                cluster.parts.push_back({t, 0});
                part = cluster.parts.rbegin();
            }
            part->rows |= std::uint64_t{1} << (run.row & 63);
        }
        const auto old = static_cast<std::ptrdiff_t>(order.size());
        for (const int place : places) {
            Cluster& cluster = at(place);
            for (const Part& part : cluster.parts) in_tile.at(part.tile).push_back({place, part.rows});
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
    const RowChanges changes = nav.frontier_changes_since(begun_ ? seen_ : ~std::uint64_t{0});
    if (!changes.everything && changes.rows.empty() && map_seen_ == map.version()) return frontiers_;
    if (changes.everything) {
        *clusters_ = {};
        ++counters_.rebuilds;
        nav.tiles().for_each([&](TileCoord t, const NavTile&) {
            for (int row = 0; row < tile_size; ++row) clusters_->changed_in(t).add(row, ~std::uint64_t{0});
        });
    }
    clusters_->note_changes(changes.rows);
    counters_.tiles_looked += Clusters::changed().size();
    clusters_->loosen(nav);
    for (const FrontierRun& run : clusters_->loose)
        counters_.cells_looked += static_cast<std::uint64_t>(run.last - run.first + 1);
    const Changes in_map = map.changes_since(std::min(map_seen_, map.version()));
    for (const TileChange& change : in_map.tiles) clusters_->note_in_sight(change);
    clusters_->look_again(map, in_map.everything);
    clusters_->join(map, nav, options_);
    seen_ = nav.frontier_version();
    map_seen_ = map.version();
    begun_ = true;

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
