// The metrics of runs in which robots match scans.
#pragma once

#include "metrics/metrics.hpp"

namespace outrider {

/// They come after the others in the summary.
std::span<const MetricInfo> localisation_metrics();

}  // namespace outrider
