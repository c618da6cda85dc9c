#include "cli/batch/compare_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/json.hpp"
#include "base/output.hpp"
#include "batch/finding.hpp"
#include "bound/lower_bounds.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {
namespace {

std::vector<double> defined(std::vector<double> values) {
    std::erase_if(values, [](double v) { return std::isnan(v); });
    return values;
}

/// "410 [400, 420] 3x never 5 of 6"
TableCell strategy_cell(const Comparison& c, std::size_t strategy, std::size_t metric) {
    const std::vector<double> v = defined(c.values(strategy, metric));
    const std::size_t runs = c.runs[strategy].size();
    if (v.empty()) return Missing{fmt::format("0 of {}", runs)};
    const int never = c.censored(strategy, metric);
    const auto at = [&](double p) -> Scalar {
        const double value = never > 0 ? time_quantile(v, p, c.step_limit) : quantile(v, p);
        if (never > 0 && value > c.step_limit) return Missing{"never"};
        return Number{value};
    };
    TableCell cell(at(0.5));
    cell.add(" ").add(Range{at(0.25), at(0.75)});
    if (never > 0) cell.add(fmt::format(" {}x never", never));
    if (v.size() < runs) cell.add(fmt::format(" {} of {}", v.size(), runs));
    return cell;
}

/// By metric, then pair; p values adjusted over all.
std::vector<Finding> findings(const Comparison& c) {
    const bool all_pairs = c.strategies.size() <= most_all_pairs;
    const std::vector<PairPlace> places = c.places();
    std::vector<Finding> out;
    for (std::size_t m = 0; m < c.metrics.size(); ++m)
        for (std::size_t a = 0; a < (all_pairs ? c.strategies.size() : 1); ++a)
            for (std::size_t b = a + 1; b < c.strategies.size(); ++b)
                out.push_back(
                    {compare_samples(c.values(a, m), c.values(b, m), places, less_is_better(c.metrics[m]), true), "",
                     c.metrics[m], c.strategies[a], c.strategies[b]});
    std::vector<Difference*> tests;
    for (Finding& f : out) tests.push_back(&f);
    adjust(tests);
    return out;
}

/// "88.7 more in the mean [95 % 60, 110], worse on 10 of 12 maps": `other` against the best.
std::string difference_text(const Finding& f, const std::string& other) {
    if (!f.made()) return "";
    const bool is_b = f.b == other, more = is_b == (f.mean > 0), as_is = f.mean > 0;  // as a positive number
    TableCell mean(Number{std::abs(f.mean)});
    mean.add(more ? " more in the mean" : " less in the mean");
    if (!std::isnan(f.interval.low))
        mean.add(" ").add(Range{Number{as_is ? f.interval.low : -f.interval.high},
                                Number{as_is ? f.interval.high : -f.interval.low}, "95 % "});
    const bool pairs = f.single_map();
    const std::size_t worse = is_b ? (pairs ? f.better_a : f.better_maps_a) : (pairs ? f.better_b : f.better_maps_b);
    return fmt::format("{}, worse {} {} of {} {}; ", to_text(mean), pairs ? "in" : "on", worse,
                       pairs ? f.pairs : f.maps, pairs ? "pairs" : "maps");
}

/// Whether it may be said that `best` is better than `other`.
std::string claim_text(const Finding& f, const std::string& best) {
    switch (f.verdict()) {
        case Finding::Verdict::nothing_to_compare:
            return "nothing to compare";
        case Finding::Verdict::cannot_be_shown:
            return "no claim: a difference " + too_few(f);
        case Finding::Verdict::not_shown:
            return fmt::format("no claim: this may be chance (p {:.2g})", f.adjusted);
        case Finding::Verdict::a_is_better:
        case Finding::Verdict::b_is_better:
            break;
    }
    if (f.better() != best)
        return fmt::format("by the mean it is the better one, which may be claimed (p {:.2g})", f.adjusted);
    return fmt::format("may be claimed{} (p {:.2g})", f.single_map() ? " of this map only" : "", f.adjusted);
}

}  // namespace

