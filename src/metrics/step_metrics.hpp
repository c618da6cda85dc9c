// What is measured: a row per step, and the values of the summary.
#pragma once

#include <cstdint>

#include "metrics/metric_list.hpp"
#include "outrider/team.hpp"

namespace outrider {

struct StepMetrics {
    int step = 0;
    std::int64_t team_cells = 0, base_cells = 0;
    double team_share = 0, base_share = 0;
    std::int64_t robot_cells_sum = 0;
    double mean_robot_share = 0;
    double distance_m = 0;  ///< of all robots so far
    std::uint64_t messages = 0, lost = 0, bytes = 0;
    int components = 0;  ///< of the communication graph, of robots in service
    int connected = 0;   ///< mobile robots in a component with a base
    int alive = 0;       ///< mobile robots in service
};

struct SummaryValue {
    const MetricInfo* metric;
    RobotId robot;  ///< -1: of the team
    double value;   ///< not a number: never reached, or not defined
};

}  // namespace outrider
