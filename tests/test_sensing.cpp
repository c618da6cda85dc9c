#include "helpers.hpp"
#include "messages/scan_geometry.hpp"
#include "outrider/ray.hpp"
#include "sensing/ray_caster.hpp"

using namespace outrider;

namespace test_sensing {
namespace {

/// The length at which a ray enters the first wall, by sampling the line finely: no traversal at all.
double sampled_length(const Grid<std::uint8_t>& walls, Point origin, Point direction, double most) {
    for (double t = 0; t <= most; t += 1e-3) {
        const Cell c{static_cast<int>(std::floor(origin.x + t * direction.x)),
                     static_cast<int>(std::floor(origin.y + t * direction.y))};
        if (walls.get(c, 1)) return t;
    }
    return std::numeric_limits<double>::infinity();
}

/// The same by walking every touched cell.
double walked_length(const Grid<std::uint8_t>& walls, Point origin, Point direction, double most) {
    double length = std::numeric_limits<double>::infinity();
    walk_ray(Ray(origin, direction), most, [&](Cell c, double t) {
        if (!walls.get(c, 1)) return true;
        length = t;
        return false;
    });
    return length;
}

std::vector<Point> geometry(int beams) {
    std::vector<Point> directions;
    for (int i = 0; i < beams; ++i) {
        const auto [s, c] = sin_cos(-pi + 2 * pi * i / beams);
        directions.push_back({c, s});
    }
    return directions;
}

}  // namespace

TEST_CASE("the field gives each cell's Chebyshev distance to the nearest wall") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Grid<std::uint8_t> walls = random_map(60, 45, seed, 0.02);
        const WallField field(walls);
        for (int y = -2; y < 47; ++y)
            for (int x = -2; x < 62; ++x) {
                int best = 1000;
                for (int b = -1; b <= 45; ++b)
                    for (int a = -1; a <= 60; ++a)
                        if (walls.get({a, b}, 1)) best = std::min(best, std::max(std::abs(a - x), std::abs(b - y)));
                CHECK(field.distance({x, y}) == (walls.contains({x, y}) ? best : 0));
            }
    }
}

TEST_CASE("casting equals a walk over every touched cell, on every path, to the last bit") {
    const std::vector<Point> directions = geometry(360);
    std::vector<double> walked(directions.size()), cast(directions.size());
    int hits = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Grid<std::uint8_t> walls = random_map(150, 130, seed, seed % 2 ? 0.01 : 0.1);
        walls.set_origin({-70, -60});
        const WallField field(walls);
        Rng rng(seed, 1, Purpose::placement, 0);
        for (int k = 0; k < 5; ++k) {
            Cell c{static_cast<int>(rng.below(150)) - 70, static_cast<int>(rng.below(130)) - 60};
            if (walls[c]) continue;
            // Centres of cells, where rays meet corners exactly, and any other place.
            const Point origin = k < 2 ? Point{c.x + 0.5, c.y + 0.5} : Point{c.x + rng.uniform(), c.y + rng.uniform()};
            const double range = rng.uniform(5, 120);
            for (std::size_t i = 0; i < directions.size(); ++i) {
                walked[i] = walked_length(walls, origin, directions[i], range);
                hits += std::isfinite(walked[i]);
            }
            for (const RayPath path : ray_paths()) {
                CAPTURE(static_cast<int>(path));
                cast_rays(field, origin, directions, range, cast, path);
                CHECK(cast == walked);
            }
        }
    }
    CHECK(hits > 20000);
    for (std::size_t n : {1u, 3u, 7u, 8u, 9u, 31u, 33u}) {  // numbers of beams that leave lanes empty
        const Grid<std::uint8_t> walls = random_map(50, 50, 3);
        const WallField field(walls);
        for (const RayPath path : ray_paths()) {
            CAPTURE(static_cast<int>(path));
            cast.assign(n + 1, -1);
            cast_rays(field, {25.3, 25.7}, std::span(directions).first(n), 40, std::span(cast).first(n), path);
            for (std::size_t i = 0; i < n; ++i) CHECK(cast[i] == walked_length(walls, {25.3, 25.7}, directions[i], 40));
            CHECK(cast[n] == -1);  // nothing is written beyond the last
        }
    }
}