void print_ranking(const Comparison& c) {
    const std::vector<Finding> found = findings(c);
    std::size_t longest = 0;
    for (const std::string& s : c.strategies) longest = std::max(longest, s.size());
    for (std::size_t m = 0; m < c.metrics.size(); ++m) {
        std::vector<std::pair<double, std::size_t>> order;  // worse medians are larger
        const bool less = less_is_better(c.metrics[m]);
        for (std::size_t s = 0; s < c.strategies.size(); ++s)
            if (const std::vector<double> v = defined(c.values(s, m)); !v.empty())
                order.emplace_back((less ? 1 : -1) * quantile(v, 0.5), s);
        std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        const MetricInfo& info = expect_team_metric(c.metrics[m], "--metric");
        print_plain("\n{}{} ({} is better)\n", c.metrics[m], info.unit.empty() ? "" : fmt::format(", {}", info.unit),
                    less ? "less" : "more");
        for (std::size_t k = 0; k < order.size(); ++k) {
            const std::string &best = c.strategies[order[0].second], &name = c.strategies[order[k].second];
            const double median = std::abs(order[k].first);
            const bool never = is_time_to(c.metrics[m]) && median > c.step_limit;
            print_plain("  {:>2}. {:<{}} {:>8}", k + 1, name, longest, never ? "never" : short_number(median));
            const auto f = std::find_if(found.begin(), found.end(), [&](const Finding& finding) {
                return finding.metric == c.metrics[m] &&
                       ((finding.a == best && finding.b == name) || (finding.a == name && finding.b == best));
            });
            if (k > 0 && f != found.end()) print_plain("   {}{}", difference_text(*f, name), claim_text(*f, best));
            print_plain("\n");
        }
    }
}

void print_strategies(const Comparison& c) {
    Table table;
    table.columns.emplace_back();
    for (const std::string& m : c.metrics) table.columns.push_back({m, m});
    bool undefined = false;
    for (std::size_t s = 0; s < c.strategies.size(); ++s) {
        std::vector<TableCell> row{c.strategies[s]};
        for (std::size_t m = 0; m < c.metrics.size(); ++m) {
            undefined = undefined || defined(c.values(s, m)).size() < c.runs[s].size();
            row.push_back(strategy_cell(c, s, m));
        }
        table.add(std::move(row));
    }
    std::size_t longest = 10;
    for (const std::string& s : c.strategies) longest = std::max(longest, s.size());
    print_plain("\n{}", Lines{to_text(table, longest + 2, 25)});
    print_plain("median [quartiles] of {} runs; never: not reached before step {}, counted as longer than any other\n",
                c.runs[0].size(), c.step_limit);
    if (undefined) print_plain("n of {}: only so many runs have a value; the others are left out\n", c.runs[0].size());
}

void print_comparisons(const Comparison& c) {
    const bool all_pairs = c.strategies.size() <= most_all_pairs;
    const std::vector<Finding> found = findings(c);
    std::string_view metric;
    for (const Finding& f : found) {
        if (f.metric != metric) {
            const MetricInfo& info = expect_team_metric(f.metric, "--metric");
            print_plain("\n{}@{} ({}{}{} is better)\n", f.metric, info.version, info.unit,
                        info.unit.empty() ? "" : "; ", less_is_better(f.metric) ? "less" : "more");
            metric = f.metric;
        }
        print_plain("  {}\n", sentence(f));
    }
    const auto tests = std::count_if(found.begin(), found.end(), [](const Finding& f) { return f.made(); });
    print_plain(
        "\nPaired by map, start and seed. Runs of one map are alike, so each map counts once, with its mean "
        "difference.\np: sign-flip test over {}, two-sided; Holm over the {} test{} above. A12: the chance that a run "
        "of "
        "the\nfirst is better than one of the second.{}\n",
        c.maps.size() == 1 ? "the starts of the map" : "maps", tests, tests == 1 ? "" : "s",
        all_pairs ? "" : " More than five are each compared with the first one only.");
    std::set<std::string> maps;  // with runs that can be compared: two or more of a pair did not fail
    for (std::size_t k = 0; k < c.runs[0].size(); ++k)
        if (std::count_if(c.runs.begin(), c.runs.end(),
                          [&](const auto& runs) { return runs[k].end_reason != run_failed; }) > 1)
            maps.insert(c.runs[0][k].map);
    if (const std::string few = warning_of_few_maps(maps.size(), static_cast<std::size_t>(tests)); !few.empty())
        print_plain("{}\n", Lines{few});
}

namespace {

/// The times that plans have: the metric's number in the comparison, and its place in bound_shares.
std::vector<std::pair<std::size_t, std::size_t>> reference_metrics(const Comparison& c) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t m = 0; !c.reference.empty() && m < c.metrics.size(); ++m)
        for (std::size_t k = 0; k < bound_metrics.size(); ++k)
            if (c.metrics[m] == bound_metrics[k]) out.emplace_back(m, k);
    return out;
}

}  // namespace

