#include "batch/difference.hpp"

#include <cmath>

namespace outrider {

Difference compare_samples(std::span<const double> a, std::span<const double> b, bool less, bool common) {
    Difference t;
    std::vector<double> differences, of_a, of_b;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!std::isnan(a[i])) of_a.push_back(a[i]);
        if (!std::isnan(b[i])) of_b.push_back(b[i]);
        if (std::isnan(a[i]) || std::isnan(b[i])) continue;
        const double d = difference(a[i], b[i]);
        differences.push_back(d);
        t.better_b += less ? d < 0 : d > 0;
        t.better_a += less ? d > 0 : d < 0;
    }
    t.pairs = differences.size();
    if (of_a.empty() || of_b.empty() || (common && t.pairs == 0)) {
        t.median = t.interval.low = t.interval.high = std::nan("");
        return t;
    }
    t.effect = less ? probability_below(of_b, of_a) : probability_below(of_a, of_b);
    if (t.pairs > 0) {
        t.median = median(differences);
        t.interval = bootstrap_median(differences, 0.95);
        const Wilcoxon test = wilcoxon_signed_rank(differences);
        t.p = test.p;
        t.favours_b = less ? test.sign < 0 : test.sign > 0;
    } else {
        t.paired = false;
        t.median = median(of_b) - median(of_a);
        t.interval.low = t.interval.high = std::nan("");
        t.p = mann_whitney(of_a, of_b).p;
        t.favours_b = t.effect > 0.5;
    }
    return t;
}

void adjust(const std::vector<Difference*>& tests) {
    std::vector<double> p;
    for (const Difference* t : tests)
        if (t->made()) p.push_back(t->p);
    const std::vector<double> adjusted = holm(p);
    auto next = adjusted.begin();
    for (Difference* t : tests)
        if (t->made()) t->adjusted = *next++;
}

}  // namespace outrider
