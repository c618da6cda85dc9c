// For bodies that do not fit everywhere: where to stand to see what lies behind frontiers that cannot be reached.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "plan/frontiers/frontier_runs.hpp"

namespace outrider {

class ViewFinder {
  public:
    /// Whether the robot stood in the first and looked at the second in vain.
    using Tried = std::function<bool(Cell goal, Cell look)>;

    /// How far the robot sees, in cells.
    explicit ViewFinder(double range_cells);

    /// Clusters of frontier cells that the body cannot reach, each with the nearest reached cell from which, as far as
    /// the map says, an unknown cell beside the cluster is in sight (find_view in ray.hpp). All are leftovers. What
    /// earlier calls found is kept where the map and the reached cells are as they were then.
    std::vector<Frontier> update(const KnownMap& map, const NavMap& nav, const Tried& in_vain);

  private:
    /// The smallest box that holds some cells; `low` above `high`: none so far.
    struct CellBox {
        Cell low{std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::max()};
        Cell high{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::min()};

        void add(Cell c) {
            low = {std::min(low.x, c.x), std::min(low.y, c.y)};
            high = {std::max(high.x, c.x), std::max(high.y, c.y)};
        }
        bool contains(Cell c) const { return c.x >= low.x && c.x <= high.x && c.y >= low.y && c.y <= high.y; }
        bool operator==(const CellBox&) const = default;
    };
    struct Planes {
        NavTile::Rows occupied{}, reached{};
        bool changed = false;  // in this call
    };
    struct View {
        std::optional<Cell> goal;
        std::vector<TileCoord> crossed;  // by rays; the view is as it was while these are
        bool tried = false;              // some goal was, which does not stay so for ever
    };

    void follow(const KnownMap& map, const NavMap& nav);
    const View& view_of(Cell look, const Tried& in_vain);

    double range_;
    std::pair<TileCoord, TileCoord> extent_{{0, 0}, {-1, -1}};
    TileTable<Planes> planes_;
    CellBox reached_;             // of whole tiles
    std::map<Cell, View> views_;  // by the cell to look at
};

}  // namespace outrider
