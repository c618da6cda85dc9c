// Exact ray traversal ("supercover"): which cells a line touches, in which order, and where it crosses their edges.
//
// The line is followed column by column along its major axis; in column j it touches the cell in which it enters and,
// if the minor coordinate crosses an edge on the way, one neighbour. The cells form a 4-connected chain, so a ray never
// slips between two diagonal cells. Every position is base + k * slope, one multiplication and one addition of
// doubles: any column can be computed directly, with the same bits as column by column. Casting against the true walls
// and drawing a scan into a map use this one definition; that is why a noise-free scan never marks a wall as free.
//
//     const bool in_sight = walk_segment(a, b, [&](Cell c, double) { return belief.map().is_free(c); });
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "outrider/geometry.hpp"

namespace outrider {

/// The few functions in which one double differs from several. LaneFunctions<V> of a vector of doubles stands beside it
/// (src/base/lanes.hpp): each lane of it gives the bits that a double would.
template <class V>
struct LaneFunctions;
template <>
struct LaneFunctions<double> {
    static double select(bool first, double a, double b) { return first ? a : b; }
    static double floor(double v) { return std::floor(v); }
    static double abs(double v) { return std::abs(v); }
};

/// The numbers of a ray in cell units; V is double, or a vector of doubles for several rays from one origin. Lengths
/// `t` are along the ray, in cells.
template <class V>
struct RayNumbers {
    using Lane = LaneFunctions<V>;
    using Mask = decltype(V() >= V());

    Mask x_major;  ///< columns run along x (else along y)
    Mask up;       ///< they follow each other towards the greater coordinate
    V minor;       ///< minor coordinate of the origin
    V first;       ///< from the origin to the first crossing of a column edge, along the major axis, in [0, 1]
    V base;        ///< minor coordinate at that crossing
    V slope;       ///< change of the minor coordinate per column, |slope| < 1
    V t_per_column;
    V t_per_minor;  ///< length per unit of the minor coordinate; infinity for an axis-parallel ray

    RayNumbers() = default;
    /// (dx, dy) of length one.
    RayNumbers(Point origin, V dx, V dy) {
        const double x = std::floor(origin.x), y = std::floor(origin.y);
        x_major = Lane::abs(dx) >= Lane::abs(dy);
        const V major = Lane::select(x_major, dx, dy), across = Lane::select(x_major, dy, dx);
        const V steep = across / Lane::abs(major), most = 1 - 1e-12;
        up = major >= V(0);
        minor = Lane::select(x_major, origin.y, origin.x);
        first = Lane::select(up, Lane::select(x_major, x + 1 - origin.x, y + 1 - origin.y),
                             Lane::select(x_major, origin.x - x, origin.y - y));
        // Below one by more than rounding: in one column the line then crosses at most one minor edge.
        const V above = Lane::select(steep < -most, -most, steep);
        slope = Lane::select(above > most, most, above);
        base = minor + first * slope;
        t_per_column = V(1) / Lane::abs(major);
        t_per_minor = V(1) / Lane::abs(across);
    }

    /// Minor coordinate where the ray leaves column j (column 0 holds the origin). Columns and edges: int or V.
    template <class J>
    V minor_at(J j) const {
        return base + j * slope;
    }
    /// Length at which it enters column j >= 1.
    template <class J>
    V t_column(J j) const {
        return (first + (j - 1)) * t_per_column;
    }
    /// Length at which it crosses the minor edge `edge` (an integer coordinate).
    template <class J>
    V t_minor(J edge) const {
        return Lane::abs(edge - minor) * t_per_minor;
    }
};

/// One ray in cell units.
struct Ray : RayNumbers<double> {
    Cell start;          ///< the cell of the origin
    int major_step = 1;  ///< +1 or -1: to which side the columns follow each other

    /// origin in cell units of the frame; direction of length one.
    Ray(Point origin, Point direction)
        : RayNumbers(origin, direction.x, direction.y),
          start{static_cast<std::int32_t>(std::floor(origin.x)), static_cast<std::int32_t>(std::floor(origin.y))},
          major_step(up ? 1 : -1) {}

    int minor_cell(double m) const { return static_cast<int>(std::floor(m)); }
    /// Minor cell in which it enters column j.
    int entry(int j) const { return j == 0 ? (x_major ? start.y : start.x) : minor_cell(minor_at(j - 1)); }
    int exit(int j) const { return minor_cell(minor_at(j)); }
    Cell cell(int column, int minor_index) const {
        const int m = (x_major ? start.x : start.y) + column * major_step;
        return x_major ? Cell{m, minor_index} : Cell{minor_index, m};
    }
};

/// Calls visit(cell, t) for each touched cell in order, with the length t at which the ray enters it (0 for the first),
/// until visit returns false or t exceeds max_t. Returns whether it ran to the end.
template <class Visit>
bool walk_ray(const Ray& ray, double max_t, Visit&& visit) {
    int in = ray.entry(0);
    double t = 0;
    for (int j = 0; t <= max_t; t = ray.t_column(++j)) {
        if (!visit(ray.cell(j, in), t)) return false;
        const int out = ray.exit(j);
        if (out != in) {
            t = ray.t_minor(std::max(in, out));
            if (t > max_t) return true;
            if (!visit(ray.cell(j, out), t)) return false;
            in = out;
        }
    }
    return true;
}

/// Looks for cells for which wanted(cell) holds and from whose middle the middle of `target` is in sight within `range`
/// cells: a robot that stands there and looks there sees it. Along rays from the target about a cell apart at that
/// range; found(cell) is called for each and ends the search by returning true. blocks(cell): whether it blocks the
/// view.
template <class Blocks, class Wanted, class Found>
bool find_view(Cell target, double range, Blocks&& blocks, Wanted&& wanted, Found&& found);

/// The same for the segment between two points in cell units; t runs from 0 to their distance.
template <class Visit>
bool walk_segment(Point a, Point b, Visit&& visit) {
    const double length = distance(a, b);
    if (length == 0)
        return visit(Cell{static_cast<std::int32_t>(std::floor(a.x)), static_cast<std::int32_t>(std::floor(a.y))}, 0.0);
    return walk_ray(Ray(a, (b - a) * (1 / length)), length, visit);
}

template <class Blocks, class Wanted, class Found>
bool find_view(Cell target, double range, Blocks&& blocks, Wanted&& wanted, Found&& found) {
    const Point middle{target.x + 0.5, target.y + 0.5};
    const int rays = static_cast<int>(std::ceil(2 * pi * range)) + 8;
    bool done = false;
    for (int k = 0; k < rays && !done; ++k) {
        const auto [s, c] = sin_cos(2 * pi * k / rays);
        walk_ray(Ray(middle, {c, s}), range, [&](Cell at, double) {
            if (at != target && blocks(at)) return false;
            const auto open = [&](Cell between, double) { return between == target || !blocks(between); };
            done = wanted(at) && walk_segment({at.x + 0.5, at.y + 0.5}, middle, open) && found(at);
            return !done;
        });
    }
    return done;
}

}  // namespace outrider
