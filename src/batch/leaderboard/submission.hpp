// A strategy's runs under a frozen protocol, as one file that others can compare and check.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "batch/results.hpp"

namespace outrider {

/// Which maps, starts, options and metrics; never changed once published: a change gets another version.
struct Protocol {
    std::string name;  ///< "explore@1"
    std::string about;
    std::vector<std::string> suites;
    int seeds = 1;
    std::vector<Setting> over;
    std::vector<std::string> metrics;  ///< the first one ranks
};
std::span<const Protocol> protocols();
/// Throws Error that names them all.
const Protocol& find_protocol(const std::string& name);
/// The runs of a strategy. Throws Error.
SweepPlan protocol_plan(const Protocol& protocol, const std::string& strategy);
/// What the runs of a plan are made of, apart from the strategy: maps with their content, starts, options, metrics.
std::string protocol_fingerprint(const Protocol& protocol, const SweepPlan& plan);

struct SubmittedRun {
    std::string map;
    std::int64_t start = 0;
    std::string steps_hash;
    std::vector<double> values;  ///< in the order of Protocol::metrics; not a number: never
    bool operator==(const SubmittedRun&) const = default;
};

struct Submission {
    std::string file;  ///< that it was read from
    std::string protocol, protocol_fingerprint;
    std::string title, strategy;
    std::string program, library, decided_by;  ///< decided_by: the fingerprint of all that decided
    std::string parts;                         ///< the same in words
    bool own = false;                          ///< the strategy is not part of the program as published
    std::vector<SubmittedRun> runs;
};

/// From the results of protocol_plan(). Throws Error when runs are missing or failed.
Submission make_submission(const Protocol& protocol, const std::string& strategy, const std::string& title,
                           Results& results);
std::string to_json(const Submission& submission);
/// Throws Error with what is wrong: no submission, another protocol than this program knows, values that cannot be.
Submission read_submission(const std::string& file);
/// The same from its text; `file`: for messages.
Submission parse_submission(std::string_view text, const std::string& file);

}  // namespace outrider
