// The tables of a report: as people see them, and their numbers for CSV.
#pragma once

#include <string>

#include "batch/finding.hpp"
#include "batch/reference_times.hpp"

namespace outrider {

struct ReportTable {
    Table shown;
    Table numbers;
    std::string note = "";         ///< above it
    std::string folds_under = "";  ///< it can be folded away under this title
    bool open = true;

    std::string html() const;
};

/// Steps to each level that the sweep kept, and how many runs got there; without columns when it kept none.
ReportTable time_table(Results& results, const Analysis& analysis);
/// Median, quartiles and interquartile mean of the tested metrics.
ReportTable summary_table(const Results& results, const Analysis& analysis);
/// Times of the team as multiples of the plans', and what they are at most times the best possible; without columns
/// where there are no plans. Throws Error when the sweep did not store those times.
ReportTable reference_table(Results& results, const Analysis& analysis, const ReferenceTimes& plans);
/// Steps that runs took more than their plans, by what they were spent on (metrics/time_spent.hpp); without columns
/// where there are no plans, or the sweep did not store it.
ReportTable lost_steps_table(Results& results, const Analysis& analysis, const ReferenceTimes& plans);
/// Pairwise differences with their tests and verdicts.
ReportTable tests_table(const Analysis& analysis);
/// Median of the main metric on each map, to show what the overall mean hides.
ReportTable maps_table(Results& results, const Analysis& analysis);

}  // namespace outrider
