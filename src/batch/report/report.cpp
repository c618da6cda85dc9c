#include "batch/report/report.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "base/output.hpp"
#include "batch/finding.hpp"
#include "batch/report/report_tables.hpp"
#include "batch/report/svg.hpp"
#include "batch/sweep_shard.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double panel_width = 340;  // as wide as a phone's page

constexpr std::string_view page_style = R"(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 Helvetica,Arial,'DejaVu Sans',sans-serif}
main{max-width:1800px;margin:0 auto;padding:20px 16px 60px}
h1{font-size:24px;line-height:1.25;margin:8px 0 4px}h2{font-size:18px;margin:34px 0 6px;border-bottom:1px solid var(--grid);padding-bottom:4px}
h3{font-size:15px;margin:18px 0 4px}p{margin:6px 0;max-width:78ch}ul{margin:6px 0;padding-left:20px}li{margin:3px 0;max-width:80ch}
.sub,.note,figcaption{color:var(--faint)}.note,figcaption{font-size:13px;max-width:92ch}
.warn{border-left:4px solid var(--c2);padding:4px 10px;margin:10px 0}
.row{display:flex;flex-wrap:wrap;gap:14px 18px;margin:8px 0}.row svg{flex:1 1 340px;min-width:0;max-width:min(560px,100%);height:auto}
.names{display:flex;flex-wrap:wrap;gap:2px 18px;margin:6px 0 2px}.names span{display:inline-flex;align-items:center;gap:6px;font-size:14px}
figure{margin:0}.wide{overflow-x:auto;-webkit-overflow-scrolling:touch}
table{border-collapse:collapse;font-size:13px;margin:8px 0;font-variant-numeric:tabular-nums}
th,td{padding:3px 7px;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap;vertical-align:top}
th:first-child,td:first-child,th.l,td.l{text-align:left}th{font-weight:600;border-bottom:1.5px solid var(--faint)}
td small{color:var(--faint);font-size:12px}tr.shown td.v{font-weight:600}
pre{background:rgba(128,128,128,.12);padding:10px 12px;overflow-x:auto;font-size:12.5px;line-height:1.45;border-radius:4px}
code{font-size:.93em}details{margin:8px 0}summary{cursor:pointer}
@media print{main{max-width:none;padding:0}body{font-size:10.5pt}h2{break-after:avoid}svg,tr,figure{break-inside:avoid}.wide{overflow:visible}
pre{white-space:pre-wrap;background:none;border:1px solid #ccc}.row svg{width:47%}details:not([open])>*{display:block}table{font-size:8.5pt}th,td{padding:2px 6px}}
)";

std::string svg_of(const Panel& p) {
    return fmt::format(
        "<svg viewBox='0 0 {} {}' role='img' aria-label='{}' xmlns:xlink='http://www.w3.org/1999/xlink'>"
        "{}</svg>\n",
        coordinate(p.width), coordinate(p.height), escaped(p.alt), p.svg);
}

std::string names_of(const Analysis& a, const std::vector<std::size_t>& series) {
    if (series.empty()) return "";
    std::string out = "<div class='names'>";
    for (const std::size_t k : series)
        out += fmt::format(
            "<span><svg width='30' height='10' aria-hidden='true'><path class='l {}' d='M1 5h28'/></svg>{}"
            "</span>",
            stroke_class(k), escaped(a.compared[k]));
    return out + "</div>\n";
}

std::string figure_html(const Analysis& a, const FigureSet& f, const std::string& caption, std::size_t fold) {
    if (f.panels.empty()) return "";
    std::string row = "<div class='row'>\n";
    for (const Panel& p : f.panels) row += svg_of(p);
    row += "</div>\n";
    if (f.panels.size() > fold)
        row = fmt::format("<details><summary>{} panels</summary>\n{}</details>\n", f.panels.size(), row);
    return fmt::format("<figure>{}{}<figcaption>{}</figcaption></figure>\n", names_of(a, f.series), row, caption);
}

/// " (each with its team.robots)"; nothing without axes.
std::string with(const std::vector<std::string>& axes) {
    return axes.empty() ? "" : fmt::format(" (each with its {})", escaped(fmt::format("{}", fmt::join(axes, " and "))));
}

std::string header(const Results& r, const Analysis& a) {
    const SweepPlan& plan = r.plan();
    std::string out = fmt::format("<h1>{}</h1>\n<p class='sub'>", escaped(plan.name));
    if (!a.axis.empty())
        out += fmt::format("{} values of <b>{}</b>{}: {}. ", a.compared.size(), escaped(a.axis), with(a.along),
                           escaped(fmt::format("{}", fmt::join(a.compared, ", "))));
    out += fmt::format("{} map{}, {} start{} each{}{}; {} runs.</p>\n", plan.maps.size(),
                       plan.maps.size() == 1 ? "" : "s", plan.starts.size(), plan.starts.size() == 1 ? "" : "s",
                       plan.repetitions > 1 ? fmt::format(", {} repetitions", plan.repetitions) : "",
                       a.others.empty()
                           ? ""
                           : fmt::format(", {} settings of {}{}", a.groups.size(),
                                         escaped(fmt::format("{}", fmt::join(a.others, ", "))), with(a.others_along)),
                       r.planned().runs());
    return out;
}

/// Maps with starts that can be compared (or, with a single cell, were run): of the group with the fewest.
std::size_t comparable_maps(const Results& r, const Analysis& a) {
    std::size_t least = r.plan().maps.size();
    for (const CellGroup& g : a.groups) {
        std::set<int> maps;
        for (std::size_t pair = 0; pair < r.pairs(); ++pair) {
            const auto runs =
                std::count_if(g.cells.begin(), g.cells.end(), [&](std::size_t c) { return r.there(c, pair); });
            if (runs >= std::min<std::ptrdiff_t>(2, std::ssize(g.cells))) maps.insert(r.map_of(pair));
        }
        least = std::min(least, maps.size());
    }
    return least;
}

/// "strategy mine: 3fa2b1c09d12, 77b1...; ...": what was not the same in all runs; empty: nothing.
std::string several_programs(const Results& r) {
    std::map<std::string, std::set<std::string>> by_name;
    for (const Provenance& p : r.provenance())
        for (const ProvenancePart& part : p.parts) by_name[part.kind + " " + part.name].insert(part.fingerprint);
    std::string out;
    for (const auto& [name, fingerprints] : by_name)
        if (fingerprints.size() > 1)
            out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", name, fmt::join(fingerprints, ", "));
    return out;
}

/// What decided in the runs, once if it is the same parts in all, by fingerprint if not.
std::string deciding(const Results& r) {
    if (r.provenance().empty()) return "; what decided is not recorded";
    if (several_programs(r).empty()) {
        Provenance all;
        for (const Provenance& p : r.provenance())
            for (const ProvenancePart& part : p.parts) all.add(part);
        return "; decided by " + all.text();
    }
    std::string out;
    for (const Provenance& p : r.provenance())
        out += fmt::format("; runs [{}] decided by {}", p.fingerprint(), p.text());
    return out;
}

std::string warnings(Results& r, const Analysis& a) {
    const SweepPlan& plan = r.planned();
    std::string out;
    const auto warn = [&](const std::string& text) { out += "<p class='warn'>" + text + "</p>\n"; };
    if (r.done() < plan.runs())
        warn(
            fmt::format("<b>Partial:</b> {} of {} runs are done. What is not there is left out; pairs count only when "
                        "both runs are there.",
                        r.done(), plan.runs()));
    if (r.failed() > 0) {
        std::string list;
        for (const auto& [run, why] : r.failures(10)) list += fmt::format("<br>run {}: {}", run, escaped(why));
        warn(fmt::format("<b>{} runs failed</b> and are left out:{}", r.failed(), list));
    }
    if (const std::int64_t repeated = r.repeated(); repeated > 0)
        warn(fmt::format(
            "<b>{} runs are repetitions</b>, step by step, of another start of their map: nothing in them is "
            "random. They are counted as pairs, but are no further evidence: on a single map p values are too small "
            "and intervals too narrow.",
            repeated));
    if (const std::string several = several_programs(r); !several.empty())
        warn(fmt::format("<b>Not all runs were decided by the same program</b> (<code>sweep run --mix</code>): {}.{}",
                         escaped(several),
                         r.mixed() ? " Runs of one setting are kept apart by the fingerprint of what decided; Methods "
                                     "says what each stands for."
                                   : ""));
    const auto tests = std::count_if(a.tests.begin(), a.tests.end(), [](const PairTest& t) { return t.made(); });
    if (const std::string few = warning_of_few_maps(comparable_maps(r, a), static_cast<std::size_t>(tests));
        !few.empty())
        warn(few);
    return out;
}

std::string methods(const Results& r, const Analysis& a, const std::vector<std::string>& commands) {
    const SweepPlan& plan = r.plan();
    std::string definitions;
    for (const std::string& m : plan.metrics) {
        const bool tested =
            std::find(plan.report.metrics.begin(), plan.report.metrics.end(), m) != plan.report.metrics.end();
        if (!tested && !is_time_to(m)) continue;
        const MetricInfo& info = expect_team_metric(m, "the sweep");
        definitions += fmt::format("<li><code>{}@{}</code>: {}</li>\n", m, info.version, escaped(info.definition));
    }
    return fmt::format(
        "<h2>Methods</h2>\n<p>Every run of a pair has the same map, starts, headings and random numbers; only the "
        "compared setting{} differ{}. A run that never reached a level is counted as longer than any that did in "
        "medians "
        "and tests, and as censored at its step limit in the Kaplan-Meier curves; no run is dropped. Runs of one map "
        "are "
        "alike: in tests of differences, and in their intervals, each map counts once. Bands of coverage "
        "curves are 95 % intervals of the mean, with the maps as they are (maps with a single run: as drawn); "
        "intervals of medians and interquartile "
        "means are percentile bootstraps with fixed random "
        "numbers.</p>\n<ul>{}</ul>\n<h2>Reproduce</h2>\n<pre>{}</pre>\n"
        "<p class='note'>Program {}{}; plan {}; results {}.</p>\n<details open><summary>The "
        "sweep</summary><pre>{}</pre>"
        "</details>\n",
        a.along.empty() ? "" : fmt::format(" and {}", escaped(fmt::format("{}", fmt::join(a.along, " and ")))),
        a.along.empty() ? "s" : "", definitions, escaped(fmt::format("{}", fmt::join(commands, "\n"))),
        escaped(plan.program), escaped(deciding(r)), escaped(plan.hash), escaped(r.digest()), escaped(plan.source));
}

}  // namespace

