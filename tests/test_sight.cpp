// The unknown area in sight against a plain walk along each ray.
#include "helpers.hpp"
#include "outrider/ray.hpp"
#include "plan/sight.hpp"

using namespace outrider;

namespace test_sight {
namespace {

double cell_by_cell(const KnownMap& map, Cell from, double range_cells, int rays) {
    double area = 0;
    for (int k = 0; k < rays; ++k) {
        const auto [s, c] = sin_cos(2 * pi * (k + 0.5) / rays);
        double since = -1, end = range_cells;
        const auto leave = [&](double t) {
            if (since >= 0) area += pi / rays * (t * t - since * since);
            since = -1;
        };
        walk_ray(Ray({from.x + 0.5, from.y + 0.5}, {c, s}), range_cells, [&](Cell cell, double t) {
            const bool unknown = map.state(cell) == CellState::unknown;
            if (!unknown) leave(t);
            if (unknown && since < 0) since = t;
            if (map.is_occupied(cell)) end = t;
            return !map.is_occupied(cell);
        });
        leave(end);
    }
    return area;
}

void learn(KnownMap& map, Cell low, int width, int height, CellState state) {
    for (int y = low.y; y < low.y + height; ++y)
        for (int x = low.x; x < low.x + width; ++x) {
            CellTile claim;
            claim.set({x, y}, state);
            map.observe(tile_of({x, y}), claim, 0);
        }
}

/// A free box, seldom a piece of wall, somewhere within `reach` of the origin.
void learn_something(KnownMap& map, Rng& rng, int reach) {
    const auto within = [&](int low, int high) {
        return low + static_cast<int>(rng.below(static_cast<std::uint32_t>(high - low)));
    };
    const Cell low{within(-reach, reach), within(-reach, reach)};
    if (rng.uniform() < 0.3)
        learn(map, low, within(1, 20), within(1, 3), CellState::occupied);
    else
        learn(map, low, within(1, 40), within(1, 40), CellState::free);
}

}  // namespace

TEST_CASE("unknown in sight, passing squares at once, is to the bit what a walk from cell to cell gives") {
    Rng rng(1, 0, Purpose::map, 0);
    int walls = 0, unknown = 0;
    for (int round = 0; round < 40; ++round) {
        KnownMap map(Lattice{0.1});
        for (int i = 0; i < 20; ++i) learn_something(map, rng, 100);
        for (int i = 0; i < 20; ++i) {
            const Cell from{static_cast<int>(rng.below(160)) - 80, static_cast<int>(rng.below(160)) - 80};
            const double range = rng.uniform(1, 130);
            const int rays = 1 + static_cast<int>(rng.below(90));
            const double expected = cell_by_cell(map, from, range, rays);
            CHECK(unknown_in_sight(map, from, range, rays) == expected);
            walls += expected < pi * range * range * 0.9;
            unknown += expected > 0;
        }
    }
    CHECK(walls > 200);
    CHECK(unknown > 400);
}

TEST_CASE("unknown in sight is looked at again where the map changed, and only there") {
    Rng rng(2, 0, Purpose::map, 0);
    KnownMap map(Lattice{0.1});
    UnknownInSight sight(40);
    int changed = 0;
    double before[9]{};
    for (int round = 0; round < 300; ++round) {
        learn_something(map, rng, 150);
        if (round == 150) map.redraw(FrameId{});
        for (int i = 0; i < 9; ++i) {
            const Cell from{(i % 3 - 1) * 90, (i / 3 - 1) * 90};
            const double area = sight(map, from, 64);
            CHECK(area == cell_by_cell(map, from, 40, 64));
            changed += area != before[i];
            before[i] = area;
        }
    }
    CHECK(changed > 100);
    CHECK(changed < 1500);
}

}  // namespace test_sight
