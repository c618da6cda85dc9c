#include "recurrent/connected_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace outrider {
namespace {

/// Fewest steps from the set to each vertex, -1 where there is no way, and the vertex before it on the way.
struct PathTree {
    std::vector<int> steps, before;
};

PathTree paths_from(const Neighbours& graph, const std::vector<bool>& in_set) {
    PathTree paths{std::vector<int>(graph.size(), -1), std::vector<int>(graph.size(), -1)};
    std::vector<std::size_t> queue;
    for (std::size_t v = 0; v < graph.size(); ++v)
        if (in_set[v]) {
            paths.steps[v] = 0;
            queue.push_back(v);
        }
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (const int n : graph[queue[i]]) {
            const auto next = static_cast<std::size_t>(n);
            if (paths.steps[next] >= 0) continue;
            paths.steps[next] = paths.steps[queue[i]] + 1;
            paths.before[next] = static_cast<int>(queue[i]);
            queue.push_back(next);
        }
    return paths;
}

/// Kuhn's augmenting path for a column.
bool augment(const std::vector<std::vector<double>>& costs, double most, std::size_t column,
             std::vector<int>& column_of_row, std::vector<bool>& seen) {
    for (std::size_t row = 0; row < costs.size(); ++row) {
        if (seen[row] || costs[row][column] > most || std::isinf(costs[row][column])) continue;
        seen[row] = true;
        const int other = column_of_row[row];
        if (other >= 0 && !augment(costs, most, static_cast<std::size_t>(other), column_of_row, seen)) continue;
        column_of_row[row] = static_cast<int>(column);
        return true;
    }
    return false;
}

std::vector<int> match(const std::vector<std::vector<double>>& costs, std::size_t columns, double most) {
    std::vector<int> column_of_row(costs.size(), -1), row_of_column(columns, -1);
    for (std::size_t column = 0; column < columns; ++column) {
        std::vector<bool> seen(costs.size(), false);
        augment(costs, most, column, column_of_row, seen);
    }
    for (std::size_t row = 0; row < costs.size(); ++row)
        if (column_of_row[row] >= 0)
            row_of_column[static_cast<std::size_t>(column_of_row[row])] = static_cast<int>(row);
    return row_of_column;
}

}  // namespace

std::vector<int> grow_connected(const Neighbours& graph, int root, std::vector<double> gain,
                                const std::vector<int>& terminals, std::size_t most,
                                const std::function<double(int chosen, int other)>& left) {
    std::vector<bool> in_set(graph.size(), false);
    in_set[static_cast<std::size_t>(root)] = true;
    std::vector<int> set;
    const auto add = [&](const PathTree& paths, int vertex) {
        const std::size_t first = set.size();
        for (int v = vertex; v >= 0 && !in_set[static_cast<std::size_t>(v)];
             v = paths.before[static_cast<std::size_t>(v)]) {
            in_set[static_cast<std::size_t>(v)] = true;
            set.push_back(v);
            for (std::size_t other = 0; other < gain.size(); ++other)
                if (gain[static_cast<std::size_t>(v)] > 0) gain[other] *= left(v, static_cast<int>(other));
            gain[static_cast<std::size_t>(v)] = 0;
        }
        std::reverse(set.begin() + static_cast<std::ptrdiff_t>(first), set.end());
    };
    const auto fits = [&](int steps) { return steps > 0 && set.size() + static_cast<std::size_t>(steps) <= most; };
    for (const int terminal : terminals) {
        const PathTree paths = paths_from(graph, in_set);
        if (fits(paths.steps[static_cast<std::size_t>(terminal)])) add(paths, terminal);
    }
    for (;;) {
        const PathTree paths = paths_from(graph, in_set);
        int best = -1;
        double most_gain = 0;
        for (std::size_t v = 0; v < graph.size(); ++v) {
            if (!fits(paths.steps[v])) continue;
            const double per_vertex = gain[v] / paths.steps[v];
            if (per_vertex <= most_gain) continue;
            most_gain = per_vertex;
            best = static_cast<int>(v);
        }
        if (best < 0) return set;
        add(paths, best);
    }
}

std::vector<int> bottleneck_assignment(const std::vector<std::vector<double>>& costs, std::size_t columns) {
    const auto size = [](const std::vector<int>& rows) {
        return std::count_if(rows.begin(), rows.end(), [](int row) { return row >= 0; });
    };
    const auto full = size(match(costs, columns, std::numeric_limits<double>::max()));
    std::vector<double> levels;
    for (const std::vector<double>& row : costs)
        for (std::size_t column = 0; column < columns; ++column)
            if (!std::isinf(row[column])) levels.push_back(row[column]);
    std::sort(levels.begin(), levels.end());
    const auto least = std::partition_point(levels.begin(), levels.end(),
                                            [&](double most) { return size(match(costs, columns, most)) < full; });
    if (least == levels.end()) return std::vector<int>(columns, -1);
    return match(costs, columns, *least);
}

}  // namespace outrider
