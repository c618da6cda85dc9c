// The report of a sweep: one HTML file that needs nothing else, and its numbers as CSV beside it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "batch/report/figures.hpp"
#include "batch/report/run_pages.hpp"

namespace outrider {

struct Report {
    std::string html;
    std::vector<std::pair<std::string, std::string>> tables;  ///< name ("summary"), CSV
    std::vector<std::pair<std::string, std::string>> latex;   ///< of those that are tables in the report
};

/// What was made for the runs beside their results; empty where nobody asked.
struct RunExtras {
    RunPages pages{};        ///< to link to
    ReferenceTimes plans{};  ///< to compare with
};

/// `commands`: those that make the report again, a line each. The runs themselves are not among the tables: see
/// write_runs_csv.
Report make_report(Results& results, const std::vector<std::string>& commands, const RunExtras& extras = {});

/// Writes a row for every run to `path`, row by row.
void write_runs_csv(Results& results, const std::string& path, bool overwrite, const ReferenceTimes& plans = {});

/// Writes PATH and its tables as PATH's stem with _NAME.csv and _NAME.tex. Returns the files' names, the report last.
std::vector<std::string> write_report(Results& results, const std::string& path,
                                      const std::vector<std::string>& commands, bool overwrite,
                                      const RunExtras& extras = {});

}  // namespace outrider
