#include "slam/online_slam.hpp"

#include <cmath>

namespace outrider {
OnlineSlam::OnlineSlam(const SlamOptions& options, const Pose& start)
    : Slam(options), map_(map_options(options)), pose_(start) {}

bool OnlineSlam::take(Point sensor, std::span<const Point> ends) {
    const bool first = counters_.updates == 1;
    pose_ = pose();
    bool draw = true;
    if (!first) {
        const Found found = find_pose(map_, ends, expect(pose_, travelled_, options_), rejected_in_a_row_);
        counters_.searches += found.searched;
        counters_.recovered += found.recovered;
        note_fit(found.match, believable(found.match));
        if (believable(found.match)) {
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

}  // namespace outrider
