#include "slam/manifold/manifold_slam.hpp"

#include <algorithm>
#include <cmath>

#include "slam/find_pose.hpp"

namespace outrider {
namespace {

/// Places are looked for, and the map around the robot is looked over, each time that it went so far.
constexpr double look_m = 2;
/// Ways of relations on which the position is less certain than this are not followed.
constexpr double farthest_sigma_m = 12;
/// Errors of matches are so many times as large, in variance, as their covariance says, and no match is better than
/// these. Matches with the same map share their errors, so these grow with the way: one counts in full after so much.
constexpr double match_caution = 4, best_match_m = 0.002, best_match_rad = 0.002, fresh_m = 1, fresh_rad = 1;
/// The same of matches of points, which share nothing.
constexpr double point_caution = 25;
/// Points farther apart are no pair; the second one, after a scan that did not fit. How many patches are `local`, and
/// within what distance.
constexpr double pair_m = 0.5, pair_after_rejected_m = 2, local_m = 2;
constexpr int local_patches = 3;
/// A robot that is lost begins anew: standard deviations of where it thinks it is.
constexpr double lost_m = 1, lost_rad = radians(30);
/// patch_by = confidence: a scan is kept where the share of its ends that fit, times exp(-(rms / this)^2), is less; at
/// the latest after so much way.
constexpr double confident_rms_m = 0.08, least_confidence = 0.55, farthest_patch_m = 1.5;
/// Of the loss of relations: one with an error of more than this many standard deviations counts less and less.
constexpr double cauchy = 1;

Matrix3 sum(Matrix3 a, const Matrix3& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
    return a;
}

double confidence_of(double fitting, double rms_m) {
    const double off = rms_m / confident_rms_m;
    return fitting * exp(-off * off);
}

}  // namespace

ManifoldSlam::ManifoldSlam(const SlamOptions& options, const Pose& start, const PatchGraph* before)
    : Slam(options), closer_(map_options(options)), around_(map_options(options)), pose_(start) {
    if (!before || before->count() == 0) return;
    graph_ = *before;
    for (int id = 0; id < graph_.count(); ++id)
        if (distance(graph_.pose(id).position(), start.position()) <=
            distance(graph_.pose(reference_).position(), start.position()))
            reference_ = id;
    travelled_m_ = looked_m_ = graph_.patch(graph_.count() - 1).travelled_m;
    around_.look_over(graph_, reference_, graph_.reach(reference_, farthest_sigma_m));
    gather_points(true);
    begin_nearby();
}

bool ManifoldSlam::take(Point sensor, std::span<const Point> ends) {
    const bool first = graph_.count() == 0;
    travelled_m_ += travelled_.travelled_m;
    pose_ = pose();
    const bool matched =
        first || (options_.matcher == SlamMatcher::field ? match_with_field(ends) : match_with_points(sensor, ends));
    if (!matched) {
        ++counters_.rejected;
        Matrix3 guess;
        if (invert3(expect(pose_, travelled_, options_).information, guess)) guessed_ = sum(guessed_, guess);
    } else if (!first) {
        guessed_ = {};
    }
    rejected_in_a_row_ = matched ? 0 : rejected_in_a_row_ + 1;
    const bool due = first || patch_due();
    const bool kept = due && (matched || rejected_in_a_row_ >= rejected_before_new);
    if (kept) {
        keep(sensor, ends, matched);
        note_drawn(newest());
    }
    updates_.push_back({graph_.count() - 1, compose(inverse(newest()), pose_)});
    return kept;
}

/// Whether the scan of now adds something to those that are kept.
bool ManifoldSlam::patch_due() const {
    const Pose since = compose(inverse(graph_.pose(reference_)), pose_);
    if (options_.patch_by == PatchBy::confidence)
        return confidence_ < least_confidence || norm(since.position()) >= farthest_patch_m;
    return norm(since.position()) >= options_.patch_m || std::abs(since.yaw) >= radians(options_.patch_deg);
}

/// Moves the pose to where the scan fits into the map around the robot; returns whether that is to be believed.
bool ManifoldSlam::match_with_field(std::span<const Point> ends) {
    const Found found = find_pose(around_.map(), ends, expect(pose_, travelled_, options_), rejected_in_a_row_);
    counters_.searches += found.searched;
    counters_.recovered += found.recovered;
    note_fit(found.match, believable(found.match));
    if (!believable(found.match)) return false;
    pose_ = found.match.pose;
    covariance_ = found.match.covariance;
    matched_ = scaled(covariance_, match_caution);
    confidence_ = confidence_of(found.match.known * found.match.inliers, found.match.rms_m);
    return true;
}

/// The same with the points of patches.
bool ManifoldSlam::match_with_points(Point sensor, std::span<const Point> ends) {
    PointCloud scan;
    scan.add(ends, sensor, {});
    const double reach = rejected_in_a_row_ > 0 ? pair_after_rejected_m : pair_m;
    const PointMatch match = match_points(points_, scan, pose_, options_.matcher, reach);
    Match fit;  // what one scan sees and another one does not is no contradiction
    fit.known = fit.inliers = 1;
    note_fit(fit, believable(match));
    if (!believable(match)) return false;
    pose_ = match.pose;
    covariance_ = match.covariance;
    matched_ = scaled(covariance_, point_caution);
    confidence_ = confidence_of(match.paired, match.rms_m);
    return true;
}

/// The points of the newest patch are new; `all_anew`: all patches may have moved.
void ManifoldSlam::gather_points(bool all_anew) {
    if (options_.matcher == SlamMatcher::field) return;
    const bool all = options_.matched_with == MatchedWith::quad;
    const int last = all ? graph_.count() - 1 : reference_;
    int first = last;
    if (all && all_anew) first = 0;
    if (options_.matched_with == MatchedWith::local) first = std::max(0, last + 1 - local_patches);
    if (!all || all_anew) points_ = {};
    for (int id = first; id <= last; ++id)
        if (all || distance(graph_.pose(id).position(), graph_.pose(last).position()) <= local_m)
            points_.add(graph_.patch(id).ends, graph_.patch(id).sensor, graph_.pose(id));
}

void ManifoldSlam::keep(Point sensor, std::span<const Point> ends, bool matched) {
    const int last = graph_.count() > 0 ? reference_ : PatchGraph::none;
    const bool begins_anew = lost() && !began_anew_;
    began_anew_ = lost();
    if (begins_anew)
        guessed_ = sum(guessed_, {lost_m * lost_m, 0, 0, 0, lost_m * lost_m, 0, 0, 0, lost_rad * lost_rad});
    const int id = graph_.add({ends.begin(), ends.end()}, sensor, pose_, travelled_m_, !matched || begins_anew);
    if (last >= 0) {
        const Pose from = graph_.pose(last), moved = compose(inverse(from), pose_);
        Matrix3 covariance = matched_;
        covariance[0] += best_match_m * best_match_m;
        covariance[4] += best_match_m * best_match_m;
        covariance[8] += best_match_rad * best_match_rad;
        const double fresh = norm(moved.position()) / fresh_m + std::abs(moved.yaw) / fresh_rad;
        covariance = sum(scaled(covariance, std::clamp(fresh, 0.01, 1.0)), guessed_);
        graph_.relate(last, id, moved, turned(covariance, -from.yaw));
    }
    reference_ = id;
    guessed_ = {};
    around_.draw_newest(graph_, need_surfaces(travelled_, last < 0));
    gather_points(false);
    whole_.reset();
    counters_.patches = static_cast<std::uint64_t>(graph_.count());
    if (options_.closures && (travelled_m_ - looked_m_ >= look_m || begins_anew)) {
        looked_m_ = travelled_m_;
        close_loops();
    }
    counters_.relations = graph_.relations().size();
}

void ManifoldSlam::close_loops() {
    const int here = graph_.count() - 1;
    std::vector<Reached> reached = graph_.reach(here, farthest_sigma_m);
    if (closer_.look(graph_, reached)) {
        GraphOptions how;
        how.start = GraphStart::file;
        how.cauchy = cauchy;
        graph_.optimise(how);
        if (closer_.take_back(graph_)) graph_.optimise(how);
        ++counters_.corrections;
        pose_ = graph_.pose(here);
        gather_points(true);
        reached = graph_.reach(here, farthest_sigma_m);
    }
    around_.look_over(graph_, here, reached);
    const ClosureCounters& closures = closer_.counters();
    counters_.closures_tried = static_cast<std::uint64_t>(closures.tried);
    counters_.closures_accepted = static_cast<std::uint64_t>(closures.accepted);
    counters_.closures_undone = static_cast<std::uint64_t>(closures.undone);
}

const CountedMap& ManifoldSlam::map() const {
    if (!whole_) whole_ = map_of(&graph_, map_options(options_));
    return *whole_;
}

std::vector<Pose> ManifoldSlam::drawn_at() const {
    std::vector<Pose> out;
    for (const Update& u : drawn_) out.push_back(now(u));
    return out;
}

void ManifoldSlam::note_drawn(const Pose& at) {
    const int patch = graph_.count() - 1;
    drawn_.push_back({patch, patch < 0 ? at : compose(inverse(newest()), at)});
}

std::vector<Pose> ManifoldSlam::path() const {
    std::vector<Pose> out;
    for (const Update& u : updates_) out.push_back(now(u));
    return out;
}

}  // namespace outrider
