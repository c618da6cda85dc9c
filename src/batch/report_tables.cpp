#include "batch/report_tables.hpp"

#include <algorithm>
#include <cmath>

#include "batch/compare.hpp"
#include "batch/svg.hpp"

namespace outrider {
namespace {

std::string quartiles(const CellSummary& s, double limit, const char* gap = " ") {
    if (s.runs == 0) return "–";
    const auto text = [&](double v) {
        return is_time_to(s.metric) && v > limit ? std::string("never") : short_number(v);
    };
    return fmt::format("{}{}<small>[{}, {}]</small>", text(s.median), gap, text(s.low), text(s.high));
}

/// Nothing for never.
std::string csv_time(double time, double limit) { return time > limit ? "" : fmt::format("{}", time); }

}  // namespace

std::string time_table(Results& r, const Analysis& a, std::string& csv) {
    std::vector<std::string> times;
    for (const std::string& m : r.plan().metrics)
        if (is_time_to(m)) times.push_back(m);
    if (times.empty()) return "";
    csv = "metric,group,cell,runs,reached,quartile_low,median,quartile_high\n";
    std::vector<std::vector<std::string>> rows(r.plan().cells.size());
    for (const std::string& m : times) {
        const std::vector<std::vector<double>> all = r.metric(m);
        for (const CellGroup& g : a.groups)
            for (const std::size_t c : g.cells) {
                std::vector<double> v;
                for (const double x : test_values(r, c, m, all[c]))
                    if (!std::isnan(x)) v.push_back(x);
                CellSummary s;
                s.metric = m;
                s.runs = v.size();
                if (v.empty()) {
                    rows[c].push_back("–");
                    continue;
                }
                s.median = value_quantile(r, m, v, 0.5);
                s.low = value_quantile(r, m, v, 0.25);
                s.high = value_quantile(r, m, v, 0.75);
                const double limit = r.step_limit(c);
                const auto reached = std::count_if(v.begin(), v.end(), [&](double x) { return x <= limit; });
                rows[c].push_back(fmt::format("{}{}", quartiles(s, limit, "<br>"),
                                              reached < static_cast<std::ptrdiff_t>(v.size())
                                                  ? fmt::format("<br><small>{} of {} runs</small>", reached, v.size())
                                                  : ""));
                const auto text = [&](double x) { return csv_time(x, limit); };
                csv += fmt::format("{},{},{},{},{},{},{}\n", m, group_columns(a, g, c), v.size(), reached, text(s.low),
                                   text(s.median), text(s.high));
            }
    }
    std::string out =
        "<p class='note'>Steps until so much of the reachable area was known: median "
        "[quartiles], and the share of runs that got there if not all did. Runs that did not count as longer than any "
        "other; a median between a time and never is never.</p>\n<div class='wide'><table><tr><th></th>";
    for (const std::string& m : times) out += "<th>" + m + "</th>";
    out += "</tr>\n";
    for (const CellGroup& g : a.groups) {
        if (!g.label.empty())
            out += fmt::format("<tr><th class='l' colspan='{}'>{}</th></tr>\n", times.size() + 1, escaped(g.label));
        for (const std::size_t c : g.cells) {
            out += "<tr><td>" + escaped(a.name_of(c)) + "</td>";
            for (const std::string& cell : rows[c]) out += "<td>" + cell + "</td>";
            out += "</tr>\n";
        }
    }
    return out + "</table></div>\n";
}

std::string summary_table(const Results& r, const Analysis& a, std::string& csv) {
    csv = "group,cell,metric,runs,never,quartile_low,median,quartile_high,iqm,iqm_low,iqm_high\n";
    std::string out =
        "<p class='note'>Median [quartiles] over all runs; IQM: interquartile mean over "
        "all maps with its 95 % interval (bootstrap, stratified by map; never counts as a step more than the longest "
        "step limit). Runs for which a metric is not defined are left out, and said.</p>\n<div "
        "class='wide'><table><tr><th></th>";
    for (const std::string& m : r.plan().report.metrics)
        out += fmt::format("<th>{}<br><small>{}</small></th>", metric_title(m),
                           less_is_better(m) ? "less is better" : "more is better");
    out += "</tr>\n";
    for (const CellGroup& g : a.groups) {
        if (!g.label.empty())
            out += fmt::format("<tr><th class='l' colspan='{}'>{}</th></tr>\n", r.plan().report.metrics.size() + 1,
                               escaped(g.label));
        for (const std::size_t c : g.cells) {
            out += "<tr><td>" + escaped(a.name_of(c)) + "</td>";
            for (const std::string& m : r.plan().report.metrics)
                for (const CellSummary& s : a.summaries) {
                    if (s.cell != c || s.metric != m) continue;
                    const std::size_t all = s.runs + s.undefined;
                    out += fmt::format("<td>{}<br><small>IQM {}{}{}{}</small></td>", quartiles(s, r.step_limit(c)),
                                       short_number(s.iqm.value), interval_text(s.iqm.interval, s.runs),
                                       s.never > 0 ? fmt::format("; {} of {} never", s.never, s.runs) : "",
                                       s.undefined > 0 ? fmt::format("; of {} of {} runs", s.runs, all) : "");
                    const auto text = [&](double x) {
                        return is_time_to(m) ? csv_time(x, r.step_limit(c)) : fmt::format("{}", x);
                    };
                    csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", group_columns(a, g, c), m, s.runs, s.never,
                                       text(s.low), text(s.median), text(s.high), s.iqm.value, s.iqm.interval.low,
                                       s.iqm.interval.high);
                }
            out += "</tr>\n";
        }
    }
    return out + "</table></div>\n";
}

