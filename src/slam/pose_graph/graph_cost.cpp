#include "slam/pose_graph/graph_cost.hpp"

#include "base/budget.hpp"
#include "slam/pose_graph/block_matrix.hpp"

namespace outrider {

void expect_affordable_graph(const PoseGraph& graph, const std::string& path) {
    constexpr std::int64_t block_bytes = 9 * (sizeof(double) + sizeof(int));  // a number, and its row
    constexpr std::int64_t most_blocks = std::int64_t{1} << 27;               // entries are counted with int
    const auto nodes = static_cast<std::int64_t>(graph.nodes.size()),
               n = nodes + static_cast<std::int64_t>(graph.landmarks.size());
    std::int64_t blocks = n * (n + 1) / 2;  // of a full factor
    if (static_cast<std::uint64_t>(blocks) > memory_budget() / block_bytes) {
        std::vector<std::pair<int, int>> pairs;
        for (const PoseGraphEdge& e : graph.edges) pairs.emplace_back(e.from, e.to);
        for (const LandmarkSighting& e : graph.sightings)
            pairs.emplace_back(e.from, static_cast<int>(nodes) + e.landmark);
        blocks = n + BlockPattern(static_cast<int>(n), pairs).factor_blocks(most_blocks);
    }
    const bool countable = blocks < most_blocks;
    expect_affordable(path, countable ? static_cast<std::uint64_t>(blocks * block_bytes) : UINT64_MAX / 2,
                      "its system of equations");
}

}  // namespace outrider
