// Groups of metrics of what not every run has.
#pragma once

#include "metrics/group.hpp"

namespace outrider {

extern const MetricGroup position_metrics, plan_metrics, order_metrics, victim_metrics, clearing_metrics,
    clearing_victim_metrics, localisation_metrics, frame_metrics;

}  // namespace outrider
