#include "slam/pose_graph/block_matrix.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>

#include "outrider/error.hpp"

namespace outrider {

BlockPattern::BlockPattern(int count, const std::vector<std::pair<int, int>>& pairs) {
    std::vector<Eigen::Triplet<double>> both;
    for (const auto& [a, b] : pairs) {
        both.emplace_back(a, b, 1.0);
        both.emplace_back(b, a, 1.0);
    }
    for (int i = 0; i < count; ++i) both.emplace_back(i, i, 1.0);
    Eigen::SparseMatrix<double> graph(count, count);
    graph.setFromTriplets(both.begin(), both.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(graph, order);
    place_.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) place_[static_cast<std::size_t>(order.indices()(i))] = i;

    std::vector<std::pair<int, int>> blocks;  // column, row
    for (const auto& [a, b] : pairs)
        if (a != b) blocks.emplace_back(std::min(place(a), place(b)), std::max(place(a), place(b)));
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    begin_.assign(static_cast<std::size_t>(count) + 1, 0);
    for (const auto& [column, row] : blocks) {
        ++begin_[static_cast<std::size_t>(column) + 1];
        rows_.push_back(row);
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(count); ++c) begin_[c + 1] += begin_[c];
}

FactorCost BlockPattern::factor_cost(std::int64_t most) const {
    const auto n = static_cast<std::size_t>(count());
    std::vector<std::vector<int>> columns(n);  // of the blocks of each row
    for (int c = 0; c < count(); ++c)
        for (int k = begin_[static_cast<std::size_t>(c)]; k < begin_[static_cast<std::size_t>(c) + 1]; ++k)
            columns[static_cast<std::size_t>(rows_[static_cast<std::size_t>(k)])].push_back(c);
    std::vector<int> parent(n, -1), seen_in(n, -1);
    std::vector<std::int64_t> below(n);  // blocks of each column of the factor
    FactorCost cost;
    for (int row = 0; row < count(); ++row) {
        seen_in[static_cast<std::size_t>(row)] = row;
        for (const int first : columns[static_cast<std::size_t>(row)])  // row of the factor: the paths up the tree
            for (auto i = static_cast<std::size_t>(first); seen_in[i] != row; i = static_cast<std::size_t>(parent[i])) {
                if (parent[i] < 0) parent[i] = row;
                seen_in[i] = row;
                cost.products += ++below[i];  // with itself, and with each above it in its column
                if (++cost.blocks >= most) return cost;
            }
    }
    return cost;
}

/// Of a block within its column.
int BlockPattern::index(int row, int column) const {
    const auto first = rows_.begin() + begin_[static_cast<std::size_t>(column)],
               last = rows_.begin() + begin_[static_cast<std::size_t>(column) + 1];
    const auto at = std::lower_bound(first, last, row);
    OUTRIDER_CHECK(at != last && *at == row, ==, true);
    return static_cast<int>(at - first);
}

}  // namespace outrider
