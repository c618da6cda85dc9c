// The metrics: each listed once, with how it is computed. What prints, documents, computes, ranks or checks metrics
// walks these tables.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace outrider {

struct MetricGroup;
struct StepMetrics;
struct RunRecord;

/// A metric as a paper can name it: `name@version`. The version rises when its definition changes.
struct MetricInfo {
    enum Mark : unsigned {
        more_is_better = 1,
        time_to = 2,      ///< the time until something: not a number means never
        mobile_only = 4,  ///< of_robot is not of base stations
    };
    std::string_view name, unit;
    int version;
    std::string_view definition;
    unsigned marks;
    double (*of_team)(const RunRecord&) = nullptr;                ///< at the end of a run
    double (*of_robot)(const RunRecord&, std::size_t) = nullptr;  ///< likewise, of each robot
    double (*of_step)(const StepMetrics&) = nullptr;              ///< in the row per step
    bool is(Mark mark) const { return (marks & mark) != 0; }
    /// Whether every run has it.
    bool always() const;
    const MetricGroup* group = nullptr;  ///< of the summary
};

/// Of the summary, in the order in which it is written.
std::span<const MetricInfo> summary_metrics();
/// Columns of the row per step.
std::span<const MetricInfo> step_metrics();

/// Of the summary; null when there is none of this name.
const MetricInfo* find_metric(std::string_view name);
/// The same. Throws Error "WHERE: unknown metric 'NAME'; did you mean ...".
const MetricInfo& expect_metric(std::string_view name, std::string_view where);
/// One that a team has. Throws Error as above, also for one that only each robot has.
const MetricInfo& expect_team_metric(std::string_view name, std::string_view where);

/// Whether a run can have such a value: not a number means never or none; no step comes after the last one that a run
/// may have, shares are between 0 and 1, and nothing is infinite. For values of foreign files.
bool can_be(const MetricInfo& metric, double value);

/// Names of the metrics that every team has, in the order of the summary.
std::vector<std::string> team_metrics();

/// Rows per step as CSV: the names, and the values of a row; with the end of the line.
std::string step_csv_header();
std::string step_csv_row(const StepMetrics& row);

}  // namespace outrider
