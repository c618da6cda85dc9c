// Percentiles and medians of measured values.
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

/// The middle one, of an even number the upper middle one; 0 without values.
inline double middle_value(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace outrider
