#include "shared/assignment.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

/// More than any sum of possible costs, so that an impossible pair is only taken when nothing else is left.
double beyond(const CostMatrix& costs) {
    double most = 1;
    for (std::size_t r = 0; r < costs.rows(); ++r)
        for (std::size_t c = 0; c < costs.columns(); ++c)
            if (costs(r, c) < no_path) most = std::max(most, std::abs(costs(r, c)));
    return 4 * most * static_cast<double>(std::min(costs.rows(), costs.columns()) + 1);
}

/// rows <= columns. Rows and columns count from 1 inside; 0 stands for "none yet".
std::vector<int> assign_rows(const CostMatrix& costs) {
    const std::size_t n = costs.rows(), m = costs.columns();
    const double big = beyond(costs);
    std::vector<double> row_potential(n + 1, 0), column_potential(m + 1, 0);
    std::vector<std::size_t> row_of(m + 1, 0), came_from(m + 1, 0);
    for (std::size_t row = 1; row <= n; ++row) {
        // The shortest augmenting path from this row to a free column (Dijkstra over columns).
        std::vector<double> least(m + 1, no_path);
        std::vector<bool> done(m + 1, false);
        std::size_t column = 0;
        row_of[0] = row;
        do {
            done[column] = true;
            const std::size_t r = row_of[column];
            std::size_t next = 0;
            double step = no_path;
            for (std::size_t c = 1; c <= m; ++c) {
                if (done[c]) continue;
                const double cost = std::min(costs(r - 1, c - 1), big) - row_potential[r] - column_potential[c];
                if (cost < least[c]) {
                    least[c] = cost;
                    came_from[c] = column;
                }
                if (least[c] < step) {
                    step = least[c];
                    next = c;
                }
            }
            for (std::size_t c = 0; c <= m; ++c) {
                if (done[c]) {
                    row_potential[row_of[c]] += step;
                    column_potential[c] -= step;
                } else {
                    least[c] -= step;
                }
            }
            column = next;
        } while (row_of[column] != 0);
        for (; column != 0; column = came_from[column]) row_of[column] = row_of[came_from[column]];
    }
    std::vector<int> assigned(n, -1);
    for (std::size_t c = 1; c <= m; ++c)
        if (row_of[c] != 0 && costs(row_of[c] - 1, c - 1) < no_path) assigned[row_of[c] - 1] = static_cast<int>(c - 1);
    return assigned;
}

double squared(Point a, Point b) {
    const Point d = b - a;
    return d.x * d.x + d.y * d.y;
}

}  // namespace

std::vector<int> hungarian(const CostMatrix& costs) {
    if (costs.rows() <= costs.columns()) return assign_rows(costs);
    CostMatrix turned(costs.columns(), costs.rows());
    for (std::size_t r = 0; r < costs.rows(); ++r)
        for (std::size_t c = 0; c < costs.columns(); ++c) turned(c, r) = costs(r, c);
    std::vector<int> assigned(costs.rows(), -1);
    const std::vector<int> row_of = assign_rows(turned);
    for (std::size_t c = 0; c < row_of.size(); ++c)
        if (row_of[c] >= 0) assigned[static_cast<std::size_t>(row_of[c])] = static_cast<int>(c);
    return assigned;
}

std::vector<int> cheapest_pairs(const CostMatrix& costs) {
    std::vector<int> assigned(costs.rows(), -1);
    std::vector<bool> taken(costs.columns(), false);
    for (;;) {
        double least = no_path;
        std::size_t row = 0, column = 0;
        for (std::size_t r = 0; r < costs.rows(); ++r)
            for (std::size_t c = 0; c < costs.columns() && assigned[r] < 0; ++c)
                if (!taken[c] && costs(r, c) < least) {
                    least = costs(r, c);
                    row = r;
                    column = c;
                }
        if (least == no_path) return assigned;
        assigned[row] = static_cast<int>(column);
        taken[column] = true;
    }
}

std::vector<int> by_priority(const CostMatrix& costs) {
    std::vector<int> assigned(costs.rows(), -1);
    for (std::size_t c = 0; c < costs.columns(); ++c) {
        double least = no_path;
        std::size_t nearest = costs.rows();
        for (std::size_t r = 0; r < costs.rows(); ++r) {
            if (assigned[r] >= 0 || !(costs(r, c) < least)) continue;
            least = costs(r, c);
            nearest = r;
        }
        if (nearest < costs.rows()) assigned[nearest] = static_cast<int>(c);
    }
    return assigned;
}

std::vector<int> assign_all(const CostMatrix& costs, std::vector<int> (*assign)(const CostMatrix&)) {
    std::vector<int> assigned = assign(costs);
    for (;;) {
        std::vector<std::size_t> rows;
        for (std::size_t r = 0; r < costs.rows(); ++r)
            if (assigned[r] < 0) rows.push_back(r);
        CostMatrix left(rows.size(), costs.columns());
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (std::size_t c = 0; c < costs.columns(); ++c) left(r, c) = costs(rows[r], c);
        const std::vector<int> more = assign(left);
        if (std::all_of(more.begin(), more.end(), [](int c) { return c < 0; })) return assigned;
        for (std::size_t r = 0; r < rows.size(); ++r) assigned[rows[r]] = more[r];
    }
}

Clustering kmeans(std::span<const Point> points, std::vector<Point> centres, int rounds) {
    Clustering out{std::move(centres), std::vector<int>(points.size(), -1)};
    for (int round = 0; round < rounds; ++round) {
        bool changed = false;
        std::vector<Point> sum(out.centres.size());
        std::vector<int> count(out.centres.size(), 0);
        for (std::size_t i = 0; i < points.size(); ++i) {
            std::size_t best = 0;
            for (std::size_t k = 1; k < out.centres.size(); ++k)
                if (squared(points[i], out.centres[k]) < squared(points[i], out.centres[best])) best = k;
            changed |= out.cluster[i] != static_cast<int>(best);
            out.cluster[i] = static_cast<int>(best);
            sum[best] = sum[best] + points[i];
            ++count[best];
        }
        if (!changed) break;
        for (std::size_t k = 0; k < out.centres.size(); ++k)
            if (count[k] > 0) out.centres[k] = sum[k] * (1.0 / count[k]);
    }
    return out;
}

std::vector<Point> spread_centres(std::span<const Point> points, std::size_t count) {
    std::vector<Point> centres;
    if (points.empty() || count == 0) return centres;
    centres.push_back(points[0]);
    std::vector<double> away(points.size(), no_path);
    while (centres.size() < count) {
        std::size_t farthest = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            away[i] = std::min(away[i], squared(points[i], centres.back()));
            if (away[i] > away[farthest]) farthest = i;
        }
        if (away[farthest] == 0) break;
        centres.push_back(points[farthest]);
    }
    return centres;
}

}  // namespace outrider
