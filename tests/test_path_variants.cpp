// Paths through unknown cells, and paths with their corners cut.
#include <queue>

#include "path_helpers.hpp"
#include "plan/path_planner.hpp"

using namespace outrider;

namespace test_path_variants {
namespace {

/// Calls visit(cell) for each cell that a segment in cell units touches, if only at a corner.
template <class Visit>
void for_touched(Point a, Point b, Visit&& visit) {
    constexpr double rounding = 1e-9;
    if (a.x > b.x) std::swap(a, b);
    for (int x = static_cast<int>(std::floor(a.x - rounding)); x <= b.x + rounding; ++x) {
        const auto y_at = [&](double at) {
            return b.x - a.x < rounding ? a.y : a.y + (b.y - a.y) * (std::clamp(at, a.x, b.x) - a.x) / (b.x - a.x);
        };
        double low = y_at(x - rounding), high = b.x - a.x < rounding ? b.y : y_at(x + 1 + rounding);
        if (low > high) std::swap(low, high);
        for (int y = static_cast<int>(std::floor(low - rounding)); y <= high + rounding; ++y) visit({x, y});
    }
}

}  // namespace

TEST_CASE("with a price for unknown cells, paths lead through them where that costs less") {
    int unknown_crossed = 0;
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
        for (const double price : {1.0, 1.5, 4.0}) {
            CAPTURE(seed);
            CAPTURE(price);
            const Grid<std::uint8_t> walls = random_map(160, 130, seed, 0.03);
            Rng rng(seed, 0, Purpose::placement, 3);
            KnownMap map(walls.lattice());
            for (int patch = 0; patch < 12; ++patch) {
                const Cell low{static_cast<int>(rng.below(120)), static_cast<int>(rng.below(90))};
                for (int y = low.y; y < low.y + 40; ++y)
                    for (int x = low.x; x < low.x + 40; ++x) {
                        CellTile claims;
                        claims.set({x, y}, walls[{x, y}] ? CellState::safe_occupied : CellState::safe_free);
                        map.observe(tile_of({x, y}), claims, 0);
                    }
            }
            NavMap nav(FrontierKind::unknown, seed % 2 ? 0 : 1.2, true);
            nav.update(map, {80, 65});
            PlanOptions options;
            options.unknown_cost = price;
            const PathPlanner planner(options);
            // One tile more on each side than the map has: so far the way may lead outside.
            const auto [low, high] = nav.extent();
            const Cell first = cell_of({low.x - 1, low.y - 1}, 0, 0), last = cell_of({high.x + 1, high.y + 1}, 63, 63);
            const auto open = [&](Cell c) {
                return c.x >= first.x && c.y >= first.y && c.x <= last.x && c.y <= last.y && !map.is_occupied(c) &&
                       (nav.passable(c) || map.state(c) == CellState::unknown) && nav.traversable(c);
            };
            const Cell start{80, 65};
            Grid<std::uint32_t> cost(last.x - first.x + 1, last.y - first.y + 1, no_bound, {}, first);
            using Entry = std::pair<std::uint32_t, Cell>;
            std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
            queue.emplace(0, start);
            while (!queue.empty()) {
                const auto [at, c] = queue.top();
                queue.pop();
                if (cost[c] != no_bound) continue;
                cost[c] = at;
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) {
                        const Cell n = c + Cell{dx, dy};
                        if ((dx == 0 && dy == 0) || !open(n) || (dx != 0 && !open(c + Cell{dx, 0})) ||
                            (dy != 0 && !open(c + Cell{0, dy})))
                            continue;
                        const double factor = map.state(n) == CellState::unknown ? price : 1;
                        queue.emplace(at + static_cast<std::uint32_t>(std::lround(
                                               (dx != 0 && dy != 0 ? diagonal_cost : straight_cost) * factor)),
                                      n);
                    }
            }
            for (int k = 0; k < 25; ++k) {
                const Cell goal{static_cast<int>(rng.below(160)), static_cast<int>(rng.below(130))};
                const Path path = planner.shortest(nav, start, goal);
                CHECK(path.cost == (cost[goal] == no_bound ? 0 : cost[goal]));
                CHECK(bool(path) == (cost[goal] != no_bound));
                for (const Cell c : path.cells) {
                    CHECK_FALSE(map.is_occupied(c));
                    unknown_crossed += map.state(c) == CellState::unknown;
                }
            }
            // Without the price the unknown is closed.
            NavMap closed(FrontierKind::unknown, 0);
            closed.update(map, start);
            for (int k = 0; k < 20; ++k) {
                const Cell goal{static_cast<int>(rng.below(160)), static_cast<int>(rng.below(130))};
                if (map.state(goal) == CellState::unknown)
                    CHECK(PathPlanner().shortest(closed, start, goal).status == PathStatus::goal_blocked);
            }
        }
    CHECK(unknown_crossed > 100);
}

