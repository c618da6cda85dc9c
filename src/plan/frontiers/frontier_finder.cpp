// Clusters of frontier cells, kept up to date as the map grows.
#include <algorithm>

#include "outrider/frontier.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/frontiers/frontier_runs.hpp"

namespace outrider {
namespace {

/// The bits within `reach` of a set one: in the same 64 bits (side 0), in the 64 before (-1) or in the 64 behind (1).
std::uint64_t spread(std::uint64_t bits, int side, int reach) {
    std::uint64_t out = side == 0 ? bits : 0;
    for (int d = 1; d <= reach; ++d)
        out |= side < 0 ? bits << (64 - d) : side > 0 ? bits >> (64 - d) : bits << d | bits >> d;
    return out;
}

/// Some cells of a tile.
struct SomeCells {
    std::uint64_t rows = 0, west = 0, east = 0;  // with any cell; with the first column's; with the last column's
    NavTile::Rows cells{};

    void add(int row, std::uint64_t these) {
        cells[static_cast<std::size_t>(row)] |= these;
        rows |= std::uint64_t{1} << row;
        west |= (these & 1) << row;
        east |= these >> 63 << row;
    }
    std::uint64_t operator[](int row) const { return cells[static_cast<std::size_t>(row)]; }
};

/// The cells of a tile that changed, those that are or touch a changed one, and others that must be clustered anew.
struct ChangedTile {
    TileCoord at;
    SomeCells changed, near, loose;
    explicit ChangedTile(TileCoord t) : at(t) {}
};

/// A tile of the navigation map with what is reached of it.
struct ReachedTile {
    const NavTile& tile;
    const NavTile::Rows& reached;
};

std::uint64_t frontier_cells(const ReachedTile& t, std::size_t row) { return t.tile.frontier[row] & t.reached[row]; }

/// Frontier cells of the row that touch no other, and from which the unknown cannot be seen; none at the tile's rim.
/// Each is a useless cluster: on maps with rough walls, most are.
std::uint64_t alone(const ReachedTile& tile, std::size_t row) {
    if (row == 0 || row == tile_size - 1) return 0;
    const std::uint64_t here = frontier_cells(tile, row);
    const std::uint64_t beside = frontier_cells(tile, row - 1) | frontier_cells(tile, row + 1);
    const std::uint64_t touching = beside | (beside | here) << 1 | (beside | here) >> 1;
    constexpr std::uint64_t inner = ~std::uint64_t{0} >> 2 << 1;
    return here & ~touching & ~tile.tile.edge[row] & inner;
}

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
    std::vector<FrontierRun> loose;      // to be clustered
    std::vector<TileCoord> in_sight;
    TileTable<Sight> sights;  // of these tiles

    Cluster& at(int place) { return all[static_cast<std::size_t>(place)]; }

    /// What changed, in memory of this thread: an update uses much of it, and keeps nothing.
    static std::vector<ChangedTile>& changed() {
        thread_local std::vector<ChangedTile> memory;
        return memory;
    }

    ChangedTile& changed_at(TileCoord t) {
        std::uint32_t& place = change_of.at(t);
        if (!place) {
            changed().emplace_back(t);
            place = static_cast<std::uint32_t>(changed().size());
        }
        return changed()[place - 1];
    }
    void note_changes(std::span<const RowChange> rows) {
        for (auto next = rows.begin(); next != rows.end();) {
            const TileCoord t = next->tile;  // of many rows, one after the other
            SomeCells& cells = changed_at(t).changed;
            for (; next != rows.end() && next->tile == t; ++next) cells.add(next->row, next->cells);
        }
        for (std::size_t k = 0, count = changed().size(); k < count; ++k)
            note_near(changed()[k].at, changed()[k].changed);
    }
    /// A copy of the cells, since the place where they are noted may move.
    void note_near(TileCoord t, SomeCells cells) {
        const auto in_neighbour_rows = [&](int row) {
            return (row > 0 ? cells[row - 1] : 0) | (row >= 0 && row < tile_size ? cells[row] : 0) |
                   (row < tile_size - 1 ? cells[row + 1] : 0);
        };
        const std::array<std::uint64_t, 3> sides{cells.west, cells.rows, cells.east};
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                std::uint64_t rows = spread(sides[static_cast<std::size_t>(dx + 1)], dy, 1);
                if (!rows) continue;
                SomeCells& into = changed_at({t.x + dx, t.y + dy}).near;
                for (; rows; rows &= rows - 1) {
                    const int row = std::countr_zero(rows);
                    into.add(row, dx == 0 ? spread(in_neighbour_rows(row + dy * tile_size), 0, 1)
                                          : std::uint64_t{1} << (dx < 0 ? 63 : 0));
                }
            }
    }

