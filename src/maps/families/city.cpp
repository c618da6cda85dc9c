#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "maps/building.hpp"
#include "maps/family.hpp"

namespace outrider {
namespace {

/// A town as a street robot sees it: blocks of houses with yards and passages, squares, parks, and a river with
/// bridges.
struct City {
    double block_m = 55, street_m = 10, parks = 0.1, river_m = 18;
    int bridges = 4;
    void fields(Fields& f) {
        f("block_m", block_m, 20, 400, "typical side of a block");
        f("street_m", street_m, 3, 60, "width of the streets");
        f("parks", parks, 0, 1, "share of the blocks that are parks or squares");
        f("river_m", river_m, 0, 200, "width of the river; 0: none");
        f("bridges", bridges, 1, 50, "bridges over the river");
    }
    void draw(Drawing& d, Rng& rng) const {
        const int street = d.cells(street_m);
        const Rect in = d.frame().grown(-d.cells(0.5));
        d.rect(in, Fill::free);
        // Avenues first: blocks of blocks.
        std::vector<Rect> blocks;
        for (const Rect& quarter : halve(rng, in.grown(-street), d.cells(block_m) * 4, street * 3 / 2))
            for (const Rect& block : halve(rng, quarter, d.cells(block_m), street)) blocks.push_back(block);
        for (const Rect& block : blocks) {
            if (chance(rng, parks))
                park(d, rng, block);
            else
                houses(d, rng, block);
        }
        if (river_m > 0) river(d, rng);
    }

  private:
    void park(Drawing& d, Rng& rng, const Rect& r) const {
        const int count = static_cast<int>(r.w * r.h * d.cell_m() * d.cell_m() / 90);
        for (int i = 0; i < count; ++i)
            d.disc({rng.uniform(r.x + 5, r.right() - 5), rng.uniform(r.y + 5, r.top() - 5)},
                   rng.uniform(0.4, 1.4) / d.cell_m(), Fill::wall);
        if (chance(rng, 0.5)) d.disc({r.centre().x + 0.5, r.centre().y + 0.5}, std::min(r.w, r.h) / 8.0, Fill::wall);
    }
    /// Houses side by side around a yard; some lots are empty, which opens the yard, and sheds stand in it.
    void houses(Drawing& d, Rng& rng, const Rect& r) const {
        const int depth = std::min(d.cells(rng.uniform(10, 14)), std::min(r.w, r.h) / 3), lot = d.cells(14);
        bool gate = false;
        const auto row = [&](const Rect& side, bool lying) {
            int at = lying ? side.x : side.y;
            const std::vector<int> lots = split(rng, lying ? side.w : side.h, lot, 0);
            for (std::size_t i = 0; i < lots.size(); ++i) {
                const int back = between(rng, 0, depth / 4);
                const bool empty = (i > 0 && i + 1 < lots.size() && chance(rng, 0.12));
                gate = gate || empty;
                if (!empty) {
                    const bool low = lying ? side.y == r.y : side.x == r.x;  // set back from the yard, not the street
                    d.rect(lying ? Rect{at, side.y + (low ? 0 : back), lots[i], side.h - back}
                                 : Rect{side.x + (low ? 0 : back), at, side.w - back, lots[i]},
                           Fill::wall);
                }
                at += lots[i];
            }
        };
        row({r.x, r.y, r.w, depth}, true);
        row({r.x, r.top() - depth, r.w, depth}, true);
        row({r.x, r.y + depth, depth, r.h - 2 * depth}, false);
        row({r.right() - depth, r.y + depth, depth, r.h - 2 * depth}, false);
        const Rect yard{r.x + depth, r.y + depth, r.w - 2 * depth, r.h - 2 * depth};
        if (yard.w < d.cells(8) || yard.h < d.cells(8)) {  // too small for a yard: one house
            d.rect(r, Fill::wall);
            return;
        }
        if (!gate) {  // a passage through a house
            const int width = d.cells(3.5), x = between(rng, yard.x, yard.right() - width);
            d.rect({x, r.y, width, depth}, Fill::free);
        }
        for (int i = between(rng, 0, 3); i > 0; --i) {
            const int w = d.cells(rng.uniform(3, 6)), h = d.cells(rng.uniform(3, 6));
            if (w + 4 < yard.w && h + 4 < yard.h)
                d.rect({between(rng, yard.x + 2, yard.right() - w - 2), between(rng, yard.y + 2, yard.top() - h - 2), w,
                        h},
                       Fill::wall);
        }
    }
    /// Across the town from the lower to the upper edge: quays on both sides, bridges at even distances.
    void river(Drawing& d, Rng& rng) const {
        const double width = river_m / d.cell_m(), quay = street_m / d.cell_m();
        const Noise wind(rng, d.height() / 2.6);
        const double at = rng.uniform(0.3, 0.7), swing = 0.13;
        std::vector<Point> line;
        for (int k = 0; k <= 60; ++k) {
            const double y = d.height() * k / 60.0;
            line.push_back({d.width() * (at + swing * wind.at({11.0, y})), y});
        }
        d.stroke(line, width + 2 * quay, Fill::free);
        d.stroke(line, width, Fill::wall);
        for (int k = 0; k < bridges; ++k) {
            const auto i = static_cast<std::size_t>(std::lround((k + 0.5) * 60 / bridges));
            const Point p = line[std::min<std::size_t>(i, 59)], q = line[std::min<std::size_t>(i, 59) + 1];
            const Point along = (q - p) * (1 / distance(p, q)), across{along.y, -along.x};
            const std::array<Point, 2> bridge{p - across * (width * 0.8), p + across * (width * 0.8)};
            d.stroke(bridge, quay * 0.9, Fill::free);
        }
    }
};

}  // namespace

FamilyInfo city_family() {
    return family_of<City>("city", 4096, 4096, 0.1,
                           "blocks of houses with yards, squares, parks, a river with bridges");
}

}  // namespace outrider
