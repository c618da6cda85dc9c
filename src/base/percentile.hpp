// Percentiles of measured times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace outrider {

/// The smallest of the values that at least a share p of them do not exceed (nearest rank). sorted: upwards, not empty.
template <class Value>
Value percentile(const std::vector<Value>& sorted, double p) {
    const double rank = std::ceil(p * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

}  // namespace outrider
