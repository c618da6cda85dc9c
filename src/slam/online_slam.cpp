#include "slam/online_slam.hpp"

#include <utility>

#include "slam/manifold/around_map.hpp"
#include "slam/place_search.hpp"

namespace outrider {
OnlineSlam::OnlineSlam(const SlamOptions& options, const Pose& start, const PatchGraph* before)
    : Slam(options), map_(map_of(before, map_options(options))), empty_(!before), pose_(start) {
    if (before) begin_nearby();
}

bool OnlineSlam::take(Point sensor, std::span<const Point> ends) {
    const bool first = std::exchange(empty_, false);
    pose_ = pose();
    bool draw = true;
    if (!first) {
        const Found found = find_pose(map_, ends, expect(pose_, travelled_, options_), rejected_in_a_row_);
        counters_.searches += found.searched;
        counters_.recovered += found.recovered;
        note_fit(found.match, believable(found.match));
        if (odd_in_a_row() == 0 && !lost()) {
            sure_.reset();
            search_after_ = 0;
        }
        if (odd_in_a_row() == 1 && !sure_) sure_.emplace(map_.fork());
        if (lost() && find_in_sure_map(ends)) {
            ++counters_.recovered;
            rejected_in_a_row_ = 0;
        } else if (believable(found.match)) {
            pose_ = found.match.pose;
            covariance_ = found.match.covariance;
            rejected_in_a_row_ = 0;
        } else {
            ++counters_.rejected;
            draw = ++rejected_in_a_row_ >= rejected_before_new;
        }
    }
    if (draw) draw_scan(map_, pose_, sensor, ends, world_, need_surfaces(travelled_, first));
    if (options_.pack_after > 0) map_.pack_cold(options_.pack_after);
    return draw;
}

/// Looks for a lost robot in the map that was drawn before: where it is thought to be, and now and then all around.
/// Found, all that was drawn since is taken back.
bool OnlineSlam::find_in_sure_map(std::span<const Point> ends) {
    constexpr double reach_m = 4, search_less_often = 1.3;
    constexpr PlaceLimits sure_limits{
        .least_score = 0.6, .least_fitting = 0.6, .least_inliers = 0.8, .search_points = 100};
    if (!sure_) return false;
    auto found = find_place(*sure_, ends, pose_, 0, 0, sure_limits);
    if (!found) {
        if (odd_in_a_row() == 0 || odd_in_a_row() < search_after_) return false;
        search_after_ = static_cast<int>(search_less_often * odd_in_a_row()) + 1;
        ++counters_.searches;
        found = find_place(*sure_, ends, pose_, reach_m, pi, sure_limits);
    }
    if (!found) return false;
    pose_ = found->match.pose;
    covariance_ = found->match.covariance;
    map_ = std::move(*sure_);
    sure_.reset();
    search_after_ = 0;
    note_found();
    return true;
}

}  // namespace outrider
