// Pose graphs: places, and measured poses of one seen from another; the places that agree best with them. Also
// landmarks, of which only the position is seen, and priors: what is known of a pose in the frame of the map.
//
//     G2oFile file = read_g2o("intel.g2o");
//     GraphResult result = optimise(file.graph, {});
//
// Minimises the sum of e' Information e over all edges, with e = measured^-1 (+) from^-1 (+) to, as g2o has it
// (Kuemmerle et al., ICRA 2011; its EdgeSE2, EdgeSE2PointXY and EdgeSE2Prior). One thread, and no library whose bits
// depend on the machine.
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

/// Of a landmark: e = from^-1 (+) its position - measured.
struct LandmarkSighting {
    int from = 0, landmark = 0;           ///< node, landmark
    Point measured;                       ///< seen from the node
    std::array<double, 3> information{};  ///< xx, xy, yy; positive definite
};

/// Of a node: e = measured^-1 (+) node.
struct PosePrior {
    int node = 0;
    Pose measured;
    Matrix3 information{};
};

struct PoseGraph {
    std::vector<Pose> nodes;
    /// Of each node: 1: stays. Of a piece without any, and without priors and fixed landmarks, the first node stays.
    std::vector<std::uint8_t> fixed;
    std::vector<PoseGraphEdge> edges;
    std::vector<Point> landmarks;
    std::vector<std::uint8_t> fixed_landmarks;  ///< as `fixed`
    std::vector<LandmarkSighting> sightings;
    std::vector<PosePrior> priors;
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

/// Moves nodes and landmarks. CHECK: edges, sightings and priors name some that are there.
GraphResult optimise(PoseGraph& graph, const GraphOptions& options);

/// e' Information e of an edge, a sighting, a prior.
double squared_error(const PoseGraph& graph, const PoseGraphEdge& edge);
double squared_error(const PoseGraph& graph, const LandmarkSighting& sighting);
double squared_error(const PoseGraph& graph, const PosePrior& prior);
/// Their sum.
double chi2(const PoseGraph& graph);

}  // namespace outrider
