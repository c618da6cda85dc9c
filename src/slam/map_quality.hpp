// How tidy a map is, without knowing the truth: two measures from the hyper particle filter of UvA Rescue.
#pragma once

#include "slam/counted_map.hpp"

namespace outrider {

struct MapQuality {
    /// Mean of (2 p - 1)^2 over the cells that were seen, p their share of hits: 1 when no two scans contradict each
    /// other.
    double contrast = 0;
    /// 1 - H / log 90, with H the entropy of the directions of walls (Sobel) modulo 90 degrees, in 90 bins: 1 when all
    /// walls are at right angles, 0 when every direction is as frequent.
    double order = 0;
    double value() const { return contrast * order; }
};

/// Of an empty map: zero.
MapQuality map_quality(const CountedMap& map);

}  // namespace outrider
