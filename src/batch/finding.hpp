// Findings as values: which one is better by a metric, and how sure that is. Sentences are made of them here.
#pragma once

#include <string>
#include <vector>

#include "batch/analysis.hpp"
#include "batch/table.hpp"

namespace outrider {

/// Two candidates compared by a metric: effect, p and the rest of the Difference.
struct Finding : Difference {
    std::string group;             ///< the settings for which it holds; empty when there is only one group
    std::string metric;            ///< its name
    std::string a, b;              ///< the two that were compared
    bool against_medians = false;  ///< the better one has the worse median

    enum class Verdict { nothing_to_compare, cannot_be_shown, not_shown, a_is_better, b_is_better };
    Verdict verdict() const {
        if (!made()) return Verdict::nothing_to_compare;
        if (!possible) return Verdict::cannot_be_shown;
        if (!shown()) return Verdict::not_shown;
        return favours_b ? Verdict::b_is_better : Verdict::a_is_better;
    }
    const std::string& better() const { return favours_b ? b : a; }
    const std::string& worse() const { return favours_b ? a : b; }
};

/// All candidates compared by a metric, in a group.
struct Ranking {
    struct Place {
        std::string name;
        Scalar median;     ///< missing: never
        bool tie = false;  ///< tied with the place before
        std::size_t runs = 0, undefined = 0;
    };
    std::string group, metric;
    std::vector<Place> places;  ///< the best first
    std::vector<Finding> findings;
};

Finding finding_of(const Analysis& analysis, const PairTest& test);
/// One for each group and metric of the report with values for two or more.
std::vector<Ranking> rankings(const Results& results, const Analysis& analysis);

/// "cannot be shown with so few maps (3; at least 8 are needed)": why a test was not possible.
std::string too_few(const Difference& test);
/// That so few maps cannot carry a claim with so many tests; empty when they can.
std::string warning_of_few_maps(std::size_t maps, std::size_t tests);
/// "12 maps, 36 pairs": on how much a difference rests.
std::string basis(const Difference& test);
/// "a is better", "a is better on this map only", "no difference shown", too_few(), "nothing to compare".
std::string verdict(const Finding& finding);
/// "b - a on 12 maps, 36 pairs: mean 3 [95 % 1, 5]; b better on 2 maps, a on 10; A12 0.33; p 0.04, Holm 0.08: no
/// difference shown"
std::string sentence(const Finding& finding);
/// "t90_base (steps): a 410, then b 586 in the median. The difference is shown (12 maps, 36 pairs; p 0.003 after
/// correction)."
std::string sentence(const Ranking& ranking);

}  // namespace outrider
