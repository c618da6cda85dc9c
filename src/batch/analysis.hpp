// Analysis of a sweep: groups of cells that are compared, summaries, pairwise differences with verdicts.
#pragma once

#include <string>
#include <vector>

#include "batch/difference.hpp"
#include "batch/results.hpp"

namespace outrider {

/// Cells that differ in the compared axis only.
struct CellGroup {
    std::string label;  ///< the values of the other axes; empty when there are none
    std::vector<std::size_t> cells;
};

/// A metric of one cell.
struct CellSummary {
    std::size_t cell = 0;
    std::string metric;
    std::size_t runs = 0, never = 0;  ///< never: runs that never reached it; they count as longer than any time reached
    std::size_t undefined = 0;        ///< further runs, for which the metric is not defined
    double median = 0, low = 0, high = 0;  ///< quartiles; above the step limit: never
    Estimate iqm;                          ///< interquartile mean over all maps, stratified by map
};

/// The difference of two cells of a group.
struct PairTest : Difference {
    std::size_t group = 0, a = 0, b = 0;  ///< cells
    std::string metric;
};

/// Up to this many values are all tested with each other; if there are more, each against the first one only.
inline constexpr std::size_t most_all_pairs = 5;

struct Analysis {
    std::string axis;                       ///< compared
    std::vector<std::string> along;         ///< axes that change together with it: the others of its zip
    std::vector<std::string> compared;      ///< its values, for people, in the plan's order
    std::vector<std::string> others;        ///< axes that tell the groups apart
    std::vector<std::string> others_along;  ///< axes that change together with one of these
    std::vector<CellGroup> groups;
    std::vector<CellSummary> summaries;  ///< by group, metric, cell
    std::vector<PairTest> tests;         ///< by group, metric, pair; p values adjusted over the tests made (Holm)
    bool all_pairs = true;               ///< otherwise each against the first only

    std::vector<std::size_t> series;  ///< by cell: position in `compared`
    const std::string& name_of(std::size_t cell) const { return compared[series[cell]]; }
};

/// Tests the metrics of the plan's report.
Analysis analyse(Results& results);
/// How many tests that makes if every pair of cells has runs in common.
std::size_t tests_of(const SweepPlan& plan);

/// A metric's values for a test. A time that was never reached counts as one step more than the longest limit of all
/// cells: longer than any time reached. Not a number: no value.
std::vector<double> test_values(const Results& results, std::size_t cell, const std::string& metric,
                                std::vector<double> values);

/// A quantile of these values; for times, a quantile between a time and never is never.
double value_quantile(const Results& results, const std::string& metric, std::span<const double> values, double p);

/// A value of an axis as people write it: without the quotes of a TOML text.
std::string bare(const std::string& value);

}  // namespace outrider
