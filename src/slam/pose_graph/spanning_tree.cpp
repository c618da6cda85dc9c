#include "slam/pose_graph/spanning_tree.hpp"

namespace outrider {

std::vector<Pose> poses_along_tree(const PoseGraph& graph) {
    const std::size_t n = graph.nodes.size();
    // The edges of node i: ends[begin[i]] to ends[begin[i + 1] - 1], in the order of the graph.
    std::vector<std::size_t> begin(n + 2);
    for (const PoseGraphEdge& e : graph.edges)
        for (const int end : {e.from, e.to}) ++begin[static_cast<std::size_t>(end) + 2];
    for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<const PoseGraphEdge*> ends(2 * graph.edges.size());
    for (const PoseGraphEdge& e : graph.edges)
        for (const int end : {e.from, e.to}) ends[begin[static_cast<std::size_t>(end) + 1]++] = &e;

    std::vector<Pose> out(n);
    std::vector<std::uint8_t> reached(n);
    std::vector<int> queue;
    for (std::size_t first = 0; first < n; ++first) {
        if (reached[first]) continue;
        reached[first] = 1;
        queue.assign(1, static_cast<int>(first));
        for (std::size_t next = 0; next < queue.size(); ++next) {
            const int here = queue[next];
            const auto i = static_cast<std::size_t>(here);
            for (std::size_t k = begin[i]; k < begin[i + 1]; ++k) {
                const PoseGraphEdge& e = *ends[k];
                const bool ahead = e.from == here;
                const int there = ahead ? e.to : e.from;
                if (reached[static_cast<std::size_t>(there)]) continue;
                reached[static_cast<std::size_t>(there)] = 1;
                out[static_cast<std::size_t>(there)] = compose(out[i], ahead ? e.measured : inverse(e.measured));
                queue.push_back(there);
            }
        }
    }
    return out;
}

}  // namespace outrider
