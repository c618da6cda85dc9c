#include <algorithm>

#include "maps/building.hpp"
#include "maps/family.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// Rooms of many sizes, door to door, without corridors.
struct Rooms {
    BuildingOptions building;
    int rooms = 40;
    Rooms() {
        building.furniture = 0;
        building.loops = 0.3;
    }
    void fields(Fields& f) {
        building.fields(f);
        f("rooms", rooms, 1, 5000, "number of rooms");
    }
    void draw(Drawing& d, Rng& rng) const {
        Building b(d, building, rng);
        std::vector<Rect> parts{d.frame().grown(-b.wall())};
        const int least = 2 * (b.door() + 4) + b.wall();
        while (static_cast<int>(parts.size()) < rooms) {  // the largest room is cut in two
            std::size_t largest = 0;
            for (std::size_t i = 1; i < parts.size(); ++i)
                if (parts[i].w * parts[i].h > parts[largest].w * parts[largest].h) largest = i;
            const Rect r = parts[largest];
            const bool upright = r.w > r.h;
            const int longer = upright ? r.w : r.h;
            if (longer < least)
                fail("{} rooms with doors of {} m do not fit on a map of {} x {} cells", rooms, building.door_max_m,
                     d.width(), d.height());
            const int side = std::max(b.door() + 4, longer * 3 / 10);
            const int at = between(rng, side, longer - b.wall() - side);
            parts[largest] = upright ? Rect{r.x, r.y, at, r.h} : Rect{r.x, r.y, r.w, at};
            parts.push_back(upright ? Rect{r.x + at + b.wall(), r.y, r.w - at - b.wall(), r.h}
                                    : Rect{r.x, r.y + at + b.wall(), r.w, r.h - at - b.wall()});
        }
        for (const Rect& r : parts) b.add(r, Use::living);
        b.connect();
        b.furnish();
    }
};

}  // namespace

FamilyInfo rooms_family() {
    return family_of<Rooms>("rooms", 600, 400, 0.1, "rooms of many sizes that open into each other");
}

}  // namespace outrider
