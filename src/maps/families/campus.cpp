#include <algorithm>

#include "maps/building.hpp"
#include "maps/family.hpp"

namespace outrider {
namespace {

/// Buildings with rooms that can be entered, streets between them, lawns with trees.
struct Campus {
    BuildingOptions building;
    double block_m = 46, street_m = 7, trees = 0.6, open_houses = 0.8;
    Campus() {
        building.wall_m = 0.3;
        building.furniture = 0.4;
        building.loops = 0.1;
    }
    void fields(Fields& f) {
        building.fields(f);
        f("block_m", block_m, 15, 300, "typical side of a block between streets");
        f("street_m", street_m, 3, 50, "width of the streets");
        f("trees", trees, 0, 1, "how many of the places for trees, along streets and on lawns, have one");
        f("open_houses", open_houses, 0, 1, "share of the buildings that can be entered");
    }
    void draw(Drawing& d, Rng& rng) const {
        const int street = d.cells(street_m);
        const Rect in = d.frame().grown(-d.cells(0.3));
        d.rect(in, Fill::free);
        const std::vector<Rect> blocks = halve(rng, in.grown(-street / 2), d.cells(block_m), street);
        std::size_t middle = 0;
        const auto off = [&](const Rect& r) { return squared_distance(r.centre(), d.frame().centre()); };
        for (std::size_t i = 1; i < blocks.size(); ++i)
            if (off(blocks[i]) < off(blocks[middle])) middle = i;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const Rect& block = blocks[i];
            avenue(d, rng, block);
            if (i == middle || chance(rng, 0.1)) {
                lawn(d, rng, block.grown(-d.cells(4)));
                if (i == middle) d.start = block.centre();
                continue;
            }
            const int yard = d.cells(rng.uniform(2.5, 4));
            const Rect lot = block.grown(-yard);
            if (lot.w < d.cells(10) || lot.h < d.cells(10)) {
                lawn(d, rng, lot);
                continue;
            }
            house(d, rng, lot);
        }
    }

  private:
    /// Trees along the streets around a block.
    void avenue(Drawing& d, Rng& rng, const Rect& r) const {
        const int step = d.cells(7);
        for (int x = r.x + step / 2; x < r.right(); x += step)
            for (const int y : {r.y, r.top()})
                if (chance(rng, trees * 0.7))
                    d.disc({x + 0.5, y + 0.5}, rng.uniform(0.25, 0.5) / d.cell_m(), Fill::wall);
        for (int y = r.y + step / 2; y < r.top(); y += step)
            for (const int x : {r.x, r.right()})
                if (chance(rng, trees * 0.7))
                    d.disc({x + 0.5, y + 0.5}, rng.uniform(0.25, 0.5) / d.cell_m(), Fill::wall);
    }
    void lawn(Drawing& d, Rng& rng, const Rect& r) const {
        if (r.w <= 0 || r.h <= 0) return;
        const int count = static_cast<int>(trees * r.w * r.h * d.cell_m() * d.cell_m() / 60);
        for (int i = 0; i < count; ++i)
            d.disc({rng.uniform(r.x, r.right()), rng.uniform(r.y, r.top())}, rng.uniform(0.3, 1.1) / d.cell_m(),
                   Fill::wall);
    }
    /// A bar, an L or a block around a court; solid, or with a corridor and rooms.
    void house(Drawing& d, Rng& rng, const Rect& lot) const {
        const int depth = std::min({d.cells(rng.uniform(10.5, 13)), lot.w / 2, lot.h / 2});
        const std::uint32_t kind = rng.below(4);
        std::vector<Rect> wings;
        if (lot.w < depth * 5 / 2 || lot.h < depth * 5 / 2) {
            wings.push_back(lot.w > lot.h ? Rect{lot.x, lot.y, lot.w, std::max(depth, lot.h * 2 / 3)}
                                          : Rect{lot.x, lot.y, std::max(depth, lot.w * 2 / 3), lot.h});
        } else if (kind == 0) {  // two bars with a yard between them
            wings.push_back({lot.x, lot.y, lot.w, depth});
            wings.push_back({lot.x, lot.top() - depth, lot.w * between(rng, 60, 100) / 100, depth});
        } else if (kind == 1) {  // L
            wings.push_back({lot.x, lot.y, lot.w, depth});
            wings.push_back({lot.x, lot.y + depth, depth, lot.h - depth});
        } else {  // U, or around a court with a gate
            wings.push_back({lot.x, lot.y, lot.w, depth});
            wings.push_back({lot.x, lot.y + depth, depth, lot.h - depth});
            wings.push_back({lot.right() - depth, lot.y + depth, depth, lot.h - depth});
            if (kind == 3) wings.push_back({lot.x + depth, lot.top() - depth, (lot.w - 2 * depth) * 2 / 3, depth});
        }
        const bool open = chance(rng, open_houses);
        for (const Rect& wing : wings) d.rect(wing, Fill::wall);
        if (!open) return;
        for (const Rect& wing : wings) interior(d, rng, wing);
    }
    /// A corridor along the wing with rooms on both sides, and a door to the outside at each end.
    void interior(Drawing& d, Rng& rng, const Rect& wing) const {
        Building b(d, building, rng);
        const int wall = b.wall(), corridor = b.corridor();
        const bool lying = wing.w >= wing.h;
        const Rect in = wing.grown(-wall);
        const int side = ((lying ? in.h : in.w) - corridor) / 2 - wall, length = lying ? in.w : in.h;
        if (side < d.cells(2.5)) return;
        const auto place = [&](int along, int across, int l, int w) {
            return lying ? Rect{in.x + along, in.y + across, l, w} : Rect{in.x + across, in.y + along, w, l};
        };
        b.add(place(0, side + wall, length, corridor), Use::corridor);
        for (const int across : {0, side + 2 * wall + corridor}) {
            int at = 0;
            for (const int l : split(rng, length, d.cells(7), wall)) {
                b.add(place(at, across, l, side), chance(rng, 0.3) ? Use::classroom : Use::office);
                at += l + wall;
            }
        }
        b.connect();
        b.furnish();
        const int door = std::min(b.door() * 3 / 2, corridor), middle = side + wall + (corridor - door) / 2;
        for (const int along : {-2 * wall, length - wall}) d.rect(place(along, middle, 3 * wall, door), Fill::free);
    }
};

}  // namespace

FamilyInfo campus_family() {
    return family_of<Campus>("campus", 2048, 2048, 0.1, "buildings with rooms, streets, lawns with trees");
}

}  // namespace outrider
