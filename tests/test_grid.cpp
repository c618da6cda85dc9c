#include <map>

#include "helpers.hpp"
#include "outrider/radio.hpp"
#include "outrider/ray.hpp"

using namespace outrider;

namespace test_grid {

TEST_CASE("cells and metres convert into each other, negative ones too") {
    for (const double cell_m : {0.05, 0.1, 0.25, 1.0}) {
        const Lattice lattice{cell_m};
        for (int i = -300; i < 300; ++i) CHECK(lattice.cell_of(lattice.centre({i, -i})) == Cell{i, -i});
    }
    CHECK(Lattice{0.1}.cell_of({-0.01, 0.09}) == Cell{-1, 0});
    Grid<int> grid(3, 2, 7, Lattice{}, {-1, 5});
    CHECK(grid.contains({1, 6}));
    CHECK_FALSE(grid.contains({2, 6}));
    CHECK(grid.get({9, 9}, -1) == -1);
    for (std::size_t i = 0; i < 6; ++i) CHECK(grid.index(grid.cell(i)) == i);
}

TEST_CASE("a ray touches a 4-connected chain of cells, each of which it passes through") {
    Rng rng(11, 0, Purpose::placement, 0);
    for (int i = 0; i < 2000; ++i) {
        const Point origin{rng.uniform(-30, 30), rng.uniform(-30, 30)};
        const double angle = i < 16 ? i * pi / 8 : rng.uniform(-pi, pi);
        const auto [s, c] = sin_cos(angle);
        Cell last{};
        double last_t = -1;
        walk_ray(Ray(origin, {c, s}), 40, [&](Cell cell, double t) {
            CHECK(t >= last_t);
            if (last_t < 0)
                CHECK(cell == Cell{static_cast<int>(std::floor(origin.x)), static_cast<int>(std::floor(origin.y))});
            else
                CHECK(std::abs(cell.x - last.x) + std::abs(cell.y - last.y) == 1);
            // At length t the ray is on the edge of the cell.
            const Point at = origin + Point{c, s} * t;
            CHECK(at.x > cell.x - 1e-9);
            CHECK(at.x < cell.x + 1 + 1e-9);
            CHECK(at.y > cell.y - 1e-9);
            CHECK(at.y < cell.y + 1 + 1e-9);
            last = cell;
            last_t = t;
            return true;
        });
    }
}

TEST_CASE("a ray from the centre along a diagonal or an axis keeps to its chain") {
    for (int k = 0; k < 8; ++k) {
        const auto [s, c] = sin_cos(k * pi / 4);
        std::vector<Cell> cells;
        walk_ray(Ray({0.5, 0.5}, {c, s}), 10, [&](Cell cell, double) {
            cells.push_back(cell);
            return true;
        });
        CHECK(cells.size() == (k % 2 == 0 ? 11 : 15));  // floor(10 / sqrt 2) = 7 corners, two cells for each
        for (std::size_t i = 1; i < cells.size(); ++i)
            CHECK(std::abs(cells[i].x - cells[i - 1].x) + std::abs(cells[i].y - cells[i - 1].y) == 1);
    }
}

TEST_CASE("path loss gives the reach behind k walls that MRESim's formula gives") {
    const RadioOptions radio;
    for (const auto& [walls, reach] : {std::pair{0, 200.0}, {1, 142.9}, {2, 102.1}, {3, 72.95}, {5, 37.2}, {10, 6.9}}) {
        CHECK(path_loss_dbm(radio, 200, reach * 0.999, walls) > radio.cutoff_dbm);
        CHECK(path_loss_dbm(radio, 200, reach * 1.001 + 0.05, walls) < radio.cutoff_dbm);
    }
    CHECK(path_loss_dbm(radio, 200, 200, 0) == doctest::Approx(-93));
    CHECK(path_loss_dbm(radio, 200, 20, 0) == doctest::Approx(-68));
    CHECK(std::isinf(path_loss_dbm(radio, 200, 0, 3)));
    // The limit C on walls.
    RadioOptions capped = radio;
    capped.max_walls = 2;
    CHECK(path_loss_dbm(capped, 200, 50, 2) == path_loss_dbm(capped, 200, 50, 9));
    // The estimate of strategies.md 0.4: range / 1.1 and attenuation x 1.1.
    RadioOptions belief = radio;
    belief.wall_db = 3.65 * 1.1;
    for (const auto& [walls, reach] : {std::pair{0, 181.8}, {1, 125.6}, {2, 86.8}, {3, 60.0}, {5, 28.6}, {10, 4.5}}) {
        CHECK(path_loss_dbm(belief, 200 / 1.1, reach * 0.999, walls) > radio.cutoff_dbm);
        CHECK(path_loss_dbm(belief, 200 / 1.1, reach * 1.001 + 0.05, walls) < radio.cutoff_dbm);
    }
}

TEST_CASE("walls_allowed is the largest number of walls behind which a link stands") {
    Rng rng(5, 0, Purpose::placement, 0);
    for (int i = 0; i < 500; ++i) {
        RadioOptions radio;
        radio.wall_db = rng.uniform(0, 5);
        radio.max_walls = static_cast<int>(rng.below(20));
        const double d = rng.uniform(0.1, 250);
        const auto linked = [&](int walls) { return path_loss_dbm(radio, 200, d, walls) > radio.cutoff_dbm; };
        const int allowed = walls_allowed(radio, 200, d);
        if (allowed < 0)
            CHECK_FALSE(linked(0));
        else if (allowed == std::numeric_limits<int>::max())
            CHECK(linked(1000));
        else
            CHECK((linked(allowed) && !linked(allowed + 1)));
        if (linked(0)) CHECK(d <= max_link_m(radio, 200));
    }
    CHECK(link_range_m(RangeRule::min, 3, 2) == 2);
    CHECK(link_range_m(RangeRule::sum, 3, 2) == 5);
    CHECK(link_range_m(RangeRule::first, 3, 2) == 3);
}

TEST_CASE("a tile table grows in all directions and keeps what it holds") {
    TileTable<int> table;
    std::map<std::pair<int, int>, int> truth;
    Rng rng(6, 0, Purpose::placement, 0);
    for (int i = 1; i < 300; ++i) {
        const TileCoord t{static_cast<int>(rng.below(60)) - 30, static_cast<int>(rng.below(60)) - 30};
        table.at(t) = i;
        truth[{t.y, t.x}] = i;
    }
    for (const auto& [at, value] : truth) CHECK(*table.find({at.second, at.first}) == value);
    std::map<std::pair<int, int>, int> listed;
    table.for_each([&](TileCoord t, int value) {
        if (value) listed[{t.y, t.x}] = value;
    });
    CHECK(listed == truth);
    CHECK(table.find({1000, 0}) == nullptr);
}

}  // namespace test_grid
