#include <array>
#include <cmath>
#include <vector>

#include "maps/family.hpp"

namespace outrider {
namespace {

/// A long corridor that closes on itself, with niches, and shortcuts across.
struct Loop {
    double corridor_m = 2.4, niches = 0.6;
    int shortcuts = 1;
    void fields(Fields& f) {
        f("corridor_m", corridor_m, 0.5, 30, "width of the corridor");
        f("niches", niches, 0, 1, "share of the places for niches, one every six metres, that have one");
        f("shortcuts", shortcuts, 0, 10, "paths across the loop");
    }
    void draw(Drawing& d, Rng& rng) const {
        const Point centre{d.width() / 2.0, d.height() / 2.0};
        const double width = corridor_m / d.cell_m(), niche = 1.6 / d.cell_m();
        const double rx = centre.x - width - niche, ry = centre.y - width - niche;
        // An oval with waves.
        const double phase = rng.uniform(0, 2 * pi), phase2 = rng.uniform(0, 2 * pi);
        const double wave = rng.uniform(0.12, 0.18), wave2 = rng.uniform(0.03, 0.06);
        const auto at = [&](double angle) {
            const double r = 1 - wave * (1 - sin_cos(wrap_angle(5 * angle + phase)).sin) -
                             wave2 * (1 - sin_cos(wrap_angle(9 * angle + phase2)).sin);
            const auto [s, c] = sin_cos(wrap_angle(angle));
            // Squarer than an ellipse, so that the corners of the map are used.
            const double square = 1 / std::sqrt(std::sqrt(c * c * c * c + s * s * s * s)) * 0.97;
            return Point{centre.x + rx * r * c * square, centre.y + ry * r * s * square};
        };
        constexpr int parts = 240;
        std::vector<Point> line;
        for (int i = 0; i <= parts; ++i) line.push_back(at(2 * pi * i / parts));
        for (int k = 0; k < shortcuts; ++k) {
            const double angle = rng.uniform(0, 2 * pi), other = angle + pi * rng.uniform(0.8, 1.2);
            const Point a = at(angle), b = at(other);
            const Point middle = (a + b) * 0.5 + Point{rng.uniform(-0.15, 0.15) * rx, rng.uniform(-0.15, 0.15) * ry};
            const std::array<Point, 3> across{a, middle, b};
            d.stroke(across, width * 0.8, Fill::free);
        }
        d.stroke(line, width, Fill::free);
        double length = 0;
        for (int i = 1; i <= parts; ++i) {
            const Point a = line[static_cast<std::size_t>(i - 1)], b = line[static_cast<std::size_t>(i)];
            length += distance(a, b) * d.cell_m();
            if (length < 6) continue;
            length = 0;
            if (!chance(rng, niches)) continue;
            const Point along = (b - a) * (1 / distance(a, b));
            const double side = chance(rng, 0.5) ? 1 : -1;
            const Point out = b + Point{-along.y, along.x} * (side * (width / 2 + niche * 0.7));
            d.box(out, niche * rng.uniform(0.5, 0.9), niche, bearing(a, b), Fill::free);
        }
        d.start = {static_cast<int>(line[0].x), static_cast<int>(line[0].y)};
    }
};

}  // namespace

FamilyInfo loop_family() {
    return family_of<Loop>("loop", 640, 440, 0.1, "a long corridor that closes on itself, with niches");
}

}  // namespace outrider
