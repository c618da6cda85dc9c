#include "plan/frontiers/frontier_runs.hpp"

#include <algorithm>
#include <numeric>

namespace outrider {
namespace {

int root(std::vector<int>& parent, int i) {
    while (parent[static_cast<std::size_t>(i)] != i)
        i = parent[static_cast<std::size_t>(i)] = parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
    return i;
}

}  // namespace

void add_runs(TileCoord t, int row, std::uint64_t cells, std::vector<FrontierRun>& runs) {
    while (cells) {
        const int first = std::countr_zero(cells), length = std::countr_one(cells >> first);
        const Cell c = cell_of(t, first, row);
        runs.push_back({c.y, c.x, c.x + length - 1});
        cells &= length == 64 ? 0 : ~(((std::uint64_t{1} << length) - 1) << first);
    }
}

// Counting by rows, then within each row, where there are few.
void sort_runs(std::vector<FrontierRun>& runs) {
    if (runs.size() < 2) return;
    int low = runs[0].row, high = low;
    for (const FrontierRun& run : runs) {
        low = std::min(low, run.row);
        high = std::max(high, run.row);
    }
    const std::size_t rows = static_cast<std::size_t>(high - low) + 1;
    if (rows > 16 * runs.size()) return std::sort(runs.begin(), runs.end());
    std::vector<std::uint32_t> next(rows + 1, 0);  // place of the next run of each row
    for (const FrontierRun& run : runs) ++next[static_cast<std::size_t>(run.row - low) + 1];
    for (std::size_t i = 1; i <= rows; ++i) next[i] += next[i - 1];
    std::vector<FrontierRun> sorted(runs.size());
    for (const FrontierRun& run : runs) sorted[next[static_cast<std::size_t>(run.row - low)]++] = run;
    auto first = sorted.begin();
    for (std::size_t i = 0; i < rows; ++i) {
        const auto end = sorted.begin() + next[i];
        if (end - first > 1) std::sort(first, end);
        first = end;
    }
    runs = std::move(sorted);
}

int label_clusters(std::vector<FrontierRun>& runs) {
    std::vector<int> parent(runs.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto join = [&](std::size_t a, std::size_t b) {
        const int ra = root(parent, static_cast<int>(a)), rb = root(parent, static_cast<int>(b));
        parent[static_cast<std::size_t>(std::max(ra, rb))] = std::min(ra, rb);
    };
    std::size_t above = 0;  // first run of the row before that can still touch
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i > 0 && runs[i - 1].row == runs[i].row && runs[i - 1].last + 1 == runs[i].first) join(i - 1, i);
        while (above < i && (runs[above].row < runs[i].row - 1 ||
                             (runs[above].row == runs[i].row - 1 && runs[above].last + 1 < runs[i].first)))
            ++above;
        for (std::size_t k = above; k < i && runs[k].row == runs[i].row - 1 && runs[k].first <= runs[i].last + 1; ++k)
            join(k, i);
    }
    int labels = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const int r = root(parent, static_cast<int>(i));
        runs[i].label = r == static_cast<int>(i) ? labels++ : runs[static_cast<std::size_t>(r)].label;
    }
    return labels;
}

}  // namespace outrider
