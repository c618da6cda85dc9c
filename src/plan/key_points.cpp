#include <algorithm>

#include "outrider/topology.hpp"

namespace outrider {
namespace {

constexpr int filler_cells = 50, wall_cells = 3, apart_cells = 20;

/// Points by tile, to find those near a place; reaches up to the size of a tile.
class Near {
  public:
    void add(Cell c) { tiles_.at(tile_of(c)).push_back(c); }
    void remove(Cell c) { std::erase(tiles_.at(tile_of(c)), c); }
    /// Whether a point other than c itself is nearer to c than `reach`.
    bool any(Cell c, int reach) const {
        const TileCoord at = tile_of(c);
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if (const auto* points = tiles_.find({at.x + dx, at.y + dy}))
                    for (const Cell p : *points)
                        if (p != c && squared_distance(p, c) < reach * reach) return true;
        return false;
    }

  private:
    TileTable<std::vector<Cell>> tiles_;
};

std::vector<Cell> cells_by_row(const Skeleton& skeleton) {
    std::vector<Cell> cells;
    for (const TileCoord t : skeleton.tiles())
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t bits = (*skeleton.rows(t))[static_cast<std::size_t>(row)]; bits; bits &= bits - 1)
                cells.push_back(cell_of(t, std::countr_zero(bits), row));
    std::sort(cells.begin(), cells.end());
    return cells;
}

bool wall_within(const KnownMap& map, Cell c, int reach) {
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx)
            if (dx * dx + dy * dy <= reach * reach && map.is_occupied(c + Cell{dx, dy})) return true;
    return false;
}

}  // namespace

std::vector<KeyPoint> find_key_points(const Skeleton& skeleton, const KnownMap& map) {
    std::vector<KeyPoint> points, ends, between;
    for (const Cell c : cells_by_row(skeleton)) {
        const int neighbours = skeleton.neighbours(c), degree = skeleton.degree(c);
        if (neighbours >= 3 && degree >= 3) points.push_back({c, degree});
        if (neighbours < 2) ends.push_back({c, degree});
        if (neighbours >= 2 && degree < 3) between.push_back({c, degree});
    }
    points.insert(points.end(), ends.begin(), ends.end());
    Near near;
    for (const KeyPoint& k : points) near.add(k.cell);
    for (const KeyPoint& k : between) {
        if (near.any(k.cell, filler_cells)) continue;
        points.push_back(k);
        near.add(k.cell);
    }
    for (std::size_t i = points.size(); i-- > 0;) {
        const Cell c = points[i].cell;
        if (!wall_within(map, c, wall_cells) && !near.any(c, apart_cells)) continue;
        near.remove(c);
        points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return points;
}

}  // namespace outrider
