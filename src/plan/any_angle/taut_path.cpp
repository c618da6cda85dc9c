#include "plan/any_angle/taut_path.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace outrider {
namespace {

constexpr double taut_rounding = 1e-9;  // cells
constexpr double no_end = std::numeric_limits<double>::infinity();

/// The open cells of a map, a word of a row at a time.
class OpenCells {
  public:
    OpenCells(const NavMap& nav, int clearance_cells) : clearance_(clearance_cells) {
        const auto [low, high] = nav.extent();
        if (high.x < low.x) return;
        low_ = low;
        width_ = high.x - low.x + 1;
        height_ = high.y - low.y + 1;
        tiles_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
        for (int y = 0, i = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x, ++i)
                tiles_[static_cast<std::size_t>(i)] = nav.tile({low.x + x, low.y + y});
    }
    /// Columns 64 * tile and on.
    std::uint64_t word(int tile, int row) const {
        const int x = tile - low_.x, y = (row >> 6) - low_.y;
        if (x < 0 || y < 0 || x >= width_ || y >= height_) return 0;
        const NavTile* t = tiles_[static_cast<std::size_t>(y * width_ + x)];
        if (!t) return 0;
        const auto i = static_cast<std::size_t>(row & 63);
        return t->pass[i] & ~(clearance_ == 0 ? 0 : clearance_ == 1 ? t->near1[i] : t->near2[i]);
    }
    bool test(int column, int row) const { return word(column >> 6, row) >> (column & 63) & 1; }
    /// The first and the last column of the open stretch around an open cell.
    int first(int column, int row) const {
        int tile = column >> 6;
        const unsigned bit = static_cast<unsigned>(column & 63);
        std::uint64_t blocked = ~word(tile, row) & ((std::uint64_t{2} << bit) - 1);
        while (!blocked) blocked = ~word(--tile, row);
        return 64 * tile + 64 - std::countl_zero(blocked);
    }
    int last(int column, int row) const {
        int tile = column >> 6;
        std::uint64_t blocked = ~word(tile, row) & ~std::uint64_t{0} << (column & 63);
        while (!blocked) blocked = ~word(++tile, row);
        return 64 * tile + std::countr_zero(blocked) - 1;
    }
    /// Whether the columns from first to last are open, and those beside them blocked.
    bool stretch(int first, int last, int row) const {
        if (test(first - 1, row) || test(last + 1, row)) return false;
        for (int tile = first >> 6; tile <= last >> 6; ++tile) {
            std::uint64_t wanted = ~std::uint64_t{0};
            if (tile == first >> 6) wanted &= ~std::uint64_t{0} << (first & 63);
            if (tile == last >> 6) wanted &= ~std::uint64_t{0} >> (63 - (last & 63));
            if (wanted & ~word(tile, row)) return false;
        }
        return true;
    }
    /// Calls visit(first, last) for the stretches of columns within [low, high] that are open in both rows, in order.
    template <class Visit>
    void openings(int row, int other, int low, int high, Visit&& visit) const {
        int begun = 0;
        bool open = false;
        for (int tile = low >> 6; tile <= high >> 6; ++tile) {
            std::uint64_t both = word(tile, row) & word(tile, other);
            if (tile == low >> 6) both &= ~std::uint64_t{0} << (low & 63);
            if (tile == high >> 6) both &= ~std::uint64_t{0} >> (63 - (high & 63));
            for (int at = 0; at < 64;) {
                const std::uint64_t rest = (open ? ~both : both) >> at;
                if (!rest) break;
                at += std::countr_zero(rest);
                if (open)
                    visit(begun, 64 * tile + at - 1);
                else
                    begun = 64 * tile + at;
                open = !open;
            }
        }
        if (open) visit(begun, high);
    }

  private:
    int clearance_;
    TileCoord low_;
    int width_ = 0, height_ = 0;
    std::vector<const NavTile*> tiles_;
};

struct Search {
    /// A corner on the way, or the start.
    struct Root {
        Point at;
        double length;  ///< of the path up to it
        int parent;     ///< index, -1: the start
    };
    /// A part of the line between two rows, seen from a root.
    struct Node {
        double left, right;
        int root;
        int row;        ///< that is entered
        int direction;  ///< 1: upwards, -1: downwards; 0: the goal, seen from the root
    };
    struct Open {
        double length;
        int node;
        bool operator<(const Open& other) const { return length > other.length; }
    };

