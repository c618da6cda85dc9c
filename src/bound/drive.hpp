// From tours over places to stops that robots can drive to, step by step, and where they look.
#pragma once

#include "bound/tours.hpp"
#include "robot/tour_plan.hpp"

namespace outrider {

/// `robots`: of the whole team, base stations among them. Each step ends in the middle of a cell, as far along the tour
/// as a robot gets in a step. Robots that can look anywhere look where most cells are new, robots that are discs ahead.
TourPlan drive(const BoundTask& task, const Roads& roads, const Tours& tours, std::size_t robots);

}  // namespace outrider
