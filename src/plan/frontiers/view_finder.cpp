#include "plan/frontiers/view_finder.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

Point middle_of(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

bool bit(const std::array<std::uint64_t, tile_size>& rows, Cell c) {
    return rows[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1;
}

/// As find_view has them: a cell apart at that range.
std::vector<Point> rays_around(double range) {
    const int rays = static_cast<int>(std::ceil(2 * pi * range)) + 8;
    std::vector<Point> out;
    for (int k = 0; k < rays; ++k) {
        const auto [s, c] = sin_cos(2 * pi * k / rays);
        out.push_back({c, s});
    }
    return out;
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

ViewFinder::ViewFinder(double range_cells) : range_(range_cells), directions_(rays_around(range_cells)) {}

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
        return std::ranges::any_of(view.second.crossed, [&](TileCoord t) { return planes_.find(t)->changed; });
    });
}

const ViewFinder::View& ViewFinder::view_of(Cell look, const Tried& in_vain) {
    const auto [at, inserted] = views_.try_emplace(look);
    View& view = at->second;
    if (!inserted && !view.tried && !(view.goal && in_vain(*view.goal, look))) return view;
    view = {};
    CellBox box = reached_;
    box.add(look);  // rays begin inside of the box: what leaves it does not come back
    const Point middle = middle_of(look);
    TileCoord tile = tile_of(look);
    const Planes* planes = planes_.find(tile);
    std::set<TileCoord> crossed;
    const auto go_to = [&](Cell c) {
        if (tile_of(c) == tile) return;
        tile = tile_of(c);
        planes = planes_.find(tile);
        if (planes) crossed.insert(tile);
    };
    const auto open = [&](Cell c, double) {
        if (!box.contains(c)) return false;
        go_to(c);
        return c == look || !(planes && bit(planes->occupied, c));
    };
    const auto rank = [&](Cell c) { return std::pair(squared_distance(c, look), c); };
    double range = range_;
    const auto visit = [&](Cell c, double t) {
        if (!open(c, t)) return false;
        if (!(planes && bit(planes->reached, c))) return true;
        if (view.goal && rank(*view.goal) < rank(c)) return true;
        if (in_vain(c, look)) {
            view.tried = true;
            return true;
        }
        if (walk_segment(middle_of(c), middle, open)) {
            view.goal = c;
            // The middles of cells that a ray enters later than this are farther away.
            range = std::min(range_, distance(middle_of(c), middle) + 1);
        }
        go_to(c);
        return true;
    };
    for (const Point& direction : directions_) walk_ray(Ray(middle, direction), range, visit);
    if (planes_.find(tile_of(look))) crossed.insert(tile_of(look));
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
                const Cell look = unknown_beside(map, c);
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
