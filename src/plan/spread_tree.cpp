#include "plan/spread_tree.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

/// The largest x with x * x <= n; -1 for n < 0.
int root(int n) {
    if (n < 0) return -1;
    int x = static_cast<int>(std::sqrt(static_cast<double>(n)));
    while (x * x > n) --x;
    while ((x + 1) * (x + 1) <= n) ++x;
    return x;
}

/// Whether every place that is as near to `a` as the origin, or nearer, is nearer than the origin to `b`: row by row,
/// the closed disc around a through the origin lies within the open one around b, but for the origin.
bool comes_before(Cell a, Cell b) {
    const int a2 = a.x * a.x + a.y * a.y, b2 = b.x * b.x + b.y * b.y, reach = root(a2);
    for (int y = a.y - reach; y <= a.y + reach; ++y) {
        const int half = root(a2 - (y - a.y) * (y - a.y));
        int low = a.x - half, high = a.x + half;
        if (y == 0 && low == 0) ++low;
        if (y == 0 && high == 0) --high;
        if (low > high) continue;
        const int inner = root(b2 - (y - b.y) * (y - b.y) - 1);
        if (inner < 0 || low < b.x - inner || high > b.x + inner) return false;
    }
    return true;
}

/// The offset before c, for c.x >= c.y >= 0: the one next to it if possible.
Cell before(Cell c) {
    for (int reach = 1;; ++reach)
        for (int dx = 0; dx <= reach; ++dx)
            for (int dy = 0; dy <= reach; ++dy) {
                const Cell a = c - Cell{dx, dy};
                if (std::max(dx, dy) == reach && a.x >= 0 && a.y >= 0 && comes_before(a, c)) return a;
            }
}

}  // namespace

SpreadTree::SpreadTree(int horizon) : horizon_(horizon) {
    std::vector<Cell> octant;  // the one before (x, y), x >= y >= 0; all else is a mirror image
    const auto in_octant = [](int x, int y) { return static_cast<std::size_t>(x * (x + 1) / 2 + y); };
    octant.resize(in_octant(horizon + 1, 0));
    for (int x = 1; x <= horizon; ++x)
        for (int y = 0; y <= x && x * x + y * y <= horizon * horizon; ++y) octant[in_octant(x, y)] = before({x, y});
    std::vector<std::pair<std::size_t, Cell>> offsets;  // by the offset that they come from
    for (int y = -horizon; y <= horizon; ++y)
        for (int x = -horizon; x <= horizon; ++x) {
            if ((x == 0 && y == 0) || x * x + y * y > horizon * horizon) continue;
            const int ax = std::abs(x), ay = std::abs(y);
            Cell from = octant[in_octant(std::max(ax, ay), std::min(ax, ay))];
            if (ax < ay) std::swap(from.x, from.y);
            from = {x < 0 ? -from.x : from.x, y < 0 ? -from.y : from.y};
            offsets.emplace_back(index(from), Cell{x, y} - from);
        }
    std::sort(offsets.begin(), offsets.end());
    begin_.assign(static_cast<std::size_t>((2 * horizon + 1) * (2 * horizon + 1)) + 1, 0);
    for (const auto& [from, step] : offsets) {
        ++begin_[from + 1];
        steps_.push_back(step);
        back_steps_.push_back(Cell{} - step);
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    std::sort(back_steps_.begin(), back_steps_.end());
    back_steps_.erase(std::unique(back_steps_.begin(), back_steps_.end()), back_steps_.end());
}

}  // namespace outrider
