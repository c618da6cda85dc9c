#include <set>

#include "helpers.hpp"
#include "plan/frontiers/frontier_finder.hpp"

using namespace outrider;

namespace test_nav {
namespace {

struct Truth {
    std::set<Cell> pass, frontier, edge, reached;
};

/// The planes of NavMap by their definitions, cell by cell.
Truth brute_force(const KnownMap& map, Cell at, double radius, int low, int high) {
    Truth truth;
    const auto unknown = [&](Cell c) { return map.state(c) == CellState::unknown; };
    for (int y = low; y < high; ++y)
        for (int x = low; x < high; ++x) {
            const Cell c{x, y};
            if (!map.is_free(c)) continue;
            bool blocked = false, around = false;
            const int r = static_cast<int>(std::ceil(radius)) + 1;
            for (int dy = -r; dy <= r; ++dy)
                for (int dx = -r; dx <= r; ++dx) {
                    if (radius > 0 && map.is_occupied(c + Cell{dx, dy}) &&
                        std::hypot(std::max(0.0, std::abs(dx) - 0.5), std::max(0.0, std::abs(dy) - 0.5)) < radius)
                        blocked = true;
                    if (std::abs(dx) <= 1 && std::abs(dy) <= 1 && unknown(c + Cell{dx, dy})) around = true;
                }
            if (!blocked) truth.pass.insert(c);
            if (around) truth.frontier.insert(c);
            if (unknown(c + Cell{1, 0}) || unknown(c - Cell{1, 0}) || unknown(c + Cell{0, 1}) ||
                unknown(c - Cell{0, 1}))
                truth.edge.insert(c);
        }
    std::vector<Cell> queue{at};
    while (!queue.empty()) {
        const Cell c = queue.back();
        queue.pop_back();
        if (!truth.pass.contains(c) || !truth.reached.insert(c).second) continue;
        for (const Cell d : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}}) queue.push_back(c + d);
    }
    return truth;
}

void check_equal(const KnownMap& map, const NavMap& nav, Cell at, double radius, int low, int high) {
    const Truth truth = brute_force(map, at, radius, low, high);
    int wrong = 0;
    for (int y = low; y < high; ++y)
        for (int x = low; x < high; ++x) {
            const Cell c{x, y};
            wrong += nav.passable(c) != truth.pass.contains(c);
            wrong += nav.frontier(c) != truth.frontier.contains(c);
            wrong += nav.edge(c) != truth.edge.contains(c);
            wrong += nav.reached(c) != truth.reached.contains(c);
            int clearance = 3;
            for (int dy = -2; dy <= 2; ++dy)
                for (int dx = -2; dx <= 2; ++dx)
                    if (map.is_occupied(c + Cell{dx, dy}))
                        clearance = std::min(clearance, std::max({1, std::abs(dx), std::abs(dy)}));
            wrong += map.is_free(c) && nav.clearance(c) != clearance;
        }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("passability, clearance, frontiers and reachability follow the map exactly, walls that appear included") {
    for (const double radius : {0.0, 1.0, 2.3}) {
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            CAPTURE(radius);
            CAPTURE(seed);
            Rng rng(seed, 0, Purpose::placement, 0);
            KnownMap map(Lattice{});
            NavMap nav(FrontierKind::unknown, radius);
            const Cell at{3, 2};
            CellTile start;
            start.set(at, CellState::safe_free);
            map.observe({0, 0}, start, 0);
            for (int round = 0; round < 60; ++round) {
                // A blob of free space, some walls, and now and then a wall on what was free: sure hits.
                TileTable<CellTile> claims;
                const Cell centre{static_cast<int>(rng.below(120)) - 60, static_cast<int>(rng.below(120)) - 60};
                const int size = 4 + static_cast<int>(rng.below(20));
                for (int dy = -size; dy <= size; ++dy)
                    for (int dx = -size; dx <= size; ++dx)
                        claims.at(tile_of(centre + Cell{dx, dy}))
                            .set(centre + Cell{dx, dy}, rng.below(12) == 0 ? CellState::occupied : CellState::free);
                for (int k = 0; k < 3; ++k) {
                    const Cell wall{static_cast<int>(rng.below(120)) - 60, static_cast<int>(rng.below(120)) - 60};
                    for (int i = 0; i < 8; ++i)
                        if (wall + Cell{i, 0} != at)
                            claims.at(tile_of(wall + Cell{i, 0})).set(wall + Cell{i, 0}, CellState::safe_occupied);
                }
                claims.for_each([&](TileCoord t, const CellTile& tile) { map.observe(t, tile, 0); });
                if (radius == 0) {
                    nav.update(map, at);
                    if (round % 10 == 9) check_equal(map, nav, at, radius, -90, 90);
                } else if (round % 10 == 9) {
                    nav.update(map, at);
                    check_equal(map, nav, nav.foothold(at), radius, -90, 90);
                }
            }
            map.redraw({0, 1});
            map.observe({0, 0}, start, 0);
            nav.update(map, at);
            check_equal(map, nav, nav.foothold(at), radius, -90, 90);
        }
    }
}

