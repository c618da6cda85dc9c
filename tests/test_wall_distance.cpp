#include "helpers.hpp"
#include "plan/wall_distance.hpp"

using namespace outrider;

namespace test_wall_distance {
namespace {

/// The nearest wall of every cell by looking at all walls, first by distance, then by row and column.
std::size_t count_wrong(const WallDistance& distance, const KnownMap& map, Cell low, Cell high) {
    std::vector<Cell> walls;
    map.cells().for_each([&](TileCoord t, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (int column = 0; column < tile_size; ++column)
                if (tile.occupied.test(cell_of(t, column, row))) walls.push_back(cell_of(t, column, row));
    });
    std::size_t wrong = 0;
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x) {
            const Cell c{x, y};
            std::optional<Cell> best;
            for (const Cell wall : walls)
                if (squared_distance(c, wall) <= distance.horizon() * distance.horizon() &&
                    (!best ||
                     std::pair(squared_distance(c, wall), wall) < std::pair(squared_distance(c, *best), *best)))
                    best = wall;
            wrong += distance.nearest(c) != best;
            wrong += distance.squared(c) != (best ? squared_distance(c, *best) : distance.none());
        }
    return wrong;
}

void claim(KnownMap& map, Cell c, CellState state) {
    CellTile claims;
    claims.set(c, state);
    map.observe(tile_of(c), claims, 0);
}

}  // namespace

TEST_CASE("the nearest wall is exact for sparse walls, where a brushfire over neighbours goes wrong") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 0, Purpose::placement, 0);
        KnownMap map;
        for (int k = 0; k < 6 * (1 << seed); ++k)
            claim(map, {static_cast<int>(rng.below(260)) - 130, static_cast<int>(rng.below(260)) - 130},
                  CellState::safe_occupied);
        WallDistance distance(100);
        distance.update(map);
        CHECK(count_wrong(distance, map, {-150, -150}, {150, 150}) == 0);
    }
}

TEST_CASE("the nearest wall stays exact while walls come and go, and only what changes is touched") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        const Grid<std::uint8_t> walls = random_map(140, 110, seed, seed % 2 ? 0.03 : 0.002);
        Rng rng(seed, 0, Purpose::placement, 0);
        KnownMap map(walls.lattice());
        WallDistance distance(seed % 3 ? 50 : 20);
        std::uint64_t vanished = 0;
        for (int step = 0; step < 15; ++step) {
            const auto before = distance.counters();
            ChangeCursor seen;
            distance.changes_since(seen);
            std::vector<int> squared;
            for (int y = 0; y < 110; ++y)
                for (int x = 0; x < 140; ++x) squared.push_back(distance.squared({x, y}));
            // A patch becomes known, sometimes wrongly; safe claims put it right later.
            const Cell low{static_cast<int>(rng.below(120)), static_cast<int>(rng.below(90))};
            for (int y = low.y; y < std::min(110, low.y + 30); ++y)
                for (int x = low.x; x < std::min(140, low.x + 30); ++x) {
                    const bool doubtful = rng.below(30) == 0;
                    vanished += !doubtful && !walls[{x, y}] && map.is_occupied({x, y});
                    claim(map, {x, y},
                          doubtful        ? CellState::occupied
                          : walls[{x, y}] ? CellState::safe_occupied
                                          : CellState::safe_free);
                }
            distance.update(map);
            REQUIRE(count_wrong(distance, map, {0, 0}, {140, 110}) == 0);
            const std::uint64_t changed = distance.counters().changed - before.changed;
            // Four looks for a cell that a wall takes over; for one that lost its wall, one in each place from where
            // another one can come, 112 of them for a horizon of 50.
            CHECK(distance.counters().touched - before.touched <= 120 * changed);
            // The changes name every cell whose distance is another one, and no other.
            const DistanceChanges changes = distance.changes_since(seen);
            if (step == 0) {  // it began to follow the map
                CHECK(changes.everything);
                continue;
            }
            REQUIRE_FALSE(changes.everything);
            std::vector<Cell> told(changes.list.begin(), changes.list.end()), really;
            for (int y = 0, i = 0; y < 110; ++y)
                for (int x = 0; x < 140; ++x, ++i)
                    if (distance.squared({x, y}) != squared[static_cast<std::size_t>(i)]) really.push_back({x, y});
            std::erase_if(told, [](Cell c) { return c.x < 0 || c.y < 0 || c.x >= 140 || c.y >= 110; });
            std::sort(told.begin(), told.end());
            CHECK(told == really);
        }
        CHECK(vanished > 20);
        const auto before = distance.counters();
        distance.update(map);
        CHECK(distance.counters().touched == before.touched);
    }
}

TEST_CASE("walls that appear cost a few looks for each cell whose nearest wall changes") {
    const Grid<std::uint8_t> walls = rooms_map(400, 300, 3);
    const KnownMap map = known_all(walls);
    WallDistance distance(50);
    distance.update(map);
    CHECK(distance.counters().rebuilds <= 1);
    CHECK(distance.counters().touched <= 4 * distance.counters().changed);
    CHECK(count_wrong(distance, map, {0, 0}, {60, 300}) == 0);
}

TEST_CASE("a follower that reads after each update hears of all cells of a large one; who sleeps begins anew") {
    const Grid<std::uint8_t> walls = rooms_map(900, 700, 3);
    KnownMap map;
    WallDistance distance(50);
    distance.update(map);
    ChangeCursor awake, asleep;
    CHECK(distance.changes_since(awake).everything);
    CHECK(distance.changes_since(asleep).everything);
    map.merge(known_all(walls).snapshot());
    distance.update(map);
    const DistanceChanges large = distance.changes_since(awake);
    CHECK_FALSE(large.everything);
    CHECK(large.list.size() > 300'000);
    claim(map, {450, 350}, walls[{450, 350}] ? CellState::safe_free : CellState::safe_occupied);
    distance.update(map);
    const DistanceChanges small = distance.changes_since(awake);
    CHECK_FALSE(small.everything);
    CHECK(small.list.size() > 0);
    CHECK(small.list.size() < 10'000);
    CHECK(distance.changes_since(asleep).everything);
}

TEST_CASE("a map drawn anew, an empty map and the horizon") {
    KnownMap map;
    WallDistance distance(10);
    distance.update(map);
    CHECK(distance.squared({0, 0}) == distance.none());
    CHECK(distance.cells({0, 0}) == 10);
    claim(map, {0, 0}, CellState::occupied);
    distance.update(map);
    CHECK(distance.squared({6, 8}) == 100);
    CHECK(distance.squared({0, 11}) == distance.none());
    CHECK(distance.cells({3, 4}) == 5);
    map.redraw({0, 1});
    distance.update(map);
    CHECK(distance.squared({0, 0}) == distance.none());
    CHECK_FALSE(distance.nearest({0, 0}));
}

}  // namespace test_wall_distance
