// Statistics for comparing strategies: small samples, paired where possible, no assumption on distributions. Checked
// against values of scipy (tests/test_statistics.cpp). Random numbers are fixed: the same data give the same interval.
#pragma once

#include <span>
#include <vector>

namespace outrider {

/// Of a sample that is not empty; linear between order statistics (Hyndman & Fan 1996, type 7). p in [0, 1].
double quantile(std::span<const double> sample, double p);
inline double median(std::span<const double> sample) { return quantile(sample, 0.5); }

struct Wilcoxon {
    double statistic = 0;  ///< the smaller of the rank sums of positive and negative differences
    double p = 1;          ///< two-sided
    int pairs = 0;         ///< that differ
};
/// Signed-rank test of paired differences (Wilcoxon 1945). Zeros are dropped. Exact up to 50 pairs without ties, else
/// the normal approximation with correction for ties. Without differences p is 1.
Wilcoxon wilcoxon_signed_rank(std::span<const double> differences);

/// The probability that a value of x is below one of y, ties counted half (Vargha & Delaney 2000): 0.5 is no effect.
double probability_below(std::span<const double> x, std::span<const double> y);

struct Interval {
    double low = 0, high = 0;
};
/// Percentile bootstrap of the median, 10,000 resamples; `share` such as 0.95.
Interval bootstrap_median(std::span<const double> sample, double share);

/// p values adjusted for having made several tests (Holm 1979), in the order given.
std::vector<double> holm(std::span<const double> p);

}  // namespace outrider