TEST_CASE("clusters kept up as the map grows are those put together from scratch, and only those near a change are") {
    for (const FrontierKind kind : {FrontierKind::unknown, FrontierKind::unsafe})
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            CAPTURE(seed);
            const double radius = seed <= 4 ? 0 : 1.2;  // with a body, some frontier cells are out of reach
            const Grid<std::uint8_t> walls = random_map(700, 600, seed, 0.01);
            Rng rng(seed, 0, Purpose::placement, 5);
            KnownMap map(walls.lattice());
            NavMap nav(kind, radius);
            FrontierOptions options;
            options.kind = kind;
            FrontierFinder finder(options);
            Cell at{350, 300};
            std::size_t all = 0, most = 0;
            std::uint64_t looked = 0;
            for (int step = 0; step < 60; ++step) {
                // A wandering patch: what lies behind it stays as it is. Now and then doubtful walls. At times it
                // jumps: what lies there is reached later, all at once.
                at = {std::clamp(at.x + static_cast<int>(rng.below(61)) - 30, 50, 650),
                      std::clamp(at.y + static_cast<int>(rng.below(61)) - 30, 50, 550)};
                if (step > 9 && rng.below(6) == 0)
                    at = {50 + static_cast<int>(rng.below(600)), 50 + static_cast<int>(rng.below(500))};
                for (int y = at.y - 25; y < at.y + 25; ++y)
                    for (int x = at.x - 25; x < at.x + 25; ++x) {
                        CellTile claims;
                        const bool sure = (x + y) % 3 != 0;
                        claims.set({x, y}, rng.below(3000) == 0 ? CellState::occupied
                                           : walls[{x, y}]      ? CellState::safe_occupied
                                           : sure               ? CellState::safe_free
                                                                : CellState::free);
                        map.observe(tile_of({x, y}), claims, 0);
                    }
                nav.update(map, {350, 300});
                const auto before = finder.counters();
                const std::vector<Frontier>& kept = finder.update(map, nav);
                const std::vector<Frontier> fresh = find_frontiers(map, nav, options);
                REQUIRE(kept.size() == fresh.size());
                std::size_t cells = 0;
                for (std::size_t i = 0; i < kept.size(); ++i) {
                    CHECK(kept[i].goal == fresh[i].goal);
                    CHECK(kept[i].look == fresh[i].look);
                    CHECK(kept[i].centroid == fresh[i].centroid);
                    CHECK(kept[i].size == fresh[i].size);
                    CHECK(kept[i].area == fresh[i].area);
                    CHECK(kept[i].leftover == fresh[i].leftover);
                    cells += static_cast<std::size_t>(kept[i].size);
                }
                most = std::max(most, kept.size());
                if (step < 30) continue;
                all += cells;
                looked += finder.counters().cells_looked - before.cells_looked;
            }
            CHECK(most > 3);
            if (kind == FrontierKind::unknown) CHECK(looked < all);
            CHECK(finder.counters().rebuilds == 1);
            const auto before = finder.counters();
            finder.update(map, nav);
            CHECK(finder.counters().tiles_looked == before.tiles_looked);
        }
}

