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
/// The orders of one line that was typed while step `now` is about to begin: without "step" it is for that one. Nothing
/// for a line that counts for nothing. Throws Error that begins with `where`.
std::vector<OperatorOrder> read_order(std::string_view line, const std::string& where, const Scenario& scenario,
                                      int now);
/// The reverse, as one line without a step. Throws Error where it is no order: marks, for example.
std::string write_order(RobotId robot, const OperatorCommand& command, const Scenario& scenario);
/// Adds newer orders to those that are still to come, by step: they end drives over several steps of the same robots.
void add_orders(std::vector<OperatorOrder>& orders, std::vector<OperatorOrder> newer);
/// Of a mark: one to 24 letters, digits, spaces, '-' and '_', no space at its ends.
bool is_mark_name(const std::string& name);
/// Whether its robot is to do something: not one for the base station, or a note.
bool is_for_a_robot(const OperatorOrder& order);

}  // namespace outrider
