#include "maps/drawing.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {

Drawing::Drawing(int width, int height, double cell_m, Fill ground)
    : walls_(width, height, ground == Fill::wall, Lattice{cell_m}) {}

int Drawing::cells(double metres) const {
    return metres <= 0 ? 0 : std::max(1, static_cast<int>(std::floor(metres / cell_m() + 0.5)));
}

void Drawing::rect(const Rect& r, Fill fill) {
    for (int y = std::max(0, r.y); y < std::min(r.top(), height()); ++y)
        for (int x = std::max(0, r.x); x < std::min(r.right(), width()); ++x) set({x, y}, fill);
}

void Drawing::outline(const Rect& r, int thick, Fill fill) {
    rect({r.x, r.y, r.w, thick}, fill);
    rect({r.x, r.top() - thick, r.w, thick}, fill);
    rect({r.x, r.y, thick, r.h}, fill);
    rect({r.right() - thick, r.y, thick, r.h}, fill);
}

void Drawing::disc(Point centre, double radius, Fill fill) { stroke(std::span(&centre, 1), 2 * radius, fill); }

void Drawing::stroke(std::span<const Point> line, double width, Fill fill) {
    const double half = width / 2;
    const auto piece = [&](Point a, Point d) {  // from a to a + d
        const double length2 = d.x * d.x + d.y * d.y;
        const Point b = a + d;
        const int x1 = static_cast<int>(std::ceil(std::max(a.x, b.x) + half));
        const int y1 = static_cast<int>(std::ceil(std::max(a.y, b.y) + half));
        for (int y = static_cast<int>(std::floor(std::min(a.y, b.y) - half)); y <= y1; ++y)
            for (int x = static_cast<int>(std::floor(std::min(a.x, b.x) - half)); x <= x1; ++x) {
                const Point p{x + 0.5 - a.x, y + 0.5 - a.y};
                const double along = length2 > 0 ? std::clamp((p.x * d.x + p.y * d.y) / length2, 0.0, 1.0) : 0.0;
                if (norm(p - d * along) <= half) set({x, y}, fill);
            }
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        const Point a = line[i], d = line[std::min(i + 1, line.size() - 1)] - a;
        const int pieces = 1 + static_cast<int>(norm(d) / (2 * width + 8));  // a slanted line's box is mostly empty
        for (int k = 0; k < pieces; ++k) piece(a + d * (static_cast<double>(k) / pieces), d * (1.0 / pieces));
    }
}

void Drawing::polygon(std::span<const Point> corners, Fill fill) {
    if (corners.empty()) return;
    double x0 = corners[0].x, x1 = x0, y0 = corners[0].y, y1 = y0;
    for (const Point p : corners) {
        x0 = std::min(x0, p.x);
        x1 = std::max(x1, p.x);
        y0 = std::min(y0, p.y);
        y1 = std::max(y1, p.y);
    }
    for (int y = static_cast<int>(std::floor(y0)); y <= static_cast<int>(y1); ++y)
        for (int x = static_cast<int>(std::floor(x0)); x <= static_cast<int>(x1); ++x) {
            const Point p{x + 0.5, y + 0.5};
            bool inside = true;
            for (std::size_t i = 0; i < corners.size() && inside; ++i) {
                const Point a = corners[i], d = corners[(i + 1) % corners.size()] - a;
                inside = d.x * (p.y - a.y) - d.y * (p.x - a.x) >= 0;
            }
            if (inside) set({x, y}, fill);
        }
}

void Drawing::box(Point centre, double a, double b, double angle, Fill fill) {
    const SinCos turn = sin_cos(angle);
    const auto corner = [&](double u, double v) {
        return centre + Point{turn.cos * u - turn.sin * v, turn.sin * u + turn.cos * v};
    };
    const std::array<Point, 4> corners{corner(-a, -b), corner(a, -b), corner(a, b), corner(-a, b)};
    polygon(corners, fill);
}

Noise::Noise(Rng& rng, double period) : period_(period) {
    for (int i = 0; i < side * side; ++i) values_.push_back(rng.uniform(-1, 1));
}

double Noise::at(Point cell) const {
    const double x = cell.x / period_, y = cell.y / period_;
    const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
    const auto smooth = [](double t) { return t * t * (3 - 2 * t); };
    const double u = smooth(x - i), v = smooth(y - j);
    const auto value = [&](int a, int b) {  // the lattice repeats
        return values_[static_cast<std::size_t>((b & (side - 1)) * side + (a & (side - 1)))];
    };
    const double low = value(i, j) + u * (value(i + 1, j) - value(i, j));
    const double high = value(i, j + 1) + u * (value(i + 1, j + 1) - value(i, j + 1));
    return low + v * (high - low);
}

int between(Rng& rng, int low, int high) {
    return high <= low ? low : low + static_cast<int>(rng.below(static_cast<std::uint32_t>(high - low + 1)));
}

bool chance(Rng& rng, double p) { return rng.uniform() < p; }

std::vector<int> split(Rng& rng, int length, int typical, int gap) {
    const int count = std::max(1, (length + gap + (typical + gap) / 2) / (typical + gap));
    const int usable = length - gap * (count - 1);
    if (usable < count) return {length};
    std::vector<double> weight;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        weight.push_back(rng.uniform(0.85, 1.15));
        sum += weight.back();
    }
    std::vector<int> pieces;
    double at = 0;
    int done = 0;
    for (const double w : weight) {
        at += w / sum * usable;
        const int next = static_cast<int>(std::floor(at + 0.5));
        pieces.push_back(next - done);
        done = next;
    }
    return pieces;
}

}  // namespace outrider
