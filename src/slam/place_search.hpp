// Looking for a place in a map: where what was seen fits, and where else it would fit almost as well. Corridors look
// alike, so a place that has a rival is none.
#pragma once

#include <optional>
#include <span>

#include "slam/scan_matcher.hpp"
#include "slam/wide_search.hpp"

namespace outrider {

/// What a place has to hold.
struct PlaceLimits {
    double least_score = 0.35;    ///< of the search: mean likelihood of an end
    double least_fitting = 0.35;  ///< share of all ends that fit
    double least_inliers = 0.75;  ///< share of the ends at known cells that fit
    double most_rms_m = 1;        ///< of those that fit
    int search_points = 150;      ///< of the ends; more are thinned out for the search
    double search_range_m = 20;   ///< ends farther away are left out of the search
    bool turned_rivals = false;   ///< a place with another heading is a rival, too
};

struct FoundPlace {
    Match match;
    double fitting = 0;  ///< share of all ends that fit
    double rival = 0;    ///< WideMatch::rival of the search; 0: nothing was searched
};

/// The pose of `ends` (in the frame of the body) in the map: matched from `seed`, or from the best place so far around
/// it and up to so much turned. reach_m 0: no search. Nothing when it is beyond the limits, or has a rival.
std::optional<FoundPlace> find_place(const CountedMap& map, std::span<const Point> ends, const Pose& seed,
                                     double reach_m, double turn_rad, const PlaceLimits& limits);

}  // namespace outrider
