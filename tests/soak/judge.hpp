// What is expected of every run, whatever the scenario.
#pragma once

#include <string>
#include <vector>

#include "messages/order_words.hpp"
#include "scenario/scenario.hpp"

namespace outrider::soak {

/// Runs the scenario with one and with two threads. What is wrong, each with its judgement in front ("end", "wall",
/// "digest", "stall") and a colon; empty: nothing. `orders`: of an operator. `strategies`: who decides, if not those
/// that the scenario names.
std::vector<std::string> judge(const Scenario& scenario, const std::vector<OperatorOrder>& orders = {},
                               const StrategyFactory& strategies = {});

}  // namespace outrider::soak
