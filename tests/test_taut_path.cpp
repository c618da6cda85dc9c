// Shortest paths at any angle against a graph of all corners that see each other.
#include <queue>

#include "helpers.hpp"
#include "plan/any_angle/taut_path.hpp"

using namespace outrider;

namespace test_taut_path {
namespace {

/// Twice the coordinates, so that corners of cells are whole numbers.
struct Twice {
    int x, y;
    bool operator==(const Twice&) const = default;
};

/// Which cells are open, with blocked ones all around.
struct Open {
    const Grid<std::uint8_t>& walls;
    bool operator()(int x, int y) const {
        return x >= 0 && y >= 0 && x < walls.width() && y < walls.height() && !walls[{x, y}];
    }
    /// The corner of cells at (x, y) twice: two of the four cells around it are open, and touch in it alone.
    bool pinched(Twice c) const {
        const int right = (c.x + 1) / 2, up = (c.y + 1) / 2;
        const bool a = (*this)(right - 1, up - 1), b = (*this)(right, up - 1), d = (*this)(right - 1, up),
                   e = (*this)(right, up);
        return (a && e && !b && !d) || (b && d && !a && !e);
    }
};

/// Whether a line between two points goes through the inside of no blocked cell, nor between two that touch in a
/// corner. In whole numbers: exact.
bool free_line(const Open& open, Twice a, Twice b) {
    const std::int64_t dx = b.x - a.x, dy = b.y - a.y;
    const auto side = [&](std::int64_t x, std::int64_t y) { return dx * (y - a.y) - dy * (x - a.x); };
    const int low_x = (std::min(a.x, b.x) - 1) / 2 - 1, high_x = (std::max(a.x, b.x) + 1) / 2 + 1,
              low_y = (std::min(a.y, b.y) - 1) / 2 - 1, high_y = (std::max(a.y, b.y) + 1) / 2 + 1;
    for (int y = low_y; y <= high_y; ++y)
        for (int x = low_x; x <= high_x; ++x) {
            const int l = 2 * x - 1, r = 2 * x + 1, d = 2 * y - 1, u = 2 * y + 1;
            if (!open(x, y) && std::max(a.x, b.x) > l && std::min(a.x, b.x) < r && std::max(a.y, b.y) > d &&
                std::min(a.y, b.y) < u) {
                const std::array<std::int64_t, 4> sides{side(l, d), side(r, d), side(l, u), side(r, u)};
                if (*std::min_element(sides.begin(), sides.end()) < 0 &&
                    *std::max_element(sides.begin(), sides.end()) > 0)
                    return false;
            }
            const Twice corner{l, d};
            if (!(corner == a) && !(corner == b) && open.pinched(corner) && side(l, d) == 0 &&
                l >= std::min(a.x, b.x) && l <= std::max(a.x, b.x) && d >= std::min(a.y, b.y) &&
                d <= std::max(a.y, b.y))
                return false;
        }
    // Along a side that has blocked cells on both sides of it.
    if (dx == 0 && a.x % 2 != 0)
        for (int y = std::min(a.y, b.y); y < std::max(a.y, b.y); ++y)
            if (!open((a.x - 1) / 2, (y + 1) / 2) && !open((a.x + 1) / 2, (y + 1) / 2)) return false;
    if (dy == 0 && a.y % 2 != 0)
        for (int x = std::min(a.x, b.x); x < std::max(a.x, b.x); ++x)
            if (!open((x + 1) / 2, (a.y - 1) / 2) && !open((x + 1) / 2, (a.y + 1) / 2)) return false;
    return true;
}

double length(Twice a, Twice b) { return std::hypot(a.x - b.x, a.y - b.y) / 2; }

/// Dijkstra over all corners of blocked cells that see each other.
double plain_length(const Grid<std::uint8_t>& walls, Cell start, Cell goal) {
    const Open open{walls};
    std::vector<Twice> points{{2 * start.x, 2 * start.y}, {2 * goal.x, 2 * goal.y}};
    for (int y = -1; y < 2 * walls.height(); y += 2)
        for (int x = -1; x < 2 * walls.width(); x += 2) {
            const int right = (x + 1) / 2, up = (y + 1) / 2;
            const int blocked =
                !open(right - 1, up - 1) + !open(right, up - 1) + !open(right - 1, up) + !open(right, up);
            if (blocked == 1) points.push_back({x, y});
        }
    std::vector<double> best(points.size(), 1e9);
    std::vector<bool> done(points.size(), false);
    best[0] = 0;
    for (;;) {
        std::size_t at = points.size();
        for (std::size_t i = 0; i < points.size(); ++i)
            if (!done[i] && best[i] < 1e9 && (at == points.size() || best[i] < best[at])) at = i;
        if (at == points.size() || at == 1) return best[1];
        done[at] = true;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (!done[i] && best[at] + length(points[at], points[i]) < best[i] &&
                free_line(open, points[at], points[i]))
                best[i] = best[at] + length(points[at], points[i]);
    }
}

}  // namespace

TEST_CASE("taut paths are as short as over all corners that see each other, and enter no blocked cell") {
    int found = 0, bends = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 0, Purpose::placement, 0);
        Grid<std::uint8_t> walls(8 + static_cast<int>(rng.below(70)), 6 + static_cast<int>(rng.below(12)), 0,
                                 Lattice{0.1});
        for (std::uint8_t& wall : walls.cells()) wall = rng.uniform() < 0.1 * static_cast<double>(seed % 5);
        for (int k = 0; k < static_cast<int>(rng.below(6)); ++k) {  // some are large
            const int x = static_cast<int>(rng.below(static_cast<std::uint32_t>(walls.width())));
            const int y = static_cast<int>(rng.below(static_cast<std::uint32_t>(walls.height())));
            for (int dy = 0; dy < 4 && y + dy < walls.height(); ++dy)
                for (int dx = 0; dx < 9 && x + dx < walls.width(); ++dx) walls[{x + dx, y + dy}] = 1;
        }
        const KnownMap map = known_all(walls);
        NavMap nav(FrontierKind::unknown, 0);
        nav.update(map, {0, 0});
        const Open open{walls};
        for (int k = 0; k < 12; ++k) {
            const auto random_cell = [&] {
                return Cell{static_cast<int>(rng.below(static_cast<std::uint32_t>(walls.width()))),
                            static_cast<int>(rng.below(static_cast<std::uint32_t>(walls.height())))};
            };
            const Cell start = random_cell(), goal = random_cell();
            if (walls[start] || walls[goal]) continue;
            CAPTURE(start);
            CAPTURE(goal);
            const TautPath path = taut_path(nav, start, goal);
            const double truth = plain_length(walls, start, goal);
            REQUIRE(bool(path) == (truth < 1e9));
            if (!path) continue;
            ++found;
            CHECK(path.length_cells == doctest::Approx(truth).epsilon(1e-9));
            double sum = 0;
            for (std::size_t i = 1; i < path.points.size(); ++i) {
                const auto twice = [](Point p) {
                    return Twice{static_cast<int>(std::lround(2 * p.x)), static_cast<int>(std::lround(2 * p.y))};
                };
                const Twice a = twice(path.points[i - 1]), b = twice(path.points[i]);
                CHECK(free_line(open, a, b));
                sum += length(a, b);
            }
            CHECK(sum == doctest::Approx(path.length_cells).epsilon(1e-9));
            bends += static_cast<int>(path.points.size()) - 2;
        }
    }
    CHECK(found > 300);
    CHECK(bends > 300);
}

