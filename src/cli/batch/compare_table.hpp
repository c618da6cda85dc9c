// What `outrider compare` prints of a comparison.
#pragma once

#include <string>

#include "batch/compare.hpp"

namespace outrider {

/// By each metric an order of the strategies, the best median first, with what each one lacks against the best, and
/// whether that may be claimed.
void print_ranking(const Comparison& comparison);
/// Medians and quartiles of each strategy and metric.
void print_strategies(const Comparison& comparison);
/// Differences of each pair of strategies, with verdicts in words.
void print_comparisons(const Comparison& comparison);
/// Times as multiples of those of the plans and of the bounds, where the comparison has them.
void print_reference(const Comparison& comparison);
/// The values of each run.
std::string csv_of(const Comparison& comparison);
/// The same in JSON; null: never, or not defined.
std::string json_of(const Comparison& comparison);

}  // namespace outrider
