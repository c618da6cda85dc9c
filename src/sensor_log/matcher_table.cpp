#include "sensor_log/matcher_table.hpp"

#include <algorithm>
#include <cmath>

#include "base/percentile.hpp"
#include "slam/manifold/point_matcher.hpp"

namespace outrider {
namespace {

constexpr double same_stamp_s = 0.0055;
constexpr double near_m = 2, near_rad = radians(45), good_odometry_m = 0.5, good_odometry_rad = radians(20);
constexpr double far_seed_m = 0.305, far_seed_rad = radians(11);
constexpr double other_time_s = 60, far_apart_m = 10;
constexpr double least_paired = 0.3, most_rms_m = 0.08, match_reach_m = 0.5;
constexpr std::size_t wrong_every = 5;

struct ScanPair {
    const LogEntry *first, *second;
    Pose truth;
    bool other_time;
};

const LogEntry* scan_at(const SensorLog& log, double time_s) {
    const LogEntry* found = nullptr;
    for (const LogEntry& e : log.entries) {
        if (e.scan < 0 || std::abs(e.time_s - time_s) > same_stamp_s) continue;
        if (found) return nullptr;
        found = &e;
    }
    return found;
}

PointCloud cloud_of(const SensorLog& log, const LogEntry& entry) {
    const RecordedScan& scan = log.scans[static_cast<std::size_t>(entry.scan)];
    std::vector<Point> ends;
    beam_ends(scan, ends);
    PointCloud cloud;
    cloud.add(ends, scan.mount.position(), {});
    return cloud;
}

bool closes(const PointMatch& m) { return m.converged && m.paired >= least_paired && m.rms_m <= most_rms_m; }

/// Seeds in a circle about the truth, one turn after the other.
Pose far_seed(const Pose& truth, std::size_t k) {
    const double angle = static_cast<double>(k) * 2.4, turn = (static_cast<double>(k % 23) / 11 - 1) * far_seed_rad;
    const auto [s, c] = sin_cos(angle);
    return {truth.x + far_seed_m * c, truth.y + far_seed_m * s, wrap_angle(truth.yaw + turn)};
}

class SeedResults {
  public:
    void take(const PointMatch& m, const Pose& truth) {
        ++result_.pairs;
        result_.converged += m.converged;
        metres_.push_back(distance(m.pose.position(), truth.position()));
        degrees_.push_back(std::abs(degrees(wrap_angle(m.pose.yaw - truth.yaw))));
        iterations_ += m.iterations;
    }
    MatcherRow::Seeds result() {
        result_.median_m = middle_value(metres_);
        result_.median_deg = middle_value(degrees_);
        result_.mean_iterations = result_.pairs > 0 ? iterations_ / static_cast<double>(result_.pairs) : 0;
        return result_;
    }

  private:
    MatcherRow::Seeds result_;
    std::vector<double> metres_, degrees_;
    int iterations_ = 0;
};

}  // namespace

std::vector<MatcherRow> matcher_table(const SensorLog& log, const std::vector<Relation>& relations,
                                      const std::vector<TimedPose>& trajectory) {
    std::vector<ScanPair> pairs;
    for (const Relation& r : relations) {
        const Pose& t = r.first_from_second;
        if (norm(t.position()) > near_m || std::abs(t.yaw) > near_rad) continue;
        const LogEntry *first = scan_at(log, r.first_s), *second = scan_at(log, r.second_s);
        if (first && second) pairs.push_back({first, second, t, std::abs(r.first_s - r.second_s) > other_time_s});
    }
    const auto place = [&](const LogEntry& e) {
        const auto at = std::lower_bound(trajectory.begin(), trajectory.end(), e.time_s,
                                         [](const TimedPose& p, double t) { return p.time_s < t; });
        return at == trajectory.end() ? Point{} : at->pose.position();
    };
    std::vector<MatcherRow> out;
    for (const SlamMatcher matcher :
         {SlamMatcher::wsm, SlamMatcher::icp, SlamMatcher::mbicp, SlamMatcher::idc, SlamMatcher::multi}) {
        MatcherRow row;
        row.matcher = matcher;
        SeedResults near, far;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const ScanPair& pair = pairs[k];
            const PointCloud first = cloud_of(log, *pair.first), second = cloud_of(log, *pair.second);
            const Pose odometry = compose(inverse(pair.first->odometry), pair.second->odometry);
            if (!pair.other_time && distance(odometry.position(), pair.truth.position()) <= good_odometry_m &&
                std::abs(wrap_angle(odometry.yaw - pair.truth.yaw)) <= good_odometry_rad)
                near.take(match_points(first, second, odometry, matcher, match_reach_m), pair.truth);
            const PointMatch match = match_points(first, second, far_seed(pair.truth, k), matcher, match_reach_m);
            far.take(match, pair.truth);
            if (!pair.other_time) continue;
            ++row.right;
            row.right_accepted += closes(match);
        }
        for (std::size_t k = 0; k + pairs.size() / 2 < pairs.size(); k += wrong_every) {
            const ScanPair &a = pairs[k], &b = pairs[k + pairs.size() / 2];
            if (distance(place(*a.first), place(*b.second)) < far_apart_m) continue;
            ++row.wrong;
            row.wrong_accepted += closes(match_points(cloud_of(log, *a.first), cloud_of(log, *b.second),
                                                      far_seed(a.truth, k), matcher, match_reach_m));
        }
        row.near = near.result();
        row.far = far.result();
        out.push_back(row);
    }
    return out;
}

}  // namespace outrider
