#include "slam/surface_match.hpp"

#include <cmath>
#include <vector>

#include "slam/eigen3.hpp"
#include "slam/scan_normals.hpp"

namespace outrider {
namespace {

/// Shorter steps, in metres and radians, end the search.
constexpr double small_step = 1e-4;

/// The normal equations at a pose, and how well the ends fit there.
class Equations {
  public:
    explicit Equations(const SurfaceOptions& options)
        : options_(options), scale_(1 / (options.sigma_m * options.sigma_m)), missed_cost_(loss(options.farthest_m)) {}

    void add(const CountedMap& map, std::span<const Point> ends, std::span<const Point> normals, const Pose& pose) {
        using Kind = CountedMap::Surface::Kind;
        const auto [s, c] = sin_cos(pose.yaw);
        const auto turn = [s = s, c = c](Point p) { return Point{c * p.x - s * p.y, s * p.x + c * p.y}; };
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const Point arm = turn(ends[i]), end = pose.position() + arm;
            const CountedMap::Surface surface = map.surface_near(end);
            const Point normal = surface.kind == Kind::line ? surface.normal : turn(normals[i]), off = end - surface.at;
            const double r = off.x * normal.x + off.y * normal.y;
            if (surface.kind == Kind::none || std::abs(r) > options_.farthest_m || norm(off) > 2 * options_.farthest_m)
                miss(map.seen(map.lattice().cell_of(end)) > 0);
            else if (normal != Point{})
                fit(r, normal, arm);
        }
    }
    void add(const ExpectedPose& expected, const Pose& pose) {
        const Eigen::Vector3d off(pose.x - expected.pose.x, pose.y - expected.pose.y,
                                  wrap_angle(pose.yaw - expected.pose.yaw));
        const auto information = eigen(expected.information);
        eigen(a) += information;
        for (Eigen::Index i = 0; i < 3; ++i) {
            eigen(b) += information.col(i) * off[i];
            for (Eigen::Index k = 0; k < 3; ++k) cost += 0.5 * off[i] * information(i, k) * off[k];
        }
        eigen(a).diagonal().array() += 1e-9;
    }

    Matrix3 a{};
    Vector3 b{};
    double cost = 0;

  private:
    double loss(double r) const {
        const double l2 = options_.loss_m * options_.loss_m;
        return 0.5 * scale_ * l2 * log(1 + r * r / l2);
    }
    void miss(bool at_known_place) { cost += at_known_place ? missed_cost_ : options_.unseen_cost * missed_cost_; }
    void fit(double r, Point normal, Point arm) {
        const double weight = scale_ / (1 + r * r / (options_.loss_m * options_.loss_m));
        const Eigen::Vector3d j(normal.x, normal.y, normal.y * arm.x - normal.x * arm.y);
        eigen(a).noalias() += (weight * j) * j.transpose();
        eigen(b) += weight * j * r;
        cost += loss(r);
    }
    const SurfaceOptions& options_;
    double scale_, missed_cost_;
};

}  // namespace

SurfaceMatch match_surfaces(const CountedMap& map, std::span<const Point> ends, const Pose& start,
                            const ExpectedPose& expected, const SurfaceOptions& options) {
    const std::vector<Point> normals = scan_normals(ends);
    SurfaceMatch match{start, {}, 0};
    bool small = false;
    for (int i = 0;; ++i) {
        Equations e(options);
        e.add(map, ends, normals, match.pose);
        e.add(expected, match.pose);
        match.cost = e.cost;
        invert3(e.a, match.covariance);
        Vector3 step;
        if (small || i == options.max_iterations || !solve3(e.a, e.b, step)) return match;
        match.pose = {match.pose.x - step[0], match.pose.y - step[1], wrap_angle(match.pose.yaw - step[2])};
        small = (eigen(step).array().abs() < small_step).all();
    }
}

}  // namespace outrider
