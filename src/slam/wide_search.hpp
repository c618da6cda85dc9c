// Where does a scan fit, without a good idea of the pose? Branch and bound over a window of poses (Olson 2009; Hess et
// al. 2016): the likelihood of a cell is bounded over squares of 2^k cells, so that a square of positions is dropped
// when even its best could not win.
#pragma once

#include <optional>
#include <span>

#include "slam/counted_map.hpp"

namespace outrider {

struct WideSearchOptions {
    double reach_m = 2;          ///< in x and y
    double turn_rad = 0.7;       ///< to either side; pi: all headings
    double min_score = 0.4;      ///< mean likelihood of an end, below which nothing is found
    int max_points = 100;        ///< of the scan; more are thinned out
    double max_range_m = 20;     ///< ends farther away are left out: a small turn moves them far
    double rival_m = 0;          ///< above 0: WideMatch::rival is found, at poses so far from the best one
    double most_rival = 0.7;     ///< nothing is asked of a rival but whether it is above this share of the best one
    bool turned_rivals = false;  ///< also among poses that are turned against the best one, wherever they are
};

struct WideMatch {
    Pose pose;
    double score = 0;  ///< mean likelihood of an end, 0 ... 1
    /// How good the best other place is, as a share of this one, with the same heading: near 1 along a corridor that
    /// looks the same everywhere. Both of the best cells around, so it may be above 1. With turned_rivals: above
    /// most_rival, too, where a pose with another heading or place is.
    double rival = 0;
};

/// The best pose on a lattice of cells and turns around `centre`; nothing when none reaches min_score. Of equal ones
/// the first in a fixed order.
std::optional<WideMatch> search_wide(const CountedMap& map, std::span<const Point> points, const Pose& centre,
                                     const WideSearchOptions& options);

}  // namespace outrider
