// Pages that play the runs of a sweep, beside its report.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>

#include "batch/results.hpp"
#include "scenario/scenario.hpp"

namespace outrider {

/// Whether what decides may be started, and is what decided then: another program would make another run.
bool can_run_again(const Scenario& scenario, const Provenance* then);

/// The page of a run: a link from the report, and where the run that it shows has another value than the results say,
/// which one ("t90_base is 71, not 5"); empty: all are the same.
struct RunPage {
    std::string link, differs;
};
using RunPages = std::map<std::int64_t, RunPage>;

/// Runs each run again that can be, as many at a time as there are cores, and writes its page to FOLDER/run_ID.html.
/// `progress`: called after each run with how many are done, by one thread at a time. Interrupted, it ends early.
/// Throws Error when a page exists and may not be overwritten, RunFailure when it cannot be written.
RunPages write_run_pages(Results& results, const std::string& folder, bool overwrite,
                         const std::function<void(std::size_t done, std::size_t of)>& progress,
                         const std::atomic<bool>* interrupted = nullptr);

/// Where the report leads for a run: its page, or its place in the section below.
std::string run_link(const RunPages& pages, std::int64_t run);
/// The section of the report with each run: a row for each start, a column for each cell of the sweep; a link to its
/// page or, without one, its number for `sweep rerun`. Empty for more than 2000 runs without pages.
std::string runs_section(Results& results, const RunPages& pages);

}  // namespace outrider
