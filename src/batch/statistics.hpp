// Statistics for comparing strategies: small samples, paired where possible, no assumption on distributions. Checked
// against values of scipy (tests/test_statistics.cpp). Random numbers are fixed: the same data give the same interval.
#pragma once

#include <span>
#include <vector>

namespace outrider {

/// Of a sample that is not empty; linear between order statistics (Hyndman & Fan 1996, type 7). p in [0, 1].
double quantile(std::span<const double> sample, double p);
inline double median(std::span<const double> sample) { return quantile(sample, 0.5); }
/// A quantile of times, where those above `limit` stand for never. Where it is never, or lies between a time and never,
/// the result is limit + 1, which stands for never: no run took a time in between, and it would depend on the limit.
double time_quantile(std::span<const double> times, double p, double limit);

/// Whether two values count as equal: they differ by at most 1e-9 of the larger magnitude. Lengths are sums of many
/// steps, and their last digits depend on the order of summing. All ranking in this file uses it.
bool is_tie(double a, double b);
/// b - a; 0 when it is a tie.
double difference(double a, double b);
/// Of pairs: y[i] - x[i], in their order.
std::vector<double> differences(std::span<const double> x, std::span<const double> y);

/// z with P(Z < z) = p of a standard normal variable.
double normal_quantile(double p);

struct MannWhitney {
    double u = 0;  ///< pairs in which the value of x is above that of y, ties half
    double p = 1;  ///< two-sided
};
/// Rank-sum test of two samples that are not paired (Mann & Whitney 1947). Exact when one of them has at most 8 values
/// and there are no ties, else the normal approximation with corrections for ties and continuity. An empty sample: p 1.
MannWhitney mann_whitney(std::span<const double> x, std::span<const double> y);

/// The probability that a value of x is below one of y, ties counted half (Vargha & Delaney 2000): 0.5 is no effect.
double probability_below(std::span<const double> x, std::span<const double> y);

struct Interval {
    double low = 0, high = 0;
};
/// Percentile bootstrap of the median, 10,000 resamples; `share` such as 0.95. Beyond 5000 values the order statistics
/// given by the binomial distribution, which is the limit of the bootstrap.
Interval bootstrap_median(std::span<const double> sample, double share);

/// Mean of the middle half (Agarwal et al. 2021): a quarter of the values, rounded down, is left out at either end.
double interquartile_mean(std::span<const double> sample);
/// The same with a percentile bootstrap interval; values are resampled within each stratum (a map). Strata of a single
/// value are pooled: alone they would seem to be certain. 2000 resamples; fewer for large samples, whose interval then
/// comes from the resamples' standard deviation. `strata`: the stratum 0, 1, ... of each value.
struct Estimate {
    double value = 0;
    Interval interval;
};
Estimate stratified_iqm(std::span<const double> sample, std::span<const int> strata, double share);

/// Survival without an event, as a staircase: from each time on.
struct Survival {
    struct Step {
        double time, survival;
        Interval interval;  ///< 95 %, by Greenwood's variance on the log-log scale
    };
    std::vector<Step> steps;  ///< begins with survival 1 at time 0; a step at every time with an event
    /// First time at which at most half survive; not a number when more do.
    double median() const;
};
/// Product-limit estimate (Kaplan & Meier 1958) of times, some of which are only known to be longer: observed = false.
Survival kaplan_meier(std::span<const double> times, const std::vector<bool>& observed);

/// p values adjusted for having made several tests (Holm 1979), in the order given.
std::vector<double> holm(std::span<const double> p);

}  // namespace outrider
