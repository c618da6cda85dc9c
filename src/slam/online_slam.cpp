#include "slam/online_slam.hpp"

#include <cmath>

namespace outrider {
namespace {

/// After so many refused matches in a row the surroundings are taken to be new, and drawn.
constexpr int patience = 10;

}  // namespace

OnlineSlam::OnlineSlam(const SlamOptions& options, const Pose& start)
    : Slam(options), map_(map_options(options)), pose_(start) {}

bool OnlineSlam::take(const Motion& motion, Point sensor, std::span<const Point> all_ends) {
    pose_ = compose(pose_, motion.delta);
    since_update_ = compose(since_update_, motion.delta);
    travelled_.add(motion);
    const std::span<const Point> ends = usable_ends(all_ends, usable_);
    if (!empty_ && !match_due(since_update_, travelled_, options_)) return false;
    if (ends.size() < least_ends) return true;

    ++counters_.updates;
    bool draw = true;
    if (!empty_) {
        const Found found = find_pose(map_, ends, expect(pose_, travelled_, options_), rejected_in_a_row_);
        counters_.searches += found.searched;
        counters_.recovered += found.recovered;
        if (believable(found.match)) {
            pose_ = found.match.pose;
            covariance_ = found.match.covariance;
            rejected_in_a_row_ = 0;
        } else {
            ++counters_.rejected;
            draw = ++rejected_in_a_row_ >= patience;
        }
    }
    if (draw) draw_scan(map_, pose_, sensor, ends, world_, need_surfaces(travelled_, empty_));
    empty_ = false;
    travelled_ = {};
    since_update_ = {};
    return draw;
}

}  // namespace outrider
