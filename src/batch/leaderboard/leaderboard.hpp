// Submissions under one protocol, ranked on a page.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "batch/leaderboard/submission.hpp"
#include "batch/reference_times.hpp"
#include "batch/statistics.hpp"

namespace outrider {

/// How a submission does. A score is 1 where nobody is faster: the best median of the ranking metric on a map, of all
/// submissions, over its own.
struct Standing {
    const Submission* submission = nullptr;
    Estimate score;                ///< interquartile mean over the maps, with a 95 % interval
    std::vector<double> by_suite;  ///< mean score on the maps of each suite
    std::vector<double> medians;   ///< of each metric over all runs; not a number: never in half of them
    double reached = 0;            ///< share of the runs that reached the ranking metric
    /// Median of the runs' T99 of the team as multiples of the plan's; infinite: half of them never got there, not a
    /// number: there are no plans.
    double over_plan = 0;
    bool tied = false;  ///< cannot be told apart from the one above: sign flips of maps, Holm, 5 %
};

/// What is known of a submission.
struct Verdict {
    enum class Kind { unverified, confirmed, disproved } kind = Kind::unverified;
    std::string why{};  ///< disproved: the first run that is another one; unverified: why it cannot be checked here
};

/// Checks a submission: runs some of its runs again, spread over all of them.
Verdict verify(const Submission& submission, int runs, const std::atomic<bool>* interrupted = nullptr);

struct Leaderboard {
    Protocol protocol;
    std::vector<Submission> submissions{};
    std::vector<Verdict> verdicts{};      ///< of each submission
    std::vector<Standing> standings{};    ///< the best first; who was disproved has none
    std::vector<std::string> left_out{};  ///< files, and why
    /// Of one that `standings` refers to, or that is in `submissions`.
    const Verdict& verdict_of(const Submission& s) const {
        return verdicts[static_cast<std::size_t>(&s - submissions.data())];
    }
};

/// Reads all submissions (*.json) of a folder and ranks them. Those of another protocol than `protocol`, and copies of
/// one that is there, are left out. `check` judges each of them first: who is disproved counts for nobody's score.
/// `plans` gives the times of plans for the runs of protocol_plan(); asked once the submissions are read, as they take
/// long to make. Throws Error when no submission is left.
Leaderboard make_leaderboard(const std::string& folder, const std::string& protocol,
                             const std::function<Verdict(const Submission&)>& check = {},
                             const std::function<ReferenceTimes()>& plans = {});

std::string to_html(const Leaderboard& board);

}  // namespace outrider
