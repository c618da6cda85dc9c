#include "slam/manifold/point_tree.hpp"

namespace outrider {
namespace {

constexpr double first_side_m = 4, least_side_m = 1e-3;
constexpr std::size_t leaf_points = 5;

}  // namespace

int PointTree::make_node() {
    nodes_.emplace_back();
    return static_cast<int>(nodes_.size()) - 1;
}

void PointTree::add(Point p) {
    if (root_ < 0) {
        root_ = make_node();
        side_ = first_side_m;
        low_ = {p.x - side_ / 2, p.y - side_ / 2};
    }
    while (p.x < low_.x || p.y < low_.y || p.x >= low_.x + side_ || p.y >= low_.y + side_) {
        // The old root is the quarter that lies away from the point.
        const int child = (p.x < low_.x ? 1 : 0) + (p.y < low_.y ? 2 : 0);
        const int above = make_node();
        nodes_[static_cast<std::size_t>(above)].leaf = false;
        nodes_[static_cast<std::size_t>(above)].children[static_cast<std::size_t>(child)] = root_;
        low_ = {low_.x - (child & 1 ? side_ : 0), low_.y - (child & 2 ? side_ : 0)};
        side_ *= 2;
        root_ = above;
    }
    points_.push_back(p);
    put(root_, low_, side_, static_cast<int>(points_.size()) - 1);
}

void PointTree::put(int node, Point low, double side, int number) {
    const auto child_of = [](Point p, Point corner_of, double half) {
        return (p.x >= corner_of.x + half ? 1 : 0) + (p.y >= corner_of.y + half ? 2 : 0);
    };
    for (;;) {
        const auto at = static_cast<std::size_t>(node);
        if (nodes_[at].leaf) {
            nodes_[at].points.push_back(number);
            if (nodes_[at].points.size() <= leaf_points || side < least_side_m) return;
            const std::vector<std::int32_t> points = std::move(nodes_[at].points);
            nodes_[at].points.clear();
            nodes_[at].leaf = false;
            for (const std::int32_t other : points) put(node, low, side, other);
            return;
        }
        const double half = side / 2;
        const int child = child_of(point(number), low, half);
        std::int32_t next = nodes_[at].children[static_cast<std::size_t>(child)];
        if (next < 0) {
            next = make_node();
            nodes_[at].children[static_cast<std::size_t>(child)] = next;
        }
        node = next;
        low = corner(low, half, child);
        side = half;
    }
}

}  // namespace outrider
