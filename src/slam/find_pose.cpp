#include "slam/find_pose.hpp"

#include <algorithm>
#include <cmath>

#include "slam/surface_match.hpp"
#include "slam/wide_search.hpp"

namespace outrider {
namespace {

/// Shares of all ends that contradict the map: up to the first a match is trusted, up to the second it is believed.
constexpr double few = 0.35, many = 0.6;
/// A match this far from odometry is doubted: standard deviations, squared.
constexpr double surprising = 25;
/// After so many refused matches odometry is not believed any more.
constexpr int enough = 3;

double surprise(const ExpectedPose& expected, const Pose& pose) {
    const Matrix3& i = expected.information;
    const double x = pose.x - expected.pose.x, y = pose.y - expected.pose.y,
                 yaw = wrap_angle(pose.yaw - expected.pose.yaw);
    return i[0] * x * x + i[4] * y * y + i[8] * yaw * yaw;
}

/// With narrow losses only nearby walls pull: also starts from headings to either side of the expected one. Where
/// odometry leaves too many of them, the wide search says from where.
void try_headings(const CountedMap& map, std::span<const Point> ends, const ExpectedPose& expected,
                  const MatchOptions& how, Match& best) {
    constexpr double step = 0.03, reach = 2.5, few_rad = 0.6;
    const auto try_from = [&](const Pose& start) {
        const Match other = match_scan(map, ends, start, expected, how);
        if (other.cost < best.cost) best = other;
    };
    const double most = reach / std::sqrt(expected.information[8]);
    for (int k = 1; k * step < std::min(most, few_rad); ++k)
        for (const int side : {-1, 1})
            try_from({expected.pose.x, expected.pose.y, wrap_angle(expected.pose.yaw + side * k * step)});
    if (most <= few_rad) return;
    WideSearchOptions wide;
    wide.reach_m = std::min(1.0, reach / std::sqrt(expected.information[0]));
    wide.turn_rad = std::min(pi, most);
    if (const auto found = search_wide(map, ends, expected.pose, wide)) try_from(found->pose);
}

/// Matches to the surfaces of the walls from three starts: odometry's pose, the distance field's match, and odometry's
/// position with the heading of that match, since along a corridor the field pulls back. The lowest cost wins: a good
/// fit of the first is no proof, since walls seen from nearby fit at many headings.
Match match_measured(const CountedMap& map, std::span<const Point> ends, const ExpectedPose& expected,
                     const MatchOptions& how) {
    const SurfaceOptions surfaces;
    SurfaceMatch best = match_surfaces(map, ends, expected.pose, expected, surfaces);
    Match match = match_scan(map, ends, expected.pose, expected, how);
    try_headings(map, ends, expected, how, match);
    const Pose ahead{expected.pose.x, expected.pose.y, match.pose.yaw};
    for (const Pose& start : {match.pose, ahead})
        if (const SurfaceMatch other = match_surfaces(map, ends, start, expected, surfaces); other.cost < best.cost)
            best = other;
    match.pose = best.pose;
    match.covariance = best.covariance;
    judge(map, ends, how, match);
    return match;
}

double fitting(const Match& match) { return match.inliers * match.known; }
double contradicting(const Match& match) { return (1 - match.inliers) * match.known; }

}  // namespace

void Travelled::add(const Motion& motion) {
    travelled_m += norm(motion.delta.position());
    turn_rad += std::abs(motion.delta.yaw);
    variance += std::max(motion.covariance[0], motion.covariance[4]);
    variance_yaw += motion.covariance[8];
}

bool match_due(const Pose& since_update, const Travelled& t, const SlamOptions& options) {
    constexpr double match_m = 0.005, match_rad = 0.003;
    return moved_enough(since_update, options) || t.variance > match_m * match_m ||
           t.variance_yaw > match_rad * match_rad;
}

ExpectedPose expect(const Pose& pose, const Travelled& t, const SlamOptions& options) {
    double sigma = 0.02 + options.odometry_travel * t.travelled_m + 0.5 * options.odometry_turn * t.turn_rad;
    double sigma_yaw = 0.02 + options.odometry_turn * t.turn_rad + options.odometry_travel * t.travelled_m;
    if (t.variance_yaw > 0) {
        constexpr double caution = 1.5;  // turns during the motion move it sideways, too
        sigma_yaw = 0.003 + caution * std::sqrt(t.variance_yaw);
        sigma = 0.006 + caution * std::sqrt(t.variance + t.travelled_m * t.travelled_m * t.variance_yaw / 4);
    }
    if (options.seed == SlamSeed::none) sigma = sigma_yaw = 0.5;  // of a robot that is slow, seen often
    const double i = 1 / (sigma * sigma);
    return {pose,
            {i, 0, 0, 0, i, 0, 0, 0, 1 / (sigma_yaw * sigma_yaw)},
            t.variance_yaw > 0,
            options.seed == SlamSeed::none};
}

bool trustworthy(const ExpectedPose& expected, const Match& match) {
    // Where no sensor reports how good odometry is, ends in unknown space are no evidence for a match either.
    return contradicting(match) <= few * (expected.measured ? 1 : match.known) &&
           surprise(expected, match.pose) < surprising;
}

bool believable(const Match& match) { return contradicting(match) <= many; }

Found find_pose(const CountedMap& map, std::span<const Point> ends, const ExpectedPose& expected, int refused,
                const std::optional<Pose>& hint) {
    MatchOptions how;
    if (expected.measured) {
        how.coarse_loss_m = 0.1;
        how.unseen_m = 0.1;
    }
    // Where odometry was measured, surfaces do this; without odometry, only ends show how far along a wall the robot
    // is.
    how.across_walls = !expected.measured && !expected.unknown;
    Match match = expected.measured ? match_measured(map, ends, expected, how)
                                    : match_scan(map, ends, expected.pose, expected, how);
    if (trustworthy(expected, match)) return {match};
    const double off = surprise(expected, match.pose);
    std::optional<Pose> place = hint;
    if (!hint) {
        const bool anywhere = off >= surprising || refused >= enough;
        WideSearchOptions wide;
        wide.reach_m = std::min(3.0, 0.5 + 5 / std::sqrt(expected.information[0]));
        wide.turn_rad = anywhere ? pi : std::min(pi, 0.1 + 5 / std::sqrt(expected.information[8]));
        if (const auto found = search_wide(map, ends, expected.pose, wide)) place = found->pose;
    }
    const bool searched = !hint;
    if (place) {
        const Match second = match_scan(map, ends, *place, ExpectedPose{}, how);
        // Rooms look alike from both ends: if it is known how good odometry is, a pose farther from it than a match may
        // be is no explanation.
        const double off_second = surprise(expected, second.pose), farther = std::max(0.0, off_second - off);
        const bool possible = !expected.measured || refused >= enough || off_second <= surprising;
        if (possible && fitting(second) > fitting(match) + 0.05 + 0.02 * std::sqrt(farther))
            return {second, searched, true};
    }
    if (off < surprising || refused >= enough || !expected.measured) return {match, searched, false};
    // In new surroundings the few walls that are known pull from afar: the pose is then held close to odometry.
    MatchOptions held = how;
    held.sigma_m *= 5;
    return {match_scan(map, ends, expected.pose, expected, held), searched, false};
}

void draw_scan(CountedMap& map, const Pose& pose, Point sensor, std::span<const Point> ends, std::vector<Point>& memory,
               bool surfaces) {
    memory.clear();
    const auto [s, c] = sin_cos(pose.yaw);
    for (const Point p : ends) memory.push_back({pose.x + (c * p.x - s * p.y), pose.y + (s * p.x + c * p.y)});
    map.insert(transform(pose, sensor), memory, surfaces);
}

CountedMapOptions map_options(const SlamOptions& o) {
    CountedMapOptions m;
    m.cell_m = o.cell_m;
    m.horizon_m = std::max(0.5, 4 * o.cell_m);
    m.memory = o.memory;
    return m;
}

}  // namespace outrider
