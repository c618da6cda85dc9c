#include <algorithm>

#include "maps/building.hpp"
#include "maps/family.hpp"

namespace outrider {
namespace {

/// A hall with rows of shelves, cross aisles, a loading dock with pallets along one side and offices in a corner.
struct Warehouse {
    double aisle_m = 3, shelf_m = 2.2, length_m = 18, cross_m = 4, pallets = 0.5;
    void fields(Fields& f) {
        f("aisle_m", aisle_m, 1, 20, "width of the aisles between shelves");
        f("shelf_m", shelf_m, 0.5, 10, "depth of a row of shelves, two back to back");
        f("length_m", length_m, 3, 100, "typical length of a row between two cross aisles");
        f("cross_m", cross_m, 1, 20, "width of the cross aisles");
        f("pallets", pallets, 0, 1, "share of the places on the dock where a pallet stands");
    }
    void draw(Drawing& d, Rng& rng) const {
        BuildingOptions options;
        options.loops = 0;
        options.furniture = 1;
        Building b(d, options, rng);
        const int wall = d.cells(0.3), aisle = d.cells(aisle_m), shelf = d.cells(shelf_m), cross = d.cells(cross_m);
        const Rect in = d.frame().grown(-wall);
        d.rect(in, Fill::free);
        const int dock = std::min(d.cells(10), in.h / 4);

        // Shelves upright, in blocks one above the other; here and there a row is missing or a bay is empty.
        const Rect store{in.x + aisle, in.y + dock, in.w - 2 * aisle, in.h - dock - aisle};
        int y = store.y;
        for (const int h : split(rng, store.h, d.cells(length_m), cross)) {
            for (int x = store.x; x + shelf <= store.right(); x += shelf + aisle) {
                if (chance(rng, 0.04)) continue;
                d.rect({x, y, shelf, h}, Fill::wall);
                if (chance(rng, 0.18)) d.rect({x, between(rng, y, y + h - aisle), shelf, aisle}, Fill::free);
            }
            y += h + cross;
        }
        // Offices in a lower corner, their doors to the dock.
        const int office_h = std::min(d.cells(5), dock * 3 / 5), office_w = d.cells(4.5), thin = b.wall();
        const int count = std::clamp(in.w / 4 / office_w, 1, 5);
        d.rect({in.x, in.y, count * (office_w + thin), office_h + thin}, Fill::wall);
        for (int i = 0; i < count; ++i) {
            const Rect room{in.x + i * (office_w + thin), in.y, office_w, office_h};
            d.rect(room, Fill::free);
            const int door = d.cells(1);
            const Rect opening{room.x + between(rng, 4, office_w - door - 4), room.top(), door, thin};
            d.rect(opening, Fill::free);
            d.doors.push_back(opening);
            d.rect({room.x + office_w / 3, room.y, d.cells(1.6), d.cells(0.8)}, Fill::wall);
            ++d.rooms;
        }
        // Pallets beside the gates of the dock.
        const int pallet = d.cells(1.2), gate = d.cells(5), first = in.x + count * (office_w + thin) + gate;
        for (int x = first; x + 2 * pallet < in.right(); x += gate) {
            d.rect({x - pallet / 2, 0, pallet / 2, wall + d.cells(0.6)}, Fill::wall);  // the pillar between two gates
            for (int k = 0; k < 3; ++k)
                if (chance(rng, pallets))
                    d.rect({x + between(rng, 2, gate / 3), in.y + d.cells(1) + k * (pallet + d.cells(0.9)), pallet,
                            d.cells(0.8)},
                           Fill::wall);
        }
        d.start = {in.centre().x, in.y + dock * 4 / 5};
    }
};

}  // namespace

FamilyInfo warehouse_family() {
    return family_of<Warehouse>("warehouse", 800, 500, 0.1,
                                "rows of shelves with cross aisles, a loading dock, offices");
}

}  // namespace outrider
