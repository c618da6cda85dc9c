#include <queue>

#include "helpers.hpp"
#include "plan/distance_field.hpp"

using namespace outrider;

namespace test_distance_field {
namespace {

/// Dijkstra from the sources over what a map knows to be free, in another way: cell by cell, with a set.
Grid<std::uint32_t> dijkstra(const NavMap& nav, const Grid<std::uint8_t>& frame, std::span<const Cell> sources) {
    Grid<std::uint32_t> cost(frame.width(), frame.height(), no_bound);
    std::priority_queue<std::pair<std::uint32_t, std::size_t>, std::vector<std::pair<std::uint32_t, std::size_t>>,
                        std::greater<>>
        queue;
    for (const Cell c : sources)
        if (nav.passable(c)) queue.emplace(0, cost.index(c));
    while (!queue.empty()) {
        const auto [at, i] = queue.top();
        queue.pop();
        if (cost.cells()[i] <= at) continue;
        cost.cells()[i] = at;
        const Cell c = cost.cell(i);
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell n{c.x + dx, c.y + dy};
                if ((dx == 0 && dy == 0) || !nav.passable(n) || !nav.passable({n.x, c.y}) || !nav.passable({c.x, n.y}))
                    continue;
                queue.emplace(at + (dx != 0 && dy != 0 ? diagonal_cost : straight_cost), cost.index(n));
            }
    }
    return cost;
}

}  // namespace

TEST_CASE("a distance field stays what Dijkstra says while walls come and go, cells become known and sources move") {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        CAPTURE(seed);
        const Grid<std::uint8_t> walls = random_map(150, 110, seed, seed % 3 == 0 ? 0.25 : 0.06);
        Rng rng(seed, 0, Purpose::placement, 0);
        KnownMap map(walls.lattice());
        NavMap nav(FrontierKind::unknown, seed % 4 == 0 ? 1.3 : 0);
        DistanceField field;
        std::vector<Cell> sources{{75, 55}};
        FieldCounters before;
        for (int step = 0; step < 25; ++step) {
            // A patch becomes known; now and then with cells that are wrong and are put right later by a higher claim.
            const Cell low{static_cast<int>(rng.below(130)), static_cast<int>(rng.below(90))};
            for (int y = low.y; y < std::min(110, low.y + 30); ++y)
                for (int x = low.x; x < std::min(150, low.x + 30); ++x) {
                    CellTile claim;
                    const bool wrong = rng.below(40) == 0;
                    const bool wall = walls[{x, y}] != 0;
                    claim.set({x, y}, wall ? (wrong ? CellState::free : CellState::safe_occupied)
                                           : (wrong ? CellState::occupied : CellState::free));
                    map.observe(tile_of({x, y}), claim, 0);
                }
            if (step % 5 == 4) sources.push_back({static_cast<int>(rng.below(150)), static_cast<int>(rng.below(110))});
            if (step % 7 == 6) sources.erase(sources.begin());
            nav.update(map, {75, 55});
            field.update(nav, sources);
            const Grid<std::uint32_t> truth = dijkstra(nav, walls, sources);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < truth.cells().size(); ++i)
                wrong += truth.cells()[i] != field.cost(truth.cell(i));
            REQUIRE(wrong == 0);
            // The work is bounded by what changed: each changed cell is looked at a few times. And by the map, where
            // much changes: then a start from the sources follows a quarter of a repair.
            const FieldCounters now = field.counters();
            const std::uint64_t changed = now.changed - before.changed, touched = now.touched - before.touched;
            const std::size_t reached =
                truth.cells().size() -
                static_cast<std::size_t>(std::count(truth.cells().begin(), truth.cells().end(), no_bound));
            if (now.rebuilds == before.rebuilds)
                CHECK(touched <= 4 * changed + 900);
            else
                CHECK(touched <= 2 * reached + 900);
            before = now;
            // Paths go down to a source over steps that are allowed.
            for (int k = 0; k < 20; ++k) {
                const Cell from{static_cast<int>(rng.below(150)), static_cast<int>(rng.below(110))};
                const Path path = field.path(from);
                CHECK(path.cost == (truth[from] == no_bound ? 0 : truth[from]));
                CHECK(bool(path) == (truth[from] != no_bound));
                for (std::size_t i = 1; i < path.cells.size(); ++i) {
                    const Cell a = path.cells[i - 1], b = path.cells[i];
                    CHECK((nav.passable(b) && nav.passable({a.x, b.y}) && nav.passable({b.x, a.y})));
                }
            }
        }
        CHECK(field.counters().rebuilds <= 8);  // the first time, and when most of it changed
    }
}

TEST_CASE("a field without sources, or with sources in walls, reaches nothing") {
    NavMap nav;
    DistanceField field;
    field.update(nav, {});
    CHECK(field.cost({0, 0}) == no_bound);
    CHECK(field.path({0, 0}).status == PathStatus::unreachable);
    const KnownMap map = known_all(text_map({"..#", "..#"}));
    nav.update(map, {0, 0});
    const std::vector<Cell> walled{{2, 0}, {9, 9}};
    field.update(nav, walled);
    CHECK(field.cost({0, 0}) == no_bound);
    const std::vector<Cell> here{{0, 0}};
    field.update(nav, here);
    CHECK(field.cost({1, 1}) == diagonal_cost);
    CHECK(field.path({0, 0}).cells == here);
}

}  // namespace test_distance_field
