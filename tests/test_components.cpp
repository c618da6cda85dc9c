#include <cmath>
#include <deque>

#include "helpers.hpp"
#include "outrider/rng.hpp"
#include "world/world.hpp"

using namespace outrider;

namespace test_components {

/// Cells that are walls at random; widths around the words of 64 cells.
Grid<std::uint8_t> random_map(Rng& rng, int width, int height) {
    Grid<std::uint8_t> walls(width, height, 0, Lattice{0.1}, {-7, 3});
    const double share = rng.uniform(0.1, 0.7);
    for (std::uint8_t& cell : walls.cells()) cell = rng.uniform() < share;
    return walls;
}

/// Cell by cell.
Grid<std::int32_t> labels_by_search(const Grid<std::uint8_t>& walls) {
    Grid<std::int32_t> labels(walls.width(), walls.height(), 0, walls.lattice(), walls.origin());
    std::int32_t next = 0;
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        if (walls.cells()[i] || labels.cells()[i]) continue;
        std::deque<Cell> queue{walls.cell(i)};
        labels[queue.front()] = ++next;
        for (; !queue.empty(); queue.pop_front())
            for (const Cell d : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}})
                if (const Cell c = queue.front() + d; !walls.get(c, 1) && !labels[c]) {
                    labels[c] = next;
                    queue.push_back(c);
                }
    }
    return labels;
}

TEST_CASE("components, their runs and what is connected are the same as found cell by cell") {
    Rng rng(3, 0, Purpose::placement, 0);
    for (const int width : {1, 2, 63, 64, 65, 130, 200})
        for (const int height : {1, 2, 40}) {
            const Grid<std::uint8_t> walls = random_map(rng, width, height);
            const Grid<std::int32_t> expected = labels_by_search(walls);
            CHECK(label_components(walls) == expected);
            for (const CellRun& run : label_runs(walls)) {
                CHECK(run.x < run.end);
                CHECK(expected[{run.x, run.y}] == run.label);
                CHECK(walls.get({run.x - 1, run.y}, 1) != 0);
                CHECK(walls.get({run.end, run.y}, 1) != 0);
            }
            const Cell seed = walls.cell(rng.below(static_cast<std::uint32_t>(width * height)));
            const Grid<std::uint8_t> connected = connected_cells(walls, {seed});
            for (std::size_t i = 0; i < connected.cells().size(); ++i)
                CHECK((connected.cells()[i] != 0) == (!walls[seed] && expected.cells()[i] == expected[seed]));
        }
}

TEST_CASE("eroding leaves the cells that are farther from walls and from the edge, step by step") {
    Rng rng(4, 0, Purpose::placement, 0);
    for (const int width : {1, 64, 65, 150}) {
        Grid<std::uint8_t> walls(width, 40);
        for (int k = 0; k < 12; ++k) walls.cells()[rng.below(static_cast<std::uint32_t>(width * 40))] = 1;
        const WallField field(walls);
        CellBits cells = open_bits(walls);
        for (int room = 1; room <= 8; ++room, cells = eroded(cells)) {
            bool any = false;
            for (std::size_t i = 0; i < walls.cells().size(); ++i) {
                CHECK(cells.test(walls.cell(i)) == (field.distance(walls.cell(i)) >= room));
                any = any || cells.test(walls.cell(i));
            }
            CellBits all = open_bits(walls);
            CHECK(keep_common(all, cells) == any);
        }
    }
}

TEST_CASE("grown walls are the cells that are too close to a wall or to the border") {
    Rng rng(5, 0, Purpose::placement, 0);
    for (const int width : {1, 5, 64, 65, 100})
        for (const double radius : {0.4, 1.0, 2.6}) {
            Grid<std::uint8_t> walls(width, 23, 0, Lattice{0.1}, {4, -9});
            for (std::uint8_t& cell : walls.cells()) cell = rng.uniform() < 0.03;
            for (int x = 0; x < width; ++x) walls[{4 + x, 0}] = walls[{4 + x, 1}] = 1;
            const Grid<std::uint8_t> grown = grow_walls(walls, radius);
            for (std::size_t i = 0; i < walls.cells().size(); ++i) {
                bool near = walls.cells()[i] != 0;
                for (int dy = -4; dy <= 4; ++dy)
                    for (int dx = -4; dx <= 4; ++dx)
                        near = near || (walls.get(walls.cell(i) + Cell{dx, dy}, 1) &&
                                        std::hypot(std::max(0.0, std::abs(dx) - 0.5),
                                                   std::max(0.0, std::abs(dy) - 0.5)) < radius);
                CHECK((grown.cells()[i] != 0) == near);
            }
        }
}

}  // namespace test_components
