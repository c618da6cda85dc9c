#include "helpers.hpp"
#include "plan/skeleton/skeleton.hpp"

using namespace outrider;

namespace test_skeleton {
namespace {

/// Cells with nothing but passable ones within 50 rows and columns; what lies outside of the frame is blocked.
Grid<std::uint8_t> wide_open_plainly(const NavMap& nav, const Grid<std::uint8_t>& frame) {
    Grid<std::uint8_t> open(frame.width(), frame.height(), 0, {}, frame.origin());
    const auto passable = [&](Cell c) { return frame.contains(c) && nav.passable(c); };
    // Of passable cells below and to the left.
    Grid<int> sum(frame.width() + 1, frame.height() + 1, 0, {}, frame.origin());
    for (std::size_t i = 0; i < open.cells().size(); ++i) {
        const auto [x, y] = open.cell(i);
        sum[{x + 1, y + 1}] = sum[{x, y + 1}] + sum[{x + 1, y}] - sum[{x, y}] + passable({x, y});
    }
    for (std::size_t i = 0; i < open.cells().size(); ++i) {
        const Cell c = open.cell(i), low = c - Cell{50, 50}, high = c + Cell{51, 51};
        open.cells()[i] = sum.contains(low) && sum.contains(high) &&
                          sum[high] - sum[{low.x, high.y}] - sum[{high.x, low.y}] + sum[low] == 101 * 101;
    }
    return open;
}

/// Thinning as it is written down, on bytes, all cells in each round; what lies outside of the frame is blocked.
Grid<std::uint8_t> thin_plainly(const NavMap& nav, const Grid<std::uint8_t>& frame) {
    const Grid<std::uint8_t> open = wide_open_plainly(nav, frame);
    Grid<std::uint8_t> set = open;
    for (std::size_t i = 0; i < set.cells().size(); ++i) set.cells()[i] = nav.passable(set.cell(i)) && !open.cells()[i];
    const auto on = [&](Cell c) { return set.get(c, 0) != 0; };
    static constexpr std::array<Cell, 8> around{{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};
    const auto turns = [&](Cell c) {
        int n = 0;
        for (std::size_t k = 0; k < 8; ++k) n += !on(c + around[k]) && on(c + around[(k + 1) % 8]);
        return n;
    };
    for (bool changed = true; changed;) {
        std::vector<std::size_t> gone;
        for (std::size_t i = 0; i < set.cells().size(); ++i) {
            const Cell c = set.cell(i), north = c + Cell{0, 1}, west = c - Cell{1, 0}, south = c - Cell{0, 1},
                       east = c + Cell{1, 0};
            if (!on(c) || turns(c) != 1) continue;
            int count = 0;
            for (const Cell d : around) count += on(c + d);
            if (count < 2 || count > 6) continue;
            if (on(north) && on(west) && on(east) && turns(north) == 1) continue;
            if (on(north) && on(west) && on(south) && turns(west) == 1) continue;
            gone.push_back(i);
        }
        for (const std::size_t i : gone) set.cells()[i] = 0;
        changed = !gone.empty();
    }
    return set;
}

std::size_t count_wrong(const Skeleton& skeleton, const Grid<std::uint8_t>& truth) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < truth.cells().size(); ++i)
        wrong += skeleton.on(truth.cell(i)) != (truth.cells()[i] != 0);
    return wrong;
}

}  // namespace

TEST_CASE("the skeleton is what plain thinning leaves, while the map grows and changes") {
    std::uint64_t joined = 0;  // tiles thinned anew for what changed in others
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        // Rooms, clutter, and halls in which there is wide open space.
        Grid<std::uint8_t> walls = seed % 3 == 0   ? rooms_map(300, 260, seed)
                                   : seed % 3 == 1 ? random_map(300, 260, seed, 0.02)
                                                   : random_map(300, 260, seed, 0.0002);
        Rng rng(seed, 0, Purpose::placement, 0);
        KnownMap map(walls.lattice());
        NavMap nav(FrontierKind::unknown, 0);
        Skeleton skeleton;
        std::size_t cells = 0, open = 0;
        for (int step = 0; step < 6; ++step) {
            const int side = step < 3 ? 220 : 70;
            const Cell low{static_cast<int>(rng.below(static_cast<std::uint32_t>(300 - side))),
                           static_cast<int>(rng.below(static_cast<std::uint32_t>(260 - side)))};
            for (int y = low.y; y < low.y + side; ++y)
                for (int x = low.x; x < low.x + side; ++x) {
                    const bool doubtful = rng.below(4000) == 0;
                    CellTile claims;
                    claims.set({x, y}, doubtful        ? CellState::occupied
                                       : walls[{x, y}] ? CellState::safe_occupied
                                                       : CellState::safe_free);
                    map.observe(tile_of({x, y}), claims, 0);
                }
            nav.update(map, {150, 130});
            skeleton.update(nav);
            const Grid<std::uint8_t> truth = thin_plainly(nav, walls);
            REQUIRE(count_wrong(skeleton, truth) == 0);
            const Grid<std::uint8_t> wide = wide_open_plainly(nav, walls);
            for (std::size_t i = 0; i < truth.cells().size(); ++i) {
                cells += truth.cells()[i];
                open += wide.cells()[i];
                if (skeleton.wide_open(truth.cell(i)) != (wide.cells()[i] != 0)) FAIL("wide open: cell " << i);
            }
        }
        joined += skeleton.counters().tiles_thinned - skeleton.counters().tiles_changed;
        CHECK(cells > 1000);
        if (seed % 3 == 2) CHECK(open > 1000);
        const auto before = skeleton.counters().words_thinned;
        skeleton.update(nav);
        CHECK(skeleton.counters().words_thinned == before);
        CHECK(skeleton.changed().empty());
    }
    CHECK(joined > 0);
}

