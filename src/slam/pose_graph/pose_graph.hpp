// Pose graphs: places, and measured poses of one seen from another; the places that agree best with them.
//
//     G2oFile file = read_g2o("intel.g2o");
//     GraphResult result = optimise(file.graph, {});
//
// Minimises the sum of e' Information e over all edges, with e = measured^-1 (+) from^-1 (+) to, as g2o has it
// (Kuemmerle et al., ICRA 2011). One thread, and no library whose bits depend on the machine.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "outrider/geometry.hpp"
#include "slam/matrix3.hpp"

namespace outrider {

struct PoseGraphEdge {
    int from = 0, to = 0;   ///< nodes
    Pose measured;          ///< of `to`, seen from `from`: metres, radians
    Matrix3 information{};  ///< inverse of its covariance; positive definite
};

struct PoseGraph {
    std::vector<Pose> nodes;
    std::vector<std::uint8_t> fixed;  ///< of each node: 1: stays. Of a piece without any, the first node stays
    std::vector<PoseGraphEdge> edges;
};

enum class GraphStart { file, rotations, best };
inline constexpr std::array<std::string_view, 3> graph_start_names{"file", "rotations", "best"};

struct GraphOptions {
    GraphStart start = GraphStart::best;  ///< the given poses, from rotations alone, or the better one of both
    int iterations = 100;                 ///< at most
    double cauchy =
        0;  ///< above 0: an edge with squared error s counts c^2 log(1 + s / c^2), so wrong ones count little
};

struct GraphResult {
    double given = 0, begun = 0,
           ended = 0;             ///< chi2, or with a Cauchy loss its sum: as given, at the start, in the end
    bool from_rotations = false;  ///< the start
    bool converged = false;
    int iterations = 0;
    int pieces = 0;                       ///< parts of the graph that no edge joins
    double factorising_s = 0, all_s = 0;  ///< CPU time of one factorisation, in the mean, and of everything
    int factorisations = 0;
};

/// Moves the nodes. CHECK: edges name nodes.
GraphResult optimise(PoseGraph& graph, const GraphOptions& options);

/// e' Information e of an edge.
double squared_error(const PoseGraph& graph, const PoseGraphEdge& edge);
/// Their sum.
double chi2(const PoseGraph& graph);

}  // namespace outrider
