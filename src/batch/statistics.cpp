#include "batch/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "outrider/error.hpp"
#include "outrider/rng.hpp"

namespace outrider {
namespace {

/// P(Z > z), two-sided, of a standard normal variable.
double two_sided(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

/// P(U >= u) for samples of m and n values without ties: by counting the orders with each U.
double rank_sum_tail(int u, int m, int n) {
    if (m > n) std::swap(m, n);
    // count[k][s]: ways to choose k of the ranks seen so far with U = s
    const auto width = static_cast<std::size_t>(m * n + 1);
    std::vector<std::vector<double>> count(static_cast<std::size_t>(m + 1), std::vector<double>(width));
    count[0][0] = 1;
    for (int rank = 0; rank < m + n; ++rank)
        for (int k = std::min(rank + 1, m); k >= 1; --k) {
            const int below = rank - (k - 1);  // of the other sample, below this one
            if (below > n) continue;
            for (std::size_t s = width; s-- > static_cast<std::size_t>(below);)
                count[static_cast<std::size_t>(k)][s] +=
                    count[static_cast<std::size_t>(k - 1)][s - static_cast<std::size_t>(below)];
        }
    const std::vector<double>& all = count[static_cast<std::size_t>(m)];
    const double whole = std::accumulate(all.begin(), all.end(), 0.0);
    return std::accumulate(all.begin() + std::max(u, 0), all.end(), 0.0) / whole;
}

/// The quantile of a sample; may reorder the sample.
double quantile_of(std::vector<double>& sample, double p) {
    const double at = p * static_cast<double>(sample.size() - 1);
    const auto low = static_cast<std::ptrdiff_t>(at);
    std::nth_element(sample.begin(), sample.begin() + low, sample.end());
    const double share = at - static_cast<double>(low), value = sample[static_cast<std::size_t>(low)];
    return share == 0 ? value : value + share * (*std::min_element(sample.begin() + low + 1, sample.end()) - value);
}

}  // namespace

double quantile(std::span<const double> sample, double p) {
    OUTRIDER_CHECK(sample.empty(), ==, false);
    std::vector<double> sorted(sample.begin(), sample.end());
    std::sort(sorted.begin(), sorted.end());
    const double at = p * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const double share = at - static_cast<double>(low);
    if (share == 0 || sorted[low] == sorted[low + 1]) return sorted[low];
    return sorted[low] + share * (sorted[low + 1] - sorted[low]);
}

double time_quantile(std::span<const double> times, double p, double limit) {
    std::vector<double> sample;
    for (const double t : times) sample.push_back(t > limit ? std::numeric_limits<double>::infinity() : t);
    const double value = quantile(sample, p);
    return std::isinf(value) ? limit + 1 : value;
}

bool is_tie(double a, double b) {
    constexpr double share = 1e-9;
    return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b));
}

double difference(double a, double b) { return is_tie(a, b) ? 0 : b - a; }

std::vector<double> differences(std::span<const double> x, std::span<const double> y) {
    OUTRIDER_CHECK(x.size(), ==, y.size());
    std::vector<double> out;
    for (std::size_t i = 0; i < x.size(); ++i) out.push_back(difference(x[i], y[i]));
    return out;
}

double normal_quantile(double p) {
    // By bisection: it is needed rarely.
    double low = -10, high = 10;
    for (int i = 0; i < 80; ++i) {
        const double mid = (low + high) / 2;
        (std::erfc(-mid / std::sqrt(2.0)) / 2 < p ? low : high) = mid;
    }
    return (low + high) / 2;
}

MannWhitney mann_whitney(std::span<const double> x, std::span<const double> y) {
    MannWhitney result;
    if (x.empty() || y.empty()) return result;
    const double m = static_cast<double>(x.size()), n = static_cast<double>(y.size());
    result.u = m * n * probability_below(y, x);
    std::vector<double> all(x.begin(), x.end());
    all.insert(all.end(), y.begin(), y.end());
    std::sort(all.begin(), all.end());
    double ties = 0;
    for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
        while (end < all.size() && is_tie(all[end], all[i])) ++end;
        const double t = static_cast<double>(end - i);
        ties += t * t * t - t;
    }
    const double extreme = std::max(result.u, m * n - result.u);
    if (ties == 0 && std::min(m, n) <= 8) {
        result.p =
            std::min(1.0, 2 * rank_sum_tail(static_cast<int>(extreme), static_cast<int>(m), static_cast<int>(n)));
    } else {
        const double variance = m * n / 12 * (m + n + 1 - ties / ((m + n) * (m + n - 1)));
        result.p = variance > 0 ? std::min(1.0, two_sided((extreme - m * n / 2 - 0.5) / std::sqrt(variance))) : 1;
        if (extreme - m * n / 2 < 0.5) result.p = 1;
    }
    return result;
}

double probability_below(std::span<const double> x, std::span<const double> y) {
    std::vector<double> sorted(y.begin(), y.end());
    std::sort(sorted.begin(), sorted.end());
    double wins = 0;
    for (const double a : x) {
        const auto from = std::partition_point(sorted.begin(), sorted.end(),
                                               [&](double b) { return b < a && !is_tie(a, b); }),
                   to = std::partition_point(from, sorted.end(), [&](double b) { return b <= a || is_tie(a, b); });
        wins += static_cast<double>(sorted.end() - to) + 0.5 * static_cast<double>(to - from);
    }
    return wins / (static_cast<double>(x.size()) * static_cast<double>(y.size()));
}

