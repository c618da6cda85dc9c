#include "slam/manifold/place_matcher.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "slam/find_pose.hpp"
#include "slam/manifold/around_map.hpp"
#include "slam/place_search.hpp"

namespace outrider {
namespace {

/// A place is searched for when it is known less well than this; within so many standard deviations and a metre, up to
/// so far away.
constexpr double search_sigma_m = 0.3, search_sigma_rad = 0.15, search_sigmas = 3, slack_m = 1, farthest_place_m = 12;
constexpr PlaceLimits closure_limits{
    .least_score = 0.35, .least_fitting = 0.35, .least_inliers = 0.75, .most_rms_m = 0.08, .search_points = 150};
/// A closure that fits so well needs no second one that agrees.
constexpr double sure_fitting = 0.5, sure_rms_m = 0.05, sure_rival = 0.7;
/// What the graph says is believed up to this error (chi2, three degrees of freedom), and never more than this.
constexpr double contradicting_chi2 = 16, near_sigma_m = 0.15, near_sigma_rad = 0.02;
/// Errors of these matches are so many times as large, in variance, as their covariance says, and no match is better
/// than this: the ends of beams are not independent, and a section bends.
constexpr double caution = 9, floor_m = 0.03, floor_rad = 0.004;
/// The last scans: along so much way, ends not farther than this from their sensor, one for each square of this side.
constexpr double recent_m = 8, longest_end_m = 15, square_m = 0.1;

void add_variances(Matrix3& covariance, double sigma_m, double sigma_rad) {
    covariance[0] += sigma_m * sigma_m;
    covariance[4] += sigma_m * sigma_m;
    covariance[8] += sigma_rad * sigma_rad;
}

}  // namespace

double mahalanobis(const Pose& off, const Matrix3& covariance) {
    Matrix3 information;
    if (!invert3(covariance, information)) return 1e9;
    const Vector3 e{off.x, off.y, wrap_angle(off.yaw)}, w = product(information, e);
    return e[0] * w[0] + e[1] * w[1] + e[2] * w[2];
}

std::vector<Point> PlaceMatcher::recent_ends(const PatchGraph& graph) {
    const int newest = graph.count() - 1;
    std::vector<std::pair<Cell, Point>> ends;
    const Pose to_newest = inverse(graph.pose(newest));
    const auto square = [](double v) { return static_cast<int>(std::floor(v / square_m)); };
    for (int id = newest; id >= 0 && graph.patch(newest).travelled_m - graph.patch(id).travelled_m <= recent_m; --id) {
        const ScanPatch& p = graph.patch(id);
        const Pose at = compose(to_newest, graph.pose(id));
        for (const Point end : p.ends) {
            if (distance(end, p.sensor) > longest_end_m) continue;
            const Point there = transform(at, end);
            ends.push_back({{square(there.x), square(there.y)}, there});
        }
    }
    std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Point> out;
    for (std::size_t k = 0; k < ends.size(); ++k)
        if (k == 0 || ends[k].first != ends[k - 1].first) out.push_back(ends[k].second);
    return out;
}

PlaceMatcher::Place& PlaceMatcher::place(const PatchGraph& graph, int section) {
    if (const auto it = places_.find(section); it != places_.end()) return it->second;
    const int first = graph.first_of_section(section),
              last = section + 1 < graph.sections() ? graph.first_of_section(section + 1) : graph.count();
    Place made{CountedMap(map_options_), (first + last) / 2};
    std::vector<int> patches(static_cast<std::size_t>(last - first));
    std::iota(patches.begin(), patches.end(), first);
    draw_patches(graph, patches, graph.pose(made.middle), made.map);
    made.map.rest();
    return places_.emplace(section, std::move(made)).first->second;
}

std::optional<Closure> PlaceMatcher::match(const PatchGraph& graph, int section, std::span<const Point> ends,
                                           const Matrix3& covariance) {
    const Place& there = place(graph, section);
    const int newest = graph.count() - 1;
    const Pose seed = compose(inverse(graph.pose(there.middle)), graph.pose(newest));
    const double sigma = position_sigma(covariance), sigma_yaw = std::sqrt(covariance[8]);
    const bool search = sigma > search_sigma_m || sigma_yaw > search_sigma_rad;
    const auto found =
        find_place(there.map, ends, seed, search ? std::min(farthest_place_m, search_sigmas * sigma + slack_m) : 0,
                   std::min(pi, search_sigmas * sigma_yaw + 0.1), closure_limits);
    if (!found) return {};
    const Match& match = found->match;
    if (match.covariance[8] <= 0) return {};  // the walls do not fix it
    Matrix3 possible = turned(covariance, -graph.pose(there.middle).yaw);
    add_variances(possible, near_sigma_m, near_sigma_rad);
    const Pose off{match.pose.x - seed.x, match.pose.y - seed.y, match.pose.yaw - seed.yaw};
    if (mahalanobis(off, possible) > contradicting_chi2) return {};
    Closure closure{there.middle, newest, match.pose, scaled(match.covariance, caution), false};
    add_variances(closure.covariance, floor_m, floor_rad);
    closure.sure = found->fitting >= sure_fitting && match.rms_m <= sure_rms_m && found->rival <= sure_rival;
    return closure;
}

}  // namespace outrider
