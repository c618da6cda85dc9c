// Points, poses and cells. Metres, radians; x right, y up, yaw counter-clockwise from +x in (-pi, pi].
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

#include "outrider/math.hpp"

namespace outrider {

struct Point {
    double x = 0, y = 0;
    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
    friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
    friend Point operator*(Point a, double s) { return {a.x * s, a.y * s}; }
    bool operator==(const Point&) const = default;
};

inline double norm(Point p) { return std::sqrt(p.x * p.x + p.y * p.y); }
inline double distance(Point a, Point b) { return norm(b - a); }
inline double bearing(Point from, Point to) { return atan2(to.y - from.y, to.x - from.x); }

/// Position and heading of a body in some frame: equally the transform frame_from_body.
struct Pose {
    double x = 0, y = 0, yaw = 0;
    Point position() const { return {x, y}; }
    bool operator==(const Pose&) const = default;
};

/// a_from_c = compose(a_from_b, b_from_c).
inline Pose compose(const Pose& a, const Pose& b) {
    const auto [s, c] = sin_cos(a.yaw);
    return {a.x + (c * b.x - s * b.y), a.y + (s * b.x + c * b.y), wrap_angle(a.yaw + b.yaw)};
}
inline Pose inverse(const Pose& a) {
    const auto [s, c] = sin_cos(a.yaw);
    return {-(c * a.x + s * a.y), s * a.x - c * a.y, wrap_angle(-a.yaw)};
}
inline Point transform(const Pose& a_from_b, Point p) {
    const auto [s, c] = sin_cos(a_from_b.yaw);
    return {a_from_b.x + (c * p.x - s * p.y), a_from_b.y + (s * p.x + c * p.y)};
}
/// The point of the outer frame, seen from the body: transform(inverse(pose), p), with one rounding less.
inline Point into_body(const Pose& pose, Point p) {
    const auto [s, c] = sin_cos(pose.yaw);
    const double dx = p.x - pose.x, dy = p.y - pose.y;
    return {c * dx + s * dy, c * dy - s * dx};
}

/// Column and row of a lattice cell; signed, row 0 is not the bottom of anything but of an image.
/// Ordered by row, then column: the order in which ties are broken everywhere.
struct Cell {
    std::int32_t x = 0, y = 0;
    bool operator==(const Cell&) const = default;
    friend std::strong_ordering operator<=>(Cell a, Cell b) {
        if (const auto by_row = a.y <=> b.y; by_row != 0) return by_row;
        return a.x <=> b.x;
    }
    friend Cell operator+(Cell a, Cell b) { return {a.x + b.x, a.y + b.y}; }
    friend Cell operator-(Cell a, Cell b) { return {a.x - b.x, a.y - b.y}; }
};

inline std::int64_t squared_distance(Cell a, Cell b) {
    const std::int64_t dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy;
}

}  // namespace outrider
