#include <algorithm>

#include "maps/family.hpp"

namespace outrider {
namespace {

/// Equal rooms in rows and columns with doors in the middle of all inner walls: symmetric to both axes, so that nothing
/// favours a direction.
struct SymmetricGrid {
    int columns = 7, rows = 5;
    double wall_m = 0.3, door_m = 1.2, pillar_m = 1;
    void fields(Fields& f) {
        f("columns", columns, 1, 200, "rooms from left to right");
        f("rows", rows, 1, 200, "rooms from bottom to top");
        f("wall_m", wall_m, 0.05, 10, "thickness of the walls");
        f("door_m", door_m, 0.3, 20, "width of the doors");
        f("pillar_m", pillar_m, 0, 20, "side of a pillar in the middle of each room but the central one; 0: none");
    }
    void draw(Drawing& d, Rng&) const {
        // All lengths have the parity that makes both halves equal.
        const int wall = d.cells(wall_m), w = (d.width() - (columns + 1) * wall) / columns,
                  h = (d.height() - (rows + 1) * wall) / rows;
        const int x0 = (d.width() - columns * w - (columns - 1) * wall) / 2,
                  y0 = (d.height() - rows * h - (rows - 1) * wall) / 2;
        const auto centred = [](int length, int room) { return length - (length + room) % 2; };
        const int door_w = centred(std::min(d.cells(door_m), w - 2), w),
                  door_h = centred(std::min(d.cells(door_m), h - 2), h);
        const int pillar_w = pillar_m > 0 ? centred(std::min(d.cells(pillar_m), w / 3), w) : 0,
                  pillar_h = pillar_m > 0 ? centred(std::min(d.cells(pillar_m), h / 3), h) : 0;
        for (int j = 0; j < rows; ++j)
            for (int i = 0; i < columns; ++i) {
                const Rect r{x0 + i * (w + wall), y0 + j * (h + wall), w, h};
                d.rect(r, Fill::free);
                ++d.rooms;
                const auto door = [&](const Rect& opening) {
                    d.rect(opening, Fill::free);
                    d.doors.push_back(opening);
                };
                if (i + 1 < columns) door({r.right(), r.y + (h - door_h) / 2, wall, door_h});
                if (j + 1 < rows) door({r.x + (w - door_w) / 2, r.top(), door_w, wall});
                if (2 * i + 1 == columns && 2 * j + 1 == rows) continue;
                d.rect({r.x + (w - pillar_w) / 2, r.y + (h - pillar_h) / 2, pillar_w, pillar_h}, Fill::wall);
            }
    }
};

}  // namespace

FamilyInfo grid_family() {
    return family_of<SymmetricGrid>("grid", 603, 435, 0.1, "equal rooms in rows and columns, symmetric to both axes");
}

}  // namespace outrider
