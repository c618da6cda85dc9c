#include <algorithm>

#include "maps/building.hpp"
#include "maps/family.hpp"

namespace outrider {
namespace {

/// A floor of parallel corridors with rooms on both sides, cross corridors between them, halls and meeting rooms in the
/// core, and a lobby at the front.
struct Office {
    BuildingOptions building;
    double room_m = 4.5, depth_m = 5.2;
    int cross_corridors = 2;
    double open_plan = 0.25;
    void fields(Fields& f) {
        building.fields(f);
        f("room_m", room_m, 2, 50, "typical width of an office");
        f("depth_m", depth_m, 2, 50, "typical depth of an office");
        f("cross_corridors", cross_corridors, 1, 50,
          "corridors across the others, one more or less between any two; two or more make loops");
        f("open_plan", open_plan, 0, 1, "share of the inner blocks that are one open-plan office");
    }

    void draw(Drawing& d, Rng& rng) const {
        Building b(d, building, rng);
        const int wall = b.wall(), corridor = b.corridor(), room = d.cells(room_m), depth = d.cells(depth_m);
        const Rect inner = d.frame().grown(-wall);
        // Bands from bottom to top: rooms, corridor, rooms, wall, rooms, corridor, rooms.
        const int band = 2 * depth + corridor + 3 * wall;
        const int bands = std::max(1, (inner.h + band / 2) / band);
        std::vector<int> corridor_y;
        for (int k = 0; k < bands; ++k)
            corridor_y.push_back(inner.y + (2 * k + 1) * inner.h / (2 * bands) - corridor / 2 + between(rng, -4, 4));
        for (const int y : corridor_y) b.add({inner.x, y, inner.w, corridor}, Use::corridor);

        const auto offices = [&](const Rect& area) {
            int at = area.x;
            for (const int w : split(rng, area.w, room, wall)) {
                b.add({at, area.y, w, area.h}, w > room * 5 / 4 || chance(rng, 0.15) ? Use::meeting : Use::office);
                at += w + wall;
            }
        };
        // Along the facades, and the lobby, open to the corridor on its whole width.
        const int bottom = corridor_y.front() - wall - inner.y, top_y = corridor_y.back() + corridor + wall;
        const int width = std::min(inner.w / 3, d.cells(12));
        const int left = inner.x + inner.w * between(rng, 25, 75) / 100 - width / 2;
        b.add({left, inner.y, width, bottom + wall}, Use::corridor);
        d.start = {left + width / 2, inner.y + bottom / 2};
        offices({inner.x, inner.y, left - wall - inner.x, bottom});
        offices({left + width + wall, inner.y, inner.right() - left - width - wall, bottom});
        offices({inner.x, top_y, inner.w, inner.top() - top_y});

        // Between two corridors: blocks, with cross corridors at uneven places.
        for (std::size_t i = 0; i + 1 < corridor_y.size(); ++i) {
            const int y0 = corridor_y[i] + corridor + wall, h = corridor_y[i + 1] - wall - y0;
            const int cuts = between(rng, std::max(1, cross_corridors - 1), cross_corridors + 1);
            int x0 = inner.x;
            const std::vector<int> widths = split(rng, inner.w, inner.w / (cuts + 1), corridor + 2 * wall);
            for (std::size_t k = 0; k < widths.size(); ++k) {
                const bool first = k == 0, last = k + 1 == widths.size();
                if (!first) b.add({x0 - wall - corridor, y0 - wall, corridor, h + 2 * wall}, Use::corridor);
                const Rect block{x0, y0, widths[k], h};
                if (chance(rng, open_plan)) {
                    b.add(block, Use::open_plan);
                } else if (!first && !last && chance(rng, 0.4)) {  // rooms of the whole depth
                    int at = x0;
                    for (const int piece : split(rng, block.w, room * 3 / 2, wall)) {
                        b.add({at, y0, piece, h}, chance(rng, 0.3) ? Use::store : Use::meeting);
                        at += piece + wall;
                    }
                } else {  // two rows, back to back
                    const int lower = (h - wall) / 2 + between(rng, -h / 12, h / 12);
                    offices({x0, y0, block.w, lower});
                    offices({x0, y0 + lower + wall, block.w, h - lower - wall});
                }
                x0 += widths[k] + corridor + 2 * wall;
            }
        }
        b.connect();
        b.furnish();
    }
};

}  // namespace

FamilyInfo office_family() {
    return family_of<Office>("office", 600, 400, 0.1,
                             "corridors with offices, meeting rooms, open-plan halls, a lobby");
}

}  // namespace outrider
