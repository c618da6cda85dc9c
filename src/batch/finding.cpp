#include "batch/finding.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "batch/compare.hpp"
#include "batch/report/figures.hpp"
#include "batch/statistics/sign_flip.hpp"
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

std::string range_text(std::size_t least, std::size_t most) {
    return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

/// "12 maps, 36 pairs", "6 to 12 maps, 18 to 36 pairs"
std::string basis_text(const std::vector<const Finding*>& findings) {
    std::size_t maps[2] = {SIZE_MAX, 0}, pairs[2] = {SIZE_MAX, 0};
    for (const Finding* f : findings) {
        maps[0] = std::min(maps[0], f->maps);
        maps[1] = std::max(maps[1], f->maps);
        pairs[0] = std::min(pairs[0], f->pairs);
        pairs[1] = std::max(pairs[1], f->pairs);
    }
    const std::string on = maps[1] == 1 ? "one map" : range_text(maps[0], maps[1]) + " maps";
    if (pairs[1] == 0) return on + ", not paired";
    return fmt::format("{}, {} pair{}", on, range_text(pairs[0], pairs[1]), pairs[1] == 1 ? "" : "s");
}

/// What all the tests show together, and on how many maps.
std::string tests_text(const std::vector<Finding>& findings) {
    std::vector<const Finding*> shown, open, impossible;
    for (const Finding& f : findings)
        if (f.made()) (f.shown() ? shown : f.possible ? open : impossible).push_back(&f);
    const std::size_t tests = shown.size() + open.size() + impossible.size();
    if (tests == 0) return "Nothing can be compared.";
    if (impossible.size() == tests) return fmt::format("A difference {}.", too_few(*impossible[0]));
    const auto one_map = [](const std::vector<const Finding*>& some) {
        const bool all = std::all_of(some.begin(), some.end(), [](const Finding* f) { return f->single_map(); });
        return all ? " on this map only" : "";
    };
    std::vector<std::string> out;
    if (!shown.empty()) {
        double largest = 0;
        for (const Finding* f : shown) largest = std::max(largest, f->adjusted);
        const std::string which = shown.size() < tests ? "The others are"
                                  : tests == 1         ? "The difference is"
                                                       : fmt::format("All {} differences are", tests);
        out.push_back(fmt::format("{} shown{} ({}; p {}{:.2g} after correction).", which, one_map(shown),
                                  basis_text(shown), shown.size() > 1 ? "at most " : "", largest));
    }
    std::vector<std::string> pairs;
    for (const Finding* f : open)
        pairs.push_back(fmt::format("between {} and {} (p {:.2g}; {})", f->a, f->b, f->adjusted, basis(*f)));
    if (!open.empty())
        out.push_back(fmt::format("No difference is shown{} {}.", one_map(open), fmt::join(pairs, ", nor ")));
    for (const Finding* f : impossible)
        out.push_back(fmt::format("A difference between {} and {} {}.", f->a, f->b, too_few(*f)));
    return fmt::format("{}", fmt::join(out, " "));
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

std::string too_few(const Difference& t) {
    static constexpr const char* names[] = {"", "maps", "starts", "runs"};
    const char* units = names[static_cast<std::size_t>(t.test)];
    if (t.test == Difference::Test::runs)
        return fmt::format("cannot be shown with so few {} ({}) on one map", units, t.units);
    if (t.needed == 0) return fmt::format("cannot be shown with so many tests at once on {} {}", t.units, units);
    return fmt::format("cannot be shown with so few {} ({}; at least {} are needed)", units, t.units, t.needed);
}

std::string warning_of_few_maps(std::size_t maps, std::size_t tests) {
    const std::size_t needed = values_needed(std::max<std::size_t>(tests, 1));
    if (maps == 0 || needed == 0 || maps >= needed) return "";
    const std::string at_once = tests > 1 ? fmt::format(" with {} tests at once", tests) : "";
    return maps == 1 ? fmt::format(
                           "One map says something of that map only: p is of a test within it, over its starts. A "
                           "claim about strategies takes {} maps or more{}, such as a suite.",
                           needed, at_once)
                     : fmt::format(
                           "{} maps say something of those only: to show a difference takes {} maps or more{}, such "
                           "as a suite.",
                           maps, needed, at_once);
}

std::string basis(const Difference& t) {
    const std::string maps = t.single_map() ? "one map" : fmt::format("{} maps", t.maps);
    return t.paired ? fmt::format("{}, {} pair{}", maps, t.pairs, t.pairs == 1 ? "" : "s") : maps + ", not paired";
}

std::string verdict(const Finding& f) {
    switch (f.verdict()) {
        case Finding::Verdict::nothing_to_compare:
            return "nothing to compare";
        case Finding::Verdict::cannot_be_shown:
            return too_few(f);
        case Finding::Verdict::not_shown:
            return "no difference shown";
        case Finding::Verdict::a_is_better:
        case Finding::Verdict::b_is_better:
            break;
    }
    return f.better() + (f.single_map() ? " is better on this map only" : " is better");
}

std::string sentence(const Finding& f) {
    if (!f.made())
        return fmt::format("{} - {}: no {} both have a value", f.b, f.a, f.paired ? "pair in which" : "map on which");
    TableCell mean(Number{f.mean});
    if (!std::isnan(f.interval.low)) mean.add(" ").add(Range{Number{f.interval.low}, Number{f.interval.high}, "95 % "});
    const std::string better =
        f.single_map() ? fmt::format("{} better in {} pairs, {} in {}", f.b, f.better_b, f.a, f.better_a)
                       : fmt::format("{} better on {} maps, {} on {}", f.b, f.better_maps_b, f.a, f.better_maps_a);
    const std::string p =
        f.possible ? fmt::format("; p{} {:.2g}, Holm {:.2g}", f.single_map() ? " within the map" : "", f.p, f.adjusted)
                   : "";
    return fmt::format("{} - {} on {}: mean {}; {}; A12 {:.2f}{}: {}", f.b, f.a, basis(f), to_text(mean), better,
                       f.effect, p, verdict(f));
}

std::string sentence(const Ranking& r) {
    std::string out = fmt::format("{}{}{}: {} in the median. {}", r.group, r.group.empty() ? "" : ", ",
                                  metric_title(r.metric), order_text(r.places), tests_text(r.findings));
    std::vector<std::string> against;
    for (const Finding& f : r.findings)
        if (f.against_medians) against.push_back(fmt::format("{} is better than {}", f.better(), f.worse()));
    if (!against.empty())
        out += fmt::format(" By the mean of differences {}, whatever the medians.", fmt::join(against, ", "));
    return out;
}

}  // namespace outrider
