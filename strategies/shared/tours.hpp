// Tours: in which order to visit goals, beginning where the robot is and ending anywhere.
#pragma once

#include <vector>

#include "shared/assignment.hpp"

namespace outrider {

/// Path costs from the start to each goal, and between goals (square; may differ by direction).
struct TourCosts {
    std::vector<double> start;
    CostMatrix between;
};

/// The cost of the tour that visits these goals in this order.
double tour_cost(const TourCosts& costs, const std::vector<int>& tour);

struct Insertion {
    std::size_t position = 0;  ///< in the tour; its size: at the end
    double cost = no_path;     ///< added cost of the tour
};
/// Where inserting a goal adds the least cost; equal costs: the first place.
Insertion cheapest_insertion(const TourCosts& costs, const std::vector<int>& tour, int goal);

/// Turns stretches round (2-opt) and moves stretches of up to three goals elsewhere (or-opt) as long as that makes the
/// tour cheaper; the first improvement found is taken (Croes 1958; Or 1976).
void improve_tour(const TourCosts& costs, std::vector<int>& tour);

/// A short tour through all goals that can be reached: cheapest insertion, then improvement.
std::vector<int> short_tour(const TourCosts& costs);

}  // namespace outrider
