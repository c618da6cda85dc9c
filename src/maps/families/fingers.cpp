#include <algorithm>
#include <array>
#include <cmath>

#include "maps/family.hpp"

namespace outrider {
namespace {

/// A round hub from which dead ends run outwards, each to the edge of the map and with short side arms.
struct Fingers {
    int fingers = 9;
    double corridor_m = 2, hub_m = 6, arms = 2;
    void fields(Fields& f) {
        f("fingers", fingers, 1, 60, "dead ends");
        f("corridor_m", corridor_m, 0.5, 30, "width of a dead end");
        f("hub_m", hub_m, 1, 100, "radius of the hub");
        f("arms", arms, 0, 20, "side arms of a dead end, on average");
    }
    void draw(Drawing& d, Rng& rng) const {
        const Point centre{d.width() / 2.0, d.height() / 2.0};
        const double width = corridor_m / d.cell_m(), hub = hub_m / d.cell_m(), margin = width;
        const double phase = rng.uniform(0, 2 * pi);
        for (int i = 0; i < fingers; ++i) {
            const double angle = phase + 2 * pi * (i + rng.uniform(-0.12, 0.12)) / fingers;
            const auto [s, c] = sin_cos(wrap_angle(angle));
            // To the edge of the map, or a large part of the distance.
            const double to_x = (centre.x - margin) / std::max(1e-9, std::abs(c));
            const double to_y = (centre.y - margin) / std::max(1e-9, std::abs(s));
            const double length = std::min(to_x, to_y) * rng.uniform(0.8, 1);
            // Two bends: not a straight ray.
            const double bend = rng.uniform(-0.06, 0.06) * length;
            Point middle = centre + Point{c, s} * (0.55 * length) + Point{-s, c} * bend;
            middle = {std::clamp(middle.x, margin, d.width() - margin),
                      std::clamp(middle.y, margin, d.height() - margin)};
            const std::array<Point, 3> line{centre, middle, centre + Point{c, s} * length};
            d.stroke(line, width, Fill::free);
            for (int k = 0; k < static_cast<int>(arms) + chance(rng, arms - std::floor(arms)); ++k) {
                const double at = rng.uniform(0.5, 0.92) * length;
                const double spread = at * 2 * pi / fingers;  // to the neighbour
                const double reach = std::min(spread / 2 - width * 1.3, 6 / d.cell_m());
                if (reach < width) continue;
                const double side = chance(rng, 0.5) ? 1 : -1;
                const double off = bend * (length - at) / (0.45 * length);
                const Point root = centre + Point{c, s} * at + Point{-s, c} * off;
                Point end = root + Point{-s, c} * (side * reach);
                end = {std::clamp(end.x, margin, d.width() - margin), std::clamp(end.y, margin, d.height() - margin)};
                const std::array<Point, 2> arm{root, end};
                d.stroke(arm, width * 0.8, Fill::free);
            }
        }
        d.disc(centre, hub, Fill::free);
        d.start = {static_cast<int>(centre.x), static_cast<int>(centre.y)};
    }
};

}  // namespace

FamilyInfo fingers_family() {
    return family_of<Fingers>("fingers", 600, 600, 0.1, "a hub with dead ends in all directions");
}

}  // namespace outrider
