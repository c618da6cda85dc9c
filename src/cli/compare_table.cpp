#include "cli/compare_table.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/output.hpp"
#include "batch/analysis.hpp"
#include "batch/figures.hpp"
#include "batch/statistics.hpp"

namespace outrider {
namespace {

std::vector<double> defined(std::vector<double> values) {
    std::erase_if(values, [](double v) { return std::isnan(v); });
    return values;
}

struct Verdict {
    std::size_t a, b, metric;
    std::vector<double> differences;  // b - a, of pairs in which both are defined
    Wilcoxon test;
    double adjusted = 1;
};

/// What the numbers say of a pair, in words.
void print_verdict(const Comparison& c, const Verdict& v) {
    const std::vector<double>& d = v.differences;
    if (d.empty()) {
        fmt::print("  {} - {}: no pair in which both have a value\n", c.strategies[v.b], c.strategies[v.a]);
        return;
    }
    const double middle = median(d);
    const bool less = less_is_better(c.metrics[v.metric]);
    const auto better_b = std::count_if(d.begin(), d.end(), [&](double x) { return less ? x < 0 : x > 0; });
    const auto better_a = std::count_if(d.begin(), d.end(), [&](double x) { return less ? x > 0 : x < 0; });
    const std::vector<double> a = defined(c.values(v.a, v.metric)), b = defined(c.values(v.b, v.metric));
    const double effect = less ? probability_below(b, a) : probability_below(a, b);
    const std::string& winner = c.strategies[(v.test.sign < 0) == less ? v.b : v.a];
    fmt::print(
        "  {} - {}: median {}{}; {} better in {}, {} in {}; A12 {:.2f}; p {:.2g}, Holm {:.2g}: ", c.strategies[v.b],
        c.strategies[v.a], short_number(middle), interval_text(bootstrap_median(d, 0.95), d.size(), "95 % "),
        c.strategies[v.b], better_b, c.strategies[v.a], better_a, effect, v.test.p, v.adjusted);
    if (v.adjusted < 0.05)
        fmt::print("{} is better\n", winner);
    else
        fmt::print("no difference shown\n");
}

}  // namespace

void print_strategies(const Comparison& c) {
    std::size_t width = 10;
    for (const std::string& s : c.strategies) width = std::max(width, s.size());
    fmt::print("\n{:<{}}", "", width + 2);
    for (const std::string& m : c.metrics) fmt::print(" {:>25}", m);
    fmt::print("\n");
    bool undefined = false;
    for (std::size_t s = 0; s < c.strategies.size(); ++s) {
        fmt::print("{:<{}}", c.strategies[s], width + 2);
        for (std::size_t m = 0; m < c.metrics.size(); ++m) {
            const std::vector<double> v = defined(c.values(s, m));
            const std::size_t runs = c.runs[s].size();
            undefined = undefined || v.size() < runs;
            if (v.empty()) {
                fmt::print(" {:>25}", fmt::format("0 of {}", runs));
                continue;
            }
            const int never = c.censored(s, m);
            const auto text = [&](double p) {
                const double value = never > 0 ? time_quantile(v, p, c.step_limit) : quantile(v, p);
                return never > 0 && value > c.step_limit ? std::string("never") : short_number(value);
            };
            fmt::print(" {:>25}", fmt::format("{} [{}, {}]{}{}", text(0.5), text(0.25), text(0.75),
                                              never > 0 ? fmt::format(" {}x never", never) : "",
                                              v.size() < runs ? fmt::format(" {} of {}", v.size(), runs) : ""));
        }
        fmt::print("\n");
    }
    fmt::print("median [quartiles] of {} runs; never: not reached before step {}, counted as longer than any other\n",
               c.runs[0].size(), c.step_limit);
    if (undefined) fmt::print("n of {}: only so many runs have a value; the others are left out\n", c.runs[0].size());
}

void print_comparisons(const Comparison& c) {
    const bool all_pairs = c.strategies.size() <= most_all_pairs;
    std::vector<Verdict> verdicts;
    for (std::size_t m = 0; m < c.metrics.size(); ++m)
        for (std::size_t a = 0; a < (all_pairs ? c.strategies.size() : 1); ++a)
            for (std::size_t b = a + 1; b < c.strategies.size(); ++b) {
                Verdict v{a, b, m, defined(differences(c.values(a, m), c.values(b, m))), {}};
                v.test = wilcoxon_signed_rank(v.differences);
                verdicts.push_back(std::move(v));
            }
    std::vector<double> p;
    for (const Verdict& v : verdicts)
        if (!v.differences.empty()) p.push_back(v.test.p);
    const std::vector<double> adjusted = holm(p);
    auto next = adjusted.begin();
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        if (!verdicts[i].differences.empty()) verdicts[i].adjusted = *next++;
        if (i == 0 || verdicts[i].metric != verdicts[i - 1].metric) {
            const std::string& name = c.metrics[verdicts[i].metric];
            const MetricInfo& info = info_of(name);
            fmt::print("\n{}@{} ({}{}{} is better)\n", name, info.version, info.unit, info.unit.empty() ? "" : "; ",
                       less_is_better(name) ? "less" : "more");
        }
        print_verdict(c, verdicts[i]);
    }
    fmt::print(
        "\nPaired by map, start and seed. Wilcoxon signed-rank test, two-sided; Holm over the {} test{} above. A12: "
        "the "
        "chance that a run of the\nfirst is better than one of the second.{}\n",
        p.size(), p.size() == 1 ? "" : "s",
        all_pairs ? "" : " More than five are each compared with the first one only.");
    std::size_t pairs = 0;  // that can be compared: two or more runs of them did not fail
    std::set<std::string> maps;
    for (std::size_t k = 0; k < c.runs[0].size(); ++k)
        if (std::count_if(c.runs.begin(), c.runs.end(),
                          [&](const auto& runs) { return runs[k].end_reason != run_failed; }) > 1) {
            ++pairs;
            maps.insert(c.runs[0][k].map);
        }
    if (!maps.empty() && maps.size() < 5)
        fmt::print(
            "On {} this says something of {} only; a claim about strategies needs five maps or more, such as a "
            "suite.\n",
            maps.size() == 1 ? "one map" : fmt::format("{} maps", maps.size()),
            maps.size() == 1 ? "that map" : "those");
    if (pairs < 30)
        fmt::print("{} pair{} few; 30 are a screening, 100 a claim.\n", pairs, pairs == 1 ? " is" : "s are");
}

std::string csv_of(const Comparison& c) {
    std::string text = fmt::format("strategy,map,seed,end_reason,{}\n", fmt::join(c.metrics, ","));
    for (std::size_t s = 0; s < c.strategies.size(); ++s)
        for (const RunResult& run : c.runs[s]) {
            text +=
                fmt::format("{},{},{},{}", csv_field(c.strategies[s]), csv_field(run.map), run.seed, run.end_reason);
            for (const double v : run.values) text += std::isnan(v) ? "," : fmt::format(",{}", v);
            text += "\n";
        }
    return text;
}

}  // namespace outrider
