#include <set>

#include "helpers.hpp"
#include "outrider/skeleton.hpp"
#include "plan/frontiers/frontier_finder.hpp"
#include "plan/skeleton/skeleton.hpp"
#include "plan/wall_distance.hpp"
#include "world/map_file.hpp"

using namespace outrider;

namespace test_topology {
namespace {

struct Place {
    KnownMap map;
    NavMap nav{FrontierKind::unknown, 0};
    Skeleton skeleton;
    WallDistance walls{50};
    Place(const Grid<std::uint8_t>& grid, Cell at) : map(known_all(grid)) {
        nav.update(map, at);
        skeleton.update(nav);
        walls.update(map);
    }
};

/// A corridor with a room above and one below it, each with a door.
const std::vector<std::string> two_rooms = [] {
    std::vector<std::string> rows(75, std::string(120, '.'));
    const auto wall = [&](int x0, int y0, int x1, int y1, char c) {
        for (int y = y0; y <= y1; ++y)
            for (int x = x0; x <= x1; ++x) rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = c;
    };
    wall(0, 0, 119, 0, '#');
    wall(0, 74, 119, 74, '#');
    wall(0, 0, 0, 74, '#');
    wall(119, 0, 119, 74, '#');
    wall(0, 28, 119, 29, '#');  // between upper room and corridor
    wall(0, 45, 119, 46, '#');
    wall(30, 28, 37, 29, '.');  // doors
    wall(80, 45, 87, 46, '.');
    return rows;
}();

}  // namespace

TEST_CASE("key points keep their distances, and no junction, end or long stretch is left without one nearby") {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        const Grid<std::uint8_t> grid = rooms_map(400, 300, seed);
        Cell at{20, 20};
        while (grid[at]) ++at.x;
        const Place place(grid, at);
        const std::vector<KeyPoint> points = find_key_points(place.skeleton, place.map);
        CHECK(points.size() > 10);
        for (const KeyPoint& p : points) {
            CHECK(place.skeleton.on(p.cell));
            CHECK(p.degree == place.skeleton.degree(p.cell));
            CHECK(place.walls.squared(p.cell) > 9);
            for (const KeyPoint& q : points) CHECK((p == q || squared_distance(p.cell, q.cell) >= 400));
        }
        // Whoever is missing was near a wall or near another candidate; candidates lie within 50 cells of everything.
        for (const TileCoord t : place.skeleton.tiles())
            for (int row = 0; row < tile_size; ++row)
                for (int column = 0; column < tile_size; ++column) {
                    const Cell c = cell_of(t, column, row);
                    if (!place.skeleton.on(c) || place.walls.squared(c) <= 9) continue;
                    const bool near = std::any_of(points.begin(), points.end(), [&](const KeyPoint& p) {
                        return squared_distance(p.cell, c) < 120 * 120;
                    });
                    CHECK(near);
                }
    }
}

TEST_CASE("key points of a drawn map: the junctions in front of doors, the rooms' middles") {
    const Place place(text_map(two_rooms), {10, 10});
    const std::vector<KeyPoint> points = find_key_points(place.skeleton, place.map);
    const auto junctions = std::count_if(points.begin(), points.end(), [](const KeyPoint& p) { return p.degree >= 3; });
    CHECK(junctions >= 2);
    CHECK(junctions <= 8);
    CHECK(find_key_points(Skeleton(), KnownMap()).empty());
}

TEST_CASE("doors are critical points, and cutting there makes a segment of each room") {
    const Grid<std::uint8_t> grid = text_map(two_rooms);
    const Place place(grid, {10, 10});
    const std::vector<CriticalPoint> points = find_critical_points(place.skeleton, place.walls, 10);
    REQUIRE(points.size() == 2);
    CHECK(std::abs(points[0].cell.x - 83) <= 1);  // text row 45: y 29
    CHECK(std::abs(points[0].cell.y - 29) <= 1);
    CHECK(std::abs(points[1].cell.x - 33) <= 1);
    for (const CriticalPoint& p : points) {
        CHECK(p.clearance == doctest::Approx(place.walls.cells(p.cell)));
        CHECK(grid[p.left]);
        CHECK(grid[p.right]);
        CHECK((p.left.x < p.cell.x) != (p.right.x < p.cell.x));
    }
    CHECK(find_critical_points(place.skeleton, place.walls, 2).empty());
    const Segments segments(place.nav, points);
    REQUIRE(segments.all().size() == 3);
    const int below = segments.of({10, 10}), corridor = segments.of({60, 37}), above = segments.of({100, 60});
    CHECK(std::set<int>{below, corridor, above} == std::set<int>{0, 1, 2});
    int cells = 0;
    for (std::size_t i = 0; i < grid.cells().size(); ++i) {
        const Cell c = grid.cell(i);
        CHECK((segments.of(c) >= 0) == place.nav.reached(c));
        cells += place.nav.reached(c);
        if (!place.nav.reached(c) || std::abs(c.y - 29) <= 2 || std::abs(c.y - 45) <= 2) continue;
        CHECK(segments.of(c) == (c.y < 29 ? below : c.y < 45 ? corridor : above));
    }
    int sum = 0;
    for (const auto& s : segments.all()) sum += s.cells;
    CHECK(sum == cells);
    CHECK(segments.of({-5, 500}) == -1);
    // Without cuts all is one.
    CHECK(Segments(place.nav, {}).all().size() == 1);
}

