#include <algorithm>
#include <cmath>

#include "beside.hpp"
#include "helpers.hpp"
#include "maps/generate.hpp"
#include "outrider/detail/settings.hpp"
#include "world/map_file.hpp"

using namespace outrider;

namespace test_maps {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int seeds = 3;
#else
constexpr int seeds = 50;
#endif

/// A map of a family; `options` as on the command line: "rooms=9, loops=0".
GeneratedMap make(const std::string& family, std::uint64_t seed, const std::string& options = "") {
    const FamilyInfo& info = find_family(family);
    const std::unique_ptr<Family> place = info.make();
    GenerateOptions common;
    common.seed = seed;
    common.cell_m = info.cell_m;
    const bool wide = info.width > 1000;  // streets and blocks need room
    common.width = wide ? 520 : std::min(info.width, 300);
    common.height = wide ? 480 : std::min(info.height, 220);
    std::vector<Setting> settings = parse_settings(options, "test");
    SettingReader(settings).also_known("");
    SettingReader first(settings);
    common.fields(first);
    SettingReader second(settings);
    place->fields(second);
    for (const Setting& s : settings) REQUIRE(s.used);
    return generate(info, *place, common);
}

std::size_t count_free(const Grid<std::uint8_t>& walls) {
    return static_cast<std::size_t>(std::count(walls.cells().begin(), walls.cells().end(), 0));
}

double free_share(const GeneratedMap& map) {
    return static_cast<double>(count_free(map.walls)) / static_cast<double>(map.walls.cells().size());
}

/// Groups of wall cells, 8-connected, that do not touch the border: as many as the free space has holes.
int holes(const Grid<std::uint8_t>& walls) {
    Grid<std::uint8_t> seen(walls.width(), walls.height());
    int groups = 0;
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        if (!walls.cells()[i] || seen.cells()[i]) continue;
        ++groups;
        std::vector<Cell> queue{walls.cell(i)};
        seen.cells()[i] = 1;
        while (!queue.empty()) {
            const Cell c = queue.back();
            queue.pop_back();
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    if (const Cell n = c + Cell{dx, dy}; walls.get(n, 0) && !seen[n]) {
                        seen[n] = 1;
                        queue.push_back(n);
                    }
        }
    }
    return groups - 1;  // the border's
}

/// Free cells farther than `reach` cells from all cells where a disc can stand that came from `start`.
std::size_t out_of_reach(const GeneratedMap& map, double radius, double reach) {
    const Grid<std::uint8_t> standing = connected_cells(grow_walls(map.walls, radius), {map.start});
    const int r = static_cast<int>(reach);
    std::size_t lost = 0;
    for (std::size_t i = 0; i < standing.cells().size(); ++i) {
        if (map.walls.cells()[i] || standing.cells()[i]) continue;
        // Most are near; look there first.
        bool near = false;
        for (const int k : {1, 2, 3, 4})
            for (const Cell d : {Cell{k, 0}, Cell{-k, 0}, Cell{0, k}, Cell{0, -k}})
                near = near || (k <= reach && standing.get(standing.cell(i) + d, 0));
        for (int dy = -r; dy <= r && !near; ++dy)
            for (int dx = -r; dx <= r && !near; ++dx)
                near = std::hypot(dx, dy) <= reach && standing.get(standing.cell(i) + Cell{dx, dy}, 0);
        lost += !near;
    }
    return lost;
}

}  // namespace

TEST_CASE("each map of each family keeps what generated maps promise, on many seeds" * slow()) {
    for (const FamilyInfo& info : families()) {
        std::vector<Hash128> hashes(std::size_t{seeds});
        beside_each_other(hashes.size(), [&](std::size_t k) {
            const GeneratedMap map = make(info.name, k + 1);
            CAPTURE(map.command);
            const Grid<std::uint8_t>& walls = map.walls;
            // All free cells are connected with the start.
            const Grid<std::uint8_t> connected = connected_cells(walls, {map.start});
            CHECK(std::count(connected.cells().begin(), connected.cells().end(), 1) ==
                  static_cast<std::ptrdiff_t>(count_free(walls)));
            const GenerateOptions defaults;
            CHECK(out_of_reach(map, defaults.passage_m / info.cell_m / 2, defaults.passage_m / info.cell_m) == 0);
            // The start area is clear, the border closed.
            const int r = static_cast<int>(defaults.start_m / info.cell_m);
            bool clear = true, closed = true;
            for (int dy = -r; dy <= r; ++dy)
                for (int dx = -r; dx <= r; ++dx)
                    clear = clear && (std::hypot(dx, dy) > r || !walls.get(map.start + Cell{dx, dy}, 1));
            for (int x = 0; x < walls.width(); ++x) closed = closed && walls[{x, 0}] && walls[{x, walls.height() - 1}];
            for (int y = 0; y < walls.height(); ++y) closed = closed && walls[{0, y}] && walls[{walls.width() - 1, y}];
            CHECK(clear);
            CHECK(closed);
            CHECK(free_share(map) > 0.08);
            hashes[k] = map_hash(walls);
        });
        CAPTURE(info.name);
        CHECK(map_hash(make(info.name, 1).walls) == hashes[0]);
        std::sort(hashes.begin(), hashes.end());
        const auto distinct = std::unique(hashes.begin(), hashes.end()) - hashes.begin();
        CHECK(distinct >= std::min(seeds, info.name == "grid" ? 3 : seeds));  // symmetric grids have few variants
    }
}

