#include "slam/online_slam.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {
namespace {

/// Fewer ends fix no pose.
constexpr std::size_t least_ends = 8;
/// Shares of the ends at known places that fit: above, a match is trusted; below, it is refused.
constexpr double sure = 0.65, doubtful = 0.4;
/// A match this far off what odometry says is doubted: standard deviations, squared.
constexpr double surprising = 25;
/// After so many refused matches in a row the surroundings are taken to be new, and drawn.
constexpr int patience = 10;

/// How many standard deviations a pose is off what was expected, squared.
double surprise(const ExpectedPose& expected, const Pose& pose) {
    const Matrix3& i = expected.information;
    const double x = pose.x - expected.pose.x, y = pose.y - expected.pose.y,
                 yaw = wrap_angle(pose.yaw - expected.pose.yaw);
    return i[0] * x * x + i[4] * y * y + i[8] * yaw * yaw;
}

/// Share of all ends that fit.
double fit(const Match& match) { return match.inliers * match.known; }

CountedMapOptions map_options(const SlamOptions& o) {
    CountedMapOptions m;
    m.cell_m = o.cell_m;
    m.horizon_m = std::max(0.5, 4 * o.cell_m);
    m.memory = o.memory;
    return m;
}

}  // namespace

OnlineSlam::OnlineSlam(const SlamOptions& options, const Pose& start)
    : options_(options), map_(map_options(options)), pose_(start) {}

bool OnlineSlam::update(const Pose& motion, Point sensor, std::span<const Point> all_ends) {
    if (!possible(motion)) return false;
    const double way = norm(motion.position());
    const std::span<const Point> ends = usable_ends(all_ends, usable_);
    pose_ = compose(pose_, motion);
    since_update_ = compose(since_update_, motion);
    way_m_ += way;
    turn_rad_ += std::abs(motion.yaw);
    if (ends.size() < least_ends) return false;
    if (!empty_ && norm(since_update_.position()) < options_.update_m &&
        std::abs(since_update_.yaw) < radians(options_.update_deg))
        return false;

    ++counters_.updates;
    bool draw = true;
    if (!empty_) {
        const Match match = find(ends);
        if (match.inliers >= doubtful || match.known < 0.1) {
            pose_ = match.pose;
            covariance_ = match.covariance;
            rejected_in_a_row_ = 0;
        } else {
            ++counters_.rejected;
            draw = ++rejected_in_a_row_ >= patience;
        }
    }
    if (draw) insert(sensor, ends);
    way_m_ = turn_rad_ = 0;
    since_update_ = {};
    return true;
}

/// Where odometry says the body is, and how well it knows. Across the way and along it alike: the heading turns.
ExpectedPose OnlineSlam::expect() const {
    const double sigma = 0.02 + options_.odometry_way * way_m_ + 0.05 * turn_rad_;
    const double sigma_yaw = 0.02 + options_.odometry_turn * turn_rad_ + options_.odometry_way * way_m_;
    const double i = 1 / (sigma * sigma);
    return {pose_, {i, 0, 0, 0, i, 0, 0, 0, 1 / (sigma_yaw * sigma_yaw)}};
}

Match OnlineSlam::find(std::span<const Point> ends) {
    const ExpectedPose expected = expect();
    Match match = match_scan(map_, ends, pose_, expected, match_options_);
    if (match.known < 0.1) return match;
    const double off = surprise(expected, match.pose);
    if (match.inliers >= sure && off < surprising) return match;
    ++counters_.searches;
    WideSearchOptions wide;
    wide.reach_m = std::min(3.0, 0.5 + 5 * options_.odometry_way * way_m_);
    wide.turn_rad = off < surprising ? std::min(pi, 0.5 + 3 * options_.odometry_turn * turn_rad_) : pi;
    const auto found = search_wide(map_, ends, pose_, wide);
    if (!found) return match;
    const Match second = match_scan(map_, ends, found->pose, ExpectedPose{}, match_options_);
    // The farther off what odometry says, the more must be won: corridors look alike from both ends.
    const double farther = std::max(0.0, surprise(expected, second.pose) - off);
    if (fit(second) <= fit(match) + 0.05 + 0.02 * std::sqrt(farther)) return match;
    ++counters_.recovered;
    return second;
}

void OnlineSlam::insert(Point sensor, std::span<const Point> ends) {
    world_.clear();
    const auto [s, c] = sin_cos(pose_.yaw);
    for (const Point p : ends) world_.push_back({pose_.x + (c * p.x - s * p.y), pose_.y + (s * p.x + c * p.y)});
    map_.insert(transform(pose_, sensor), world_);
    empty_ = false;
}

}  // namespace outrider
