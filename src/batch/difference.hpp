// Two samples against each other: the difference, its test, and how often which is better.
#pragma once

#include <span>
#include <vector>

#include "batch/statistics.hpp"

namespace outrider {

struct Difference {
    bool paired = true;
    std::size_t pairs = 0, better_a = 0, better_b = 0;
    bool favours_b = false;  ///< by the test's statistic: the signed ranks, or A12 when not paired
    double median = 0;       ///< of b - a
    Interval interval;       ///< 95 %, of that median; of no use with a single pair
    double effect = 0.5;     ///< A12: the chance that a run of b is better than one of a
    double p = 1, adjusted = 1;
    /// Whether there was something to test.
    bool made() const { return pairs > 0 || !paired; }
    bool shown() const { return adjusted < 0.05; }
};

/// The k-th values of a and b are a pair; not a number: no value. If no pair has both values, the samples are tested as
/// unpaired, unless they have starts in `common`. `less`: less is better.
Difference compare_samples(std::span<const double> a, std::span<const double> b, bool less, bool common);

/// Adjusts the p values of all tests that were made (Holm).
void adjust(const std::vector<Difference*>& tests);

}  // namespace outrider