TEST_CASE("a cluster beside which nothing changed is left as it is, in the same rows of the same tile, too") {
    KnownMap map(Lattice{0.1});
    const auto see = [&](int first, int last, int low, int high) {
        CellTile claims;
        for (int y = low; y <= high; ++y)
            for (int x = first; x <= last; ++x) claims.set({x, y}, CellState::free);
        map.observe({0, 0}, claims, 0);
    };
    NavMap nav(FrontierKind::unknown, 0);
    FrontierFinder finder;
    // A passage in row 2, and three blind alleys that lead up from it.
    see(1, 60, 2, 2);
    for (const int x : {5, 25, 45}) see(x, x + 3, 3, 40);
    nav.update(map, {2, 2});
    REQUIRE(finder.update(map, nav).size() == 1);
    CellTile walls;  // around each alley, so that only its upper end is a frontier
    for (const int x : {5, 25, 45})
        for (int y = 1; y <= 40; ++y) {
            walls.set({x - 1, y}, CellState::occupied);
            walls.set({x + 4, y}, CellState::occupied);
        }
    for (int x = 0; x <= 61; ++x) walls.set({x, 1}, CellState::occupied);
    for (int x = 0; x <= 61; ++x)
        if (map.state({x, 3}) == CellState::unknown) walls.set({x, 3}, CellState::occupied);
    walls.set({0, 2}, CellState::occupied);
    walls.set({61, 2}, CellState::occupied);
    map.observe({0, 0}, walls, 0);
    nav.update(map, {2, 2});
    REQUIRE(finder.update(map, nav).size() == 3);
    const auto before = finder.counters().cells_looked;
    see(25, 28, 41, 41);
    nav.update(map, {2, 2});
    const std::vector<Frontier>& after = finder.update(map, nav);
    REQUIRE(after.size() == 3);
    CHECK(after[1].goal.y == 41);
    CHECK(finder.counters().cells_looked - before <= 8);
}

TEST_CASE("a cluster that comes into reach is joined with one that it touches at a corner only") {
    for (const Cell contact : {Cell{40, 10}, Cell{63, 10}, Cell{40, 63}, Cell{63, 63}})
        for (const int sign : {1, -1}) {
            CAPTURE(contact.x);
            CAPTURE(contact.y);
            CAPTURE(sign);
            // Two strips in the unknown that touch at a corner, and between walls a long way round with a gap far off.
            const Cell other = contact + Cell{1, 1}, gap{201, 200};
            std::set<Cell> strips, path;
            for (int i = 0; i <= 20; ++i) strips.insert({contact - Cell{i, 0}, other + Cell{i, 0}});
            const auto go = [&](Cell from, Cell to) {
                const Cell d{(to.x > from.x) - (to.x < from.x), (to.y > from.y) - (to.y < from.y)};
                for (Cell c = from; path.insert(c).second && c != to;) c = c + d;
            };
            go(contact - Cell{21, 0}, {-100, contact.y});
            go({-100, contact.y + 1}, {-100, 200});
            go({-99, 200}, {300, 200});
            go({300, 199}, {300, other.y});
            go({299, other.y}, other + Cell{21, 0});
            KnownMap map(Lattice{});
            const auto see = [&](Cell c, CellState state) {
                const Cell at{sign * c.x, sign * c.y};
                CellTile claims;
                claims.set(at, state);
                map.observe(tile_of(at), claims, 0);
            };
            for (const Cell c : strips) see(c, CellState::safe_free);
            for (const Cell c : path)
                for (int k = 0; k < 9; ++k) {
                    const Cell n = c + Cell{k % 3 - 1, k / 3 - 1};
                    if (n == gap || strips.contains(n)) continue;
                    see(n, path.contains(n) ? CellState::safe_free : CellState::safe_occupied);
                }
            NavMap nav(FrontierKind::unknown, 0);
            FrontierFinder finder;
            const Cell at{sign * contact.x, sign * contact.y};
            nav.update(map, at);
            CHECK(finder.update(map, nav).size() == 2);  // its strip, and the gap
            CHECK(!nav.reached({sign * other.x, sign * other.y}));
            see(gap, CellState::safe_free);
            nav.update(map, at);
            CHECK(nav.reached({sign * other.x, sign * other.y}));
            REQUIRE(finder.update(map, nav).size() == 1);
            CHECK(finder.update(map, nav)[0].size == 42);
        }
}

