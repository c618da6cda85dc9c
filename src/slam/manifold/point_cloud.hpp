// Points that scans are matched with, and how well each of them is known (Pfister et al. 2002).
#pragma once

#include <span>
#include <vector>

#include "slam/manifold/point_tree.hpp"

namespace outrider {

/// A symmetric matrix of two numbers a side, in m2.
struct Spread {
    double xx = 0, xy = 0, yy = 0;
};

inline Spread operator+(const Spread& a, const Spread& b) { return {a.xx + b.xx, a.xy + b.xy, a.yy + b.yy}; }
inline Point operator*(const Spread& a, Point p) { return {a.xx * p.x + a.xy * p.y, a.xy * p.x + a.yy * p.y}; }
inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
/// J p, with J a quarter turn to the left.
inline Point left(Point p) { return {-p.y, p.x}; }
/// Zero where there is none.
inline Spread inverse(const Spread& a) {
    const double d = a.xx * a.yy - a.xy * a.xy;
    return d > 0 ? Spread{a.yy / d, -a.xy / d, a.xx / d} : Spread{};
}
/// J^T A J.
inline Spread quarter(const Spread& a) { return {a.yy, -a.xy, a.xx}; }
/// R A R^T.
inline Spread rotated(const Spread& a, double yaw) {
    const auto [s, c] = sin_cos(yaw);
    const double two = 2 * c * s * a.xy;
    return {c * c * a.xx - two + s * s * a.yy, c * s * (a.xx - a.yy) + (c * c - s * s) * a.xy,
            s * s * a.xx + two + c * c * a.yy};
}
/// A deviation along a direction, a unit vector, alone.
inline Spread along(Point unit, double variance) {
    return {variance * unit.x * unit.x, variance * unit.x * unit.y, variance * unit.y * unit.y};
}

/// Points that are matched with, and how well each is known.
class PointCloud {
  public:
    /// The ends of a scan, as seen from `sensor` by neighbouring beams, with the body at `at`.
    void add(std::span<const Point> ends, Point sensor, const Pose& at);
    std::size_t size() const { return tree_.size(); }
    const PointTree& tree() const { return tree_; }
    Point point(int number) const { return tree_.point(number); }
    const Spread& spread(int number) const { return spreads_[static_cast<std::size_t>(number)]; }

  private:
    PointTree tree_;
    std::vector<Spread> spreads_;
};

}  // namespace outrider
