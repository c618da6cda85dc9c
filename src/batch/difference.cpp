#include "batch/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "batch/statistics/sign_flip.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// 0 where it differs from 0 by rounding only.
double mean(const std::vector<double>& values) {
    double sum = 0, magnitude = 0;
    for (const double v : values) {
        sum += v;
        magnitude += std::abs(v);
    }
    return std::abs(sum) <= 1e-9 * magnitude ? 0 : sum / static_cast<double>(values.size());
}

/// Samples of a map: runs of a and b, and differences of pairs by start.
struct OnMap {
    std::vector<double> a, b, differences;
    std::map<std::int64_t, std::vector<double>> by_start;
};

std::map<int, OnMap> by_map(std::span<const double> a, std::span<const double> b, std::span<const PairPlace> places) {
    std::map<int, OnMap> out;
    for (std::size_t i = 0; i < a.size(); ++i) {
        OnMap& here = out[places[i].map];
        if (!std::isnan(a[i])) here.a.push_back(a[i]);
        if (!std::isnan(b[i])) here.b.push_back(b[i]);
        if (std::isnan(a[i]) || std::isnan(b[i])) continue;
        const double d = difference(a[i], b[i]);
        here.differences.push_back(d);
        here.by_start[places[i].start].push_back(d);
    }
    return out;
}

/// Ranks the runs of a single map.
void test_runs(Difference& t, const std::vector<double>& a, const std::vector<double>& b) {
    t.test = Difference::Test::runs;
    t.units = a.size() + b.size();
    t.interval = {none, none};
    t.p = mann_whitney(a, b).p;
    t.favours_b = t.effect > 0.5;
    t.smallest = 2;  // over the number of ways to choose those of a
    for (std::size_t k = 1; k <= a.size(); ++k)
        t.smallest *= static_cast<double>(k) / static_cast<double>(b.size() + k);
    t.smallest = std::min(t.smallest, 1.0);
}

}  // namespace

bool Difference::shown() const { return adjusted < significance_level; }

Difference compare_samples(std::span<const double> a, std::span<const double> b, std::span<const PairPlace> places,
                           bool less, bool common) {
    OUTRIDER_CHECK(a.size(), ==, b.size());
    OUTRIDER_CHECK(a.size(), ==, places.size());
    Difference t;
    t.mean = t.interval.low = t.interval.high = none;
    const std::map<int, OnMap> maps = by_map(a, b, places);
    std::vector<double> of_a, of_b;
    for (const auto& [map, here] : maps) {
        of_a.insert(of_a.end(), here.a.begin(), here.a.end());
        of_b.insert(of_b.end(), here.b.begin(), here.b.end());
        t.pairs += here.differences.size();
        for (const double d : here.differences) {
            t.better_b += less ? d < 0 : d > 0;
            t.better_a += less ? d > 0 : d < 0;
        }
    }
    if (t.pairs == 0 && common) return t;
    t.paired = t.pairs > 0;
    std::vector<double> means;  // of the differences on each map
    const OnMap* last = nullptr;
    for (const auto& [map, here] : maps) {
        if (t.paired ? here.differences.empty() : here.a.empty() || here.b.empty()) continue;
        last = &here;
        const double d = t.paired ? mean(here.differences) : difference(mean(here.a), mean(here.b));
        means.push_back(d);
        t.better_maps_b += less ? d < 0 : d > 0;
        t.better_maps_a += less ? d > 0 : d < 0;
    }
    t.maps = means.size();
    if (t.maps == 0) return t;
    t.effect = less ? probability_below(of_b, of_a) : probability_below(of_a, of_b);
    t.mean = mean(means);
    if (t.single_map() && !t.paired) {
        test_runs(t, last->a, last->b);
        return t;
    }
    if (t.single_map()) {
        means.clear();
        for (const auto& [start, differences] : last->by_start) means.push_back(mean(differences));
    }
    const SignFlip test = sign_flip(means);
    t.test = t.single_map() ? Difference::Test::starts : Difference::Test::maps;
    t.units = means.size();
    t.mean = test.mean;
    t.interval = test.interval;
    t.p = test.p;
    t.smallest = smallest_p(t.units);
    t.favours_b = less ? t.mean < 0 : t.mean > 0;
    return t;
}

void adjust(const std::vector<Difference*>& tests) {
    std::vector<double> p, smallest;
    for (const Difference* t : tests)
        if (t->made()) {
            p.push_back(t->p);
            smallest.push_back(t->smallest);
        }
    const std::vector<double> adjusted = holm(p), at_best = holm(smallest);
    std::size_t next = 0;
    for (Difference* t : tests) {
        if (!t->made()) continue;
        t->adjusted = adjusted[next];
        t->possible = at_best[next] < significance_level;
        t->needed = t->test == Difference::Test::runs ? 0 : values_needed(p.size());
        ++next;
    }
}

}  // namespace outrider
