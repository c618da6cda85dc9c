#include <algorithm>
#include <cmath>
#include <vector>

#include "maps/family.hpp"

namespace outrider {
namespace {

/// Halls and tunnels with smooth walls: free where a smooth noise is below the threshold that gives the desired share
/// of free space.
struct Cave {
    double free = 0.42, size_m = 7;
    void fields(Fields& f) {
        f("free", free, 0.1, 0.9, "share of the map that is free");
        f("size_m", size_m, 2, 100, "typical size of the halls");
    }
    void draw(Drawing& d, Rng& rng) const {
        const double period = size_m / d.cell_m();
        const Noise coarse(rng, period), fine(rng, period * 0.42), bend(rng, period * 1.3);
        std::vector<double> height(d.walls().cells().size());
        const int rim = std::max(2, d.cells(0.5));
        for (std::size_t i = 0; i < height.size(); ++i) {
            const Cell c = d.walls().cell(i);
            const Point p{c.x + 0.5, c.y + 0.5};
            // Tunnels follow the lines where `bend` is zero; halls are the hollows of `coarse`.
            const double tunnel = std::abs(bend.at(p)) * 4.5 - 0.75;
            height[i] = std::min(coarse.at(p) + 0.35 * fine.at(p), tunnel + 0.25 * fine.at(p));
            const int edge = std::min({c.x, c.y, d.width() - 1 - c.x, d.height() - 1 - c.y});
            // The noise rises towards the edge, at some places later than at others.
            const double soft = d.cells(5) * (1 + 0.7 * fine.at(p)), inside = edge - rim;
            if (inside < soft) height[i] += 1.6 * (1 - inside / soft);
        }
        std::vector<double> sorted = height;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(free * static_cast<double>(sorted.size()));
        std::nth_element(sorted.begin(), middle, sorted.end());
        for (std::size_t i = 0; i < height.size(); ++i)
            if (height[i] < *middle) d.set(d.walls().cell(i), Fill::free);
    }
};

}  // namespace

FamilyInfo cave_family() {
    return family_of<Cave>("cave", 600, 450, 0.1, "halls and winding tunnels with smooth walls");
}

}  // namespace outrider