    const OpenCells& cells;
    Cell start, goal;
    std::vector<Root> roots;
    std::vector<Node> nodes;
    std::vector<Open> open;                              // a heap
    std::vector<Open> fresh;                             // successors of the node at hand
    std::unordered_map<std::uint64_t, double> shortest;  // path to each corner that is known

    static double line_of(const Node& n) { return n.row - 0.5 * n.direction; }

    /// A root at a corner reached from another one; -1: there is a shorter path to it.
    int add_root(Point at, int parent) {
        const Root& from = roots[static_cast<std::size_t>(parent)];
        if (from.at.x == at.x && from.at.y == at.y) return parent;
        const double length = from.length + distance(from.at, at);
        const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(2 * at.x)))
                             << 32 |
                         static_cast<std::uint32_t>(static_cast<std::int64_t>(2 * at.y));
        const auto [known, first] = shortest.try_emplace(key, length);
        if (!first) {
            if (length > known->second + taut_rounding) return -1;
            known->second = std::min(known->second, length);
        }
        roots.push_back({at, length, parent});
        return static_cast<int>(roots.size()) - 1;
    }
    void add(double left, double right, int root, int row, int direction) {
        const Node node{left, right, root, row, direction};
        const Root& from = roots[static_cast<std::size_t>(root)];
        // The shortest path through the interval to the goal, which may lie on this side: then to its mirror image.
        const double line = line_of(node);
        Point to{static_cast<double>(goal.x), static_cast<double>(goal.y)};
        if ((to.y - line) * direction < 0) to.y = 2 * line - to.y;
        double length = from.length;
        if (from.at.y == line) {
            length += distance(from.at, to);
        } else {
            const double x = from.at.x + (to.x - from.at.x) * (line - from.at.y) / (to.y - from.at.y);
            const Point through{std::clamp(x, left, right), line};
            length += distance(from.at, through) + distance(through, to);
        }
        nodes.push_back(node);
        fresh.push_back({length, static_cast<int>(nodes.size()) - 1});
    }
    /// The open node of the least length; -1: none is left. The best successor often is it, and never sees the heap.
    Open next() {
        Open best{no_end, -1};
        if (!fresh.empty()) {
            auto least = std::min_element(fresh.begin(), fresh.end(),
                                          [](const Open& a, const Open& b) { return a.length < b.length; });
            if (open.empty() || least->length <= open.front().length) {
                best = *least;
                *least = fresh.back();
                fresh.pop_back();
            }
            for (const Open& o : fresh) {
                open.push_back(o);
                std::push_heap(open.begin(), open.end());
            }
            fresh.clear();
            if (best.node >= 0) return best;
        }
        if (open.empty()) return best;
        std::pop_heap(open.begin(), open.end());
        best = open.back();
        open.pop_back();
        return best;
    }
    void add_goal(int root) {
        nodes.push_back({0, 0, root, goal.y, 0});
        const Root& from = roots[static_cast<std::size_t>(root)];
        fresh.push_back({from.length + distance(from.at, {static_cast<double>(goal.x), static_cast<double>(goal.y)}),
                         static_cast<int>(nodes.size()) - 1});
    }

    /// Enters the openings of a line between columns, as far as they lie within [left, right].
    void enter(int row, int direction, int first, int last, double left, double right, int root) {
        cells.openings(row, row + direction, first, last, [&](int from, int to) {
            // What is seen up to a corner ends there, whatever was rounded: a string can turn around it.
            const double low = from - 0.5, high = to + 0.5;
            const double l = left < low + taut_rounding ? low : left, r = right > high - taut_rounding ? high : right;
            if (r - l > taut_rounding) add(l, r, root, row + direction, direction);
        });
    }
    /// From a corner on the near line of a row along that line, away from what was seen, and back through it.
    void turn_back(const Node& n, int first, int last, int root, bool to_left) {
        const double line = line_of(n);
        cells.openings(n.row, n.row - n.direction, first, last, [&](int from, int to) {
            const int corner = add_root({to_left ? to + 0.5 : from - 0.5, line}, root);
            if (corner >= 0) add(from - 0.5, to + 0.5, corner, n.row - n.direction, -n.direction);
        });
    }
    void expand(const Node& n) {
        const double near = line_of(n);
        const int inside = static_cast<int>(std::floor((n.left + n.right) / 2 + 0.5));
        const int first = cells.first(inside, n.row), last = cells.last(inside, n.row);
        int end = n.row;  // of rows that make a rectangle
        while (cells.stretch(first, last, end + n.direction)) end += n.direction;
        const double far = end + 0.5 * n.direction;
        const Root from = roots[static_cast<std::size_t>(n.root)];
        const bool on_line = from.at.y == near;
        const auto beyond = [&](double x) {
            return from.at.x + (x - from.at.x) * (far - from.at.y) / (near - from.at.y);
        };
        const double left = on_line ? first - 0.5 : beyond(n.left), right = on_line ? last + 0.5 : beyond(n.right);

        const bool goal_here = (goal.y - n.row) * (goal.y - end) <= 0 && goal.x >= first && goal.x <= last;
        double goal_at = goal.x;  // where the straight line to the goal crosses the near line
        if (goal_here && !on_line)
            goal_at = from.at.x + (goal.x - from.at.x) * (near - from.at.y) / (goal.y - from.at.y);
        if (goal_here && (on_line || (goal_at >= n.left && goal_at <= n.right))) add_goal(n.root);

        enter(end, n.direction, first, last, left, right, n.root);
        // A string can turn at an end of the interval that is a corner of one blocked cell, in this row or in the one
        // that it came from.
        const auto turns = [&](double x, int outside) {
            const double column = std::floor(x + 0.5);  // right of x
            if (column != x + 0.5) return false;
            const int beside = static_cast<int>(column) + outside;
            return cells.test(beside, n.row - n.direction) != cells.test(beside, n.row);
        };
        if ((!on_line || from.at.x > n.left) && turns(n.left, -1))
            if (const int root = add_root({n.left, near}, n.root); root >= 0) {
                if (!on_line && goal_here && goal_at < n.left) add_goal(root);
                if (!on_line) enter(end, n.direction, first, last, -no_end, left, root);
                if (const int beside = static_cast<int>(n.left - 0.5); beside >= first)
                    turn_back(n, first, beside, root, true);
            }
        if ((!on_line || from.at.x < n.right) && turns(n.right, 0))
            if (const int root = add_root({n.right, near}, n.root); root >= 0) {
                if (!on_line && goal_here && goal_at > n.right) add_goal(root);
                if (!on_line) enter(end, n.direction, first, last, right, no_end, root);
                if (const int beside = static_cast<int>(n.right + 0.5); beside <= last)
                    turn_back(n, beside, last, root, false);
            }
    }
};

}  // namespace

