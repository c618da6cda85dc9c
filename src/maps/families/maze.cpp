#include <algorithm>
#include <vector>

#include "maps/family.hpp"

namespace outrider {
namespace {

/// A perfect maze (depth-first search), some of whose walls are then opened.
struct Maze {
    double corridor_m = 2, wall_m = 0.3, loops = 0.08;
    void fields(Fields& f) {
        f("corridor_m", corridor_m, 0.5, 50, "width of the paths");
        f("wall_m", wall_m, 0.05, 50, "thickness of the walls");
        f("loops", loops, 0, 1, "share of the inner walls that are opened afterwards; 0: exactly one way everywhere");
    }
    void draw(Drawing& d, Rng& rng) const {
        const int corridor = d.cells(corridor_m), wall = d.cells(wall_m), pitch = corridor + wall;
        const int nx = std::max(1, (d.width() - wall) / pitch), ny = std::max(1, (d.height() - wall) / pitch);
        const Cell low{(d.width() - nx * pitch - wall) / 2 + wall, (d.height() - ny * pitch - wall) / 2 + wall};
        const auto room = [&](Cell c) { return Rect{low.x + c.x * pitch, low.y + c.y * pitch, corridor, corridor}; };
        const auto open = [&](Cell a, Cell b) {
            const Rect p = room(a), q = room(b);
            const int x = std::min(p.x, q.x), y = std::min(p.y, q.y);
            d.rect({x, y, std::max(p.right(), q.right()) - x, std::max(p.top(), q.top()) - y}, Fill::free);
        };
        std::vector<std::uint8_t> seen(static_cast<std::size_t>(nx * ny));
        const auto at = [&](Cell c) -> std::uint8_t& { return seen[static_cast<std::size_t>(c.y * nx + c.x)]; };
        const auto inside = [&](Cell c) { return c.x >= 0 && c.y >= 0 && c.x < nx && c.y < ny; };
        std::vector<Cell> stack{{nx / 2, ny / 2}};
        at(stack[0]) = 1;
        d.rect(room(stack[0]), Fill::free);
        std::vector<Cell> directions{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        std::vector<std::uint8_t> open_right(seen.size()), open_up(seen.size());  // from a room to its neighbour
        const auto path_between = [&](Cell a, Cell b) -> std::uint8_t& {
            const Cell low_one = std::min(a, b);
            return (a.y == b.y ? open_right : open_up)[static_cast<std::size_t>(low_one.y * nx + low_one.x)];
        };
        while (!stack.empty()) {
            const Cell c = stack.back();
            shuffle(rng, directions);
            const auto next =
                std::find_if(directions.begin(), directions.end(), [&](Cell w) { return inside(c + w) && !at(c + w); });
            if (next == directions.end()) {
                stack.pop_back();
                continue;
            }
            const Cell n = c + *next;
            at(n) = 1;
            open(c, n);
            path_between(c, n) = 1;
            stack.push_back(n);
        }
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x)
                for (const Cell w : {Cell{1, 0}, Cell{0, 1}}) {
                    const Cell a{x, y}, b = a + w;
                    if (inside(b) && !path_between(a, b) && chance(rng, loops)) open(a, b);
                }
        d.start = room({nx / 2, ny / 2}).centre();
    }
};

}  // namespace

FamilyInfo maze_family() { return family_of<Maze>("maze", 500, 400, 0.1, "a maze, with loops or without"); }

}  // namespace outrider
