#include "batch/report/report_tables.hpp"

#include <algorithm>
#include <cmath>

#include "batch/compare.hpp"
#include "batch/report/figures.hpp"

namespace outrider {
namespace {

/// A value of a metric; of a time above the limit: never.
Scalar reached(bool time, double value, double limit) {
    if (time && value > limit) return Missing{"never"};
    return Number{value};
}

/// A metric in words, and its name below.
TableCell named_in_words(const std::string& metric) {
    TableCell out(metric_words(metric));
    return out.add("\n").small(metric);
}

std::vector<Table::Column> headings(const std::vector<std::string>& names) {
    std::vector<Table::Column> out(1);
    for (const std::string& name : names) out.push_back({name, named_in_words(name)});
    return out;
}

/// Adds `parts`, all small.
void add_small(TableCell& cell, std::initializer_list<Value> parts) {
    for (const Value& p : parts) cell.small(p);
}

/// "3 of 6 never", as small text after the content of the cell.
void add_counts(TableCell& cell, const CellSummary& s) {
    if (s.never > 0) cell.small(fmt::format("; {} of {} never", s.never, s.runs));
    if (s.undefined > 0) cell.small(fmt::format("; of {} of {} runs", s.runs, s.runs + s.undefined));
}

std::vector<double> defined(std::vector<double> values) {
    std::erase_if(values, [](double v) { return std::isnan(v); });
    return values;
}

/// "1, 11 of 12 maps", of a single map "1, 29 of 30 pairs": in which first and second are better.
TableCell better_in(const Finding& f) {
    const bool maps = f.maps > 1;
    TableCell out(fmt::format("{}, {} ", maps ? f.better_maps_a : f.better_a, maps ? f.better_maps_b : f.better_b));
    return out.small(fmt::format("of {} {}", maps ? f.maps : f.pairs, maps ? "maps" : "pairs"));
}

std::string tests_note(const Analysis& a) {
    std::size_t made = 0, over_maps = 0, single = 0;
    for (const PairTest& t : a.tests) {
        made += t.made();
        over_maps += t.test == Difference::Test::maps;
        single += t.made() && t.single_map();
    }
    return fmt::format(
        "Second minus first, paired by map, start and seed{}. A12: the chance that a run of the second is better than "
        "one of the first. Where a time was never reached, the difference counts up to a step more than the longest "
        "step limit: the true one is larger.{}{} p is two-sided and corrected for {} test{} (Holm).{}",
        over_maps > 0 ? ": the mean over the maps, each of which counts once with its mean difference" : "",
        over_maps > 0 ? " p: sign-flip test over maps, since runs of one map are alike; interval: the means that it "
                        "does not reject."
                      : "",
        single > 0 ? " Of a single map p is of a test within that map, over its starts, and holds on that map only."
                   : "",
        made, made == 1 ? "" : "s", a.all_pairs ? "" : " Each is compared with the first one only.");
}

}  // namespace

std::string ReportTable::html() const {
    std::string out = to_html(shown);
    if (!note.empty()) out = fmt::format("<p class='note'>{}</p>\n{}", escaped(note), out);
    if (!folds_under.empty())
        out =
            fmt::format("<details{}><summary>{}</summary>{}</details>", open ? " open" : "", escaped(folds_under), out);
    return out + "\n";
}

ReportTable time_table(Results& r, const Analysis& a) {
    ReportTable out;
    std::vector<std::string> times;
    for (const std::string& m : r.plan().metrics)
        if (is_time_to(m)) times.push_back(m);
    if (times.empty()) return out;
    out.note =
        "Steps until so much of the reachable area was known: median [quartiles], and the share of runs that got there "
        "if not all did. Runs that did not count as longer than any other; a median between a time and never is never.";
    out.shown.columns = headings(times);
    out.numbers.columns =
        named_columns({"metric", "group", "cell", "runs", "reached", "quartile_low", "median", "quartile_high"});
    std::vector<std::vector<TableCell>> rows(r.plan().cells.size());
    for (const std::string& m : times) {
        const std::vector<std::vector<double>> all = r.metric(m);
        for (const CellGroup& g : a.groups)
            for (const std::size_t c : g.cells) {
                const std::vector<double> v = defined(test_values(r, c, m, all[c]));
                if (v.empty()) {
                    rows[c].emplace_back(Missing{});
                    continue;
                }
                const double limit = r.step_limit(c);
                const auto at = [&](double p) { return reached(true, value_quantile(r, m, v, p), limit); };
                const Scalar low = at(0.25), median = at(0.5), high = at(0.75);
                const auto got_there = std::count_if(v.begin(), v.end(), [&](double x) { return x <= limit; });
                TableCell& cell = rows[c].emplace_back(median);
                cell.add("\n").small(Range{low, high});
                if (got_there < std::ssize(v)) cell.add("\n").small(fmt::format("{} of {} runs", got_there, v.size()));
                out.numbers.add({m, g.label, a.name_of(c), v.size(), got_there, low, median, high});
            }
    }
    for (const CellGroup& g : a.groups) {
        out.shown.section(g.label);
        for (const std::size_t c : g.cells) {
            rows[c].insert(rows[c].begin(), a.name_of(c));
            out.shown.add(rows[c]);
        }
    }
    return out;
}

ReportTable summary_table(const Results& r, const Analysis& a) {
    ReportTable out;
    out.note =
        "Median [quartiles] over all runs; IQM: interquartile mean over all maps with its 95 % interval (bootstrap, "
        "stratified by map; never counts as a step more than the longest step limit). Runs for which a metric is not "
        "defined are left out, and listed.";
    out.numbers.columns = named_columns({"group", "cell", "metric", "runs", "never", "quartile_low", "median",
                                         "quartile_high", "iqm", "iqm_low", "iqm_high"});
    out.shown.columns = headings({});
    for (const std::string& m : r.plan().report.metrics) {
        TableCell heading(metric_words(m));
        heading.add("\n").small(metric_title(m) + "; ").small(less_is_better(m) ? "less is better" : "more is better");
        out.shown.columns.push_back({m, heading});
    }
    for (const CellGroup& g : a.groups) {
        out.shown.section(g.label);
        for (const std::size_t c : g.cells) {
            std::vector<TableCell> row{a.name_of(c)};
            for (const std::string& m : r.plan().report.metrics)
                for (const CellSummary& s : a.summaries) {
                    if (s.cell != c || s.metric != m) continue;
                    const auto at = [&](double x) { return reached(is_time_to(m), x, r.step_limit(c)); };
                    const Scalar low = at(s.low), median = at(s.median), high = at(s.high);
                    const Number iqm{s.iqm.value}, iqm_low{s.iqm.interval.low}, iqm_high{s.iqm.interval.high};
                    TableCell& cell = row.emplace_back(median);
                    if (s.runs > 0) cell.add(" ").small(Range{low, high});
                    cell.add("\n");
                    add_small(cell, {"IQM ", iqm});
                    if (s.runs > 1) add_small(cell, {" ", Range{iqm_low, iqm_high}});
                    add_counts(cell, s);
                    out.numbers.add(
                        {g.label, a.name_of(c), m, s.runs, s.never, low, median, high, iqm, iqm_low, iqm_high});
                }
            out.shown.add(std::move(row));
        }
    }
    return out;
}

ReportTable tests_table(const Analysis& a) {
    static constexpr const char* tests[] = {"", "sign_flip_maps", "sign_flip_starts", "mann_whitney_runs"};
    ReportTable out;
    out.note = tests_note(a);
    out.shown.columns = {{"metric", "metric"},
                         {"pair", "first, second", true},
                         {"mean_difference", TableCell("mean difference ").small("[95 %]")},
                         {"better", "better in"},
                         {"a12", "A12"},
                         {"p", "p"},
                         {"p_holm", "corrected"},
                         {"verdict", "verdict", true, true}};
    out.numbers.columns =
        named_columns({"group", "metric", "a", "b", "test", "maps", "pairs", "mean_difference", "low", "high",
                       "better_maps_a", "better_maps_b", "better_a", "better_b", "a12", "p", "p_holm", "verdict"});
    std::size_t group = a.groups.size();
    for (const PairTest& t : a.tests) {
        const Finding f = finding_of(a, t);
        if (t.group != group) out.shown.section(f.group);
        group = t.group;
        const Number difference{f.mean}, low{f.interval.low}, high{f.interval.high},
            a12{f.effect, Number::Digits::two_decimals};
        const PValue p{f.p}, holm{f.adjusted};
        const auto if_so = [](bool so, const Value& value) { return so ? TableCell(value) : TableCell(Missing{}); };
        const bool tested = f.made() && f.possible;
        TableCell mean(difference), result(verdict(f));
        if (!std::isnan(f.interval.low)) add_small(mean, {" ", Range{low, high}});
        if (f.made()) result.add(" ").small(fmt::format("({})", basis(f)));
        out.shown.add({named_in_words(f.metric), f.a + ", " + f.b, mean, better_in(f), if_so(f.made(), a12),
                       if_so(tested, p), if_so(tested, holm), result},
                      f.shown());
        out.numbers.add({f.group, f.metric, f.a, f.b, tests[static_cast<std::size_t>(f.test)], f.maps, f.pairs,
                         difference, low, high, f.better_maps_a, f.better_maps_b, f.better_a, f.better_b, a12,
                         if_so(tested, p), if_so(tested, holm), verdict(f)});
    }
    return out;
}

ReportTable maps_table(Results& r, const Analysis& a) {
    ReportTable out;
    const std::string& metric = r.plan().report.metrics[0];
    const std::vector<std::vector<double>> all = r.metric(metric);
    const CellGroup& first = a.groups[0];
    out.folds_under = fmt::format("{} ({}) by map (medians{})", metric_words(metric), metric,
                                  first.label.empty() ? "" : " with " + first.label);
    out.open = r.plan().maps.size() <= 24;
    out.numbers.columns = named_columns({"metric", "map", "group", "cell", "runs", "median"});
    out.shown.columns = {{"map", "map"}};
    for (const std::size_t c : first.cells) out.shown.columns.push_back({a.name_of(c), a.name_of(c)});
    for (std::size_t m = 0; m < r.plan().maps.size(); ++m) {
        const std::string& map = r.plan().maps[m].name;
        std::vector<TableCell> row{map};
        for (const CellGroup& g : a.groups)
            for (const std::size_t c : g.cells) {
                std::vector<double> v;
                const std::vector<double> values = test_values(r, c, metric, all[c]);
                for (std::size_t pair = 0; pair < values.size(); ++pair)
                    if (r.map_of(pair) == static_cast<int>(m) && !std::isnan(values[pair])) v.push_back(values[pair]);
                const Scalar middle =
                    v.empty() ? Scalar(Missing{})
                              : reached(is_time_to(metric), value_quantile(r, metric, v, 0.5), r.step_limit(c));
                if (&g == &first) row.emplace_back(middle);
                out.numbers.add({metric, map, g.label, a.name_of(c), v.size(), middle});
            }
        out.shown.add(std::move(row));
    }
    return out;
}

}  // namespace outrider