TEST_CASE("casting agrees with fine sampling of the line") {
    Rng rng(3, 0, Purpose::placement, 0);
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Grid<std::uint8_t> walls = random_map(80, 80, seed);
        const WallField field(walls);
        const Point origin{rng.uniform(5, 75), rng.uniform(5, 75)};
        if (field.wall({static_cast<int>(origin.x), static_cast<int>(origin.y)})) continue;
        const std::vector<Point> directions = geometry(90);
        std::vector<double> lengths(directions.size());
        cast_rays(field, origin, directions, 60, lengths);
        for (std::size_t i = 0; i < directions.size(); ++i) {
            // Sampling can step over a corner that the ray just grazes: it may only see a wall later.
            const double sampled = sampled_length(walls, origin, directions[i], 60);
            CHECK(lengths[i] <= sampled + 1e-9);
            compared += std::abs(lengths[i] - sampled) < 2e-3;
        }
    }
    CHECK(compared > 750);
}

TEST_CASE("no ray slips between two diagonal cells of a wall") {
    Grid<std::uint8_t> walls(41, 41);
    for (int i = 0; i < 41; ++i) walls[{i, 40 - i}] = 1;  // one cell thick
    const WallField field(walls);
    const std::vector<Point> directions = geometry(720);
    std::vector<double> lengths(directions.size());
    for (const Point origin : {Point{10.5, 10.5}, Point{20.0, 19.0}, Point{3.25, 30.1}}) {
        cast_rays(field, origin, directions, 100, lengths);
        for (std::size_t i = 0; i < directions.size(); ++i) {
            const Point end = origin + directions[i] * lengths[i];
            CHECK(end.x + end.y < 41 + 1e-9);
        }
    }
}

TEST_CASE("walls between two cells are contiguous runs and the same in both directions") {
    const Grid<std::uint8_t> walls = text_map({"...........",  //
                                               "...#..##...",  //
                                               "...........",  //
                                               ".#.#.#.#.#."});
    const WallField field(walls);
    CHECK(field.walls_between({0, 2}, {10, 2}, 99) == 2);
    CHECK(field.walls_between({0, 1}, {10, 1}, 99) == 0);
    CHECK(field.walls_between({0, 0}, {10, 0}, 99) == 5);
    CHECK(field.walls_between({0, 0}, {10, 0}, 2) == 3);  // stops counting above the limit
    CHECK(field.walls_between({4, 2}, {4, 2}, 99) == 0);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Grid<std::uint8_t> map = random_map(70, 50, seed);
        const WallField random_field(map);
        Rng rng(seed, 2, Purpose::placement, 0);
        for (int i = 0; i < 200; ++i) {
            const Cell a{static_cast<int>(rng.below(70)), static_cast<int>(rng.below(50))};
            const Cell b{static_cast<int>(rng.below(70)), static_cast<int>(rng.below(50))};
            const int runs = random_field.walls_between(a, b, 1000);
            CHECK(runs == random_field.walls_between(b, a, 1000));
            // Against counting along the walked line from the lower cell.
            const Cell from = std::min(a, b), to = std::max(a, b);
            int expected = 0;
            bool inside = false;
            walk_segment({from.x + 0.5, from.y + 0.5}, {to.x + 0.5, to.y + 0.5}, [&](Cell c, double) {
                expected += map[c] && !inside;
                inside = map[c] != 0;
                return c != to;
            });
            CHECK(runs == expected);
        }
    }
}

TEST_CASE("the beams of a fan look where the specification says") {
    SensorSpec spec;
    spec.mount = {0.2, 0.1, pi / 2};
    spec.first_angle = -pi / 2;
    spec.step_angle = pi / 4;
    spec.beams = 5;
    const ScanGeometry beams(spec);
    std::vector<Point> directions;
    beams.directions(pi / 2, directions);
    REQUIRE(directions.size() == 5);
    for (int i = 0; i < 5; ++i) {  // heading 90 + mount 90 + (-90 ... 90)
        const double angle = pi / 2 + pi / 2 - pi / 2 + i * pi / 4;
        CHECK(std::abs(directions[static_cast<std::size_t>(i)].x - std::cos(angle)) < 1e-15);
        CHECK(std::abs(directions[static_cast<std::size_t>(i)].y - std::sin(angle)) < 1e-15);
    }
    const Point origin = beams.origin({1, 1, pi / 2});
    CHECK(origin.x == doctest::Approx(0.9));
    CHECK(origin.y == doctest::Approx(1.2));
}

TEST_CASE("what a beam meets in the last unit of its range has its own length") {
    // 0.3 / 0.1 is a little less than 3, as 5.6 / 0.001 is of 5600.
    const Scenario s = text_scenario({"#######", "#B.1..#", "#######"},
                                     "[sensor]\nbeams=3\nfov_deg=180\nrange_m=0.3\nrange_unit_m=0.1\n");
    const auto driver = make_driver(s);
    std::vector<Percept> percepts(2);
    REQUIRE(driver->sense(percepts));
    CHECK(percepts[1].scans.at(0).ranges.at(1) == 3);
}

}  // namespace test_sensing
