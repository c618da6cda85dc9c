// Submissions under one protocol, ranked on a page.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "batch/leaderboard/submission.hpp"
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
    bool tied = false;             ///< cannot be told apart from the one above: sign flips of maps, Holm, 5 %
};

struct Leaderboard {
    Protocol protocol;
    std::vector<Submission> submissions;
    std::vector<Standing> standings;      ///< the best first
    std::vector<std::string> left_out{};  ///< files, and why
};

/// Reads all submissions (*.json) of a folder. Those of another protocol than `protocol` are left out. Throws Error
/// when none is left.
Leaderboard make_leaderboard(const std::string& folder, const std::string& protocol);

/// Checks a submission: runs some of its runs again, spread over all of them. Empty: all are as submitted; otherwise
/// the first that is not, or why it cannot be checked here.
std::string verify(const Submission& submission, int runs, const std::atomic<bool>* interrupted = nullptr);

std::string to_html(const Leaderboard& board, const std::vector<std::string>& verified);

}  // namespace outrider
