#include "plan/frontiers/view_finder.hpp"

#include <algorithm>
#include <set>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

bool bit(const std::array<std::uint64_t, tile_size>& rows, Cell c) {
    return rows[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1;
}

/// Runs of frontier cells that the body cannot reach, cluster by cluster.
std::vector<std::vector<FrontierRun>> unreached_clusters(const NavMap& nav) {
    std::vector<FrontierRun> runs;
    nav.tiles().for_each([&](TileCoord t, const NavTile& tile) {
        const NavTile::Rows& reached = nav.reached_rows(t);
        for (std::size_t i = 0; i < tile_size; ++i)
            add_runs(t, static_cast<int>(i), tile.frontier[i] & ~reached[i], runs);
    });
    sort_runs(runs);
    std::vector<std::vector<FrontierRun>> clusters(static_cast<std::size_t>(label_clusters(runs)));
    for (const FrontierRun& run : runs) clusters[static_cast<std::size_t>(run.label)].push_back(run);
    return clusters;
}

}  // namespace

ViewFinder::ViewFinder(double range_cells) : range_(range_cells) {}

void ViewFinder::follow(const KnownMap& map, const NavMap& nav) {
    if (extent_ != nav.extent()) {
        extent_ = nav.extent();
        planes_.clear();
        views_.clear();
    }
    const auto& [low, high] = extent_;
    CellBox reached;
    for (TileCoord t{low.x, low.y}; t.y <= high.y; ++t.y)
        for (t.x = low.x; t.x <= high.x; ++t.x) {
            Planes& planes = planes_.at(t);
            const Planes before = planes;
            planes.reached = nav.reached_rows(t);
            if (const CellTile* tile = map.tile(t))
                for (std::size_t i = 0; i < tile_size; ++i)
                    planes.occupied[i] = tile->known.rows[i] & tile->occupied.rows[i];
            planes.changed = planes.occupied != before.occupied || planes.reached != before.reached;
            if (planes.reached == NavTile::Rows{}) continue;
            reached.add(cell_of(t, 0, 0));
            reached.add(cell_of(t, tile_size - 1, tile_size - 1));
        }
    if (reached != reached_) views_.clear();  // rays end at its border
    reached_ = reached;
    std::erase_if(views_, [&](const auto& view) {
        return std::ranges::any_of(view.second.crossed, [&](TileCoord t) {
            const Planes* planes = planes_.find(t);
            return planes && planes->changed;
        });
    });
}

const ViewFinder::View& ViewFinder::view_of(Cell look, const Tried& in_vain) {
    const auto [at, inserted] = views_.try_emplace(look);
    View& view = at->second;
    if (!inserted && !view.tried && !(view.goal && in_vain(*view.goal, look))) return view;
    view = {};
    CellBox box = reached_;
    box.add(look);                   // rays begin inside of the box: what leaves it does not come back
    TileCoord tile = tile_of(look);  // that was asked last: most cells lie in it
    const Planes* planes = planes_.find(tile);
    std::set<TileCoord> crossed{tile};
    const auto planes_at = [&](Cell c) {
        if (tile_of(c) == tile) return planes;
        tile = tile_of(c);
        crossed.insert(tile);
        return planes = planes_.find(tile);
    };
    const auto blocks = [&](Cell c) {
        if (!box.contains(c)) return true;
        const Planes* here = planes_at(c);
        return here && bit(here->occupied, c);
    };
    const auto rank = [&](Cell c) { return std::pair(squared_distance(c, look), c); };
    const auto better = [&](Cell c) {
        const Planes* here = planes_at(c);
        if (!here || !bit(here->reached, c) || (view.goal && rank(*view.goal) <= rank(c))) return false;
        const bool tried = in_vain(c, look);
        view.tried |= tried;
        return !tried;
    };
    const auto take = [&](Cell c) {
        view.goal = c;
        return false;  // a later ray may find a nearer one
    };
    find_view(look, range_, blocks, better, take);
    view.crossed.assign(crossed.begin(), crossed.end());
    return view;
}

std::vector<Frontier> ViewFinder::update(const KnownMap& map, const NavMap& nav, const Tried& in_vain) {
    follow(map, nav);
    std::vector<Frontier> found;
    const auto look_behind = [&](const std::vector<FrontierRun>& cluster) {
        bool seen = false;
        for (const FrontierRun& run : cluster) {
            const NavTile& tile = *nav.tile(tile_of({run.first, run.row}));
            for_each_cell(run, tile.edge[static_cast<std::size_t>(run.row & 63)] & cells_of(run), [&](Cell c) {
                if (seen) return;
                const Cell look = unknown_neighbour(map, c, nav.wanted());
                const View& view = view_of(look, in_vain);
                if (!view.goal) return;
                seen = true;
                found.push_back(measure_cluster(cluster));
                found.back().goal = *view.goal;
                found.back().look = look;
                found.back().leftover = true;
            });
        }
    };
    for (const std::vector<FrontierRun>& cluster : unreached_clusters(nav)) look_behind(cluster);
    return found;
}

}  // namespace outrider
