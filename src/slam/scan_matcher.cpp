#include "slam/scan_matcher.hpp"

#include <algorithm>
#include <cmath>

#include "slam/eigen3.hpp"
#include "slam/scan_normals.hpp"

namespace outrider {
namespace {

/// Steps shorter than this, in metres and radians, end the two searches; so does a gain of this share of the cost.
constexpr double coarse_step = 1e-3, fine_step = 2e-5, little = 1e-6;
constexpr double first_damping = 1e-4;

Vector3 difference(const Pose& a, const Pose& b) { return {a.x - b.x, a.y - b.y, wrap_angle(a.yaw - b.yaw)}; }

/// Descends from match.pose.
void descend(const CountedMap& map, std::span<const Point> points, std::span<const Point> normals,
             const ExpectedPose& expected, double loss_m, const MatchOptions& options, double small_m, Match& match) {
    const double scale = 1 / (options.sigma_m * options.sigma_m);
    const auto equations = [&](const Pose& at) {
        NormalEquations n = linearise(map, points, at, loss_m, options.unseen_m, normals);
        const Vector3 off = difference(at, expected.pose), pull = product(expected.information, off);
        n.cost = n.cost * scale + 0.5 * (off[0] * pull[0] + off[1] * pull[1] + off[2] * pull[2]);
        eigen(n.a) = eigen(n.a) * scale + eigen(expected.information);
        eigen(n.b) = eigen(n.b) * scale + eigen(pull);
        return n;
    };
    NormalEquations now = equations(match.pose);
    double damping = first_damping;
    match.converged = false;
    for (int i = 0; i < options.max_iterations && !match.converged; ++i) {
        ++match.iterations;
        Matrix3 a = now.a;
        eigen(a).diagonal().array() += damping * eigen(now.a).diagonal().array() + 1e-9;
        Vector3 step;
        if (!solve3(a, now.b, step)) break;
        const Pose next{match.pose.x - step[0], match.pose.y - step[1], wrap_angle(match.pose.yaw - step[2])};
        const NormalEquations then = equations(next);
        const bool small = (eigen(step).array().abs() < small_m).all();
        if (then.cost < now.cost) {
            match.converged = small || now.cost - then.cost < little * now.cost;
            match.pose = next;
            now = then;
            damping = std::max(damping * 0.1, 1e-9);
        } else {
            match.converged = small || damping > 1e6;
            damping = std::max(damping * 10, 1e-3);
        }
    }
    invert3(now.a, match.covariance);
    match.cost = now.cost;
}

}  // namespace

NormalEquations linearise(const CountedMap& map, std::span<const Point> points, const Pose& pose, double loss_m,
                          double unseen_m, std::span<const Point> normals) {
    const auto [s, c] = sin_cos(pose.yaw);
    const double inverse2 = 1 / (loss_m * loss_m), half = 0.5 * loss_m * loss_m;
    double a00 = 0, a10 = 0, a11 = 0, a20 = 0, a21 = 0, a22 = 0, b0 = 0, b1 = 0, b2 = 0, product = 1, cost = 0;
    int factors = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point p = points[i];
        const double x = c * p.x - s * p.y, y = s * p.x + c * p.y;
        const Point at{pose.x + x, pose.y + y};
        auto [r, gx, gy] = map.sample(at);
        if (!normals.empty() && normals[i] != Point{}) {
            const double nx = c * normals[i].x - s * normals[i].y, ny = s * normals[i].x + c * normals[i].y;
            const double across = gx * nx + gy * ny, length = std::sqrt(gx * gx + gy * gy);
            if (length > 0) r *= std::abs(across) / length;
            gx = across * nx;
            gy = across * ny;
        }
        if (r > unseen_m && map.seen(map.lattice().cell_of(at)) == 0) {
            r = unseen_m;
            gx = gy = 0;
        }
        const double w = 1 / (1 + r * r * inverse2), j2 = gy * x - gx * y;
        // The sum of logarithms as the logarithm of products: each factor is at least 1 and, within the horizon, small.
        product *= 1 + r * r * inverse2;
        if (++factors == 32) {
            cost += half * log(product);
            product = 1;
            factors = 0;
        }
        const double wx = w * gx, wy = w * gy, wj = w * j2;
        a00 += wx * gx;
        a10 += wx * gy;
        a11 += wy * gy;
        a20 += wx * j2;
        a21 += wy * j2;
        a22 += wj * j2;
        b0 += wx * r;
        b1 += wy * r;
        b2 += wj * r;
    }
    return {{a00, a10, a20, a10, a11, a21, a20, a21, a22}, {b0, b1, b2}, cost + half * log(product)};
}

void judge(const CountedMap& map, std::span<const Point> points, const MatchOptions& options, Match& match) {
    const auto [s, c] = sin_cos(match.pose.yaw);
    const double near = std::min(map.horizon_m(), std::max(options.inlier_m, options.unseen_m));
    int known = 0, fit = 0;
    double sum = 0;
    for (const Point p : points) {
        const Point at{match.pose.x + (c * p.x - s * p.y), match.pose.y + (s * p.x + c * p.y)};
        const double d = map.sample(at).distance_m;
        if (d < options.inlier_m) {
            ++fit;
            sum += d * d;
        }
        known += d < near || map.seen(map.lattice().cell_of(at)) > 0;
    }
    match.known = points.empty() ? 0 : known / static_cast<double>(points.size());
    match.inliers = known > 0 ? fit / static_cast<double>(known) : 0;
    match.rms_m = fit > 0 ? std::sqrt(sum / fit) : 0;
}

Match match_scan(const CountedMap& map, std::span<const Point> points, const Pose& start, const ExpectedPose& expected,
                 const MatchOptions& options) {
    Match match;
    match.pose = start;
    const MatchedEnds thinned = options.across_walls ? matched_ends(points) : MatchedEnds{};
    const std::span<const Point> used = options.across_walls ? std::span<const Point>(thinned.points) : points;
    descend(map, used, thinned.normals, expected, options.coarse_loss_m, options, coarse_step, match);
    descend(map, used, thinned.normals, expected, options.fine_loss_m, options, fine_step, match);
    judge(map, points, options, match);
    return match;
}

}  // namespace outrider
