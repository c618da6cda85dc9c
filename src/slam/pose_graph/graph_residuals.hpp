// What the edges, priors and sightings of a pose graph say of its poses, and how that changes with them.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "slam/pose_graph/pose_graph.hpp"

namespace outrider {

struct Residual {
    Eigen::Vector3d error;
    Eigen::Matrix3d by_from, by_to;  ///< derivatives by the poses at both ends
};

/// Of an edge; with the pose of the map's frame as `from`, of a prior.
Eigen::Vector3d error_of(const Pose& from, const Pose& to, const Pose& measured);
Residual residual(const Pose& from, const Pose& to, const Pose& measured);
/// A landmark is a pose whose heading nothing says: its blocks are as large as those of nodes.
Eigen::Vector3d error_of(const Pose& from, const Pose& landmark, const LandmarkSighting& sighting);
Residual residual(const Pose& from, const Pose& landmark, const LandmarkSighting& sighting);
Eigen::Matrix3d information_of(const LandmarkSighting& sighting);

/// Nodes, and after them landmarks.
std::vector<Pose> all_poses(const PoseGraph& graph);
int pose_of_landmark(const PoseGraph& graph, int landmark);

/// An edge with the squared error s: what it counts, and the weight of its terms.
struct Loss {
    double square;  // c^2; 0: none
    double value(double s) const { return square > 0 ? square * outrider::log(1 + s / square) : s; }
    double weight(double s) const { return square > 0 ? 1 / (1 + s / square) : 1; }
};

/// What all of a graph's edges, priors and sightings count at these poses.
double total(const PoseGraph& graph, const std::vector<Pose>& poses, const Loss& loss);

}  // namespace outrider
