// Angles, points, poses and cells. Metres, radians; x right, y up, yaw counter-clockwise from +x in (-pi, pi].
//
//     const Pose map_from_body{2, 1, radians(90)};
//     transform(map_from_body, {1, 0});   // a metre ahead of the body: (2, 2) in the map
//
// The elementary functions give the same bits on every machine: glibc chooses its sin, exp, ... by what the CPU offers
// and gives other bits without FMA. Built from + - * / and sqrt alone; within 2 ulp in the ranges that this project
// uses (|angle| < 1e5 rad). std::sqrt, std::floor and std::hypot are safe as they are.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <numbers>

namespace outrider {

inline constexpr double pi = std::numbers::pi;

struct SinCos {
    double sin, cos;
};

/// Whether sin_cos() takes the angle, in radians. Readers of files ask before they take one over.
inline bool is_angle(double angle) { return std::abs(angle) < 1e5; }
/// Sine and cosine of such an angle.
SinCos sin_cos(double angle);
/// Angle of the vector (x, y) in (-pi, pi]; 0 for the zero vector.
double atan2(double y, double x);
double exp(double x);
/// Natural logarithm; x > 0 (0 gives -infinity).
double log(double x);
double log10(double x);
/// base^exponent for base > 0.
double pow(double base, double exponent);

/// The same angle in (-pi, pi].
double wrap_angle(double angle);
inline constexpr double radians(double degrees) { return degrees * (pi / 180); }
inline constexpr double degrees(double radians) { return radians * (180 / pi); }

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

/// Column and row of a lattice cell; signed: row 0 is the bottom of an image only. Ordered by row, then column: the
/// order in which ties are broken everywhere.
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