TEST_CASE("cutting corners shortens a path, stays on passable cells and gets no closer to walls") {
    double before = 0, after = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Grid<std::uint8_t> walls = seed % 2 ? rooms_map(300, 260, seed) : random_map(300, 260, seed, 0.02);
        Rng rng(seed, 0, Purpose::placement, 4);
        const Known w(walls, random_free(walls, rng));
        for (int k = 0; k < 20; ++k) {
            const Cell start = random_free(walls, rng), goal = random_free(walls, rng);
            const Path path =
                k % 2 ? PathPlanner().shortest(w.nav, start, goal) : PathPlanner().clearest(w.nav, start, goal);
            if (!path || path.cells.size() < 2) continue;
            Point at{start.x + 0.3, start.y + 0.6};
            const std::vector<Cell> points = any_angle(w.nav, at, path.cells);
            REQUIRE(!points.empty());
            CHECK(points.back() == goal);
            std::size_t last = 0;  // of the path: way points stand in it, in order
            double length = 0;
            for (const Cell point : points) {
                const auto found =
                    std::find(path.cells.begin() + static_cast<std::ptrdiff_t>(last), path.cells.end(), point);
                REQUIRE(found != path.cells.end());
                const auto index = static_cast<std::size_t>(found - path.cells.begin());
                int closest = 3;
                for (std::size_t i = last; i <= index; ++i) closest = std::min(closest, w.nav.clearance(path.cells[i]));
                const Point to{point.x + 0.5, point.y + 0.5};
                for_touched(at, to, [&](Cell c) {
                    if (c == start) return;
                    CHECK(w.nav.passable(c));
                    if (index > last + 1) CHECK(w.nav.clearance(c) >= closest);
                });
                length += distance(at, to);
                at = to;
                last = index;
            }
            before += path.length_cells();
            after += length;
        }
    }
    CHECK(after < 0.99 * before);
    CHECK(after > 0.85 * before);
    CHECK(any_angle(NavMap(), {0, 0}, {}).empty());
}

TEST_CASE("a way through the very corner of a wall is not straightened, on whichever side the wall is") {
    const std::vector<std::string> rows{"####", "#.s#", "#g##", "####"};  // and all that this looks like from elsewhere
    for (int image = 0; image < 8; ++image) {
        CAPTURE(image);
        const auto seen = [&](Cell c) {
            if (image & 1) c.x = 3 - c.x;
            if (image & 2) c.y = 3 - c.y;
            if (image & 4) std::swap(c.x, c.y);
            return c;
        };
        const Grid<std::uint8_t> drawn = text_map(rows);
        Grid<std::uint8_t> walls = drawn;
        for (std::size_t i = 0; i < walls.cells().size(); ++i) walls[seen(walls.cell(i))] = drawn.cells()[i];
        const Cell start = seen(find_letter(rows, 's')), goal = seen(find_letter(rows, 'g'));
        const Known w(walls, start);
        const Path path = PathPlanner().shortest(w.nav, start, goal);
        REQUIRE(path.cells.size() == 3);
        const std::vector<Cell> around(path.cells.begin() + 1, path.cells.end());
        CHECK(any_angle(w.nav, {start.x + 0.5, start.y + 0.5}, path.cells) == around);
    }
}

}  // namespace test_path_variants