TEST_CASE("an update touches only rows near what changed") {
    Grid<std::uint8_t> walls(500, 500);
    KnownMap map = known_all(walls);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {250, 250});
    const NavMap::Counters before = nav.counters();
    nav.update(map, {250, 250});
    CHECK(nav.counters().rows_computed == before.rows_computed);
    Rng rng(1, 0, Purpose::placement, 0);
    for (int i = 0; i < 200; ++i) {
        const NavMap::Counters last = nav.counters();
        CellTile claims;
        const Cell c{static_cast<int>(rng.below(500)), static_cast<int>(rng.below(500))};
        claims.set(c, CellState::safe_occupied);
        map.observe(tile_of(c), claims, 0);
        nav.update(map, {250, 250});
        // A cell concerns five rows of at most two tiles beside each other.
        CHECK(nav.counters().rows_computed - last.rows_computed <=
              10 * (nav.counters().rows_changed - last.rows_changed));
    }
    // Single walls in the open split nothing: reachability never had to begin anew.
    CHECK(nav.counters().rebuilds == 1);
    CHECK(nav.counters().words_flooded - before.words_flooded == 0);
}

TEST_CASE("a map extends over the tiles in which something is known, in whatever order that came") {
    CHECK(NavMap().extent() == std::pair(TileCoord{0, 0}, TileCoord{-1, -1}));
    std::vector<Cell> cells{{70, 300}, {-1000, 5}, {2000, -63}, {100, 700}, {130, -64}};
    std::sort(cells.begin(), cells.end());
    do {
        KnownMap map;
        NavMap nav(FrontierKind::unknown, 0, true);
        for (const Cell c : cells) {
            CellTile claims;
            claims.set(c, CellState::free);
            map.observe(tile_of(c), claims, 0);
            nav.update(map, c);
        }
        REQUIRE(nav.extent() == std::pair(TileCoord{-16, -1}, TileCoord{31, 10}));
        // What is unknown can be traversed up to one tile beyond.
        REQUIRE(nav.traversable({-17 * 64, -2 * 64}));
        REQUIRE_FALSE(nav.traversable({-17 * 64 - 1, -2 * 64}));
        REQUIRE_FALSE(nav.traversable({-17 * 64, -2 * 64 - 1}));
        REQUIRE(nav.traversable({33 * 64 - 1, 12 * 64 - 1}));
        REQUIRE_FALSE(nav.traversable({33 * 64, 12 * 64 - 1}));
        map.redraw({0, 1});
        nav.update(map, {0, 0});
        REQUIRE(nav.extent() == std::pair(TileCoord{0, 0}, TileCoord{-1, -1}));
    } while (std::next_permutation(cells.begin(), cells.end()));
}

TEST_CASE("walls that appear make reachability begin anew only where there is no way round them nearby") {
    Grid<std::uint8_t> walls(400, 200);
    for (int y = 0; y < 200; ++y)
        if (y != 60 && y != 61) walls[{200, y}] = 1;  // two rooms and a door
    KnownMap map = known_all(walls);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {100, 100});
    const auto know = [&](Cell from, Cell to) {
        for (int y = from.y; y <= to.y; ++y)
            for (int x = from.x; x <= to.x; ++x) {
                CellTile claims;
                claims.set({x, y}, CellState::safe_occupied);
                map.observe(tile_of({x, y}), claims, 0);
            }
    };
    const auto build = [&](Cell from, Cell to) {
        know(from, to);
        nav.update(map, {100, 100});
    };
    build({120, 40}, {135, 40});  // over the border of two tiles
    build({50, 50}, {53, 53});
    know({60, 150}, {65, 150});  // two at a time, far from each other
    build({150, 10}, {160, 12});
    build({200, 61}, {200, 61});  // half of the door
    CHECK(nav.counters().rebuilds == 1);
    CHECK(nav.reached({300, 100}));
    CHECK(nav.reached({120, 39}));
    CHECK(nav.reached({120, 41}));
    CHECK(!nav.reached({52, 52}));
    build({200, 60}, {200, 60});
    CHECK(nav.counters().rebuilds == 2);
    CHECK(!nav.reached({300, 100}));
    CHECK(nav.reached({199, 60}));
    build({20, 90}, {90, 90});  // longer than what is looked at
    CHECK(nav.counters().rebuilds == 3);
    CHECK(nav.reached({50, 91}));
}

