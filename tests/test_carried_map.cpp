// A map as it is seen in another frame.
#include "grid/carried_map.hpp"

#include "grid/known_grid.hpp"
#include "helpers.hpp"

using namespace outrider;

namespace test_carried_map {
namespace {

std::vector<Cell> cells_of(const KnownMap& map, bool occupied) {
    std::vector<Cell> out;
    map.cells().for_each([&](TileCoord t, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (int column = 0; column < tile_size; ++column)
                if (const Cell c = cell_of(t, column, row); tile.known.test(c) && tile.occupied.test(c) == occupied)
                    out.push_back(c);
    });
    return out;
}

}  // namespace

TEST_CASE("a map carried by whole cells is the same map, shifted") {
    KnownMap from = known_all(rooms_map(120, 90, 3));
    const double cell = from.lattice().cell_m;
    CarriedMap carried(from.lattice(), {}, false);
    carried.follow(from, {17 * cell, -70 * cell, 0});
    for (const bool occupied : {false, true}) {
        std::vector<Cell> expected;
        for (const Cell c : cells_of(from, occupied)) expected.push_back(c + Cell{17, -70});
        std::vector<Cell> got = cells_of(carried.map(), occupied);
        std::sort(expected.begin(), expected.end());
        std::sort(got.begin(), got.end());
        CHECK(got == expected);
    }
}

TEST_CASE("a map turned by a quarter has each cell where it belongs") {
    const KnownMap from = known_all(rooms_map(70, 50, 4));
    const Lattice& lattice = from.lattice();
    CarriedMap carried(lattice, {}, false);
    const Pose place{0, 0, pi / 2};
    carried.follow(from, place);
    for (const bool occupied : {false, true}) {
        const std::vector<Cell> cells = cells_of(from, occupied);
        CHECK(cells_of(carried.map(), occupied).size() == cells.size());
        for (const Cell c : cells) {
            const Cell there = lattice.cell_of(transform(place, lattice.centre(c)));
            CHECK(carried.map().is_occupied(there) == occupied);
            CHECK(carried.map().is_free(there) == !occupied);
        }
    }
}

TEST_CASE("turned by any angle, walls have no holes, and what is free was free there or beside it") {
    const KnownMap from = known_all(rooms_map(90, 90, 5));
    const Lattice& lattice = from.lattice();
    for (const double yaw : {0.1, 0.7, 2.5}) {
        CAPTURE(yaw);
        const Pose place{1.23, -0.77, yaw}, back = inverse(place);
        CarriedMap carried(lattice, {}, false);
        carried.follow(from, place);
        for (const Cell wall : cells_of(from, true))
            CHECK(carried.map().is_occupied(lattice.cell_of(transform(place, lattice.centre(wall)))));
        for (const Cell free : cells_of(carried.map(), false))
            CHECK(from.is_free(lattice.cell_of(transform(back, lattice.centre(free)))));
        // A wall may become a cell thicker, but no more.
        for (const Cell wall : cells_of(carried.map(), true)) {
            const Cell there = lattice.cell_of(transform(back, lattice.centre(wall)));
            bool near = false;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) near |= from.is_occupied(there + Cell{dx, dy});
            CHECK(near);
        }
    }
}

TEST_CASE("what is new is carried at once, marks and stamps with it; elsewhere, all is carried anew") {
    KnownMap from(Lattice{}, {}, true);
    CellTile tile;
    tile.set({3, 4}, CellState::safe_occupied);
    tile.set({9, 4}, CellState::safe_free);
    from.observe({0, 0}, tile, 7);
    CarriedMap carried(from.lattice(), {5, 2}, true);
    const double cell = from.lattice().cell_m;
    carried.follow(from, {cell, 0, 0});
    CHECK(carried.map().frame() == FrameId{5, 2});
    CHECK(carried.map().state({4, 4}) == CellState::occupied);  // sure of nothing
    CHECK(carried.map().state({10, 4}) == CellState::free);
    CHECK(carried.map().stamp({4, 4}) == 7);

    CellTile later;
    later.set({3, 4}, CellState::free);
    from.observe({0, 0}, later, 9);
    BitTile marks;
    marks.set({3, 4});
    from.mark(Mark::at_base, {0, 0}, marks);
    carried.follow(from, {cell, 0, 0});
    CHECK(carried.map().is_free({4, 4}));
    CHECK(carried.map().stamp({4, 4}) == 9);
    CHECK(carried.map().marked(Mark::at_base, {4, 4}));

    const auto generation = carried.map().generation();
    carried.follow(from, {2 * cell, 0, 0});
    CHECK(carried.map().generation() > generation);
    CHECK(carried.map().state({4, 4}) == CellState::unknown);
    CHECK(carried.map().is_free({5, 4}));
}

}  // namespace test_carried_map
