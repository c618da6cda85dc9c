// Where bodies that do not fit everywhere stand to see what lies behind frontiers.
#include <set>

#include "helpers.hpp"
#include "outrider/ray.hpp"
#include "plan/frontiers/view_finder.hpp"

using namespace outrider;

namespace test_views {
namespace {

constexpr double range = 40;
using Looks = std::set<std::pair<Cell, Cell>>;

/// The reached cell nearest to `look` that sees it, by all cells of all rays.
std::optional<Cell> nearest_view(const KnownMap& map, const NavMap& nav, Cell look, const Looks& vain) {
    std::optional<Cell> best;
    const auto rank = [&](Cell c) { return std::pair(squared_distance(c, look), c); };
    find_view(
        look, range, [&](Cell c) { return map.is_occupied(c); },
        [&](Cell c) {
            return nav.reached(c) && !vain.contains({c, look});
        },
        [&](Cell c) {
            if (!best || rank(c) < rank(*best)) best = c;
            return false;
        });
    return best;
}

/// Every cluster of frontier cells that are not reached (touching cells, by the first by row, then column), with the
/// first look at it that works, in the same order.
std::vector<std::pair<Cell, Cell>> all_views(const KnownMap& map, const NavMap& nav, const Looks& vain) {
    std::set<Cell> open;
    nav.tiles().for_each([&](TileCoord t, const NavTile&) {
        for (int k = 0; k < tile_size * tile_size; ++k) {
            const Cell c = cell_of(t, k % tile_size, k / tile_size);
            if (nav.frontier(c) && !nav.reached(c)) open.insert(c);
        }
    });
    std::vector<std::pair<Cell, Cell>> views;
    while (!open.empty()) {
        std::set<Cell> cluster;
        std::vector<Cell> next{*open.begin()};
        open.erase(open.begin());
        while (!next.empty()) {
            const Cell c = next.back();
            next.pop_back();
            cluster.insert(c);
            for (int k = 0; k < 9; ++k)
                if (const Cell d = c + Cell{k % 3 - 1, k / 3 - 1}; open.erase(d)) next.push_back(d);
        }
        for (const Cell c : cluster) {
            if (!nav.edge(c)) continue;
            const Cell look = unknown_neighbour(map, c);
            if (const auto goal = nearest_view(map, nav, look, vain)) {
                views.emplace_back(*goal, look);
                break;
            }
        }
    }
    return views;
}

}  // namespace

TEST_CASE("kept views are those of a search through everything, while walls come and go and looks are in vain") {
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        CAPTURE(seed);
        const Grid<std::uint8_t> walls = random_map(200, 180, seed, 0.02);
        Rng rng(seed, 0, Purpose::placement, 7);
        const auto any = [&](int least, int most) {
            return least + static_cast<int>(rng.below(static_cast<std::uint32_t>(most - least)));
        };
        KnownMap map(walls.lattice(), {}, true);
        NavMap nav(FrontierKind::unknown, 2);
        ViewFinder finder(range);
        Looks vain;
        for (std::uint32_t step = 1; step <= 30; ++step) {
            CAPTURE(step);
            // A patch, larger at first; things stand about in it, which are gone when it is seen again.
            const Cell at = step < 12 ? Cell{any(30, 170), any(30, 150)} : Cell{any(10, 190), any(10, 170)};
            const int side = step < 12 ? 28 : 6;
            for (int y = at.y - side; y < at.y + side; ++y)
                for (int x = at.x - side; x < at.x + side; ++x) {
                    if (!walls.contains({x, y})) continue;
                    CellTile claims;
                    const bool thing = rng.below(200) == 0;
                    claims.set({x, y}, walls[{x, y}] || thing ? CellState::occupied : CellState::free);
                    map.observe(tile_of({x, y}), claims, step);
                }
            if (step == 20) vain.clear();
            nav.update(map, {100, 90});
            const std::vector<Frontier> views = finder.update(map, nav, [&](Cell goal, Cell look) {
                return vain.contains({goal, look});
            });
            std::vector<std::pair<Cell, Cell>> kept;
            for (const Frontier& f : views) kept.emplace_back(f.goal, f.look);
            CHECK(kept == all_views(map, nav, vain));
            found += kept.size();
            if (!kept.empty()) vain.insert(kept[rng.below(static_cast<std::uint32_t>(kept.size()))]);
        }
    }
    CHECK(found > 200);
}

}  // namespace test_views
