#include <algorithm>

#include "maps/building.hpp"
#include "maps/family.hpp"

namespace outrider {
namespace {

/// A building after a collapse: walls with breaches, rooms that are filled, heaps of rubble along the walls.
struct Ruin {
    BuildingOptions building;
    double room_m = 7, broken = 0.35, heaps = 0.12, filled = 0.08;
    Ruin() {
        building.wall_m = 0.4;
        building.loops = 0.4;
        building.furniture = 0;
    }
    void fields(Fields& f) {
        building.fields(f);
        f("room_m", room_m, 2, 50, "typical side of a room");
        f("broken", broken, 0, 1, "share of the inner walls that has fallen");
        f("heaps", heaps, 0, 0.5, "share of the floor under heaps of rubble");
        f("filled", filled, 0, 0.5, "share of the rooms that is filled");
    }
    void draw(Drawing& d, Rng& rng) const {
        Building b(d, building, rng);
        const int wall = b.wall();
        const Rect in = d.frame().grown(-wall);
        const std::vector<Rect> rooms = halve(rng, in, d.cells(room_m), wall);
        for (const Rect& r : rooms) b.add(r, Use::empty);
        b.connect();
        const Grid<std::uint8_t> intact = d.walls();

        // Where a patchy noise is high, walls are gone; stubs stay where it is lower.
        const Noise patches(rng, 4.5 / d.cell_m()), crumbs(rng, 0.7 / d.cell_m());
        std::vector<double> values;
        const auto decay = [&](Cell c) {
            const Point p{c.x + 0.5, c.y + 0.5};
            return patches.at(p) + 0.45 * crumbs.at(p);
        };
        for (std::size_t i = 0; i < intact.cells().size(); i += 7)
            if (intact.cells()[i]) values.push_back(decay(intact.cell(i)));
        std::sort(values.begin(), values.end());
        const double limit = values[static_cast<std::size_t>((1 - broken) * static_cast<double>(values.size() - 1))];
        for (std::size_t i = 0; i < intact.cells().size(); ++i)
            if (const Cell c = intact.cell(i); intact.cells()[i] && in.contains(c) && decay(c) > limit)
                d.set(c, Fill::free);
        for (const Rect& r : rooms)
            if (chance(rng, filled)) d.rect(r.grown(-1), Fill::wall);

        // Heaps: ragged polygons, mostly where walls fell.
        const auto& cells = d.walls().cells();
        const auto floor = std::count(cells.begin(), cells.end(), 0);
        const auto goal = static_cast<double>(floor) * (1 - heaps);
        for (int tries = 0; tries < 50'000; ++tries) {
            if (tries % 16 == 0 && static_cast<double>(std::count(cells.begin(), cells.end(), 0)) <= goal) break;
            const Cell c{between(rng, 1, d.width() - 2), between(rng, 1, d.height() - 2)};
            const bool fallen = intact[c] && !d.wall(c);
            if (!fallen && !chance(rng, 0.03)) continue;
            const double size = rng.uniform(0.2, 0.9) / d.cell_m();
            const double start = rng.uniform(-pi, pi);
            std::vector<Point> corners;
            const int n = between(rng, 5, 8);
            for (int k = 0; k < n; ++k) {
                const auto [s, cos] = sin_cos(wrap_angle(start + 2 * pi * k / n));
                const double r = size * rng.uniform(0.7, 1);
                corners.push_back({c.x + 0.5 + r * cos, c.y + 0.5 + r * s});
            }
            d.polygon(corners, Fill::wall);
        }
    }
};

}  // namespace

FamilyInfo ruin_family() {
    return family_of<Ruin>("ruin", 600, 420, 0.1,
                           "a collapsed building: breached walls, filled rooms, heaps of rubble");
}

}  // namespace outrider