Report make_report(Results& results, const std::vector<std::string>& commands, const RunExtras& extras) {
    const SweepPlan& plan = results.plan();
    const Analysis a = analyse(results);
    Report report;
    const auto table = [&](const char* name, std::string csv) {
        if (!csv.empty()) report.tables.emplace_back(name, std::move(csv));
    };
    std::string body = header(results, a) + warnings(results, a);
    const std::vector<Ranking> found = rankings(results, a);
    if (!found.empty() && found.size() <= 24) {
        body += "<h2>In short</h2>\n<ul>\n";
        for (const Ranking& r : found) {
            const std::string words = metric_words(r.metric), title = metric_title(r.metric);
            std::string said = sentence(r);
            if (said.starts_with(title)) said.replace(0, title.size(), words + " (" + r.metric + ")");
            body += "<li>" + escaped(said) + "</li>\n";
        }
        body += "</ul>\n";
    }
    const auto figure = [&](const char* name, FigureSet f, const std::string& caption, std::size_t fold) {
        const std::string html = figure_html(a, f, caption, fold);
        if (!html.empty()) table(name, std::move(f.csv));
        return html;
    };
    if (std::string trend = figure("trend", axis_figure(a, plan, plan.report.metrics, panel_width),
                                   "Interquartile mean over all maps and its 95 % interval. Times that were never "
                                   "reached count as a step more than the longest step limit.",
                                   12);
        !trend.empty())
        body += "<h2>Trend</h2>\n" + trend;
    body +=
        "<h2>Coverage</h2>\n" +
        figure("coverage", coverage_figure(results, a, panel_width),
               "Share of the reachable area against the steps: mean over the runs and its 95 % interval. What a run "
               "knew at its end is held.",
               12);
    const auto shown_table = [&](const char* name, const ReportTable& t) {
        table(name, to_csv(t.numbers));
        report.latex.emplace_back(name, to_latex(t.shown));
        return t.html();
    };
    if (const ReportTable times = time_table(results, a); !times.shown.columns.empty()) {
        std::vector<std::string> shown;
        for (const std::string& m : plan.report.metrics)
            if (is_time_to(m)) shown.push_back(m);
        if (shown.empty())
            shown.push_back(
                plan.metrics[static_cast<std::size_t>(std::find_if(plan.metrics.begin(), plan.metrics.end(),
                                                                   [](const std::string& m) { return is_time_to(m); }) -
                                                      plan.metrics.begin())]);
        body += "<h2>Time to a level</h2>\n" + shown_table("times", times) +
                figure("survival", time_to_figure(results, a, shown, panel_width, extras.plans),
                       "Share of the runs that had reached the level by each step (Kaplan-Meier; runs that never did "
                       "are censored at their limit), with 95 % intervals." +
                           std::string(extras.plans.empty() ? "" : " \"plan\": median of plans that know the map."),
                       12);
    }
    if (const ReportTable far = reference_table(results, a, extras.plans); !far.shown.columns.empty())
        body += "<h2>How far from the best possible</h2>\n" + shown_table("reference", far);
    if (const ReportTable lost = lost_steps_table(results, a, extras.plans); !lost.shown.columns.empty())
        body += shown_table("lost_steps", lost);
    body += "<h2>Metrics</h2>\n" + shown_table("summary", summary_table(results, a));
    const std::string runs_listed = runs_section(results, extras.pages);
    const bool can_lead = !runs_listed.empty();
    body +=
        figure("boxes",
               box_figure(results, a, plan.report.metrics, panel_width,
                          [&](std::int64_t run) { return can_lead ? run_link(extras.pages, run) : std::string(); }),
               "Boxes: quartiles and median; whiskers: the farthest runs within 1.5 times the box; dots: the others. "
               "Each run shows its value and map under the mouse, and a click leads to it.",
               16);
    if (!a.tests.empty()) {
        body += "<h2>Differences</h2>\n" + shown_table("tests", tests_table(a));
        body += figure("forest", forest_figure(results, a, plan.report.metrics[0], panel_width),
                       "Mean difference on each map, with the range over its starts; below, over all maps, with its "
                       "95 % interval.",
                       6);
        body += figure(
            "profile", profile_figure(results, a, plan.report.metrics[0], panel_width),
            fmt::format(
                "Performance profile: the share of pairs in which {} is within that factor of the best one's. Further "
                "up and left is better; where a curve ends below 100 %, the rest is farther off or never got there.",
                metric_words(plan.report.metrics[0])),
            6);
    }
    body += shown_table("maps", maps_table(results, a));
    const std::string tracks = figure(
        "tracks", tracks_figure(results, a, 2, panel_width),
        fmt::format(
            "Paths of the robots in the run of median {} on the first maps{}{}. The square is the base; dots are "
            "where the robots ended.",
            plan.report.metrics[0], a.groups[0].label.empty() ? "" : " (" + escaped(a.groups[0].label) + ")",
            a.groups[0].cells.size() > tracks_cells ? fmt::format(", of the first {} values", tracks_cells) : ""),
        12);
    if (!tracks.empty()) body += "<h2>Paths</h2>\n" + tracks;
    body += runs_listed + methods(results, a, commands);
    report.html = fmt::format(
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>\n<meta name='viewport' "
        "content='width=device-width, initial-scale=1'>\n<meta name='color-scheme' content='light "
        "dark'>\n<title>{}</title>\n<style>{}{}</style></head>\n<body><main>\n{}</main></body></html>\n",
        escaped(plan.name), svg_style(false), page_style, body);
    return report;
}

