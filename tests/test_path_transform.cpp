#include <queue>

#include "helpers.hpp"
#include "plan/distance_field.hpp"
#include "plan/path_transform.hpp"
#include "plan/wall_distance.hpp"

using namespace outrider;

namespace test_path_transform {
namespace {

/// Costs to the goals by Dijkstra with the formula as it is written down.
Grid<std::uint32_t> dijkstra(const NavMap& nav, const WallDistance& walls, const DangerOptions& o, double cell_m,
                             const Grid<std::uint8_t>& frame, std::span<const Cell> goals, int horizon) {
    const auto own = [&](Cell c) -> std::uint64_t {
        const double d = std::min<double>(walls.cells(c), horizon), safe = o.safe_m / cell_m;
        if (d < o.min_m / cell_m) return no_bound;
        if (o.danger == Danger::none || (o.danger == Danger::near_only && d >= safe)) return 0;
        return static_cast<std::uint64_t>(
            std::lround(straight_cost * std::min(250.0, o.weight * std::pow(safe - d, 2))));
    };
    Grid<std::uint32_t> cost(frame.width(), frame.height(), no_bound);
    using Entry = std::pair<std::uint64_t, Cell>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const Cell c : goals)
        if (nav.passable(c)) queue.emplace(own(c), c);
    while (!queue.empty()) {
        const auto [at, c] = queue.top();
        queue.pop();
        if (at >= cost[c]) continue;
        cost[c] = static_cast<std::uint32_t>(at);
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell n{c.x + dx, c.y + dy};
                if ((dx == 0 && dy == 0) || !nav.passable(n) || !nav.passable({n.x, c.y}) || !nav.passable({c.x, n.y}))
                    continue;
                if (own(n) == no_bound) continue;
                queue.emplace(at + (dx != 0 && dy != 0 ? diagonal_cost : straight_cost) + own(n), n);
            }
    }
    return cost;
}

}  // namespace

TEST_CASE("the path transform stays what Dijkstra says while the map grows and goals come and go") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        const Grid<std::uint8_t> walls = random_map(150, 110, seed, seed % 2 ? 0.02 : 0.005);
        Rng rng(seed, 0, Purpose::placement, 0);
        DangerOptions options;
        options.danger = static_cast<Danger>(seed % 3);
        options.min_m = seed % 2 ? 0.15 : 0;
        KnownMap map(walls.lattice());
        NavMap nav(FrontierKind::unknown, 0);
        PathTransform transform(options, 0.1);
        WallDistance distance(transform.horizon());
        std::vector<Cell> goals{{75, 55}, {20, 90}};
        FieldCounters before;
        for (int step = 0; step < 15; ++step) {
            const Cell low{static_cast<int>(rng.below(120)), static_cast<int>(rng.below(80))};
            for (int y = low.y; y < std::min(110, low.y + 40); ++y)
                for (int x = low.x; x < std::min(150, low.x + 40); ++x) {
                    const bool doubtful = rng.below(200) == 0;
                    CellTile claims;
                    claims.set({x, y}, doubtful        ? CellState::occupied
                                       : walls[{x, y}] ? CellState::safe_occupied
                                                       : CellState::safe_free);
                    map.observe(tile_of({x, y}), claims, 0);
                }
            if (step % 5 == 4) goals.push_back({static_cast<int>(rng.below(150)), static_cast<int>(rng.below(110))});
            if (step % 7 == 6) goals.erase(goals.begin());
            nav.update(map, {75, 55});
            ChangeCursor seen;
            distance.changes_since(seen);
            distance.update(map);
            transform.update(nav, distance, goals);
            const Grid<std::uint32_t> truth = dijkstra(nav, distance, options, 0.1, walls, goals, transform.horizon());
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < truth.cells().size(); ++i)
                wrong += truth.cells()[i] != transform.cost(truth.cell(i));
            REQUIRE(wrong == 0);
            const FieldCounters now = transform.counters();
            if (now.rebuilds == before.rebuilds)  // each cell that costs something else is looked at, too
                CHECK(now.touched - before.touched <=
                      6 * (now.changed - before.changed) + distance.changes_since(seen).list.size() + 200);
            before = now;
            for (int k = 0; k < 10; ++k) {
                const Cell from{static_cast<int>(rng.below(150)), static_cast<int>(rng.below(110))};
                const Path path = transform.path(from), searched = transform.search(nav, distance, from, goals);
                CHECK(bool(path) == (truth[from] != no_bound));
                CHECK(bool(searched) == bool(path));
                if (!path) continue;
                CHECK(path.cost == truth[from]);
                CHECK(searched.cost == truth[from]);
                CHECK(searched.cells.front() == from);
                CHECK(std::find(goals.begin(), goals.end(), searched.cells.back()) != goals.end());
                for (std::size_t i = 1; i < searched.cells.size(); ++i) CHECK(nav.passable(searched.cells[i]));
                CHECK(std::find(goals.begin(), goals.end(), path.cells.back()) != goals.end());
                for (std::size_t i = 1; i < path.cells.size(); ++i) CHECK(nav.passable(path.cells[i]));
            }
        }
    }
}