Interval bootstrap_median(std::span<const double> sample, double share) {
    if (sample.size() > 5000) {
        const double n = static_cast<double>(sample.size()),
                     reach = normal_quantile((1 + share) / 2) * std::sqrt(n) / 2;
        return {quantile(sample, std::max(0.0, (n / 2 - reach) / n)),
                quantile(sample, std::min(1.0, (n / 2 + reach) / n))};
    }
    constexpr int resamples = 10'000;
    Rng rng(1, -1, Purpose::bootstrap, 0);
    std::vector<double> medians, drawn(sample.size());
    for (int k = 0; k < resamples; ++k) {
        for (double& v : drawn) v = sample[rng.below(static_cast<std::uint32_t>(sample.size()))];
        medians.push_back(quantile_of(drawn, 0.5));
    }
    return {quantile(medians, (1 - share) / 2), quantile(medians, (1 + share) / 2)};
}

double interquartile_mean(std::span<const double> sample) {
    OUTRIDER_CHECK(sample.empty(), ==, false);
    std::vector<double> sorted(sample.begin(), sample.end());
    const auto cut = static_cast<std::ptrdiff_t>(sorted.size() / 4);
    std::nth_element(sorted.begin(), sorted.begin() + cut, sorted.end());
    std::nth_element(sorted.begin() + cut, sorted.end() - cut - 1, sorted.end());
    // Summed in order of size, so that the order of the sample cannot matter.
    std::sort(sorted.begin() + cut, sorted.end() - cut);
    return std::accumulate(sorted.begin() + cut, sorted.end() - cut, 0.0) /
           static_cast<double>(sorted.size() - 2 * static_cast<std::size_t>(cut));
}

Estimate stratified_iqm(std::span<const double> sample, std::span<const int> strata, double share) {
    OUTRIDER_CHECK(sample.size(), ==, strata.size());
    Estimate out{interquartile_mean(sample), {}};
    std::vector<std::vector<double>> by_stratum;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const auto s = static_cast<std::size_t>(strata[i]);
        if (by_stratum.size() <= s) by_stratum.resize(s + 1);
        by_stratum[s].push_back(sample[i]);
    }
    std::vector<double> singles;
    for (const std::vector<double>& values : by_stratum)
        if (values.size() == 1) singles.push_back(values[0]);
    std::erase_if(by_stratum, [](const std::vector<double>& values) { return values.size() == 1; });
    by_stratum.push_back(std::move(singles));
    constexpr std::size_t most = 2000, work = 20'000'000;
    const std::size_t resamples = std::clamp<std::size_t>(work / sample.size(), 50, most);
    Rng rng(2, -1, Purpose::bootstrap, 0);
    std::vector<double> means, drawn;
    for (std::size_t k = 0; k < resamples; ++k) {
        drawn.clear();
        for (const std::vector<double>& values : by_stratum)
            for (std::size_t i = 0; i < values.size(); ++i)
                drawn.push_back(values[rng.below(static_cast<std::uint32_t>(values.size()))]);
        means.push_back(interquartile_mean(drawn));
    }
    if (resamples == most) {
        out.interval = {quantile(means, (1 - share) / 2), quantile(means, (1 + share) / 2)};
    } else {
        const double n = static_cast<double>(means.size()), mean = std::accumulate(means.begin(), means.end(), 0.0) / n;
        double squares = 0;
        for (const double m : means) squares += (m - mean) * (m - mean);
        const double reach = normal_quantile((1 + share) / 2) * std::sqrt(squares / (n - 1));
        out.interval = {out.value - reach, out.value + reach};
    }
    return out;
}

double Survival::median() const {
    const auto at = std::find_if(steps.begin(), steps.end(), [](const Step& s) { return s.survival <= 0.5; });
    return at == steps.end() ? std::nan("") : at->time;
}

Survival kaplan_meier(std::span<const double> times, const std::vector<bool>& observed) {
    OUTRIDER_CHECK(times.size(), ==, observed.size());
    std::vector<std::size_t> order(times.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
    Survival out;
    out.steps.push_back({0, 1, {1, 1}});
    double survival = 1, greenwood = 0;
    for (std::size_t i = 0; i < order.size();) {
        const double time = times[order[i]], at_risk = static_cast<double>(order.size() - i);
        double events = 0;
        for (; i < order.size() && times[order[i]] == time; ++i) events += observed[order[i]];
        if (events == 0) continue;
        survival *= (at_risk - events) / at_risk;
        greenwood += events / (at_risk * (at_risk - events));
        Interval interval{0, 0};
        if (survival > 0) {
            const double reach = 1.959963984540054 * std::sqrt(greenwood) / std::log(survival);
            interval = {std::pow(survival, std::exp(-reach)), std::pow(survival, std::exp(reach))};
        }
        out.steps.push_back({time, survival, interval});
    }
    return out;
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
