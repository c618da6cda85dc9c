// Groups of metrics of what not every run has.
#pragma once

#include "metrics/group.hpp"

namespace outrider {

extern const MetricGroup position_metrics, localisation_metrics, frame_metrics;

}  // namespace outrider