TEST_CASE("critical points are narrower than the skeleton beside them, and cut to the nearest wall on either side") {
    std::size_t count = 0, on_way = 0;
    for (int k = 0; k < 4; ++k) {
        CAPTURE(k);
        MapOptions options;
        const Grid<std::uint8_t> grid = k == 0   ? read_map(options, OUTRIDER_SOURCE_DIR "/environments/ruin.png").walls
                                        : k == 1 ? rooms_map(260, 200, 7)
                                                 : random_map(260, 200, static_cast<std::uint64_t>(k), 0.003 * k);
        Cell start{100, 100};
        while (grid[start]) ++start.x;
        const Place place(grid, start);
        for (const CriticalPoint& p : find_critical_points(place.skeleton, place.walls, 30)) {
            CAPTURE(p.cell.x);
            CAPTURE(p.cell.y);
            ++count;
            std::vector<double> beside;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    if (const Cell c = p.cell + Cell{dx, dy}; c != p.cell && place.skeleton.on(c))
                        beside.push_back(place.walls.cells(c));
            if (beside.size() == 2) {  // elsewhere cells of other ways may touch
                ++on_way;
                CHECK(std::min(beside[0], beside[1]) >= p.clearance);
            }
            CHECK(squared_distance(p.cell, p.left) == place.walls.squared(p.cell));
            const Cell to = p.left - p.cell;
            std::int64_t least = INT64_MAX;
            for (std::size_t i = 0; i < grid.cells().size(); ++i)
                if (const Cell wall = grid.cell(i), d = wall - p.cell; grid[wall] && d.x * to.x + d.y * to.y < 0)
                    least = std::min<std::int64_t>(least, squared_distance(p.cell, wall));
            CHECK(squared_distance(p.cell, p.right) == least);
        }
    }
    CHECK(count > 100);
    CHECK(on_way > 100);
}

TEST_CASE("segments tell where there is still something to explore") {
    const Grid<std::uint8_t> grid = text_map(two_rooms);
    KnownMap map(grid.lattice());
    for (int y = 0; y < 75; ++y)
        for (int x = 0; x < 120; ++x) {
            if (y > 60 && x > 60) continue;  // a corner of the upper room is unknown
            CellTile claims;
            claims.set({x, y}, grid[{x, y}] ? CellState::occupied : CellState::free);
            map.observe(tile_of({x, y}), claims, 0);
        }
    NavMap nav(FrontierKind::unknown, 0);
    nav.update(map, {10, 10});
    Skeleton skeleton;
    skeleton.update(nav);
    WallDistance walls(50);
    walls.update(map);
    const Segments segments(nav, find_critical_points(skeleton, walls, 10));
    const int below = segments.of({10, 10}), above = segments.of({20, 60});
    REQUIRE(below >= 0);
    REQUIRE(above >= 0);
    CHECK(below != above);
    CHECK(segments.all()[static_cast<std::size_t>(below)].frontier_cells == 0);
    CHECK(segments.all()[static_cast<std::size_t>(above)].frontier_cells > 50);
}

TEST_CASE("what a strategy sees of distances, skeleton and frontiers is up to date in every step") {
    struct Watch : Observer {
        int steps = 0;
        void on_step(const StepView& view) override {
            const Belief& belief = view.team[1].belief();
            if (++steps % 7 != 0) return;
            Skeleton skeleton;
            skeleton.update(belief.nav());
            WallDistance walls(50);
            walls.update(belief.map());
            for (int y = -40; y < 40; ++y)
                for (int x = -40; x < 40; ++x) {
                    const Cell c = belief.cell() + Cell{x, y};
                    CHECK(belief.skeleton().on(c) == skeleton.on(c));
                    CHECK(belief.wall_distance().nearest(c) == walls.nearest(c));
                }
            const std::vector<Frontier> fresh = find_frontiers(belief.map(), belief.nav(), {});
            REQUIRE(belief.frontiers().size() == fresh.size());
            for (std::size_t i = 0; i < fresh.size(); ++i) CHECK(belief.frontiers()[i].goal == fresh[i].goal);
        }
    } watch;
    std::vector<std::string> rows = two_rooms;
    rows[37][5] = 'B';
    rows[37][9] = '1';
    SimulationOptions options;
    options.threads = 1;
    options.stop_after = 80;
    Simulation simulation(text_scenario(rows), options);
    simulation.add_observer(watch);
    simulation.run();
    CHECK(watch.steps > 20);
}

}  // namespace test_topology
