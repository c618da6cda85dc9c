#include "plan/straighten.hpp"

#include <algorithm>

#include "outrider/ray.hpp"
#include "plan/path_planner.hpp"
#include "plan/steps.hpp"

namespace outrider {
namespace {

/// Reads passability cell by cell, quickly where the cells lie near each other.
class Reader {
  public:
    explicit Reader(const NavMap& nav) : nav_(nav) {}
    bool operator()(Cell c) {
        if (const TileCoord t = tile_of(c); !known_ || t != at_) {
            at_ = t;
            known_ = true;
            tile_ = nav_.tile(t);
        }
        return tile_ && tile_->pass[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1;
    }

  private:
    const NavMap& nav_;
    TileCoord at_;
    bool known_ = false;
    const NavTile* tile_ = nullptr;
};

/// The orders in which straight and diagonal steps can be taken.
enum class Order { mixed, diagonal_first, straight_first };

/// Walks from a to b; false where a step is not allowed.
template <class Visit>
bool walk(Reader& pass, Cell a, Cell b, Order order, Visit&& visit) {
    const Cell d = b - a, unit{(d.x > 0) - (d.x < 0), (d.y > 0) - (d.y < 0)};
    const int ax = std::abs(d.x), ay = std::abs(d.y), less = std::min(ax, ay), more = std::max(ax, ay);
    const Cell straight = ax >= ay ? Cell{unit.x, 0} : Cell{0, unit.y};
    Cell at = a;
    for (int k = 0, owed = more / 2; k < more; ++k) {
        owed += less;
        bool diagonal = owed >= more;
        if (order == Order::diagonal_first) diagonal = k < less;
        if (order == Order::straight_first) diagonal = k >= more - less;
        if (owed >= more) owed -= more;
        if (diagonal && !(pass({at.x + unit.x, at.y}) && pass({at.x, at.y + unit.y}))) return false;
        at = at + (diagonal ? unit : straight);
        if (!pass(at)) return false;
        visit(at);
    }
    return true;
}

std::optional<Order> free_order(Reader& pass, Cell a, Cell b) {
    for (const Order order : {Order::mixed, Order::diagonal_first, Order::straight_first})
        if (walk(pass, a, b, order, [](Cell) {})) return order;
    return {};
}

/// The farthest of the indices from `first` on that is free, found by leaps of growing length and halving; `first`
/// counts as free.
template <class Free>
std::size_t farthest(std::size_t first, std::size_t size, Free&& free) {
    std::size_t good = first, bad = size;
    for (std::size_t leap = 8; good < size - 1 && bad == size; leap *= 2) {
        const std::size_t j = std::min(first + leap, size - 1);
        (free(j) ? good : bad) = j;
    }
    while (bad - good > 1 && bad < size) {
        const std::size_t j = (good + bad) / 2;
        (free(j) ? good : bad) = j;
    }
    return good;
}

/// One pass from the front: from each corner to the farthest cell of the path, in ever longer leaps, that can be gone
/// to directly.
std::vector<Cell> corners(Reader& pass, const std::vector<Cell>& path) {
    std::vector<Cell> kept{path.front()};
    for (std::size_t i = 0; i + 1 < path.size();) {
        i = farthest(i + 1, path.size(), [&](std::size_t j) { return free_order(pass, path[i], path[j]).has_value(); });
        kept.push_back(path[i]);
    }
    return kept;
}

std::vector<Cell> fill(Reader& pass, const std::vector<Cell>& corners) {
    std::vector<Cell> cells{corners.front()};
    for (std::size_t i = 1; i < corners.size(); ++i)
        if (const auto order = free_order(pass, corners[i - 1], corners[i]))
            walk(pass, corners[i - 1], corners[i], *order, [&](Cell c) { cells.push_back(c); });
    return cells;
}

/// Whether all cells are free along a segment, and on both sides of a corner that it runs through: which of these two a
/// body touches is left to rounding.
template <class Free>
bool both_sides_free(Point a, Point b, Free&& free) {
    constexpr double margin = 1e-6;  // cells; more than rounding, less than matters
    const Point d = b - a, aside = Point{-d.y, d.x} * (margin / std::max(distance(a, b), margin));
    const auto visit = [&](Cell c, double) { return free(c); };
    return walk_segment(a + aside, b + aside, visit) && walk_segment(a - aside, b - aside, visit);
}

}  // namespace

std::vector<Cell> direct_path(const NavMap& nav, Cell a, Cell b) {
    Reader pass(nav);
    return free_order(pass, a, b) ? fill(pass, {a, b}) : std::vector<Cell>{};
}

bool can_go_directly(const NavMap& nav, Cell a, Cell b) {
    Reader pass(nav);
    return free_order(pass, a, b).has_value();
}

std::vector<Cell> any_angle(const NavMap& nav, Point from, std::span<const Cell> path) {
    std::vector<Cell> points;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Point start = i == 0 ? from : Point{path[i - 1].x + 0.5, path[i - 1].y + 0.5};
        const auto free = [&](std::size_t j) {
            int closest = 3;
            for (std::size_t k = i == 0 ? 0 : i - 1; k <= j; ++k) closest = std::min(closest, nav.clearance(path[k]));
            return both_sides_free(start, {path[j].x + 0.5, path[j].y + 0.5},
                                   [&](Cell c) { return nav.traversable(c) && nav.clearance(c) >= closest; });
        };
        i = farthest(i, path.size(), free);
        points.push_back(path[i]);
    }
    return points;
}

std::vector<Cell> straightened(const NavMap& nav, const std::vector<Cell>& path) {
    if (path.size() < 3) return path;
    Reader pass(nav);
    std::vector<Cell> once = fill(pass, corners(pass, path));
    // From the other end: what the first pass overshot at a bend is cut off now.
    std::reverse(once.begin(), once.end());
    std::vector<Cell> twice = fill(pass, corners(pass, once));
    std::reverse(twice.begin(), twice.end());
    return twice;
}

}  // namespace outrider