TEST_CASE("a taut path keeps as far from walls as is asked for, and says why there is none") {
    const KnownMap map = known_all(text_map(
        {".........", ".........", "...###...", "...###...", "...###...", ".........", ".........", "........."}));
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {0, 0});
    const Cell from{0, 4}, to{8, 4};
    for (const int clearance : {0, 1, 2}) {
        CAPTURE(clearance);
        const TautPath path = taut_path(nav, from, to, clearance);
        REQUIRE(path);
        // Around the upper corners of the block, grown on all sides: the block is at y = 3 to 5, x = 3 to 5.
        const double left = 2.5 - clearance, up = 5.5 + clearance, right = 5.5 + clearance;
        const std::vector<Point> around{{0, 4}, {left, up}, {right, up}, {8, 4}};
        const std::vector<Point> below{{0, 4}, {left, 2.5 - clearance}, {right, 2.5 - clearance}, {8, 4}};
        CHECK((path.points == around || path.points == below));
        CHECK(path.length_cells ==
              doctest::Approx(distance({0, 4}, {left, up}) + right - left + distance({right, up}, {8, 4})));
    }
    CHECK(taut_path(nav, from, {4, 4}).status == PathStatus::goal_blocked);
    CHECK(taut_path(nav, from, {6, 4}, 1).status == PathStatus::goal_blocked);
    CHECK(taut_path(nav, from, {900, 900}).status == PathStatus::goal_blocked);
    CHECK(taut_path(nav, {4, 4}, to).status == PathStatus::unreachable);
    CHECK(taut_path(nav, from, to, 0, 1).status == PathStatus::gave_up);
    const TautPath here = taut_path(nav, from, from);
    CHECK(here.length_cells == 0);
    NavMap split(FrontierKind::unknown, 0);
    split.update(known_all(text_map({"..#..", "..#.."})), {0, 0});
    CHECK(taut_path(split, {0, 0}, {4, 1}).status == PathStatus::unreachable);
    CHECK(taut_path(NavMap(FrontierKind::unknown, 0), {0, 0}, {1, 1}).status == PathStatus::goal_blocked);
}

}  // namespace test_taut_path
