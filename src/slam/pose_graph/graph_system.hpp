// A pose graph as a system of linear equations.
#pragma once

#include <Eigen/Sparse>
#include <cstdint>
#include <utility>
#include <vector>

#include "slam/pose_graph/block_matrix.hpp"
#include "slam/pose_graph/graph_residuals.hpp"

namespace outrider {

/// A graph as a system of equations: which nodes and landmarks are unknown, and where their blocks are.
class GraphSystem {
  public:
    GraphSystem(const PoseGraph& graph, const std::vector<std::uint8_t>& fixed);
    bool empty() const { return count_ == 0; }

    /// The poses with rotations that agree best with the measured ones, and places that follow from these: two linear
    /// problems, so it needs no first guess (Carlone et al., ICRA 2015, compare such starts).
    std::vector<Pose> from_rotations() const;

    /// H dx = -b at these poses: fills in both.
    void linearise(const std::vector<Pose>& poses, const Loss& loss, Eigen::SparseMatrix<double>& h,
                   Eigen::VectorXd& b) const;
    Eigen::SparseMatrix<double> zeros() const { return pattern_.zeros<double>(3); }
    std::vector<Pose> moved(std::vector<Pose> poses, const Eigen::VectorXd& step) const;
    Eigen::Index size() const { return 3 * Eigen::Index{count_}; }

  private:
    std::vector<int> number(const std::vector<std::uint8_t>& fixed);
    std::vector<std::pair<int, int>> pairs() const;
    int place(int node) const;

    void add_both(Eigen::SparseMatrix<double>& h, Eigen::VectorXd& b, int from, int to, const Residual& r,
                  const Eigen::Matrix3d& information, const Loss& loss) const;
    void add(Eigen::SparseMatrix<double>& h, Eigen::VectorXd& b, int at, const Eigen::Matrix3d& jacobian,
             const Eigen::Matrix3d& weighted, const Residual& r) const;

    /// Unit vectors as complex numbers z: z_to = z_from e^(i yaw) in the sense of least squares; lengths do not matter.
    void find_rotations(std::vector<Pose>& poses) const;

    /// With these rotations the measured poses are differences of places.
    void find_places(std::vector<Pose>& poses) const;

    void add_offset(Eigen::SparseMatrix<double>& h, Eigen::MatrixX2d& b, double w, int from, int to, const Pose& start,
                    const Pose& end, Point offset) const;

    /// Poses whose heading no edge leads to from a fixed node or a prior: landmarks, and the first node of each part
    /// that only landmarks join to others. They keep the heading that they have.
    std::vector<int> unturned() const;

    const PoseGraph& graph_;
    int count_ = 0;
    std::vector<int> unknown_;  // of each node and each landmark; -1: fixed
    BlockPattern pattern_;
    std::vector<std::pair<int, int>> places_;  // of the ends of each edge
    std::vector<std::pair<int, int>> seen_;    // the same of sightings
};

}  // namespace outrider
