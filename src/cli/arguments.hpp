// Parts that the commands share: reading arguments, finding the scenario.
#pragma once

#define CXXOPTS_VECTOR_DELIMITER '\0'  // a comma belongs to the value: --set team.strategy="a(b=1, c=2)"
#include <cxxopts.hpp>

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "run/scenario.hpp"

namespace outrider {

/// Parses; prints the help and returns nothing when --help is among the arguments. Throws Error.
std::optional<cxxopts::ParseResult> parse_arguments(cxxopts::Options& options, const Arguments& arguments);

/// Adds what says which scenario to use: SCENARIO, --map, --import-mresim, --robots, --seed, --steps, --strategy,
/// --set.
void add_scenario_options(cxxopts::Options& options);
/// The scenario that the arguments name. Throws Error.
Scenario scenario_from(const cxxopts::ParseResult& result, Notes& notes);

}  // namespace outrider