    /// Takes apart the clusters that have, or touch, a cell that changed: such a cluster may be cut, or joined with
    /// another. Loose are then the cells near changes and the other cells of these clusters, by row, then column.
    void loosen(const NavMap& nav) {
        loose.clear();
        for (const ChangedTile& tile : changed()) dissolve_near(tile);
        std::erase_if(order, [](const Placed& p) { return p.cluster < 0; });
        for (const ChangedTile& tile : changed()) {
            if (const NavTile* known = nav.tile(tile.at)) {
                const ReachedTile now{*known, nav.reached_rows(tile.at)};
                for (std::uint64_t rows = tile.near.rows | tile.loose.rows; rows; rows &= rows - 1) {
                    const int row = std::countr_zero(rows);
                    const auto i = static_cast<std::size_t>(row);
                    const std::uint64_t cells = (tile.near[row] | tile.loose[row]) & frontier_cells(now, i);
                    if (cells) add_runs(tile.at, row, cells & ~alone(now, i), loose);
                }
            }
            *change_of.find(tile.at) = 0;
        }
        changed().clear();
        sort_runs(loose);
    }

    void dissolve_near(const ChangedTile& tile) {
        std::vector<Share>* shares = in_tile.find(tile.at);
        if (!shares) return;
        const int base = tile.at.y * tile_size;
        const auto touched = [&](const Share& share) {
            const std::uint64_t common = share.rows & tile.near.rows;
            if (!common) return false;
            const std::vector<FrontierRun>& runs = at(share.cluster).runs;
            const int first = base + std::countr_zero(common), last = base + 63 - std::countl_zero(common);
            for (auto run = std::lower_bound(runs.begin(), runs.end(), first,
                                             [](const FrontierRun&r, int row) { return r.row < row; });
                 run != runs.end() && run->row <= last; ++run)
                if (run->first >> 6 == tile.at.x && (tile.near[run->row - base] & cells_of(*run))) return true;
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

    /// Which unknown cell is looked at depends on what is known within two cells.
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
    void look_again(const KnownMap& map, const NavMap& nav, bool everywhere) {
        if (in_sight.empty() && !everywhere) return;
        for (const Placed& placed : order) {
            Frontier& f = at(placed.cluster).frontier;
            const Sight* sight = sights.find(tile_of(f.goal));
            if (everywhere ||
                (sight && sight->rows >> row_in_tile(f.goal) & 1 && sight->columns >> column_in_tile(f.goal) & 1))
                f.look = unknown_neighbour(map, f.goal, nav.wanted());
        }
        for (const TileCoord t : in_sight) *sights.find(t) = {};
        in_sight.clear();
    }

    /// Clusters the loose cells.
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
FrontierFinder::FrontierFinder(const FrontierFinder&) = default;
FrontierFinder::FrontierFinder(FrontierFinder&&) noexcept = default;
FrontierFinder& FrontierFinder::operator=(FrontierFinder&&) noexcept = default;

const std::vector<Frontier>& FrontierFinder::update(const KnownMap& map, const NavMap& nav) {
    const RowChanges changes = nav.frontier_changes_since(seen_);
    const MapChanges in_map = map.changes_since(map_seen_);
    if (changes.none() && in_map.none()) return frontiers_;
    if (changes.everything) {
        *clusters_ = {};
        ++counters_.rebuilds;
        nav.tiles().for_each([&](TileCoord t, const NavTile&) {
            SomeCells& all = clusters_->changed_at(t).near;
            for (int row = 0; row < tile_size; ++row) all.add(row, ~std::uint64_t{0});
        });
    }
    clusters_->note_changes(changes.list);
    counters_.tiles_looked += Clusters::changed().size();
    clusters_->loosen(nav);
    for (const FrontierRun& run : clusters_->loose)
        counters_.cells_looked += static_cast<std::uint64_t>(run.last - run.first + 1);
    for (const TileChange& change : in_map.list) clusters_->note_in_sight(change);
    clusters_->look_again(map, nav, in_map.everything);
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