TautPath taut_path(const NavMap& nav, Cell start, Cell goal, int clearance_cells, std::size_t max_expansions) {
    TautPath out;
    const OpenCells cells(nav, clearance_cells);
    if (!cells.test(goal.x, goal.y)) {
        out.status = PathStatus::goal_blocked;
        return out;
    }
    if (!cells.test(start.x, start.y)) return out;
    Search search{cells, start, goal, {}, {}, {}, {}, {}};
    search.roots.push_back({{static_cast<double>(start.x), static_cast<double>(start.y)}, 0, -1});
    const int first = cells.first(start.x, start.y), last = cells.last(start.x, start.y);
    if (goal.y == start.y && goal.x >= first && goal.x <= last) search.add_goal(0);
    for (const int direction : {1, -1}) search.enter(start.y, direction, first, last, -no_end, no_end, 0);
    for (Search::Open at = search.next(); at.node >= 0; at = search.next()) {
        const Search::Node node = search.nodes[static_cast<std::size_t>(at.node)];
        if (node.direction == 0) {
            out.status = PathStatus::found;
            out.length_cells = at.length;
            out.points.push_back({static_cast<double>(goal.x), static_cast<double>(goal.y)});
            for (int r = node.root; r >= 0; r = search.roots[static_cast<std::size_t>(r)].parent)
                out.points.push_back(search.roots[static_cast<std::size_t>(r)].at);
            std::reverse(out.points.begin(), out.points.end());
            return out;
        }
        if (out.expansions == max_expansions) {
            out.status = PathStatus::gave_up;
            return out;
        }
        ++out.expansions;
        search.expand(node);
    }
    return out;
}

}  // namespace outrider
