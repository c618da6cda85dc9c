#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "outrider/frontier.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/frontiers/frontier_runs.hpp"
#include "plan/frontiers/search_region.hpp"

namespace outrider {

Frontier measure_cluster(std::span<const FrontierRun> runs) {
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

namespace {

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

}  // namespace

Cell unknown_neighbour(const KnownMap& map, Cell c, const TileTable<BitTile>* wanted) {
    static constexpr std::array<Cell, 4> beside{{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
    const int column = column_in_tile(c), row = row_in_tile(c);
    const bool within = column >= 2 && column < 62 && row >= 2 && row < 62;  // with all that is looked at
    const CellTile* tile = map.tile(tile_of(c));
    const auto unknown = [&](Cell d) {
        if (wanted && !holds(*wanted, c + d)) return false;
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

bool describe_cluster(const KnownMap& map, const NavMap& nav, std::span<const FrontierRun> runs,
                      const FrontierOptions& options, Frontier& f) {
    f = measure_cluster(runs);
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
    f.look = unknown_neighbour(map, f.goal, nav.wanted());
    return true;
}

std::optional<Frontier> describe_part(const MapView& map_view, const NavView& nav_view, std::span<const Cell> cells) {
    const KnownMap& map = map_view;
    const NavMap& nav = nav_view;
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
    if (runs.empty() || !describe_cluster(map, nav, runs, options, f)) return {};
    return f;
}

std::vector<Frontier> find_uncleared(const KnownMap& map, const NavMap& nav, int side, int min_cells) {
    std::map<Cell, std::vector<Cell>> squares;  // by row, then column
    const auto square_of = [&](Cell c) {
        const auto down = [&](int v) { return v >= 0 ? v / side : -((-v + side - 1) / side); };
        return Cell{down(c.x), down(c.y)};
    };
    nav.tiles().for_each([&](TileCoord t, const NavTile&) {
        const BitTile* cleared = map.marks(Mark::cleared, t);
        const NavTile::Rows& reached = nav.reached_rows(t);
        const BitTile* wanted = nav.wanted() ? nav.wanted()->find(t) : nullptr;
        if (nav.wanted() && !wanted) return;
        for (int row = 0; row < tile_size; ++row) {
            const auto i = static_cast<std::size_t>(row);
            std::uint64_t open = reached[i] & ~(cleared ? cleared->rows[i] : 0);
            if (wanted) open &= wanted->rows[i];
            for (; open; open &= open - 1) {
                const Cell c = cell_of(t, std::countr_zero(open), row);
                squares[square_of(c)].push_back(c);
            }
        }
    });
    std::vector<Frontier> out;
    for (const auto& [square, cells] : squares) {
        Frontier f;
        f.size = static_cast<int>(cells.size());
        for (const Cell c : cells) f.centroid = f.centroid + Point{c.x + 0.5, c.y + 0.5};
        f.centroid = f.centroid * (1.0 / f.size);
        const auto away = [&](Cell c) { return distance(Point{c.x + 0.5, c.y + 0.5}, f.centroid); };
        f.goal = f.look = *std::min_element(
            cells.begin(), cells.end(), [&](Cell a, Cell b) { return std::pair(away(a), a) < std::pair(away(b), b); });
        f.area = f.size;
        f.leftover = f.size < min_cells;
        f.uncleared = true;
        out.push_back(f);
    }
    return out;
}

}  // namespace outrider
