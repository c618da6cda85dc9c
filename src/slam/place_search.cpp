#include "slam/place_search.hpp"

namespace outrider {
namespace {

/// Another place, so far away, must not fit more than this share as well.
constexpr double other_place_m = 1.5, most_rival = 0.87;

}  // namespace

std::optional<FoundPlace> find_place(const CountedMap& map, std::span<const Point> ends, const Pose& seed,
                                     double reach_m, double turn_rad, const PlaceLimits& limits) {
    FoundPlace found;
    Pose start = seed;
    if (reach_m > 0) {
        WideSearchOptions wide;
        wide.reach_m = reach_m;
        wide.turn_rad = turn_rad;
        wide.min_score = limits.least_score;
        wide.max_points = limits.search_points;
        wide.max_range_m = limits.search_range_m;
        wide.rival_m = other_place_m;
        wide.most_rival = most_rival;
        wide.turned_rivals = limits.turned_rivals;
        const auto best = search_wide(map, ends, seed, wide);
        if (!best || best->rival > most_rival) return {};
        start = best->pose;
        found.rival = best->rival;
    }
    found.match = match_scan(map, ends, start, ExpectedPose{}, {});
    found.fitting = found.match.inliers * found.match.known;
    if (found.fitting < limits.least_fitting || found.match.inliers < limits.least_inliers ||
        found.match.rms_m > limits.most_rms_m)
        return {};
    return found;
}

}  // namespace outrider
