#include "batch/finding.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "batch/compare.hpp"
#include "batch/report/figures.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {
namespace {

/// Summaries of a group by a metric, the best median first.
std::vector<const CellSummary*> ranked(const Analysis& a, const CellGroup& group, const std::string& metric) {
    std::vector<const CellSummary*> out;
    for (const CellSummary& s : a.summaries)
        if (s.metric == metric && s.runs > 0 &&
            std::find(group.cells.begin(), group.cells.end(), s.cell) != group.cells.end())
            out.push_back(&s);
    const bool less = less_is_better(metric);
    std::stable_sort(out.begin(), out.end(), [&](const CellSummary* x, const CellSummary* y) {
        return less ? x->median < y->median : x->median > y->median;
    });
    return out;
}

/// "a 410, then b 586 (of 4 of 6 runs) and c 586"
std::string order_text(const std::vector<Ranking::Place>& places) {
    std::string out;
    for (const Ranking::Place& p : places) {
        if (!out.empty()) out += p.tie ? " and " : ", then ";
        out += fmt::format("{} {}", p.name, to_text(p.median));
        if (p.undefined > 0) out += fmt::format(" (of {} of {} runs)", p.runs, p.runs + p.undefined);
    }
    return out;
}

/// What all the tests show together.
std::string tests_text(const std::vector<Finding>& findings) {
    std::vector<std::string> open;
    double largest = 0;
    std::ptrdiff_t tests = 0;
    for (const Finding& f : findings) {
        tests += f.made();
        if (f.made() && !f.shown()) open.push_back(fmt::format("between {} and {} (p {:.2g})", f.a, f.b, f.adjusted));
        if (f.shown()) largest = std::max(largest, f.adjusted);
    }
    if (tests == 0) return "Nothing can be compared.";
    if (!open.empty())
        return fmt::format("{}o difference is shown {}.", std::ssize(open) < tests ? "The others are shown; n" : "N",
                           fmt::join(open, ", nor "));
    return tests == 1
               ? fmt::format("The difference is shown (p {:.2g} after correction).", largest)
               : fmt::format("All {} differences are shown (p at most {:.2g} after correction).", tests, largest);
}

}  // namespace

Finding finding_of(const Analysis& analysis, const PairTest& t) {
    return {t, analysis.groups[t.group].label, t.metric, analysis.name_of(t.a), analysis.name_of(t.b)};
}

std::vector<Ranking> rankings(const Results& results, const Analysis& a) {
    std::vector<Ranking> out;
    for (std::size_t g = 0; g < a.groups.size(); ++g)
        for (const std::string& metric : results.plan().report.metrics) {
            const std::vector<const CellSummary*> order = ranked(a, a.groups[g], metric);
            if (order.size() < 2) continue;
            Ranking& ranking = out.emplace_back(Ranking{a.groups[g].label, metric, {}, {}});
            const CellSummary* before = nullptr;
            for (const CellSummary* s : order) {
                const bool never = is_time_to(metric) && s->median > results.step_limit(s->cell);
                ranking.places.push_back({a.name_of(s->cell),
                                          never ? Scalar(Missing{"never"}) : Scalar(Number{s->median}),
                                          before && is_tie(s->median, before->median), s->runs, s->undefined});
                before = s;
            }
            const auto place = [&](std::size_t cell) {
                return std::find_if(order.begin(), order.end(), [&](const CellSummary* s) { return s->cell == cell; });
            };
            for (const PairTest& t : a.tests) {
                if (t.group != g || t.metric != metric) continue;
                Finding& finding = ranking.findings.emplace_back(finding_of(a, t));
                finding.against_medians = t.shown() && place(t.favours_b ? t.b : t.a) > place(t.favours_b ? t.a : t.b);
            }
        }
    return out;
}

std::string verdict(const Finding& f) {
    switch (f.verdict()) {
        case Finding::Verdict::nothing_to_compare:
            return "nothing to compare";
        case Finding::Verdict::not_shown:
            return "no difference shown";
        case Finding::Verdict::a_is_better:
        case Finding::Verdict::b_is_better:
            break;
    }
    return f.better() + " is better";
}

std::string sentence(const Finding& f) {
    if (!f.made()) return fmt::format("{} - {}: no pair in which both have a value", f.b, f.a);
    TableCell median(Number{f.median});
    if (f.pairs > 1) median.add(" ").add(Range{Number{f.interval.low}, Number{f.interval.high}, "95 % "});
    return fmt::format("{} - {}: median {}; {} better in {}, {} in {}; A12 {:.2f}; p {:.2g}, Holm {:.2g}: {}", f.b, f.a,
                       to_text(median), f.b, f.better_b, f.a, f.better_a, f.effect, f.p, f.adjusted, verdict(f));
}

std::string sentence(const Ranking& r) {
    std::string out = fmt::format("{}{}{}: {} in the median. {}", r.group, r.group.empty() ? "" : ", ",
                                  metric_title(r.metric), order_text(r.places), tests_text(r.findings));
    std::vector<std::string> against;
    for (const Finding& f : r.findings)
        if (f.against_medians) against.push_back(fmt::format("{} is better than {}", f.better(), f.worse()));
    if (!against.empty()) out += fmt::format(" By pairs {}, whatever the medians.", fmt::join(against, ", "));
    return out;
}

}  // namespace outrider