void write_runs_csv(Results& results, const std::string& path, bool overwrite, const ReferenceTimes& plans) {
    OutputFile file(path, overwrite);
    const SweepPlan& plan = results.plan();
    std::vector<std::string> names{"run", "map", "start", "repetition", "seed", "cell"};
    names.insert(names.end(), plan.axes.begin(), plan.axes.end());
    names.insert(names.end(), {"end_reason", "error", "steps_hash", "fingerprint"});
    names.insert(names.end(), plan.metrics.begin(), plan.metrics.end());
    if (!plans.empty())
        for (const std::string_view metric : bound_metrics)
            for (const std::string_view of : {"plan", "bound"}) names.push_back(fmt::format("{}_{}", metric, of));
    file.write(to_csv(Table{named_columns(names), {}}));
    std::string columns;
    for (const std::string& m : plan.metrics) columns += ", " + sql_name(m);
    Statement rows = results.database().prepare(fmt::format(
        "SELECT id, map, start, repetition, seed, cell, end_reason, error, {}, {}{} FROM run ORDER BY id",
        steps_hash_column(results.database(), "run"), fingerprint_column(results.database(), "run"), columns));
    while (rows.step()) {
        const SweepCell& cell = plan.cells.at(results.place_of(rows.integer(0)).first);
        std::vector<TableCell> row{rows.integer(0), plan.maps.at(static_cast<std::size_t>(rows.integer(1))).name};
        for (int c = 2; c < 5; ++c) row.emplace_back(rows.integer(c));
        row.emplace_back(cell.label);
        for (const std::string& value : cell.values) row.emplace_back(bare(value));
        for (int c = 6; c < 10; ++c) row.emplace_back(std::string(rows.bytes(c)));
        for (int c = 10; c < rows.columns(); ++c)
            row.push_back(rows.is_null(c) ? TableCell(Missing{}) : TableCell(Number{rows.number(c)}));
        if (!plans.empty()) {
            const auto own = plans.find(rows.integer(0));
            for (std::size_t k = 0; k < bound_metrics.size(); ++k)
                for (const bool plan_steps : {true, false}) {
                    if (own == plans.end()) {
                        row.emplace_back(Missing{});
                        continue;
                    }
                    const double steps = plan_steps ? own->second.plan[k] : own->second.bound[k];
                    row.push_back(std::isnan(steps) ? TableCell(Missing{}) : TableCell(Number{steps}));
                }
        }
        file.write(to_csv(row));
    }
    file.commit();
}

std::vector<std::string> write_report(Results& results, const std::string& path,
                                      const std::vector<std::string>& commands, bool overwrite,
                                      const RunExtras& extras) {
    const std::filesystem::path file_path(path);
    const std::string stem = (file_path.parent_path() / file_path.stem()).string();
    const Report report = make_report(results, commands, extras);
    std::vector<std::string> written;
    const auto write = [&](const std::string& file, const std::string& text) {
        OutputFile out(file, overwrite);
        out.write(text);
        out.commit();
        written.push_back(file);
    };
    for (const auto& [name, csv] : report.tables) write(fmt::format("{}_{}.csv", stem, name), csv);
    for (const auto& [name, tex] : report.latex) write(fmt::format("{}_{}.tex", stem, name), tex);
    write_runs_csv(results, stem + "_runs.csv", overwrite, extras.plans);
    written.push_back(stem + "_runs.csv");
    write(path, report.html);
    return written;
}

}  // namespace outrider
