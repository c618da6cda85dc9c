// What is expected of every run, whatever the scenario.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace outrider::soak {

/// Runs the scenario with one and with two threads. What is wrong, each beginning with its judgement: "end: ", "wall:
/// ", "digest: ", "stall: "; empty: nothing.
std::vector<std::string> judge(const Scenario& scenario);

}  // namespace outrider::soak
