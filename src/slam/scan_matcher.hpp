// Fitting a scan into a map: the pose at which the ends of its beams lie nearest to walls.
//
// Minimises sum rho(D(T p_i)) over poses T, with D the distance field of the map and rho the Cauchy loss, by
// Levenberg-Marquardt steps of three unknowns: first with a wide loss, which sees walls from afar, then with a narrow
// one, for which only the walls nearby count. Turns are about the robot, not about the origin of the map: far out the
// system stays as well conditioned as near it. An expected pose may hold back directions that the walls leave open.
#pragma once

#include <span>

#include "slam/counted_map.hpp"
#include "slam/matrix3.hpp"

namespace outrider {

struct MatchOptions {
    double coarse_loss_m = 0.3;  ///< residuals beyond it weigh less and less while the pose is found,
    double fine_loss_m = 0.07;   ///< and while it is refined
    double unseen_m = 1e9;       ///< where nothing was seen yet, ends farther than this from a wall pull no more
    double sigma_m = 0.05;       ///< of a residual, for the covariance and against the expected pose
    int max_iterations = 40;     ///< of either
    double inlier_m = 0.15;      ///< an end nearer than this to a wall fits
    bool across_walls = false;   ///< ends on a wall that goes on in the scan are drawn to it, not along it
};

/// The sums of the normal equations at a pose.
struct NormalEquations {
    Matrix3 a{};      ///< J^T W J
    Vector3 b{};      ///< J^T W r
    double cost = 0;  ///< sum of rho
};
/// residual i = D(pose * p_i), row of J = [gx, gy, gy x - gx y] with (x, y) the point rotated about the robot.
/// `normals`: none, or of each point the direction, in the frame of the body, in which alone its residual counts; zero:
/// any.
NormalEquations linearise(const CountedMap& map, std::span<const Point> points, const Pose& pose, double loss_m,
                          double unseen_m = 1e9, std::span<const Point> normals = {});

/// What is known of a pose beforehand: information (inverse covariance) in the frame of the map.
struct ExpectedPose {
    Pose pose;
    Matrix3 information{};
    bool measured = false;  ///< the information is that of a sensor, and no guess of what sensors are like
    bool unknown = false;   ///< the body's motion was not measured: the pose is the last one
};

struct Match {
    Pose pose;
    Matrix3 covariance{};  ///< in the frame of the map; zero when the walls do not fix the pose
    double rms_m = 0;      ///< of the residuals of the ends that fit
    double inliers = 0;    ///< share of the ends at known places that fit; 0: no known place
    double known = 0;      ///< share of the ends at places that the map knows
    double cost = 0;       ///< at the end, with what the expected pose adds
    int iterations = 0;
    bool converged = false;
};

/// points: ends of beams in the frame of the body. Starts at `start`.
Match match_scan(const CountedMap& map, std::span<const Point> points, const Pose& start, const ExpectedPose& expected,
                 const MatchOptions& options);
/// The same measures of a pose as it is.
void judge(const CountedMap& map, std::span<const Point> points, const MatchOptions& options, Match& match);

}  // namespace outrider
