// Exact ray traversal ("supercover"): which cells a line touches, in which order, and where it crosses their edges.
//
// The line is followed column by column along its major axis; in column j it touches the cell in which it enters and,
// if the minor coordinate crosses an edge on the way, one neighbour. The cells form a 4-connected chain, so a ray never
// slips between two diagonal cells. Every position is base + k * slope, one multiplication and one addition of
// doubles: any column can be reached by a jump, with the same bits as by walking. Casting against the true walls and
// drawing a scan into a map use this one definition; that is why a noise-free scan never marks a wall as free.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "outrider/geometry.hpp"

namespace outrider {

/// A ray in cell units. Lengths `t` are along the ray, in cells.
struct Ray {
    Cell start;           ///< the cell of the origin
    bool x_major = true;  ///< columns run along x (else along y)
    int major_step = 1;   ///< +1 or -1: to which side the columns follow each other
    double minor = 0;     ///< minor coordinate of the origin
    double first = 0;     ///< from the origin to the first crossing of a column edge, along the major axis, in [0, 1]
    double base = 0;      ///< minor coordinate at that crossing
    double slope = 0;     ///< change of the minor coordinate per column, |slope| < 1
    double t_per_column = 1;
    double t_per_minor = 0;  ///< length per unit of the minor coordinate; infinity for an axis-parallel ray

    /// origin in cell units of the frame; direction of length one.
    Ray(Point origin, Point direction)
        : start{static_cast<std::int32_t>(std::floor(origin.x)), static_cast<std::int32_t>(std::floor(origin.y))} {
        const double ax = std::abs(direction.x), ay = std::abs(direction.y);
        x_major = ax >= ay;
        const double major = x_major ? direction.x : direction.y, along = x_major ? origin.x : origin.y;
        const double across = x_major ? direction.y : direction.x;
        minor = x_major ? origin.y : origin.x;
        major_step = major >= 0 ? 1 : -1;
        first = major >= 0 ? std::floor(along) + 1 - along : along - std::floor(along);
        // Below one by more than rounding: in one column the line then crosses at most one minor edge.
        slope = std::clamp(across / std::abs(major), -(1 - 1e-12), 1 - 1e-12);
        base = minor + first * slope;
        t_per_column = 1 / std::abs(major);
        t_per_minor = 1 / std::abs(across);
    }

    /// Minor coordinate where the ray leaves column j (column 0 holds the origin).
    double minor_at(int j) const { return base + j * slope; }
    /// Length at which it enters column j >= 1.
    double t_column(int j) const { return (first + (j - 1)) * t_per_column; }
    /// Length at which it crosses the minor edge `edge` (an integer coordinate).
    double t_minor(int edge) const { return std::abs(edge - minor) * t_per_minor; }
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

/// Looks for cells that are wanted(cell) and from whose middle the middle of `target` is in sight within `range` cells:
/// a robot that stands there and looks there sees it. Along rays from the target about a cell apart at that range;
/// found(cell) is called for each and ends the search by returning true. blocks(cell) tells what stands in the way.
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
