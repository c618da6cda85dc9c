// How well the matchers of points do on the pairs of scans between which people checked the relative pose.
#pragma once

#include <vector>

#include "sensor_log/slam_log.hpp"

namespace outrider {

struct MatcherRow {
    SlamMatcher matcher{};
    /// Pairs of scans within two metres and 45 degrees: from seeds of odometry, and from seeds a foot and up to eleven
    /// degrees off.
    struct Seeds {
        int pairs = 0, converged = 0;
        double median_m = 0, median_deg = 0, mean_iterations = 0;
    } near, far;
    /// Pairs that were taken at different times, and pairs that are far apart: how many are accepted as closures for
    /// two scans (30 % of the ends paired, 80 mm).
    int right = 0, right_accepted = 0, wrong = 0, wrong_accepted = 0;
};

/// `trajectory`: where the scans were taken, to know which are far apart.
std::vector<MatcherRow> matcher_table(const SensorLog& log, const std::vector<Relation>& relations,
                                      const std::vector<TimedPose>& trajectory);

}  // namespace outrider
