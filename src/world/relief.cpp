#include "world/relief.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {

Relief::Relief(const Grid<std::uint16_t>& levels, double top_m)
    : height_m_(levels.width(), levels.height(), 0, levels.lattice(), levels.origin()) {
    for (std::size_t i = 0; i < levels.cells().size(); ++i)
        height_m_.cells()[i] = static_cast<float>(levels.cells()[i] * (top_m / 65535));
}

double Relief::at(Cell c) const {
    const Cell low = height_m_.origin();
    return static_cast<double>(height_m_[{std::clamp(c.x, low.x, low.x + height_m_.width() - 1),
                                          std::clamp(c.y, low.y, low.y + height_m_.height() - 1)}]);
}

double Relief::at(Point p) const {
    const Point q = lattice().to_cells(p) - Point{0.5, 0.5};
    const Cell c{static_cast<int>(std::floor(q.x)), static_cast<int>(std::floor(q.y))};
    const double u = q.x - c.x, v = q.y - c.y;
    return (1 - v) * ((1 - u) * at(c) + u * at(c + Cell{1, 0})) +
           v * ((1 - u) * at(c + Cell{0, 1}) + u * at(c + Cell{1, 1}));
}

Point Relief::gradient(Point p, double radius_m) const {
    constexpr double least_m = 0.15;
    const double r = std::max({least_m, radius_m, lattice().cell_m});
    return {(at(p + Point{r, 0}) - at(p - Point{r, 0})) / (2 * r),
            (at(p + Point{0, r}) - at(p - Point{0, r})) / (2 * r)};
}

}  // namespace outrider
