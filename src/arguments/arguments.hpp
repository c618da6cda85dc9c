// Parts that the commands share: reading arguments, finding the scenario.
#pragma once

#define CXXOPTS_VECTOR_DELIMITER '\0'  // a comma belongs to the value: --set team.strategy="a(b=1, c=2)"
#include <cxxopts.hpp>

#include <string>
#include <vector>

#include "log/log_writer.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

struct SensorLog;

using Arguments = std::vector<std::string>;  ///< without the program and the command

/// Parses; prints the help and returns nothing when --help is among the arguments. Throws Error.
std::optional<cxxopts::ParseResult> parse_arguments(cxxopts::Options& options, const Arguments& arguments);

/// Adds what says which scenario to use: SCENARIO, --map, --import-mresim, --robots, --seed, --steps, --strategy,
/// --set.
void add_scenario_options(cxxopts::Options& options);
/// The whole number that was given for an option that was declared as a text. Throws Error that names the option.
std::optional<std::int64_t> whole_number(const cxxopts::ParseResult& result, const std::string& option,
                                         std::int64_t low, std::int64_t high);
/// Throws Error when two of the files that the options name, or one of them and an input, are the same.
void expect_distinct(const cxxopts::ParseResult& result, std::initializer_list<const char*> options,
                     const std::vector<std::string>& inputs);
/// --range M, if it is there: what the scanners say when they see nothing, where that cannot be found out from the log.
void set_range(const cxxopts::ParseResult& result, SensorLog& log);
/// The level of a log by its name. Throws Error.
LogLevel log_level(const std::string& name);
/// The scenario that the arguments name. Throws Error.
Scenario scenario_from(const cxxopts::ParseResult& result, Notes& notes);

}  // namespace outrider
