#include <algorithm>

#include "maps/family.hpp"

namespace outrider {
namespace {

/// Open ground with clutter: boxes, blocks and round things at any angle, more in some places than in others.
struct Open {
    double free = 0.88, item_m = 1.6;
    void fields(Fields& f) {
        f("free", free, 0.4, 1, "share of the map that is free");
        f("item_m", item_m, 0.2, 20, "typical size of an item");
    }
    void draw(Drawing& d, Rng& rng) const {
        const int rim = d.cells(0.3);
        d.rect(d.frame().grown(-rim), Fill::free);
        const Noise crowd(rng, 14 / d.cell_m());
        const double half = item_m / d.cell_m() / 2;
        const auto& cells = d.walls().cells();
        const auto wanted = static_cast<std::ptrdiff_t>((1 - free) * static_cast<double>(cells.size()));
        for (int tries = 0; tries < 100'000; ++tries) {
            if (tries % 8 == 0 && std::count(cells.begin(), cells.end(), 1) >= wanted) break;
            const Point at{rng.uniform(0, d.width()), rng.uniform(0, d.height())};
            if (rng.uniform(-0.8, 0.8) > crowd.at(at)) continue;
            const double size = half * rng.uniform(0.5, 1.6), angle = rng.uniform(-pi, pi);
            switch (rng.below(4)) {
                case 0:
                    d.disc(at, size, Fill::wall);
                    break;
                case 1:
                    d.box(at, size * 2, std::max(1.0, size * 0.25), angle, Fill::wall);
                    break;
                case 2: {  // an L: two walls of a shed
                    const auto [s, c] = sin_cos(angle);
                    const double arm = size * 1.5, thick = std::max(1.0, size * 0.2);
                    d.box(at, arm, thick, angle, Fill::wall);
                    d.box(at + Point{c, s} * arm + Point{-s, c} * arm, thick, arm, angle, Fill::wall);
                    break;
                }
                default:
                    d.box(at, size, size * rng.uniform(0.5, 1), angle, Fill::wall);
            }
        }
    }
};

}  // namespace

FamilyInfo open_family() { return family_of<Open>("open", 700, 500, 0.1, "open ground with clutter"); }

}  // namespace outrider
