#include "world/wall_field.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/wide.hpp"
#include "outrider/ray.hpp"

namespace outrider {
namespace {

/// Lowers each cell of a row to one more than the least of its three neighbours in the row before, then to the distance
/// along the row from each other cell. In steps of 1, 2, 4, ... cells, until a step lowers nothing: works on
/// whole registers instead of single cells.
OUTRIDER_WIDE void lower_row(std::uint8_t* row, const std::uint8_t* before, std::uint8_t* scratch, int width) {
    const auto more = [](std::uint8_t d, int by) { return static_cast<std::uint8_t>(d < 255 - by ? d + by : 255); };
    for (int x = 1; x + 1 < width; ++x) {
        const std::uint8_t least = std::min(std::min(before[x - 1], before[x]), before[x + 1]);
        row[x] = std::min(row[x], more(least, 1));
    }
    for (int by = 1; by <= 128 && by < width; by *= 2) {
        unsigned lowered = 0;
        std::memcpy(scratch, row, static_cast<std::size_t>(width));
        for (int x = by; x < width - by; ++x) {
            const std::uint8_t least = std::min(scratch[x - by], scratch[x + by]);
            const std::uint8_t now = std::min(scratch[x], more(least, by));
            lowered |= static_cast<unsigned>(now ^ scratch[x]);
            row[x] = now;
        }
        const auto at_end = [&](int x, int other) {
            const std::uint8_t now = std::min(row[x], more(scratch[other], by));
            lowered |= static_cast<unsigned>(now ^ row[x]);
            row[x] = now;
        };
        for (int x = 0; x < by; ++x) {
            if (x + by < width) at_end(x, x + by);
            if (const int from_end = width - 1 - x; from_end >= by) at_end(from_end, from_end - by);
        }
        if (!lowered) break;
    }
}

}  // namespace

/// Chebyshev distance transform in two passes (Rosenfeld & Pfaltz 1966), exact for this metric.
WallField::WallField(const Grid<std::uint8_t>& walls, Cell origin)
    : width_(walls.width() + 2), height_(walls.height() + 2), origin_(origin - Cell{1, 1}) {
    const auto w = static_cast<std::size_t>(width_), h = static_cast<std::size_t>(height_);
    distances_.assign(w * h + 3, 0);
    const auto row = [&](std::size_t y) { return distances_.data() + y * w; };
    for (std::size_t y = 1; y + 1 < h; ++y) {
        const std::uint8_t* from = walls.cells().data() + (y - 1) * (w - 2);
        for (std::size_t x = 1; x + 1 < w; ++x) row(y)[x] = from[x - 1] ? 0 : 255;
    }
    std::vector<std::uint8_t> scratch(w);
    for (std::size_t y = 1; y < h; ++y) lower_row(row(y), row(y - 1), scratch.data(), width_);
    for (std::size_t y = h - 1; y-- > 0;) lower_row(row(y), row(y + 1), scratch.data(), width_);
}

Grid<std::uint8_t> WallField::walls(const Lattice& lattice) const {
    Grid<std::uint8_t> out(width_ - 2, height_ - 2, 0, lattice, origin_ + Cell{1, 1});
    std::uint8_t* to = out.cells().data();
    for (int y = 1; y + 1 < height_; ++y) {
        const std::uint8_t* row = distances_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
        to = std::transform(row + 1, row + width_ - 1, to, [](std::uint8_t d) -> std::uint8_t { return d == 0; });
    }
    return out;
}

void WallField::set(std::span<const Cell> cells, bool wall) {
    if (cells.empty()) return;
    ++changes_;
    Cell low = cells[0] - origin_, high = low;
    for (const Cell c : cells) {
        const Cell at = c - origin_;
        low = {std::min(low.x, at.x), std::min(low.y, at.y)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    // A distance can change only where it is no less than that to the box. It grows by one a cell at most: beyond a
    // ring around the box without such a cell there is none.
    const auto inside = [&](int r) {
        return std::pair(Cell{std::max(1, low.x - r), std::max(1, low.y - r)},
                         Cell{std::min(width_ - 2, high.x + r), std::min(height_ - 2, high.y + r)});
    };
    const auto reaches = [&](int r) {
        const auto [first, last] = inside(r);
        for (int y = first.y; y <= last.y; ++y) {
            const bool whole = y == low.y - r || y == high.y + r;
            for (int x = first.x; x <= last.x; ++x) {
                if (row(y)[x] >= r && (whole || x == low.x - r || x == high.x + r)) return true;
                if (!whole && x == low.x - r) x = std::max(x, std::min(last.x, high.x + r) - 1);
            }
        }
        return false;
    };
    int reach = 0;
    while (reach < 255 && reaches(reach + 1)) ++reach;
    const Cell first = inside(reach).first, last = inside(reach).second;
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x)
            if (row(y)[x] != 0) row(y)[x] = 255;
    for (const Cell c : cells) row(c.y - origin_.y)[c.x - origin_.x] = wall ? 0 : 255;
    // The two passes again, within a frame of cells whose distances are right.
    const int width = last.x - first.x + 3;
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(width));
    const auto part = [&](int y) { return row(y) + first.x - 1; };
    for (int y = first.y; y <= last.y; ++y) lower_row(part(y), part(y - 1), scratch.data(), width);
    for (int y = last.y; y >= first.y; --y) lower_row(part(y), part(y + 1), scratch.data(), width);
}

int WallField::walls_between(Cell a, Cell b, int limit) const {
    if (b < a) std::swap(a, b);  // one direction, so that a link is symmetric
    if (a == b) return 0;
    // The nearest wall of a is farther away than b.
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
