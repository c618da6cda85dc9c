// Matching of scans point by point, from pairs of nearest points: the matchers of the manifold (Pfister et al. 2002 for
// weights, Lu and Milios 1997 for turns from ranges, Minguez et al. 2006 for a distance that knows of turns).
#pragma once

#include "slam/manifold/point_cloud.hpp"
#include "slam/matrix3.hpp"
#include "slam/slam_options.hpp"

namespace outrider {

struct PointMatch {
    Pose pose;
    Matrix3 covariance{};  ///< in the frame of the cloud, as the matcher says; zero when it does not say any
    double rms_m = 0;      ///< of the pairs
    double paired = 0;     ///< share of the ends that have one
    int pairs = 0, iterations = 0;
    bool converged = false;
};

/// The pose at which `scan`, in the frame of the body, lies on the points of `cloud`. Starts at `seed`; points farther
/// apart than `reach_m` are no pair. CHECK: the matcher is one of points.
PointMatch match_points(const PointCloud& cloud, const PointCloud& scan, const Pose& seed, SlamMatcher matcher,
                        double reach_m);

/// Whether a match is to be believed: it converged on enough pairs, and walls fix the pose.
bool believable(const PointMatch& match);

}  // namespace outrider
