#include "helpers.hpp"

using namespace outrider;

namespace test_known_map {
namespace {

CellState random_state(Rng& rng) { return static_cast<CellState>(rng.below(5)); }

/// A map with random claims in a region around the origin, some of it shared with other seeds.
KnownMap random_known(std::uint64_t seed, bool stamped, int size = 150) {
    KnownMap map(Lattice{}, {}, stamped);
    Rng rng(seed, 0, Purpose::placement, 0);
    for (std::uint32_t time = 1; time <= 3; ++time) {
        TileTable<CellTile> tiles;
        for (int i = 0; i < 400; ++i) {
            const Cell c{static_cast<int>(rng.below(static_cast<std::uint32_t>(size))) - size / 2,
                         static_cast<int>(rng.below(static_cast<std::uint32_t>(size))) - size / 2};
            tiles.at(tile_of(c)).set(c, random_state(rng));
        }
        tiles.for_each([&](TileCoord t, const CellTile& tile) { map.observe(t, tile, stamped ? time : 0); });
    }
    BitTile marks;
    marks.set({static_cast<int>(rng.below(64)), static_cast<int>(rng.below(64))});
    map.mark(Mark::at_base, {0, 0}, marks);
    map.mark(Mark::rough, {static_cast<int>(rng.below(2)), -1}, marks);
    return map;
}

KnownMap copy_of(KnownMap& map, bool stamped) {
    KnownMap copy(Lattice{}, {}, stamped);
    copy.merge(map.snapshot());
    return copy;
}

bool equal(KnownMap& a, KnownMap& b) { return a.snapshot().name() == b.snapshot().name(); }

}  // namespace

TEST_CASE("merging single cells takes the claim of higher rank") {
    for (int a = 0; a < 5; ++a)
        for (int b = 0; b < 5; ++b) {
            CellTile x, y, out;
            x.set({3, 4}, static_cast<CellState>(a));
            y.set({3, 4}, static_cast<CellState>(b));
            const TileDifference d = merge_cells(x, y, out);
            CHECK(out.state({3, 4}) == static_cast<CellState>(std::max(a, b)));
            CHECK((d.rows != 0) == (b > a));
            CHECK(d.theirs_lacks == (a > b));
            if (b > a) CHECK((d.rows == 1u << 4 && d.columns == 1u << 3));
        }
}

TEST_CASE("merging is commutative, associative and idempotent, with equal and unequal stamps") {
    for (const bool stamped : {false, true})
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            CAPTURE(seed);
            CAPTURE(stamped);
            KnownMap a = random_known(seed, stamped), b = random_known(seed + 100, stamped),
                     c = random_known(seed + 200, stamped);
            KnownMap ab = copy_of(a, stamped), ba = copy_of(b, stamped);
            ab.merge(b.snapshot());
            ba.merge(a.snapshot());
            CHECK(equal(ab, ba));
            KnownMap abc = copy_of(ab, stamped), bc = copy_of(b, stamped), a_bc = copy_of(a, stamped);
            abc.merge(c.snapshot());
            bc.merge(c.snapshot());
            a_bc.merge(bc.snapshot());
            CHECK(equal(abc, a_bc));
            KnownMap again = copy_of(ab, stamped);
            again.merge(a.snapshot());
            again.merge(ab.snapshot());
            CHECK(equal(again, ab));
            CHECK_FALSE(equal(ab, a));
        }
}

TEST_CASE("a merged cell has the maximum by stamp, then rank") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        KnownMap a = random_known(seed, true), b = random_known(seed + 50, true), sum = copy_of(a, true);
        sum.merge(b.snapshot());
        for (int y = -80; y < 80; ++y)
            for (int x = -80; x < 80; ++x) {
                const Cell c{x, y};
                const auto best = std::max(std::pair(a.stamp(c), a.state(c)), std::pair(b.stamp(c), b.state(c)));
                CHECK(sum.stamp(c) == best.first);
                CHECK(sum.state(c) == best.second);
            }
    }
}

