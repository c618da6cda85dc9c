// Points in a tree of squares: at most five in a leaf; the root doubles outward when a point lies outside of it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

class PointTree {
  public:
    PointTree() = default;
    explicit PointTree(std::span<const Point> points) {
        for (const Point p : points) add(p);
    }
    /// Its number is that of points added before it.
    void add(Point p);
    std::size_t size() const { return points_.size(); }
    Point point(int number) const { return points_[static_cast<std::size_t>(number)]; }

    /// The number of the point with the least `distance2(point)`, which is at least `share` times the squared distance
    /// to `at` and below `limit2`; -1: there is none. Of equal ones the one that was added first.
    template <class Distance2>
    int nearest(Point at, double limit2, double share, Distance2&& distance2) const {
        Search search{-1, limit2};
        if (!nodes_.empty()) visit(root_, low_, side_, at, share, distance2, search);
        return search.number;
    }
    /// By the usual distance, within `reach`.
    int nearest(Point at, double reach) const {
        return nearest(at, reach * reach, 1, [&](Point p) { return squared(p - at); });
    }

  private:
    static double squared(Point d) { return d.x * d.x + d.y * d.y; }
    struct Node {
        std::array<std::int32_t, 4> children{-1, -1, -1, -1};  // from the lower left, row by row
        std::vector<std::int32_t> points;                      // of a leaf
        bool leaf = true;
    };
    struct Search {
        int number;
        double best2;
    };
    static Point corner(Point low, double half, int child) {
        return {low.x + (child & 1 ? half : 0), low.y + (child & 2 ? half : 0)};
    }
    int make_node();
    void put(int node, Point low, double side, int number);

    template <class Distance2>
    void visit(int node, Point low, double side, Point at, double share, Distance2& distance2, Search& search) const {
        const Node& n = nodes_[static_cast<std::size_t>(node)];
        if (n.leaf) {
            for (const std::int32_t number : n.points) {
                const double d2 = distance2(point(number));
                if (d2 < search.best2 || (d2 == search.best2 && search.number >= 0 && number < search.number))
                    search = {number, d2};
            }
            return;
        }
        const double half = side / 2;
        const int own = (at.x >= low.x + half ? 1 : 0) + (at.y >= low.y + half ? 2 : 0);
        for (const int other : {0, 1, 2, 3}) {  // the one it lies in first
            const int child = own ^ other;
            const std::int32_t next = n.children[static_cast<std::size_t>(child)];
            if (next < 0) continue;
            const Point c = corner(low, half, child);
            const Point off{at.x - (at.x < c.x          ? c.x
                                    : at.x > c.x + half ? c.x + half
                                                        : at.x),
                            at.y - (at.y < c.y          ? c.y
                                    : at.y > c.y + half ? c.y + half
                                                        : at.y)};
            if (share * squared(off) <= search.best2) visit(next, c, half, at, share, distance2, search);
        }
    }

    std::vector<Node> nodes_;
    std::vector<Point> points_;
    int root_ = -1;
    Point low_;
    double side_ = 0;
};

}  // namespace outrider
