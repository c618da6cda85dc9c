#include "batch/statistics/sign_flip.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "outrider/rng.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_exact = 16;                                    // values of which all subsets are looked at
constexpr std::size_t most_subsets = (std::size_t{1} << most_exact) - 1;  // that are not empty

std::vector<double> all_subset_means(std::span<const double> values) {
    std::vector<double> means(std::size_t{1} << values.size());  // sums at first
    for (std::size_t subset = 1; subset < means.size(); ++subset)
        means[subset] = means[subset & (subset - 1)] + values[static_cast<std::size_t>(std::countr_zero(subset))];
    for (std::size_t subset = 1; subset < means.size(); ++subset) means[subset] /= std::popcount(subset);
    means.erase(means.begin());  // the empty one
    return means;
}

std::vector<double> random_subset_means(std::span<const double> values) {
    Rng rng(1, -1, Purpose::bootstrap, 1);
    std::vector<double> means;
    while (means.size() < most_subsets) {
        double sum = 0;
        int count = 0;
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            bits = i % 32 == 0 ? rng.next() : bits >> 1;
            if ((bits & 1) == 0) continue;
            sum += values[i];
            ++count;
        }
        if (count > 0) means.push_back(sum / count);
    }
    return means;
}

/// Means of all non-empty subsets of the values, or of many of them. Where no choice of signs is more likely than
/// another, the true mean lies between any two neighbours among them with the same probability.
std::vector<double> subset_means(std::span<const double> values) {
    std::vector<double> means = values.size() <= most_exact ? all_subset_means(values) : random_subset_means(values);
    double largest = 0;
    for (const double v : values) largest = std::max(largest, std::abs(v));
    for (double& m : means)
        if (std::abs(m) <= 1e-9 * largest) m = 0;  // differs from 0 by rounding only
    return means;
}

}  // namespace

SignFlip sign_flip(std::span<const double> values) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    SignFlip out{0, {unknown, unknown}, 1};
    if (values.empty()) return out;
    for (const double v : values) out.mean += v / static_cast<double>(values.size());
    std::vector<double> means = subset_means(values);
    // Flipping the signs of a subset moves the mean across 0 when the subset's own mean lies on the other side.
    const auto below = std::count_if(means.begin(), means.end(), [](double m) { return m <= 0; }),
               above = std::count_if(means.begin(), means.end(), [](double m) { return m >= 0; });
    const double choices = static_cast<double>(means.size() + 1);
    out.p = std::min(1.0, 2 * static_cast<double>(std::min(below, above) + 1) / choices);
    // So many choices of signs in each tail give p < 0.05: 0 is in the interval exactly if p is not.
    const auto tail = static_cast<std::ptrdiff_t>(std::ceil(significance_level / 2 * choices)) - 1;
    if (tail < 1) return out;
    const auto low = means.begin() + (tail - 1), high = means.end() - tail;
    std::nth_element(means.begin(), low, means.end());
    out.interval.low = *low;
    std::nth_element(means.begin(), high, means.end());
    out.interval.high = *high;
    return out;
}

double smallest_p(std::size_t values) {
    return std::min(1.0, std::ldexp(2, -static_cast<int>(std::min(values, most_exact))));
}

std::size_t values_needed(std::size_t tests) {
    for (std::size_t n = 1; n <= most_exact; ++n)
        if (smallest_p(n) * static_cast<double>(tests) < significance_level) return n;
    return 0;
}

}  // namespace outrider