TEST_CASE("the skeleton is what plain thinning leaves of few cells around the corner of four tiles, some without any") {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 0, Purpose::placement, 1);
        const auto between = [&](int low, int high) {
            return low + static_cast<int>(rng.below(static_cast<std::uint32_t>(high - low + 1)));
        };
        const int width = between(1, 6), height = between(1, 12);
        const Cell corner{64 * between(-1, 1), 64 * between(-1, 1)};
        const Grid<std::uint8_t> frame(width + 6, height + 6, 0, {},
                                       corner - Cell{3 + between(0, width), 3 + between(0, height)});
        const double density = rng.uniform() * 0.3;
        KnownMap map;
        NavMap nav(FrontierKind::unknown, 0);
        Skeleton grown;
        for (int part = 0; part < 2; ++part) {  // the lower half first, then all
            for (int y = 0; y < (part == 0 ? height / 2 : height); ++y)
                for (int x = 0; x < width; ++x) {
                    const Cell c = frame.origin() + Cell{3 + x, 3 + y};
                    CellTile claims;
                    claims.set(c, rng.uniform() < density ? CellState::occupied : CellState::free);
                    map.observe(tile_of(c), claims, 0);
                }
            nav.update(map, corner);
            grown.update(nav);
        }
        const Grid<std::uint8_t> truth = thin_plainly(nav, frame);
        REQUIRE(count_wrong(grown, truth) == 0);
        Skeleton fresh;
        fresh.update(nav);
        REQUIRE(count_wrong(fresh, truth) == 0);
    }
}

TEST_CASE("a small change thins a small piece of a large map anew, and names the tiles that changed") {
    const Grid<std::uint8_t> walls = rooms_map(1200, 1000, 4);
    KnownMap map = known_all(walls);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {5, 5});
    Skeleton skeleton;
    skeleton.update(nav);
    CHECK(skeleton.began_anew());
    const auto before = skeleton.counters();
    Cell wall{600, 500};
    while (!nav.passable(wall)) ++wall.x;
    CellTile claims;
    claims.set(wall, CellState::safe_occupied);
    map.observe(tile_of(wall), claims, 0);
    nav.update(map, {5, 5});
    const auto on_before = [&] {
        std::vector<std::pair<TileCoord, NavTile::Rows>> rows;
        for (const TileCoord t : skeleton.tiles()) rows.emplace_back(t, *skeleton.rows(t));
        return rows;
    }();
    skeleton.update(nav);
    CHECK_FALSE(skeleton.began_anew());
    CHECK(skeleton.counters().tiles_changed - before.tiles_changed == 1);
    CHECK(skeleton.counters().words_thinned - before.words_thinned < before.words_thinned / 20);
    std::vector<TileCoord> changed;
    for (const auto& [t, rows] : on_before)
        if (*skeleton.rows(t) != rows) changed.push_back(t);
    CHECK(skeleton.changed() == changed);
    CHECK(count_wrong(skeleton, thin_plainly(nav, walls)) == 0);
}

TEST_CASE("ends, corridors and junctions are told by the ways that lead away") {
    // Corridors of one cell thin to themselves.
    const std::vector<std::string> rows{"#########", "#####.###", "#####.###", "#a...j..#", "#########"};
    const Grid<std::uint8_t> walls = text_map(rows);
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(known_all(walls), {1, 1});
    Skeleton skeleton;
    skeleton.update(nav);
    const Cell end = find_letter(rows, 'a'), junction = find_letter(rows, 'j');
    CHECK(skeleton.on(end));
    CHECK(skeleton.degree(end) == 1);
    CHECK(skeleton.degree(end + Cell{1, 0}) == 2);
    CHECK(skeleton.degree(junction) == 3);
    CHECK(skeleton.neighbours(junction) == 3);
    CHECK_FALSE(skeleton.on({0, 0}));
    CHECK_FALSE(skeleton.wide_open(end));
    Skeleton none;
    none.update(NavMap());
    CHECK(none.tiles().empty());
    CHECK_FALSE(none.on({0, 0}));
}

}  // namespace test_skeleton
