#include "batch/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "outrider/error.hpp"
#include "outrider/rng.hpp"

namespace outrider {
namespace {

/// P(Z > z), two-sided, of a standard normal variable.
double two_sided(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

/// P(W <= w) of the signed-rank statistic of n pairs without ties: by counting the subsets of 1 ... n with each sum.
double exact_cdf(int w, int n) {
    std::vector<double> count(static_cast<std::size_t>(n * (n + 1) / 2 + 1));
    count[0] = 1;
    for (int k = 1; k <= n; ++k)
        for (std::size_t s = count.size(); s-- > static_cast<std::size_t>(k);)
            count[s] += count[s - static_cast<std::size_t>(k)];
    double below = 0;
    for (int s = 0; s <= w; ++s) below += count[static_cast<std::size_t>(s)];
    return below / std::ldexp(1.0, n);
}

}  // namespace

double quantile(std::span<const double> sample, double p) {
    OUTRIDER_CHECK(sample.empty(), ==, false);
    std::vector<double> sorted(sample.begin(), sample.end());
    std::sort(sorted.begin(), sorted.end());
    const double at = p * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const double share = at - static_cast<double>(low);
    return share == 0 ? sorted[low] : sorted[low] + share * (sorted[low + 1] - sorted[low]);
}

Wilcoxon wilcoxon_signed_rank(std::span<const double> differences) {
    std::vector<double> d;
    std::copy_if(differences.begin(), differences.end(), std::back_inserter(d), [](double v) { return v != 0; });
    std::sort(d.begin(), d.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    Wilcoxon result;
    result.pairs = static_cast<int>(d.size());
    if (d.empty()) return result;
    double positive = 0, ties = 0;
    for (std::size_t i = 0; i < d.size();) {
        std::size_t end = i;
        while (end < d.size() && std::abs(d[end]) == std::abs(d[i])) ++end;
        const double rank = (static_cast<double>(i + end) + 1) / 2, t = static_cast<double>(end - i);
        ties += t * t * t - t;
        for (; i < end; ++i) positive += d[i] > 0 ? rank : 0;
    }
    const double n = result.pairs, all = n * (n + 1) / 2;
    result.statistic = std::min(positive, all - positive);
    const bool zeros = d.size() < differences.size();
    if (result.pairs <= 50 && ties == 0 && !zeros) {
        result.p = std::min(1.0, 2 * exact_cdf(static_cast<int>(result.statistic), result.pairs));
    } else {
        const double variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
        result.p = variance > 0 ? two_sided((result.statistic - all / 2) / std::sqrt(variance)) : 1;
    }
    return result;
}

double probability_below(std::span<const double> x, std::span<const double> y) {
    double wins = 0;
    for (const double a : x)
        for (const double b : y) wins += a < b ? 1 : a == b ? 0.5 : 0;
    return wins / (static_cast<double>(x.size()) * static_cast<double>(y.size()));
}

Interval bootstrap_median(std::span<const double> sample, double share) {
    constexpr int resamples = 10'000;
    Rng rng(1, -1, Purpose::bootstrap, 0);
    std::vector<double> medians, drawn(sample.size());
    for (int k = 0; k < resamples; ++k) {
        for (double& v : drawn) v = sample[rng.below(static_cast<std::uint32_t>(sample.size()))];
        medians.push_back(median(drawn));
    }
    return {quantile(medians, (1 - share) / 2), quantile(medians, (1 + share) / 2)};
}

std::vector<double> holm(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<double> adjusted(p.size());
    double highest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        highest = std::max(highest, std::min(1.0, p[order[i]] * static_cast<double>(p.size() - i)));
        adjusted[order[i]] = highest;
    }
    return adjusted;
}

}  // namespace outrider
