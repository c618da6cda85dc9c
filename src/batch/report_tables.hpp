// The tables of a report, as HTML; each also gives its numbers as CSV.
#pragma once

#include <string>

#include "batch/figures.hpp"

namespace outrider {

/// Steps to each level that the sweep kept, and how many runs got there; empty when it kept none.
std::string time_table(Results& results, const Analysis& analysis, std::string& csv);
/// Median, quartiles and interquartile mean of the tested metrics.
std::string summary_table(const Results& results, const Analysis& analysis, std::string& csv);
/// Pairwise differences with their tests and verdicts.
std::string tests_table(const Analysis& analysis, std::string& csv);
/// Median of the main metric on each map, so that nobody has to believe the mean.
std::string maps_table(Results& results, const Analysis& analysis, std::string& csv);

}  // namespace outrider
