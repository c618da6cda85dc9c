#include "world/wall_field.hpp"

#include <algorithm>

#include "outrider/ray.hpp"

namespace outrider {
namespace {

using Row = std::uint8_t*;

std::uint8_t one_more(std::uint8_t d) { return static_cast<std::uint8_t>(d + (d < 255)); }

/// Lowers each cell of a row to one more than the least of its three neighbours in the row before.
void from_row(Row row, const std::uint8_t* before, int width) {
    for (int x = 1; x + 1 < width; ++x)
        row[x] = std::min(row[x], one_more(std::min({before[x - 1], before[x], before[x + 1]})));
}

void to_right(Row row, int width) {
    for (int x = 1; x < width; ++x) row[x] = std::min(row[x], one_more(row[x - 1]));
}
void to_left(Row row, int width) {
    for (int x = width - 2; x >= 0; --x) row[x] = std::min(row[x], one_more(row[x + 1]));
}

}  // namespace

/// Chebyshev distance transform in two passes (Rosenfeld & Pfaltz 1966), exact for this metric.
WallField::WallField(const Grid<std::uint8_t>& walls)
    : width_(walls.width() + 2), height_(walls.height() + 2), origin_(walls.origin() - Cell{1, 1}) {
    const auto w = static_cast<std::size_t>(width_), h = static_cast<std::size_t>(height_);
    distances_.assign(w * h + 3, 0);
    const auto row = [&](std::size_t y) { return distances_.data() + y * w; };
    for (std::size_t y = 1; y + 1 < h; ++y) {
        const std::uint8_t* from = walls.cells().data() + (y - 1) * (w - 2);
        for (std::size_t x = 1; x + 1 < w; ++x) row(y)[x] = from[x - 1] ? 0 : 255;
    }
    for (std::size_t y = 1; y < h; ++y) {
        from_row(row(y), row(y - 1), width_);
        to_right(row(y), width_);
    }
    for (std::size_t y = h - 1; y-- > 0;) {
        from_row(row(y), row(y + 1), width_);
        to_left(row(y), width_);
    }
}

int WallField::walls_between(Cell a, Cell b, int limit) const {
    if (b < a) std::swap(a, b);  // one direction, so that a link is symmetric
    if (a == b) return 0;
    // Around a cell that far from all walls there is none up to b.
    if (const int far = std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)); far < this->distance(a)) return 0;
    const Point from{a.x + 0.5, a.y + 0.5}, to{b.x + 0.5, b.y + 0.5};
    const Ray ray(from, (to - from) * (1 / outrider::distance(from, to)));
    const int last = ray.x_major ? std::abs(b.x - a.x) : std::abs(b.y - a.y);
    int runs = 0;
    bool inside = false;
    const auto visit = [&](int d) {
        runs += d == 0 && !inside;
        inside = d == 0;
    };
    for (int j = 0; j <= last && runs <= limit;) {
        const int in = ray.entry(j), d = this->distance(ray.cell(j, in));
        visit(d);
        if (d < 2) {
            // The line ends in the centre of b: in its column, nothing beyond b itself counts.
            if (const int out = ray.exit(j); out != in && (j < last || ray.cell(j, in) != b))
                visit(this->distance(ray.cell(j, out)));
            ++j;
        } else {
            j += d - 1;
        }
    }
    return runs;
}

}  // namespace outrider
