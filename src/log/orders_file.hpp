// The orders of an operator as JSON lines (docs/operator.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "log/events.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// One order a line, {"step": 40, "robot": "r1", "do": "way_points", "points": [[x, y], ...]}, in the order of their
/// steps; points in metres from the lower left corner of the map. Empty lines and those that begin with # count for
/// nothing. Throws Error with `name`, the line, and what was expected.
std::vector<OperatorOrder> read_orders(std::string_view text, const std::string& name, const Scenario& scenario);

}  // namespace outrider