TEST_CASE("maps that know the same share their tiles, however they learned it") {
    KnownMap a = random_known(1, false), b = random_known(2, false);
    KnownMap x = copy_of(a, false), y = copy_of(b, false);
    x.merge(b.snapshot());
    y.merge(a.snapshot());
    x.snapshot();
    y.snapshot();
    int tiles = 0;
    x.cells().for_each([&](TileCoord t, const CellTile& tile) {
        CHECK(y.tile(t) == &tile);
        ++tiles;
    });
    CHECK(tiles >= 9);
    // A clone is made only when a bit changes, and the other map does not see it.
    const CellTile* before = x.tile({0, 0});
    x.observe({0, 0}, *before, 0);
    CHECK(x.tile({0, 0}) == before);
    CellTile more;
    Cell unknown{0, 0};
    while (x.state(unknown) != CellState::unknown) ++unknown.x;
    more.set(unknown, CellState::free);
    x.observe({0, 0}, more, 0);
    CHECK(x.state(unknown) == CellState::free);
    CHECK(y.state(unknown) == CellState::unknown);
    CHECK(y.tile({0, 0}) == before);
}

TEST_CASE("a snapshot does not change when its map does") {
    KnownMap map = random_known(3, false);
    const MapSnapshot before = map.snapshot();
    const Hash128 name = before.name();
    KnownMap mirror(Lattice{});
    mirror.merge(before);
    CellTile claims;
    claims.known.rows.fill(~std::uint64_t{0});
    map.observe({0, 0}, claims, 0);
    CHECK(map.snapshot().name() != name);
    CHECK(before.name() == name);
    KnownMap again(Lattice{});
    again.merge(before);
    CHECK(equal(again, mirror));
}

TEST_CASE("a copy of a map and the map go their own ways, named or not") {
    for (const bool named : {false, true}) {
        KnownMap map = random_known(5, false);
        if (named) map.snapshot();
        KnownMap copy = map;
        const Hash128 before = KnownMap(map).snapshot().name();
        CellTile wall;
        Cell unknown{0, 0};
        while (map.state(unknown) != CellState::unknown) ++unknown.x;
        wall.set(unknown, CellState::safe_occupied);
        copy.observe({0, 0}, wall, 0);
        CHECK(map.state(unknown) == CellState::unknown);
        CHECK(map.snapshot().name() == before);
        CHECK(copy.snapshot().name() != before);
    }
}

TEST_CASE("merging looks only at tiles that differ") {
    KnownMap a(Lattice{});
    CellTile full;
    full.known.rows.fill(~std::uint64_t{0});
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x) a.observe({x, y}, full, 0);
    KnownMap b = copy_of(a, false);
    b.snapshot();
    CellTile wall;
    wall.set({0, 0}, CellState::safe_occupied);
    a.observe({7, 9}, wall, 0);
    a.observe({30, 2}, wall, 0);
    const std::uint64_t before = b.counters().tiles_compared;
    b.merge(a.snapshot());
    CHECK(b.counters().tiles_compared - before == 2);
    CHECK(missing_tiles(a.snapshot(), nullptr).size() == 1600);
    const MapSnapshot theirs = b.snapshot();
    a.observe({1, 1}, wall, 0);
    CHECK(missing_tiles(a.snapshot(), &theirs) == std::vector<TileCoord>{{1, 1}});
}

