#include "metrics/map_skeleton.hpp"

#include <algorithm>
#include <bit>

#include "grid/known_grid.hpp"
#include "outrider/nav_map.hpp"
#include "outrider/skeleton.hpp"

namespace outrider {
namespace {

/// The cells of the skeleton that the body can reach.
std::vector<Cell> skeleton_of(const KnownMap& map, Cell body) {
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, body);
    Skeleton skeleton;
    skeleton.update(nav);
    std::vector<Cell> cells;
    for (const TileCoord t : skeleton.tiles())
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t bits = (*skeleton.rows(t))[static_cast<std::size_t>(row)]; bits; bits &= bits - 1)
                if (const Cell c = cell_of(t, std::countr_zero(bits), row); nav.reached(c)) cells.push_back(c);
    std::sort(cells.begin(), cells.end());
    return cells;
}

double share_close(const std::vector<Cell>& cells, const std::vector<Cell>& to, int within) {
    if (cells.empty()) return 0;
    const auto close = [&](Cell c) {
        for (int dy = -within; dy <= within; ++dy) {
            const auto first = std::lower_bound(to.begin(), to.end(), c + Cell{-within, dy});
            if (first != to.end() && first->y == c.y + dy && first->x <= c.x + within) return true;
        }
        return false;
    };
    return static_cast<double>(std::count_if(cells.begin(), cells.end(), close)) / static_cast<double>(cells.size());
}

}  // namespace

SkeletonShares compare_skeletons(const KnownMap& map, const World& world, Cell body, int within_cells) {
    const std::vector<Cell> truth = skeleton_of(known_grid(world.walls()), body), believed = skeleton_of(map, body);
    return {share_close(believed, truth, within_cells), share_close(truth, believed, within_cells)};
}

}  // namespace outrider