std::string tests_table(const Analysis& a, std::string& csv) {
    csv = "group,metric,a,b,test,pairs,median_difference,low,high,better_a,better_b,a12,p,p_holm,verdict\n";
    if (a.tests.empty()) return "";
    const auto made = std::count_if(a.tests.begin(), a.tests.end(), [](const PairTest& t) { return t.made(); });
    std::string out = fmt::format(
        "<p class='note'>Second minus first, paired by map, start and seed. A12: the chance that a "
        "run of the second is better than one of the first. Where a time was never reached, the difference counts up "
        "to a step more than the longest step limit: the true one is larger. p: Wilcoxon signed-rank, two-sided; "
        "corrected for {} "
        "test{} (Holm).{}</p>\n<div class='wide'><table><tr><th>metric</th><th class='l'>first, second</th><th>median "
        "difference "
        "<small>[95 %]</small></th><th>better in</th><th>A12</th><th>p</th><th>corrected</th><th class='l'>verdict"
        "</th></tr>\n",
        made, made == 1 ? "" : "s", a.all_pairs ? "" : " Each is compared with the first one only.");
    std::size_t group = a.groups.size();
    for (const PairTest& t : a.tests) {
        const auto of_test = [&](const char* format, double v) {
            return t.made() ? fmt::format(fmt::runtime(format), v) : std::string("–");
        };
        const CellGroup& g = a.groups[t.group];
        if (t.group != group && !g.label.empty())
            out += fmt::format("<tr><th class='l' colspan='8'>{}</th></tr>\n", escaped(g.label));
        group = t.group;
        out += fmt::format(
            "<tr{}><td>{}</td><td class='l'>{}, {}</td><td>{}<small>{}</small></td><td>{}, {} "
            "<small>of {}</small></td><td>{}</td><td>{}</td><td>{}</td><td class='l v'>{}{}"
            "</td></tr>\n",
            t.shown() ? " class='shown'" : "", t.metric, escaped(a.name_of(t.a)), escaped(a.name_of(t.b)),
            short_number(t.median), interval_text(t.interval, t.pairs), t.better_a, t.better_b, t.pairs,
            of_test("{:.2f}", t.effect), of_test("{:.2g}", t.p), of_test("{:.2g}", t.adjusted), escaped(verdict(a, t)),
            t.paired ? "" : " <small>(not paired: Mann-Whitney U)</small>");
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(g.label), t.metric,
                           csv_field(a.name_of(t.a)), csv_field(a.name_of(t.b)), t.paired ? "wilcoxon" : "mann_whitney",
                           t.pairs, t.median, t.interval.low, t.interval.high, t.better_a, t.better_b, t.effect, t.p,
                           t.adjusted, csv_field(verdict(a, t)));
    }
    return out + "</table></div>\n";
}

std::string maps_table(Results& r, const Analysis& a, std::string& csv) {
    const std::string& metric = r.plan().report.metrics[0];
    csv = "metric,map,group,cell,runs,median\n";
    const std::vector<std::vector<double>> all = r.metric(metric);
    std::string out =
        fmt::format("<details{}><summary>{} by map (medians{})</summary><div class='wide'><table><tr><th>map</th>",
                    r.plan().maps.size() <= 24 ? " open" : "", metric,
                    a.groups[0].label.empty() ? "" : " with " + escaped(a.groups[0].label));
    const CellGroup& first = a.groups[0];
    for (const std::size_t c : first.cells) out += "<th>" + escaped(a.name_of(c)) + "</th>";
    out += "</tr>\n";
    for (std::size_t m = 0; m < r.plan().maps.size(); ++m) {
        out += "<tr><td>" + escaped(r.plan().maps[m].name) + "</td>";
        for (const CellGroup& g : a.groups)
            for (const std::size_t c : g.cells) {
                std::vector<double> v;
                const std::vector<double> values = test_values(r, c, metric, all[c]);
                for (std::size_t pair = 0; pair < values.size(); ++pair)
                    if (r.map_of(pair) == static_cast<int>(m) && !std::isnan(values[pair])) v.push_back(values[pair]);
                const double middle = v.empty() ? std::nan("") : value_quantile(r, metric, v, 0.5);
                const bool never = is_time_to(metric) && middle > r.step_limit(c);
                if (&g == &first) out += "<td>" + (never ? std::string("never") : short_number(middle)) + "</td>";
                csv += fmt::format("{},{},{},{},{}\n", metric, csv_field(r.plan().maps[m].name), group_columns(a, g, c),
                                   v.size(), never || v.empty() ? std::string() : fmt::format("{}", middle));
            }
        out += "</tr>\n";
    }
    return out + "</table></div></details>\n";
}

}  // namespace outrider
