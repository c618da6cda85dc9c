// The shape of a map against that of the world.
#include "grid/known_grid.hpp"
#include "helpers.hpp"
#include "metrics/map_skeleton.hpp"

using namespace outrider;

namespace test_map_skeleton {

TEST_CASE("the skeleton of a map is held against that of the world, both ways") {
    const auto rooms = [](const std::string& door) {
        std::vector<std::string> rows(31, "#" + std::string(39, '.') + "#" + std::string(39, '.') + "#");
        rows.front() = rows.back() = std::string(81, '#');
        for (std::size_t y = 10; y < 13; ++y) rows[y] = "#" + std::string(39, '.') + door + std::string(39, '.') + "#";
        return text_map(rows);
    };
    const Grid<std::uint8_t> open = rooms("."), closed = rooms("#");
    const World world(open, {}, 1);
    const Cell body{5, 15};
    const SkeletonShares same = compare_skeletons(known_grid(open), world, body, 5);
    CHECK(same.true_share == 1);
    CHECK(same.found_share == 1);
    const SkeletonShares half = compare_skeletons(known_grid(closed), world, body, 5);
    CHECK(half.true_share > 0.8);
    CHECK(half.found_share > 0.25);
    CHECK(half.found_share < 0.75);
    const SkeletonShares more = compare_skeletons(known_grid(open), World(closed, {}, 1), body, 5);
    CHECK(more.true_share == doctest::Approx(half.found_share));
    CHECK(more.found_share == doctest::Approx(half.true_share));
    const SkeletonShares nothing = compare_skeletons(KnownMap(open.lattice()), world, body, 5);
    CHECK(nothing.true_share == 0);
    CHECK(nothing.found_share == 0);

    // A map that is moved by less than what counts as close is right, one that is moved by more is not.
    Grid<std::uint8_t> moved = open;
    moved.set_origin({3, 3});
    CHECK(compare_skeletons(known_grid(moved), world, body, 5).true_share > 0.95);
    moved.set_origin({12, 12});
    CHECK(compare_skeletons(known_grid(moved), world, {15, 15}, 5).true_share < 0.5);
}

}  // namespace test_map_skeleton
