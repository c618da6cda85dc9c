// Words for tables of metrics.
#pragma once

#include <algorithm>
#include <limits>

#include "metrics/metric_list.hpp"
#include "metrics/metrics.hpp"
#include "metrics/run_record.hpp"

namespace outrider {

using Record = const RunRecord&;

constexpr unsigned plain = 0, more = MetricInfo::more_is_better, time_of = MetricInfo::time_to,
                   mobile = MetricInfo::mobile_only;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Number>
double count(Number n) {
    return static_cast<double>(n);
}

/// The least over the mobile robots whose maps are put to the test; 1 when there are none.
template <double (*of_robot)(const RunRecord&, std::size_t)>
double least(Record r) {
    double out = 1;
    for (std::size_t i = 0; i < r.team.size(); ++i)
        if (r.trials[i]) out = std::min(out, of_robot(r, i));
    return out;
}

}  // namespace outrider
