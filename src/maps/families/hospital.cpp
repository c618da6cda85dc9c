#include <algorithm>

#include "maps/building.hpp"
#include "maps/family.hpp"

namespace outrider {
namespace {

/// Wings of wards that stand on a long main corridor like the teeth of a comb, gardens between them.
struct Hospital {
    BuildingOptions building;
    int wings = 3;
    double ward_m = 4.5;
    Hospital() {
        building.corridor_m = 2.6;
        building.door_min_m = 1.1;
        building.door_max_m = 1.3;
        building.loops = 0;
    }
    void fields(Fields& f) {
        building.fields(f);
        f("wings", wings, 1, 30, "wings of wards");
        f("ward_m", ward_m, 2.5, 30, "typical width of a ward");
    }
    void draw(Drawing& d, Rng& rng) const {
        Building b(d, building, rng);
        const int wall = b.wall(), corridor = b.corridor(), ward = d.cells(ward_m);
        const Rect in = d.frame().grown(-wall);
        // Below the main corridor: admission, treatment, stores. Above it: the wings.
        const int base = std::min(in.h / 5, d.cells(7)), spine = in.y + base + wall;
        b.add({in.x, spine, in.w, corridor}, Use::corridor);
        const int lobby_w = std::min(d.cells(12), in.w / 3), lobby_x = in.centre().x - lobby_w / 2;
        b.add({lobby_x, in.y, lobby_w, base + wall}, Use::corridor);
        d.start = {lobby_x + lobby_w / 2, in.y + base / 2};
        const auto row = [&](int x0, int x1) {
            int x = x0;
            for (const int w : split(rng, x1 - x0, ward * 5 / 4, wall)) {
                b.add({x, in.y, w, base}, chance(rng, 0.4) ? Use::store : Use::office);
                x += w + wall;
            }
        };
        row(in.x, lobby_x - wall);
        row(lobby_x + lobby_w + wall, in.right());

        // The gardens are one space, into which the wings are built.
        const int bottom = spine + corridor + wall, height = in.top() - bottom;
        b.add({in.x, bottom, in.w, height}, Use::empty);
        for (int i = 0; i < in.w * height / d.cells(6) / d.cells(6); ++i)
            d.disc({rng.uniform(in.x, in.right()), rng.uniform(bottom, in.top())}, rng.uniform(0.2, 0.7) / d.cell_m(),
                   Fill::wall);
        int x = in.x;
        int k = 0;
        for (const int pitch : split(rng, in.w, in.w / wings, wall)) {
            // A wing takes three quarters of its pitch; the rest is garden behind a glass door.
            const int width = std::min(pitch * 3 / 4, d.cells(22)), left = x + (k % 2 ? pitch - width : 0);
            const int hall = left + (width - corridor) / 2;
            const int length = height - between(rng, d.cells(1.5), height / 5);
            d.rect(Rect{left, bottom, width, length}.grown(wall), Fill::wall);
            d.rect({in.x, spine, in.w, corridor}, Fill::free);
            b.add({hall, bottom - wall, corridor, length + wall}, Use::corridor);
            // Its far end is a door to the garden.
            d.rect({hall + corridor / 4, bottom + length, corridor / 2, wall}, Fill::free);
            wing(d, b, rng, {left, bottom, hall - wall - left, length}, true);
            wing(d, b, rng, {hall + corridor + wall, bottom, left + width - hall - corridor - wall, length}, false);
            x += pitch + wall;
            ++k;
        }
        b.connect();
        b.furnish();
    }

  private:
    /// A row of wards beside a wing's corridor, each with a bath in the corner towards it; a nurses' station, open to
    /// the corridor, in the middle.
    void wing(Drawing& d, Building& b, Rng& rng, const Rect& r, bool left) const {
        const int wall = b.wall(), bath_w = d.cells(1.9), bath_h = d.cells(1.7);
        int y = r.y;
        const std::vector<int> pieces = split(rng, r.h, d.cells(ward_m), wall);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const Rect room{r.x, y, r.w, pieces[i]};
            y += pieces[i] + wall;
            if (i == pieces.size() / 2 && left) {  // the station
                b.add({room.x + room.w / 2, room.y, room.w - room.w / 2 + wall, room.h}, Use::corridor);
                b.add({room.x, room.y, room.w / 2 - wall, room.h}, Use::store);
                continue;
            }
            if (room.h < bath_h + b.door() + 2 * wall + 4 || room.w < bath_w + d.cells(2.5)) {
                b.add(room, Use::store);
                continue;
            }
            b.add(room, Use::ward);
            const Rect bath{left ? room.right() - bath_w : room.x, room.top() - bath_h, bath_w, bath_h};
            d.rect(bath.grown(wall), Fill::wall);
            d.rect(bath, Fill::free);
            b.bar(bath.grown(wall));
            // Its door: into the ward, away from the corridor.
            const Rect door{left ? bath.x - wall : bath.right(), bath.y + (bath.h - d.cells(0.9)) / 2, wall,
                            d.cells(0.9)};
            d.rect(door, Fill::free);
            d.doors.push_back(door);
            ++d.rooms;
        }
    }
};

}  // namespace

FamilyInfo hospital_family() {
    return family_of<Hospital>("hospital", 720, 480, 0.1,
                               "wings of wards on a main corridor, baths, stations, gardens");
}

}  // namespace outrider
