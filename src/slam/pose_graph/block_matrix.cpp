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

/// Of a block within its column.
int BlockPattern::index(int row, int column) const {
    const auto first = rows_.begin() + begin_[static_cast<std::size_t>(column)],
               last = rows_.begin() + begin_[static_cast<std::size_t>(column) + 1];
    const auto at = std::lower_bound(first, last, row);
    OUTRIDER_CHECK(at != last && *at == row, ==, true);
    return static_cast<int>(at - first);
}

}  // namespace outrider
