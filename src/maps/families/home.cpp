
#include "maps/building.hpp"
#include "maps/family.hpp"

namespace outrider {
namespace {

/// A flat: a hallway, a living room, bedrooms, kitchen and bath, with their furniture.
struct Home {
    BuildingOptions building;
    double room_m = 4;
    Home() {
        building.corridor_m = 1.3;
        building.door_min_m = 0.8;
        building.door_max_m = 0.9;
        building.wall_m = 0.15;
        building.loops = 0.1;
        building.furniture = 1;
    }
    void fields(Fields& f) {
        building.fields(f);
        f("room_m", room_m, 2, 20, "typical side of a room");
    }
    void draw(Drawing& d, Rng& rng) const {
        Building b(d, building, rng);
        const int wall = b.wall(), corridor = b.corridor();
        const Rect in = d.frame().grown(-wall);
        // The hallway crosses the flat from the front door; rooms lie on both sides; its far end is the living room.
        const int living = in.w * between(rng, 30, 38) / 100, hall_y = in.y + in.h * between(rng, 40, 58) / 100;
        const Rect hallway{in.x, hall_y, in.w - living - wall, corridor};
        b.add(hallway, Use::corridor);
        const Rect end{in.right() - living, in.y, living, in.h};
        const int kitchen = end.h * between(rng, 32, 40) / 100;
        b.add({end.x, end.y, end.w, end.h - kitchen - wall}, Use::living);
        b.add({end.x, end.top() - kitchen, end.w, kitchen}, Use::kitchen);
        d.start = {hallway.x + corridor, hallway.centre().y};
        bool bath = false;
        for (const bool upper : {true, false}) {
            const int y = upper ? hallway.top() + wall : in.y, h = upper ? in.top() - y : hallway.y - wall - in.y;
            int x = in.x;
            for (const int w : split(rng, hallway.w, d.cells(room_m), wall)) {
                const bool small = !bath && w <= d.cells(room_m) && (upper || x + w + wall >= hallway.right());
                if (small && h > d.cells(3.4)) {  // a bath with a store beside it
                    const int cut = d.cells(2.2);
                    const Rect near{x, upper ? y : y + h - cut, w, cut};
                    const Rect far{x, upper ? y + cut + wall : y, w, h - cut - wall};
                    b.add(near, Use::bath);
                    b.add(far, Use::store);
                    bath = true;
                } else {
                    b.add({x, y, w, h}, Use::bedroom);
                }
                x += w + wall;
            }
        }
        b.connect();
        b.furnish();
    }
};

}  // namespace

FamilyInfo home_family() {
    return family_of<Home>("home", 320, 220, 0.05, "a flat with hallway, living room, bedrooms, kitchen and bath");
}

}  // namespace outrider
