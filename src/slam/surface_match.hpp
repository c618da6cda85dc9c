// The last centimetre of a match. The distance field ends at cells: a pose may err by half a cell before it pulls, and
// the end of a known wall pulls back what is seen of its continuation. Here the ends of beams are drawn to the surfaces
// that the hits in the cells make, and only across them, so that a wall that goes on does not hold the robot back.
#pragma once

#include <span>

#include "slam/scan_matcher.hpp"

namespace outrider {

struct SurfaceOptions {
    double farthest_m = 0.15;  ///< an end farther from its surface missed it
    double loss_m = 0.04;      ///< residuals beyond it weigh less and less
    double sigma_m = 0.02;     ///< of a residual, against the expected pose
    /// Of a miss where nothing was seen yet, as a share of one elsewhere: what an end on its wall costs with the usual
    /// noise. More would pull the pose back to where more of what is seen is known.
    double unseen_cost = 0.08;
    int max_iterations = 8;
};

struct SurfaceMatch {
    Pose pose;
    Matrix3 covariance{};
    double cost = 0;  ///< of the ends, and of the difference to the expected pose
};

/// The pose near `start` at which the ends (in the frame of the body) lie best on the surfaces of the map.
SurfaceMatch match_surfaces(const CountedMap& map, std::span<const Point> ends, const Pose& start,
                            const ExpectedPose& expected, const SurfaceOptions& options);

}  // namespace outrider