void print_reference(const Comparison& c) {
    for (const auto& [m, k] : reference_metrics(c)) {
        print_plain("\n{} beside a plan that knows the map, geometric mean [least, most]\n", c.metrics[m]);
        for (std::size_t s = 0; s < c.strategies.size(); ++s) {
            const std::vector<double> times = c.values(s, m);
            double plan = 0, bound = 0, least = INFINITY, most = 0;
            int plans = 0, bounds = 0;
            for (std::size_t i = 0; i < times.size(); ++i) {
                const TourPlan::Times& r = c.reference[i];
                if (std::isnan(times[i])) continue;
                if (const double ratio = times[i] / r.plan[k]; !std::isnan(ratio)) {
                    plan += std::log(ratio);
                    least = std::min(least, ratio);
                    most = std::max(most, ratio);
                    ++plans;
                }
                if (r.bound[k] > 0) {
                    bound += std::log(times[i] / r.bound[k]);
                    ++bounds;
                }
            }
            print_plain("  {:<28}", c.strategies[s]);
            if (plans > 0)
                print_plain(" {}{:.2f} x plan [{:.2f}, {:.2f}] of {} starts", c.censored(s, m) > 0 ? "over " : "",
                            std::exp(plan / plans), least, most, plans);
            if (bounds > 0) print_plain("; at most {:.1f} x the best possible", std::exp(bound / bounds));
            print_plain("\n");
        }
    }
}

std::string csv_of(const Comparison& c) {
    std::vector<std::string> names{"strategy", "map", "seed", "end_reason"};
    names.insert(names.end(), c.metrics.begin(), c.metrics.end());
    for (const auto& [m, k] : reference_metrics(c)) {
        names.push_back(c.metrics[m] + "_plan");
        names.push_back(c.metrics[m] + "_bound");
    }
    Table table{named_columns(names), {}};
    for (std::size_t s = 0; s < c.strategies.size(); ++s)
        for (std::size_t i = 0; i < c.runs[s].size(); ++i) {
            const RunResult& run = c.runs[s][i];
            std::vector<TableCell> row{c.strategies[s], run.map, std::to_string(run.seed), run.end_reason};
            const auto add = [&](double v) {
                row.push_back(std::isnan(v) ? TableCell(Missing{}) : TableCell(Number{v}));
            };
            for (const double v : run.values) add(v);
            for (const auto& [m, k] : reference_metrics(c)) {
                add(c.reference[i].plan[k]);
                add(c.reference[i].bound[k]);
            }
            table.add(std::move(row));
        }
    return to_csv(table);
}

std::string json_of(const Comparison& c) {
    const auto list = [](const std::vector<std::string>& names) {
        std::string out;
        for (const std::string& name : names) out += (out.empty() ? "" : ", ") + json_quoted(name);
        return "[" + out + "]";
    };
    std::string runs;
    for (std::size_t s = 0; s < c.strategies.size(); ++s)
        for (std::size_t i = 0; i < c.runs[s].size(); ++i) {
            const RunResult& run = c.runs[s][i];
            runs +=
                fmt::format("{}\n  {{\"strategy\": {}, \"map\": {}, \"seed\": {}, \"end\": {}", runs.empty() ? "" : ",",
                            json_quoted(c.strategies[s]), json_quoted(run.map), run.seed, json_quoted(run.end_reason));
            const auto add = [&](const std::string& name, double v) {
                runs += fmt::format(", {}: {}", json_quoted(name), std::isnan(v) ? "null" : fmt::format("{}", v));
            };
            for (std::size_t m = 0; m < c.metrics.size(); ++m)
                add(c.metrics[m], m < run.values.size() ? run.values[m] : std::nan(""));
            for (const auto& [m, k] : reference_metrics(c)) {
                add(c.metrics[m] + "_plan", c.reference[i].plan[k]);
                add(c.metrics[m] + "_bound", c.reference[i].bound[k]);
            }
            runs += "}";
        }
    return fmt::format("{{\"strategies\": {}, \"maps\": {}, \"metrics\": {}, \"failures\": {},\n \"runs\": [{}\n]}}\n",
                       list(c.strategies), list(c.maps), list(c.metrics), list(c.failures), runs);
}

}  // namespace outrider