TEST_CASE("changes_since reports every changed row and column, or everything") {
    KnownMap map(Lattice{});
    KnownMap seen(Lattice{});
    ChangeCursor cursor;
    CHECK(map.changes_since(cursor).everything);
    CHECK(map.changes_since(cursor).none());
    Rng rng(9, 0, Purpose::placement, 0);
    for (int round = 0; round < 50; ++round) {
        TileTable<CellTile> before;
        for (int y = -2; y < 2; ++y)
            for (int x = -2; x < 2; ++x)
                if (const CellTile* tile = map.tile({x, y})) before.at({x, y}) = *tile;
        for (int k = 0; k < 5; ++k) {
            CellTile claims;
            const Cell c{static_cast<int>(rng.below(256)) - 128, static_cast<int>(rng.below(256)) - 128};
            claims.set(c, random_state(rng));
            map.observe(tile_of(c), claims, 0);
        }
        const MapChanges changes = map.changes_since(cursor);
        REQUIRE_FALSE(changes.everything);
        TileTable<TileChange> reported;
        for (const TileChange& change : changes.list) {
            reported.at(change.tile).rows |= change.rows;
            reported.at(change.tile).columns |= change.columns;
        }
        for (int y = -2; y < 2; ++y)
            for (int x = -2; x < 2; ++x)
                for (int i = 0; i < 64 * 64; ++i) {
                    const Cell c = cell_of({x, y}, i % 64, i / 64);
                    const CellTile* old = before.find({x, y});
                    if (map.state(c) == (old ? old->state(c) : CellState::unknown)) continue;
                    const TileChange* r = reported.find({x, y});
                    REQUIRE(r);
                    CHECK((r->rows >> (i / 64) & 1 & r->columns >> (i % 64)) == 1);
                }
    }
    map.redraw({0, 1});
    CHECK(map.changes_since(cursor).everything);
    CHECK(map.changes_since(cursor).none());
    CHECK(map.generation() == 1);
    CHECK(map.state({0, 0}) == CellState::unknown);
    // A follower that is far behind begins anew.
    for (int i = 0; i < 20000; ++i) {
        CellTile claims;
        claims.set({i % 64, i / 64 % 64}, i / 4096 % 2 ? CellState::free : CellState::occupied);
        map.observe({i / 8192, 0}, claims, 0);
    }
    CHECK(map.changes_since(cursor).everything);
}

TEST_CASE("changes of a map are visited one by one, or as all tiles with what is known of them") {
    KnownMap map(Lattice{});
    ChangeCursor cursor;
    CHECK(map.changes_since(cursor).tiles().empty());
    const auto claim = [&](Cell c) {
        CellTile claims;
        claims.set(c, CellState::free);
        map.observe(tile_of(c), claims, 0);
    };
    for (const Cell c : {Cell{70, 5}, Cell{3, 4}, Cell{71, 5}}) claim(c);
    const MapChanges some = map.changes_since(cursor);
    CHECK_FALSE(some.everything);
    std::vector<TileCoord> visited;
    some.for_each([&](const TileChange& change) { visited.push_back(change.tile); });
    CHECK(visited == std::vector<TileCoord>{{1, 0}, {0, 0}, {1, 0}});
    CHECK(some.tiles() == std::vector<TileCoord>{{0, 0}, {1, 0}});

    ChangeCursor late;
    const MapChanges all = map.changes_since(late);
    CHECK(all.everything);
    std::vector<TileChange> whole;
    all.for_each([&](const TileChange& change) { whole.push_back(change); });
    REQUIRE(whole.size() == 2);
    CHECK(whole[1].tile == TileCoord{1, 0});
    CHECK(whole[1].rows == std::uint64_t{1} << 5);
    CHECK(whole[1].columns == (std::uint64_t{3} << 6));
    CHECK(all.tiles() == some.tiles());
}

TEST_CASE("merging maps of different frames is refused") {
    KnownMap a(Lattice{}, {0, 0}), b(Lattice{}, {1, 0});
    CHECK_THROWS_AS(a.merge(b.snapshot()), CheckFailure);
}

TEST_CASE("a mark changes only its own plane, and followers hear of it") {
    KnownMap map = random_known(4, false);
    const Hash128 cells = map.snapshot().cells->name;
    ChangeCursor cursor;
    map.changes_since(cursor);
    BitTile some;
    some.set({5, 5});
    map.mark(Mark::cleared, {0, 0}, some);
    CHECK(map.marked(Mark::cleared, {5, 5}));
    CHECK_FALSE(map.marked(Mark::cleared, {5, 6}));
    CHECK(map.snapshot().cells->name == cells);
    const MapChanges changes = map.changes_since(cursor);
    REQUIRE(changes.list.size() == 1);
    CHECK(changes.list[0].tile == TileCoord{0, 0});
    CHECK(changes.list[0].rows == 0);
    map.mark(Mark::cleared, {0, 0}, some);  // nothing new
    CHECK(map.changes_since(cursor).none());
}

}  // namespace test_known_map