TEST_CASE("frontiers are the 8-connected clusters of reached frontier cells") {
    std::size_t clusters = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Grid<std::uint8_t> walls = random_map(180, 150, seed, 0.02);
        KnownMap map(walls.lattice());
        Rng rng(seed, 5, Purpose::placement, 0);
        TileTable<CellTile> claims;
        for (int k = 0; k < 60; ++k) {
            const Cell centre{static_cast<int>(rng.below(180)), static_cast<int>(rng.below(150))};
            for (int dy = -12; dy <= 12; ++dy)
                for (int dx = -12; dx <= 12; ++dx) {
                    const Cell c = centre + Cell{dx, dy};
                    if (dx * dx + dy * dy <= 144)
                        claims.at(tile_of(c)).set(c, walls.get(c, 1) ? CellState::safe_occupied : CellState::free);
                }
        }
        claims.for_each([&](TileCoord t, const CellTile& tile) { map.observe(t, tile, 0); });
        Cell at{90, 75};
        while (!map.is_free(at)) ++at.x;
        NavMap nav(FrontierKind::unknown, 0);
        nav.update(map, at);
        FrontierOptions options;
        options.min_cells = 5;
        const std::vector<Frontier> found = find_frontiers(map, nav, options);

        std::set<Cell> left;
        for (int y = -20; y < 180; ++y)
            for (int x = -20; x < 210; ++x)
                if (nav.frontier({x, y}) && nav.reached({x, y})) left.insert({x, y});
        std::vector<std::set<Cell>> expected;
        while (!left.empty()) {
            std::set<Cell> cluster;
            std::vector<Cell> queue{*left.begin()};
            while (!queue.empty()) {
                const Cell c = queue.back();
                queue.pop_back();
                if (!left.erase(c)) continue;
                cluster.insert(c);
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) queue.push_back(c + Cell{dx, dy});
            }
            if (std::any_of(cluster.begin(), cluster.end(), [&](Cell c) { return nav.edge(c); }))
                expected.push_back(cluster);
        }
        REQUIRE(found.size() == expected.size());
        clusters += found.size();
        for (std::size_t i = 0; i < found.size(); ++i) {
            const Frontier& f = found[i];
            const std::set<Cell>& cluster = expected[i];
            CHECK(f.size == static_cast<int>(cluster.size()));
            CHECK(f.leftover == (f.size < 5));
            CHECK(cluster.contains(f.goal));
            CHECK(nav.edge(f.goal));
            CHECK(map.state(f.look) == CellState::unknown);
            CHECK(squared_distance(f.goal, f.look) == 1);
            Point centroid{};
            for (const Cell c : cluster) centroid = centroid + Point{c.x + 0.5, c.y + 0.5};
            centroid = centroid * (1.0 / f.size);
            CHECK(distance(centroid, f.centroid) < 1e-9);
            // The representative: none with more clearance, none as clear and nearer.
            const auto rank = [&](Cell c) {
                return std::pair(-nav.clearance(c), distance({c.x + 0.5, c.y + 0.5}, centroid));
            };
            for (const Cell c : cluster)
                if (nav.edge(c)) CHECK(rank(f.goal) <= std::pair(rank(c).first, rank(c).second + 1e-9));
        }
        options.leftovers = Leftovers::drop;
        for (const Frontier& f : find_frontiers(map, nav, options)) CHECK(f.size >= 5);
    }
    CHECK(clusters > 30);
}

TEST_CASE("unsafe frontiers are the free cells that are not safe, beside safe or unknown ones") {
    Grid<std::uint8_t> walls(60, 60);
    KnownMap map(walls.lattice());
    CellTile claims;
    for (int y = 10; y < 40; ++y)
        for (int x = 10; x < 40; ++x) claims.set({x, y}, x < 20 ? CellState::safe_free : CellState::free);
    map.observe({0, 0}, claims, 0);
    NavMap nav(FrontierKind::unsafe, 0);
    nav.update(map, {15, 15});
    for (int y = 10; y < 40; ++y)
        for (int x = 10; x < 40; ++x) {
            const bool beside_safe = x == 20, rim = x == 39 || y == 10 || y == 39;
            CHECK(nav.frontier({x, y}) == (x >= 20 && (beside_safe || rim)));
        }
    FrontierOptions options;
    options.kind = FrontierKind::unsafe;
    const std::vector<Frontier> found = find_frontiers(map, nav, options);
    REQUIRE(found.size() == 1);
    CHECK(found[0].area == 2 * found[0].size);  // a line one cell wide: every cell lies on its rim
}