TEST_CASE("cells far from every wall are far enough, however small cells are") {
    const Grid<std::uint8_t> walls(128, 128, 0);
    const KnownMap map = known_all(walls);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {64, 64});
    const Cell goal{70, 66};
    for (const Danger kind : {Danger::none, Danger::near_only, Danger::near_and_open}) {
        DangerOptions options;
        options.danger = kind;
        options.min_m = 0.3;
        PathTransform transform(options, 0.005);  // 60 cells
        WallDistance distance(transform.horizon());
        distance.update(map);
        transform.update(nav, distance, std::span(&goal, 1));
        CHECK(transform.path({64, 64}));
        CHECK_THROWS_WITH_AS(PathTransform(options, 0.002), doctest::Contains("expected at most 0.2 m"), Error);
    }
}

TEST_CASE("danger keeps the way off walls and shuts narrow places") {
    // A wide and a narrow way around a block; goals 'g' behind them.
    std::vector<std::string> rows(31, std::string(60, '.'));
    for (std::string& row : rows) row.front() = row.back() = '#';
    rows.front() = rows.back() = std::string(60, '#');
    for (int y = 4; y < 21; ++y)
        for (int x = 20; x < 40; ++x) rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = '#';
    const Grid<std::uint8_t> walls = text_map(rows);
    const KnownMap map = known_all(walls);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {8, 22});
    const Cell start{8, 22}, goal{51, 22};  // nearer to the passage of three cells, above the block
    const auto least_distance = [&](Danger danger, double min_m) {
        DangerOptions options;
        options.danger = danger;
        options.min_m = min_m;
        PathTransform transform(options, 0.1);
        WallDistance distance(50);
        distance.update(map);
        transform.update(nav, distance, std::span(&goal, 1));
        const Path path = transform.path(start);
        REQUIRE(path);
        double least = 99;
        for (const Cell c : path.cells)
            if (c.x >= 20 && c.x < 40) least = std::min(least, distance.cells(c));
        return least;
    };
    CHECK(least_distance(Danger::none, 0) <= 2);
    CHECK(least_distance(Danger::near_only, 0) >= 4);  // around below
    CHECK(least_distance(Danger::none, 0.25) > 2.4);   // the passage is shut: two cells from a wall in its middle
    // The field of lengths alone is the distance field.
    DangerOptions plain;
    plain.danger = Danger::none;
    plain.min_m = 0;
    PathTransform transform(plain, 0.1);
    WallDistance distance(transform.horizon());
    distance.update(map);
    transform.update(nav, distance, std::span(&goal, 1));
    DistanceField field;
    field.update(nav, std::span(&goal, 1));
    for (std::size_t i = 0; i < walls.cells().size(); i += 7)
        CHECK(transform.cost(walls.cell(i)) == field.cost(walls.cell(i)));
    // In the open, far from walls costs, too: (7 - d)^2 cells, weighed, and no more than the most.
    DangerOptions open;
    open.danger = Danger::near_and_open;
    const PathTransform wide(open, 0.1);
    CHECK(wide.danger_cost(49) == 0);
    CHECK(wide.danger_cost(100) == std::lround(straight_cost * 1.2 * 9));
    CHECK(wide.danger_cost(8) == no_bound);
    CHECK(wide.danger_cost(2501) == std::lround(straight_cost * most_danger_cells));
    DangerOptions near;
    CHECK(PathTransform(near, 0.1).danger_cost(100) == 0);
    CHECK(PathTransform(near, 0.1).danger_cost(25) == std::lround(straight_cost * 1.2 * 4));
}

}  // namespace test_path_transform
