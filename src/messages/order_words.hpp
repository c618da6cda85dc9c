// Orders of an operator, acknowledgements and reports as words: what a base station and its robots send each other.
// Each ends with a check value, so that a word that arrived damaged is ignored.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "outrider/percept.hpp"

namespace outrider {

/// What an operator can order. Other commands (marks, notes) are for people.
inline constexpr std::array<std::string_view, 13> order_names{
    "autonomous",     "way_points",      "add",        "clear",
    "drive",          "drive_carefully", "stop",       "follow_waypoints",
    "tele_operation", "conservative",    "deployment", "explore_traversability",
    "follow_corridor"};
bool is_order(std::string_view behaviour);
/// Behaviours of robots whose strategy takes orders; "autonomous", the first one, goes with any strategy.
inline constexpr std::array<std::string_view, 7> behaviour_names{
    "autonomous", "follow_waypoints",       "tele_operation", "conservative",
    "deployment", "explore_traversability", "follow_corridor"};
bool is_behaviour(std::string_view name);

/// What an operator commands a robot in a step.
struct OperatorOrder {
    int step = 0;
    RobotId robot = 0;
    OperatorCommand command;
};

struct NumberedOrder {
    int number = 0;  ///< of the base station, counted from 1
    OperatorCommand command;
};

/// Who passes an operator's orders on and collects reports: the base station with the lowest number; -1: there is none.
RobotId first_base(const Briefing& briefing);

/// Way-points to the millimetre, velocities to a thousandth. CHECK: it is an order.
Word order_word(const NumberedOrder& order, RobotId to);
/// nothing: not a whole order for this robot.
std::optional<NumberedOrder> read_order(const Word& word, RobotId self);

/// Says that all orders up to this number were obeyed, or replaced by newer ones.
Word obeyed_word(int number, RobotId base);
std::optional<int> read_obeyed(const Word& word);

/// How a robot is.
struct RobotReport {
    double battery = 1;
    bool bumped = false, lost = false;
    std::vector<LinkReport> links;
    bool operator==(const RobotReport&) const = default;
};
/// The battery to a hundredth, signals to a decibel.
Word report_word(const RobotReport& report, RobotId base);
std::optional<RobotReport> read_report(const Word& word);

}  // namespace outrider
