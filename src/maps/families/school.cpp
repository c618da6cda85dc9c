#include <algorithm>

#include "maps/building.hpp"
#include "maps/family.hpp"

namespace outrider {
namespace {

/// Three wings of classrooms around a yard with trees, and a gymnasium that closes the fourth side.
struct School {
    BuildingOptions building;
    double classroom_m = 8.5;
    School() {
        building.corridor_m = 2.8;
        building.loops = 0;
    }
    void fields(Fields& f) {
        building.fields(f);
        f("classroom_m", classroom_m, 3, 50, "typical side of a classroom");
    }
    void draw(Drawing& d, Rng& rng) const {
        Building b(d, building, rng);
        const int wall = b.wall(), corridor = b.corridor(), side = d.cells(classroom_m);
        const Rect in = d.frame().grown(-wall);
        const int depth = std::min({d.cells(7.5), in.h / 4, in.w / 5}), ring = depth + wall;
        // The corridor runs around the yard on three sides, classrooms outside of it.
        const Rect yard{in.x + ring + corridor + wall, in.y + ring + corridor + wall,
                        in.w - 2 * (ring + corridor + wall), in.h - ring - corridor - wall};
        b.add({in.x + ring, in.y + ring, in.w - 2 * ring, corridor}, Use::corridor);
        b.add({in.x + ring, in.y + ring, corridor, in.h - ring}, Use::corridor);
        b.add({in.right() - ring - corridor, in.y + ring, corridor, in.h - ring}, Use::corridor);
        const auto row = [&](Rect area, bool upright) {
            int at = upright ? area.y : area.x;
            for (const int piece : split(rng, upright ? area.h : area.w, side, wall)) {
                const Rect room = upright ? Rect{area.x, at, area.w, piece} : Rect{at, area.y, piece, area.h};
                b.add(room, piece > side * 3 / 5 && chance(rng, 0.85) ? Use::classroom : Use::store);
                at += piece + wall;
            }
        };
        row({in.x, in.y, depth, in.h}, true);
        row({in.right() - depth, in.y, depth, in.h}, true);
        const int hall = std::min(d.cells(12), in.w / 4), hall_x = in.centre().x - hall / 2;
        b.add({hall_x, in.y, hall, ring}, Use::corridor);  // the entrance
        d.start = {hall_x + hall / 2, in.y + depth / 2};
        row({in.x + ring, in.y, hall_x - wall - in.x - ring, depth}, false);
        row({hall_x + hall + wall, in.y, in.right() - ring - hall_x - hall - wall, depth}, false);

        // The gymnasium at the far end of the yard, with its changing rooms.
        const int gym_h = std::min(d.cells(14), yard.h * 2 / 5), rooms_h = d.cells(3.5);
        const Rect gym{yard.x, in.top() - gym_h, yard.w, gym_h};
        b.add(gym, Use::hall);
        b.bar({gym.x, gym.y, wall, 0});
        int x = yard.x;
        for (const int w : split(rng, yard.w, d.cells(5), wall)) {
            b.add({x, gym.y - wall - rooms_h, w, rooms_h}, Use::store);
            x += w + wall;
        }
        const Rect open{yard.x, yard.y, yard.w, gym.y - rooms_h - 2 * wall - yard.y};
        b.add(open, Use::empty);
        b.connect();
        // Doors from the corridors to the yard, and trees in it.
        for (const double at : {0.2, 0.8}) {
            const int width = b.door() * 3 / 2, ax = open.x + static_cast<int>(at * (open.w - width));
            const Rect door{ax, open.y - wall, width, wall};
            d.rect(door, Fill::free);
        }
        b.furnish();
        for (int i = 0; i < 9; ++i) {
            const Point p{open.x + rng.uniform(0.1, 0.9) * open.w, open.y + rng.uniform(0.15, 0.9) * open.h};
            d.disc(p, rng.uniform(0.25, 0.6) / d.cell_m(), Fill::wall);
        }
    }
};

}  // namespace

FamilyInfo school_family() {
    return family_of<School>("school", 640, 480, 0.1, "classrooms around a yard with trees, and a gymnasium");
}

}  // namespace outrider
