// The manifold: scans that are kept, and what was measured between them. Where a patch is in the frame of the map
// follows from the relations, and changes when a loop closes (Howard 2006; Pfingsthorn, Slamet and Visser 2008).
#pragma once

#include <vector>

#include "outrider/geometry.hpp"
#include "slam/matrix3.hpp"
#include "slam/pose_graph/pose_graph.hpp"

namespace outrider {

/// A scan that is kept.
struct ScanPatch {
    std::vector<Point> ends;  ///< of beams, in the frame of the body, metres
    Point sensor;             ///< where they were seen from, likewise
    double travelled_m = 0;   ///< that the body went up to here
    int section = 0;          ///< consecutive patches that are drawn together, when a place is looked for
};

/// What is known of a patch, seen from another one.
struct Reached {
    Matrix3 covariance{};  ///< of its pose in the frame of the map, along the most certain way of relations
    int relations = -1;    ///< on that way; -1: there is none, or it is less certain than was asked for
};

class PatchGraph {
  public:
    static constexpr int none = -1;

    int count() const { return static_cast<int>(patches_.size()); }
    const ScanPatch& patch(int id) const { return patches_[static_cast<std::size_t>(id)]; }
    const Pose& pose(int id) const { return graph_.nodes[static_cast<std::size_t>(id)]; }
    int sections() const { return static_cast<int>(first_of_section_.size()); }
    int first_of_section(int section) const { return first_of_section_[static_cast<std::size_t>(section)]; }

    /// Adds a patch at `pose`; returns its number. Its section is that of the one before, until that is long enough or
    /// `apart` begins another one.
    int add(std::vector<Point> ends, Point sensor, const Pose& pose, double travelled_m, bool apart);
    /// Both know each other from now on: `measured` is `to` in the frame of `from`, and its covariance there.
    void relate(int from, int to, const Pose& measured, const Matrix3& covariance);
    /// The relations; the last one added is the last one here.
    const std::vector<PoseGraphEdge>& relations() const { return graph_.edges; }
    /// Takes back the relations with these numbers, in ascending order.
    void forget(const std::vector<int>& numbers);

    /// What is known of all patches, seen from one of them: along ways on which the standard deviation of the position
    /// stays below `limit_m`.
    std::vector<Reached> reach(int from, double limit_m) const;

    /// e' Sigma^-1 e of a relation.
    double squared_error(int relation) const {
        return outrider::squared_error(graph_, graph_.edges[static_cast<std::size_t>(relation)]);
    }
    /// Moves the patches to where the relations agree best.
    GraphResult optimise(const GraphOptions& options);

  private:
    struct Neighbour {
        int patch, relation;
    };
    std::vector<ScanPatch> patches_;
    PoseGraph graph_;
    std::vector<std::vector<Neighbour>> neighbours_;
    std::vector<Matrix3> covariances_;  // of each relation
    std::vector<int> first_of_section_;
};

Matrix3 scaled(const Matrix3& covariance, double by);
/// A covariance of (x, y, yaw) whose position is given in a frame turned by `yaw` more.
Matrix3 turned(const Matrix3& covariance, double yaw);
/// Of a pose that was measured from a place which is itself known so well: both errors, and that of the first heading
/// times the `distance` between them; all in the frame of the map.
Matrix3 carried(const Matrix3& first, Point distance, const Matrix3& second);
/// The larger standard deviation of the position, in metres.
double position_sigma(const Matrix3& covariance);

}  // namespace outrider
