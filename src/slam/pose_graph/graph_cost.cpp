#include "slam/pose_graph/graph_cost.hpp"

#include "base/budget.hpp"
#include "outrider/error.hpp"
#include "slam/pose_graph/block_matrix.hpp"

namespace outrider {

void expect_affordable_graph(const PoseGraph& graph, const std::string& path) {
    constexpr std::int64_t block_bytes = 9 * (sizeof(double) + sizeof(int));  // a number, and its row
    constexpr std::int64_t most_blocks = std::int64_t{1} << 27;               // entries are counted with int
    constexpr std::int64_t most_products = 50'000'000;                        // some seconds each time
    const auto nodes = static_cast<std::int64_t>(graph.nodes.size()),
               n = nodes + static_cast<std::int64_t>(graph.landmarks.size());
    FactorCost cost{n * (n + 1) / 2, n < 100'000 ? n * n * n / 6 : INT64_MAX};  // of a full factor
    if (static_cast<std::uint64_t>(cost.blocks) > memory_budget() / block_bytes || cost.products > most_products) {
        std::vector<std::pair<int, int>> pairs;
        for (const PoseGraphEdge& e : graph.edges) pairs.emplace_back(e.from, e.to);
        for (const LandmarkSighting& e : graph.sightings)
            pairs.emplace_back(e.from, static_cast<int>(nodes) + e.landmark);
        cost = BlockPattern(static_cast<int>(n), pairs).factor_cost(most_blocks);
        cost.blocks += n;
    }
    const bool countable = cost.blocks < most_blocks;
    expect_affordable(path, countable ? static_cast<std::uint64_t>(cost.blocks * block_bytes) : UINT64_MAX / 2,
                      "its system of equations");
    if (cost.products > most_products)
        fail(
            "{}: its {} edges cross so much that to solve its equations once takes {} products of matrices; expected "
            "at "
            "most {}, as of graphs in which places are joined to those near them",
            path, graph.edges.size() + graph.sightings.size(), cost.products, most_products);
}

}  // namespace outrider