TEST_CASE("robots that take over tiles and stops from each other have what each of them computes alone") {
    struct Member {
        KnownMap map;
        NavMap together, alone;
        std::array<ChangeCursor, 4> seen;
    };
    const auto list = [](const RowChanges& changes) {
        std::vector<std::tuple<TileCoord, int, std::uint64_t>> out;
        for (const RowChange& c : changes.list) out.emplace_back(c.tile, c.row, c.cells);
        return out;
    };
    const Cell at{3, 2};
    for (const double radius : {0.0, 1.2})
        for (const FrontierKind kind : {FrontierKind::unknown, FrontierKind::unsafe}) {
            CAPTURE(radius);
            Rng rng(static_cast<std::uint64_t>(kind), 0, Purpose::placement, 0);
            std::vector<Member> team(3);
            for (Member& m : team) {
                m.together = NavMap(kind, radius);
                m.together.work_together();
                m.alone = NavMap(kind, radius);
                CellTile start;
                start.set(at, CellState::safe_free);
                m.map.observe({0, 0}, start, 0);
            }
            int wrong = 0, taken_over = 0;
            for (int round = 0; round < 60; ++round) {
                for (Member& m : team) {
                    TileTable<CellTile> claims;
                    const Cell centre{static_cast<int>(rng.below(200)) - 100, static_cast<int>(rng.below(200)) - 100};
                    const int size = 2 + static_cast<int>(rng.below(20));
                    for (int dy = -size; dy <= size; ++dy)
                        for (int dx = -size; dx <= size; ++dx)
                            if (centre + Cell{dx, dy} != at)
                                claims.at(tile_of(centre + Cell{dx, dy}))
                                    .set(centre + Cell{dx, dy}, static_cast<CellState>(1 + rng.below(4)));
                    claims.for_each([&](TileCoord t, const CellTile& tile) { m.map.observe(t, tile, 0); });
                }
                if (rng.below(2) == 0)
                    for (int twice = 0; twice < 2; ++twice)  // then all know the same
                        for (Member& m : team)
                            for (Member& other : team) m.map.merge(other.map.snapshot());
                if (rng.below(40) == 0) team[0].map.redraw({0, round});
                for (Member& m : team) {
                    if (team[0].map.frame() != m.map.frame()) m.map.redraw(team[0].map.frame());
                    if (rng.below(3) > 0) m.map.share();
                    m.together.update(m.map, at);
                    m.alone.update(m.map, at);
                    int tiles = 0;
                    m.alone.tiles().for_each([&](TileCoord t, const NavTile& tile) {
                        ++tiles;
                        const NavTile* const other = m.together.tile(t);
                        REQUIRE(other);
                        wrong += tile.pass != other->pass || tile.near1 != other->near1 || tile.near2 != other->near2 ||
                                 tile.frontier != other->frontier || tile.edge != other->edge;
                        wrong += m.alone.reached_rows(t) != m.together.reached_rows(t);
                        const JumpBlocks &stops = m.alone.jump_blocks(t), &others = m.together.jump_blocks(t);
                        wrong += stops.east != others.east || stops.west != others.west ||
                                 stops.north != others.north || stops.south != others.south ||
                                 stops.diagonal != others.diagonal;
                        taken_over += &m != team.data() && other == team[0].together.tile(t);
                    });
                    m.together.tiles().for_each([&](TileCoord, const NavTile&) { --tiles; });
                    CHECK(tiles == 0);
                    CHECK(list(m.together.changes_since(m.seen[0])) == list(m.alone.changes_since(m.seen[1])));
                    CHECK(list(m.together.frontier_changes_since(m.seen[2])) ==
                          list(m.alone.frontier_changes_since(m.seen[3])));
                    if (rng.below(2) == 0) m.together.share();
                    if (rng.below(4) == 0) m.together.drop_unused();
                }
            }
            CHECK(wrong == 0);
            CHECK(taken_over > 0);
        }
}

}  // namespace test_nav
