#include <algorithm>
#include <cmath>
#include <vector>

#include "maps/family.hpp"

namespace outrider {
namespace {

/// Trees that keep their distance from each other, thickets and clearings, and a path.
struct Forest {
    double free = 0.88, trunk_m = 0.4, spacing_m = 1.4;
    void fields(Fields& f) {
        f("free", free, 0.5, 1, "share of the map that is free");
        f("trunk_m", trunk_m, 0.05, 5, "typical radius of a trunk");
        f("spacing_m", spacing_m, 0.5, 20, "least distance between the edges of two trees in a clearing");
    }
    void draw(Drawing& d, Rng& rng) const {
        d.rect(d.frame().grown(-d.cells(0.2)), Fill::free);
        const double unit = 1 / d.cell_m();
        const Noise density(rng, 13 * unit);
        // A path winds from left to right.
        std::vector<Point> path;
        const Noise wind(rng, d.width() / 3.5);
        for (int x = 0; x <= d.width(); x += 8)
            path.push_back(
                {static_cast<double>(x), d.height() * (0.5 + 0.28 * wind.at({static_cast<double>(x), 7.0}))});
        const auto on_path = [&](Point p) {
            const auto k = static_cast<std::size_t>(std::clamp(p.x / 8, 0.0, static_cast<double>(path.size() - 1)));
            return std::abs(p.y - path[k].y) < 1.6 * unit;
        };
        struct Tree {
            Point at;
            double radius;
        };
        // Trees in buckets, so that only near ones are checked.
        const double bucket = 6 * unit;
        const int nx = static_cast<int>(d.width() / bucket) + 1, ny = static_cast<int>(d.height() / bucket) + 1;
        std::vector<std::vector<Tree>> buckets(static_cast<std::size_t>(nx * ny));
        const auto of = [&](int x, int y) -> std::vector<Tree>& {
            return buckets[static_cast<std::size_t>(y * nx + x)];
        };
        const double goal = (1 - free) * d.width() * d.height();
        double covered = 0;
        for (int tries = 0; tries < 150'000 && covered < goal; ++tries) {
            const Point at{rng.uniform(0, d.width()), rng.uniform(0, d.height())};
            const double thick = density.at(at);  // -1 clearing ... 1 thicket
            const double radius = trunk_m * unit * rng.uniform(0.5, 1.5) * (thick > 0.35 && chance(rng, 0.3) ? 2.2 : 1);
            if (on_path(at) || thick < -0.45) continue;
            const double gap = spacing_m * unit * std::clamp(1.2 - 1.6 * thick, 0.55, 2.0);
            bool crowded = false;
            const int bx = static_cast<int>(at.x / bucket), by = static_cast<int>(at.y / bucket);
            for (int y = std::max(0, by - 1); y <= std::min(ny - 1, by + 1); ++y)
                for (int x = std::max(0, bx - 1); x <= std::min(nx - 1, bx + 1); ++x)
                    for (const Tree& t : of(x, y)) crowded = crowded || distance(t.at, at) < t.radius + radius + gap;
            if (crowded) continue;
            of(bx, by).push_back({at, radius});
            covered += pi * radius * radius;
            d.disc(at, radius, Fill::wall);
            if (radius > 1.2 * trunk_m * unit)  // an uneven trunk, or a bush
                d.disc(at + Point{rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6)} * radius, radius * 0.7, Fill::wall);
        }
        d.start = {static_cast<int>(path[path.size() / 2].x), static_cast<int>(path[path.size() / 2].y)};
    }
};

}  // namespace

FamilyInfo forest_family() {
    return family_of<Forest>("forest", 600, 450, 0.1, "trees, thickets and clearings, and a path");
}

}  // namespace outrider
