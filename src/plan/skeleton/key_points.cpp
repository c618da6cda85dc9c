#include <algorithm>
#include <bit>
#include <optional>

#include "base/wide.hpp"
#include "outrider/skeleton.hpp"
#include "plan/skeleton/skeleton.hpp"

namespace outrider {
namespace {

constexpr int filler_cells = 50, wall_cells = 3, apart_cells = 20;

/// Points by tile, to find those near a place.
class Near {
  public:
    void add(Cell c) { tiles_.at(tile_of(c)).push_back(c); }
    void remove(Cell c) { std::erase(tiles_.at(tile_of(c)), c); }
    /// A point, other than c itself, that is nearer to c than `reach`.
    const Cell* find(Cell c, int reach) const {
        const TileCoord low = tile_of(c - Cell{reach, reach}), high = tile_of(c + Cell{reach, reach});
        for (int y = low.y; y <= high.y; ++y)
            for (int x = low.x; x <= high.x; ++x)
                if (const auto* points = tiles_.find({x, y}))
                    for (const Cell& p : *points)
                        if (p != c && squared_distance(p, c) < reach * reach) return &p;
        return nullptr;
    }

  private:
    TileTable<std::vector<Cell>> tiles_;
};

/// Rows -1 ... 64 of a tile.
using Lines = std::array<std::uint64_t, tile_size + 2>;

/// Bits that are set in one, two, three of some words at least.
struct AtLeast {
    std::uint64_t one = 0, two = 0, three = 0;
    void add(std::uint64_t bits) {
        three |= two & bits;
        two |= one & bits;
        one |= bits;
    }
};

/// The cells of the skeleton in a tile: with three neighbours and three ways at least; with less than two neighbours;
/// with two neighbours and less than three ways.
struct Kinds {
    NavTile::Rows junctions, ends, between;
};
OUTRIDER_WIDE void tell_kinds(const Lines& west, const Lines& here, const Lines& east, Kinds& kinds) {
    for (std::size_t y = 0; y < kinds.ends.size(); ++y) {
        const auto left = [&](std::size_t row) { return here[row] << 1 | west[row] >> 63; };
        const auto right = [&](std::size_t row) { return here[row] >> 1 | east[row] << 63; };
        const std::uint64_t n = here[y + 2], ne = right(y + 2), e = right(y + 1), se = right(y), s = here[y],
                            sw = left(y), w = left(y + 1), nw = left(y + 2);
        AtLeast neighbours, branches;
        const auto add = [&](std::uint64_t bits, std::uint64_t next) {
            neighbours.add(bits);
            branches.add(~bits & next);
        };
        add(n, ne);
        add(ne, e);
        add(e, se);
        add(se, s);
        add(s, sw);
        add(sw, w);
        add(w, nw);
        add(nw, n);
        kinds.junctions[y] = here[y + 1] & neighbours.three & branches.three;
        kinds.ends[y] = here[y + 1] & ~neighbours.two;
        kinds.between[y] = here[y + 1] & neighbours.two & ~branches.three;
    }
}

Kinds kinds_of(const Skeleton& skeleton, TileCoord t) {
    std::array<Lines, 3> columns{};
    for (int dx = 0; dx < 3; ++dx)
        for (int dy = -1; dy <= 1; ++dy) {
            const NavTile::Rows* rows = skeleton.rows({t.x + dx - 1, t.y + dy});
            Lines& lines = columns[static_cast<std::size_t>(dx)];
            if (!rows) continue;
            if (dy < 0) lines.front() = rows->back();
            if (dy == 0) std::copy(rows->begin(), rows->end(), lines.begin() + 1);
            if (dy > 0) lines.back() = rows->front();
        }
    Kinds kinds;
    tell_kinds(columns[0], columns[1], columns[2], kinds);
    return kinds;
}

/// Calls visit(cell, index of its tile) for the cells of one kind by row, then column; tiles and their kinds likewise.
template <class Visit>
void for_cells(const std::vector<TileCoord>& tiles, const std::vector<Kinds>& kinds, NavTile::Rows Kinds::*kind,
               Visit&& visit) {
    for (std::size_t first = 0, end = 0; first < tiles.size(); first = end) {
        while (end < tiles.size() && tiles[end].y == tiles[first].y) ++end;
        for (int row = 0; row < tile_size; ++row)
            for (std::size_t i = first; i < end; ++i)
                for (std::uint64_t bits = (kinds[i].*kind)[static_cast<std::size_t>(row)]; bits; bits &= bits - 1)
                    visit(cell_of(tiles[i], std::countr_zero(bits), row), i);
    }
}

bool wall_within(const KnownMap& map, Cell c, int reach) {
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx)
            if (dx * dx + dy * dy <= reach * reach && map.is_occupied(c + Cell{dx, dy})) return true;
    return false;
}

}  // namespace

std::vector<KeyPoint> find_key_points(const SkeletonView& view, const MapView& map_view) {
    const Skeleton& skeleton = view;
    const KnownMap& map = map_view;
    const std::vector<TileCoord> tiles = skeleton.tiles();
    std::vector<Kinds> kinds;
    kinds.reserve(tiles.size());
    for (const TileCoord t : tiles) kinds.push_back(kinds_of(skeleton, t));
    std::vector<KeyPoint> points;
    Near near;
    const auto add = [&](Cell c, std::size_t) {
        points.push_back({c, skeleton.degree(c)});
        near.add(c);
    };
    for_cells(tiles, kinds, &Kinds::junctions, add);
    for_cells(tiles, kinds, &Kinds::ends, add);
    // A point near the last cell in a quarter of each tile: near the next ones there as well, mostly.
    std::vector<std::array<std::optional<Cell>, 4>> found(tiles.size());
    for_cells(tiles, kinds, &Kinds::between, [&](Cell c, std::size_t tile) {
        std::optional<Cell>& last = found[tile][static_cast<std::size_t>(column_in_tile(c) / 16)];
        if (last && squared_distance(*last, c) < filler_cells * filler_cells) return;
        if (const Cell* point = near.find(c, filler_cells))
            last = *point;
        else
            add(c, tile);
    });
    for (std::size_t i = points.size(); i-- > 0;) {
        const Cell c = points[i].cell;
        if (!near.find(c, apart_cells) && !wall_within(map, c, wall_cells)) continue;
        near.remove(c);
        points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return points;
}

}  // namespace outrider
