#include <algorithm>
#include <vector>

#include "maps/family.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

/// Equal rooms in rows and columns with doors in the middle of all inner walls: symmetric about both axes, so that no
/// direction is favoured. The seed chooses, symmetrically, which rooms have a pillar.
struct SymmetricGrid {
    int columns = 7, rows = 5;
    double wall_m = 0.3, door_m = 1.2, pillar_m = 1.2, pillars = 0.6;
    void fields(Fields& f) {
        f("columns", columns, 1, 200, "rooms from left to right");
        f("rows", rows, 1, 200, "rooms from bottom to top");
        f("wall_m", wall_m, 0.05, 10, "thickness of the walls");
        f("door_m", door_m, 0.3, 20, "width of the doors");
        f("pillar_m", pillar_m, 0, 20, "side of a pillar in the middle of a room");
        f("pillars", pillars, 0, 1, "share of the rooms that have a pillar; never the central one");
    }
    void draw(Drawing& d, Rng& rng) const {
        // The parity of all lengths makes both halves equal.
        const auto fit = [&](int length, int count, int& wall) {  // side of a room
            wall = d.cells(wall_m);
            int side = (length - (count + 1) * wall) / count;
            if ((length - count * side - (count - 1) * wall) % 2 != 0) count % 2 ? --side : ++wall;
            return side;
        };
        int wall_x = 0, wall_y = 0;
        const int w = fit(d.width(), columns, wall_x), h = fit(d.height(), rows, wall_y);
        if (w < d.cells(door_m) + 2 || h < d.cells(door_m) + 2)
            fail("{} x {} rooms with doors of {} m do not fit on a map of {} x {} cells", columns, rows, door_m,
                 d.width(), d.height());
        const int x0 = (d.width() - columns * w - (columns - 1) * wall_x) / 2,
                  y0 = (d.height() - rows * h - (rows - 1) * wall_y) / 2;
        const auto centred = [](int length, int room) { return length - (length + room) % 2; };
        const int door_w = centred(std::min(d.cells(door_m), w - 2), w),
                  door_h = centred(std::min(d.cells(door_m), h - 2), h);
        const int pillar_w = pillar_m > 0 ? centred(std::min(d.cells(pillar_m), w / 3), w) : 0,
                  pillar_h = pillar_m > 0 ? centred(std::min(d.cells(pillar_m), h / 3), h) : 0;
        const int half = (columns + 1) / 2;
        std::vector<std::uint8_t> has_pillar;  // of the rooms of a quarter
        for (int k = 0; k < half * ((rows + 1) / 2); ++k) has_pillar.push_back(chance(rng, pillars));
        for (int j = 0; j < rows; ++j)
            for (int i = 0; i < columns; ++i) {
                const Rect r{x0 + i * (w + wall_x), y0 + j * (h + wall_y), w, h};
                d.rect(r, Fill::free);
                ++d.rooms;
                const auto door = [&](const Rect& opening) {
                    d.rect(opening, Fill::free);
                    d.doors.push_back(opening);
                };
                if (i + 1 < columns) door({r.right(), r.y + (h - door_h) / 2, wall_x, door_h});
                if (j + 1 < rows) door({r.x + (w - door_w) / 2, r.top(), door_w, wall_y});
                const int quarter = std::min(j, rows - 1 - j) * half + std::min(i, columns - 1 - i);
                if ((2 * i + 1 == columns && 2 * j + 1 == rows) || !has_pillar[static_cast<std::size_t>(quarter)])
                    continue;
                d.rect({r.x + (w - pillar_w) / 2, r.y + (h - pillar_h) / 2, pillar_w, pillar_h}, Fill::wall);
            }
    }
};

}  // namespace

FamilyInfo grid_family() {
    return family_of<SymmetricGrid>("grid", 603, 435, 0.1, "equal rooms in rows and columns, symmetric to both axes");
}

}  // namespace outrider