TEST_CASE("a start smaller than the passages is cleared for them, and is part of the map" * slow()) {
    struct Case {
        const char *family, *options;
        double start_m, passage_m;
    };
    for (const Case& c : {Case{"office", "rubble=0.2", 0.3, 0.7}, Case{"ruin", "rubble=0.2", 0.2, 0.7},
                          Case{"open", "free=0.4", 0.3, 0.7}, Case{"forest", "", 1.2, 5}})
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const GeneratedMap map = make(
                c.family, seed,
                fmt::format("start_m={}, passage_m={}{}{}", c.start_m, c.passage_m, *c.options ? ", " : "", c.options));
            CAPTURE(map.command);
            REQUIRE_FALSE(map.walls[map.start]);
            const Grid<std::uint8_t> connected = connected_cells(map.walls, {map.start});
            CHECK(std::count(connected.cells().begin(), connected.cells().end(), 1) ==
                  static_cast<std::ptrdiff_t>(count_free(map.walls)));
            CHECK(out_of_reach(map, c.passage_m / 0.1 / 2, c.passage_m / 0.1) == 0);
        }
    CHECK_THROWS_WITH_AS(make("maze", 1, "passage_m=5"), doctest::Contains("leaves no room for a passage_m of 5"),
                         Error);
}

TEST_CASE("doors are as wide as asked, open, and lead from free space to free space" * slow()) {
    for (const char* family : {"office", "rooms", "hospital", "school", "home"})
        for (int seed = 1; seed <= seeds; ++seed) {
            const GeneratedMap map =
                make(family, static_cast<std::uint64_t>(seed), "door_min_m=1.0, door_max_m=1.4, start_m=0.6");
            CAPTURE(map.command);
            REQUIRE(!map.doors.empty());
            const double cell = map.walls.lattice().cell_m;
            std::size_t shut = 0, odd = 0;
            for (const Rect& door : map.doors) {
                const double width = std::max(door.w, door.h) * cell;
                odd += width < 0.899 || width > 1.401;  // a bath's door is 0.9 m
                for (int y = door.y; y < door.top(); ++y)
                    for (int x = door.x; x < door.right(); ++x) shut += map.walls[{x, y}];
            }
            CHECK(odd == 0);
            CHECK(shut == 0);
        }
}

TEST_CASE("rooms, loops, shares and widths are those that the options ask for" * slow()) {
    for (int seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        const auto s = static_cast<std::uint64_t>(seed);
        CHECK(make("rooms", s, "rooms=17").rooms == 17);
        // Without loops there is one way everywhere: no wall stands free. Every further door makes one that does.
        CHECK(holes(make("rooms", s, "rooms=17, loops=0").walls) == 0);
        const GeneratedMap all = make("rooms", s, "rooms=17, loops=1");
        CHECK(holes(all.walls) == static_cast<int>(all.doors.size()) - 16);
        CHECK(holes(make("maze", s, "loops=0, start_m=0.8").walls) == 0);
        CHECK(holes(make("maze", s, "loops=0.3").walls) > 0);
        for (const double share : {0.3, 0.5})
            CHECK(free_share(make("cave", s, fmt::format("free={}", share))) == doctest::Approx(share).epsilon(0.12));
        for (const double share : {0.8, 0.92})
            CHECK(free_share(make("open", s, fmt::format("free={}", share))) == doctest::Approx(share).epsilon(0.08));
        CHECK(free_share(make("forest", s, "free=0.95")) == doctest::Approx(0.95).epsilon(0.03));
        // Rubble covers what it should, less what closing slits adds.
        const auto plain = static_cast<double>(count_free(make("loop", s).walls));
        const auto littered = static_cast<double>(count_free(make("loop", s, "rubble=0.05").walls));
        CHECK(littered < 0.96 * plain);
        CHECK(littered > 0.7 * plain);
        // A disc a cell narrower than the corridors drives through the whole maze.
        const GeneratedMap maze = make("maze", s, "corridor_m=1.5, start_m=0.7");
        CHECK(out_of_reach(maze, 7, 12) == 0);
        const GeneratedMap grid = make("grid", s, "columns=5, rows=3, start_m=0.8");
        std::size_t odd = 0;
        for (int y = 0; y < grid.walls.height(); ++y)
            for (int x = 0; x < grid.walls.width(); ++x) {
                const bool wall = grid.walls[{x, y}];
                odd += wall != (grid.walls[{grid.walls.width() - 1 - x, y}] != 0) ||
                       wall != (grid.walls[{x, grid.walls.height() - 1 - y}] != 0);
            }
        CHECK(odd == 0);
    }
}

TEST_CASE("what a family cannot do is refused") {
    CHECK_THROWS_WITH_AS(find_family("ofice"), doctest::Contains("did you mean 'office'?"), Error);
    CHECK_THROWS_WITH_AS(make("rooms", 1, "rooms=5000"), doctest::Contains("do not fit"), Error);
    CHECK_THROWS_WITH_AS(make("office", 1, "door_min_m=2"), doctest::Contains("wider than door_max_m"), Error);
    CHECK_THROWS_WITH_AS(make("maze", 1, "start_m=40"), doctest::Contains("does not fit"), Error);
}

}  // namespace test_maps
