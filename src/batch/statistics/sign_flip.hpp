// The test of a mean of few independent values, such as one mean difference for each map.
#pragma once

#include <span>

#include "batch/statistics.hpp"

namespace outrider {

/// A difference is shown when its p value, corrected for the number of tests, is below this.
inline constexpr double significance_level = 0.05;

struct SignFlip {
    double mean = 0;
    Interval interval;  ///< of the mean, 95 %; not a number: so few values give no interval of 95 %
    double p = 1;       ///< two-sided, for a mean of 0; never 0
};
/// Exact test (Fisher 1935): if nothing differs, each value would have come with the other sign as likely. p is the
/// share of all choices of signs whose mean is as far from 0. The interval holds the means that the same test does not
/// reject; its ends are means of subsets of the values (Hartigan 1969). Values may scatter differently. Up to 16 values
/// all choices are counted; beyond, 65,535 random ones, always the same. No values: p is 1.
SignFlip sign_flip(std::span<const double> values);

/// The smallest p value that so many values can give: 2 / 2^n, at least 2 / 2^16.
double smallest_p(std::size_t values);
/// How many values it takes for a p value that stays below the level after the correction for `tests` tests (Holm), if
/// all of them come out as clearly as they can; 0: no number of values does.
std::size_t values_needed(std::size_t tests);

}  // namespace outrider
