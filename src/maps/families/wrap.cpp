#include <algorithm>

#include "maps/family.hpp"

namespace outrider {
namespace {

/// Long paths that return beside themselves behind a thin wall: radio passes the wall where driving takes long.
struct Wrap {
    double lane_m = 5, wall_m = 0.2, door_m = 3;
    bool spiral = false;
    int cuts = 0;
    void fields(Fields& f) {
        f("lane_m", lane_m, 0.8, 50, "typical width of a lane");
        f("wall_m", wall_m, 0.05, 5, "thickness of the walls between lanes");
        f("door_m", door_m, 0.5, 50, "width of the openings at the ends of the lanes");
        f("spiral", spiral, "lanes wind inwards instead of to and fro");
        f("cuts", cuts, 0, 50, "openings in the middle of walls, which make loops");
    }
    void draw(Drawing& d, Rng& rng) const {
        const int wall = d.cells(wall_m), lane = d.cells(lane_m), door = d.cells(door_m), rim = d.cells(0.3);
        const Rect in = d.frame().grown(-rim);
        d.rect(in, Fill::free);
        if (spiral)
            draw_spiral(d, rng, in, lane, wall);
        else
            draw_lanes(d, rng, in, lane, wall, door);
    }

  private:
    void draw_lanes(Drawing& d, Rng& rng, const Rect& in, int lane, int wall, int door) const {
        std::vector<Rect> walls;
        int y = in.y;
        bool right = chance(rng, 0.5);
        for (const int h : split(rng, in.h, lane, wall)) {
            y += h;
            if (y >= in.top()) break;
            walls.push_back({right ? in.x : in.x + door, y, in.w - door, wall});
            right = !right;
            y += wall;
        }
        for (const Rect& w : walls) d.rect(w, Fill::wall);
        // Short walls inside of the lanes, so that they are not straight runs.
        for (std::size_t k = 0; k + 1 < walls.size(); ++k) {
            const int low = walls[k].top(), high = walls[k + 1].y, depth = (high - low) * 2 / 5;
            for (int x = in.x + 2 * door + between(rng, 0, door); x < in.right() - 2 * door;
                 x += between(rng, 3, 6) * door)
                d.rect(chance(rng, 0.5) ? Rect{x, low, wall, depth} : Rect{x, high - depth, wall, depth}, Fill::wall);
        }
        for (int k = 0; k < cuts && !walls.empty(); ++k) {
            const Rect& w = walls[rng.below(static_cast<std::uint32_t>(walls.size()))];
            d.rect({between(rng, w.x + w.w / 4, w.x + w.w * 3 / 4 - door), w.y, door, wall}, Fill::free);
        }
        d.start = {in.centre().x, in.y + (walls.empty() ? in.h : walls[0].y - in.y) / 2};
    }

    void draw_spiral(Drawing& d, Rng& rng, const Rect& in, int lane, int wall) const {
        // Walls of a spiral from the lower left corner inwards: right, up, left, down, each a lane further in.
        Rect r{in.x, in.y, in.w, in.h};
        std::vector<Rect> walls;
        const int pitch = lane + wall;
        int x = r.x, y = r.y + lane, right = r.right() - lane, top = r.top() - lane, left = r.x + pitch - wall;
        while (right - left > lane && top - y > lane) {
            walls.push_back({x, y, right - x, wall});
            walls.push_back({right - wall, y, wall, top - y});
            walls.push_back({left, top - wall, right - left, wall});
            walls.push_back({left, y + pitch, wall, top - y - pitch});
            x = left;
            y += pitch;
            right -= pitch;
            top -= pitch;
            left += pitch;
        }
        for (const Rect& w : walls) d.rect(w, Fill::wall);
        for (int k = 0; k < cuts && !walls.empty(); ++k) {
            const Rect& w = walls[rng.below(static_cast<std::uint32_t>(walls.size()))];
            const int door = std::min({d.cells(door_m), std::max(w.w, w.h) - 2});
            if (w.w > w.h)
                d.rect({between(rng, w.x, w.right() - door), w.y, door, wall}, Fill::free);
            else
                d.rect({w.x, between(rng, w.y, w.top() - door), wall, door}, Fill::free);
        }
        d.start = {in.x + lane / 2, in.y + lane / 2};
    }
};

}  // namespace

FamilyInfo wrap_family() {
    return family_of<Wrap>("wrap", 600, 420, 0.1, "thin walls between long paths, for rendezvous through obstacles");
}

}  // namespace outrider
