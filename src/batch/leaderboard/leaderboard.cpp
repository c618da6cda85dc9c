#include "batch/leaderboard/leaderboard.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/output.hpp"
#include "batch/report/svg.hpp"
#include "batch/statistics/sign_flip.hpp"
#include "batch/sweep_worker.hpp"
#include "batch/table.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

/// Median of a metric by map; infinite where half of the runs or more never got there.
std::map<std::string, double> medians_by_map(const Submission& s, std::size_t metric) {
    std::map<std::string, std::vector<double>> values;
    for (const SubmittedRun& run : s.runs)
        values[run.map].push_back(std::isnan(run.values[metric]) ? INFINITY : run.values[metric]);
    std::map<std::string, double> out;
    for (auto& [map, v] : values) {
        std::sort(v.begin(), v.end());
        out[map] = v[v.size() / 2];  // the upper one of two: never halfway to infinity
    }
    return out;
}

/// Maps are called SUITE/NUMBER.
std::string suite_of(const std::string& map, const std::vector<std::string>& suites) {
    for (const std::string& suite : suites)
        if (map.starts_with(suite + "/")) return suite;
    return {};
}

using TimesByStart = std::map<std::pair<std::string, std::int64_t>, TourPlan::Times>;

/// Of runs by their number in the protocol's plan.
TimesByStart by_start(const Protocol& protocol, const ReferenceTimes& plans) {
    TimesByStart out;
    if (plans.empty()) return out;
    const SweepPlan plan = protocol_plan(protocol, "stay");
    const SweepRuns runs(plan);
    for (const auto& [id, times] : plans) {
        const SweepRun run = runs.at(id);
        out[{plan.maps[static_cast<std::size_t>(run.map)].name, run.start}] = times;
    }
    return out;
}

/// Median of a submission's T99 of the team as multiples of the plans'.
double over_plan(const Submission& s, const std::vector<std::string>& metrics, const TimesByStart& plans) {
    const auto m =
        static_cast<std::size_t>(std::find(metrics.begin(), metrics.end(), bound_metrics.back()) - metrics.begin());
    std::vector<double> ratios;
    for (const SubmittedRun& run : s.runs) {
        const auto own = plans.find({run.map, run.start});
        if (own == plans.end() || m == metrics.size() || std::isnan(own->second.plan.back())) continue;
        const double steps = std::isnan(run.values[m]) ? INFINITY : run.values[m];
        ratios.push_back(steps / std::max(1.0, own->second.plan.back()));
    }
    if (ratios.empty()) return std::nan("");
    std::sort(ratios.begin(), ratios.end());
    return ratios[ratios.size() / 2];
}

std::string style() {
    return "body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 Helvetica,Arial,'DejaVu "
           "Sans',sans-serif}"
           "main{max-width:1500px;margin:0 auto;padding:20px 16px 60px}h1{font-size:24px;margin:8px "
           "0}.note{color:var(--faint);"
           "max-width:90ch}.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-"
           "size:14px}"
           "th,td{padding:4px 8px;text-align:right;border-bottom:1px solid "
           "var(--grid);white-space:nowrap;vertical-align:top}"
           "th:nth-child(2),td:nth-child(2){text-align:left}td "
           "small{color:var(--faint);display:block}.bad{color:var(--c2)}"
           "td.s{background:linear-gradient(90deg,rgba(0,114,178,.25) calc(var(--v)*100%),transparent 0)}";
}

}  // namespace

Leaderboard make_leaderboard(const std::string& folder, const std::string& protocol,
                             const std::function<Verdict(const Submission&)>& check,
                             const std::function<ReferenceTimes()>& plans) {
    Leaderboard board{find_protocol(protocol)};
    if (!std::filesystem::is_directory(folder)) fail("{}: expected a folder with submissions (*.json)", folder);
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    const std::string expected = protocol_fingerprint(board.protocol, protocol_plan(board.protocol, "stay"));
    std::map<std::pair<std::string, std::int64_t>, int> starts;
    for (const std::string& file : files) try {
            Submission s = read_submission(file);
            if (s.protocol != protocol) fail("{}: of the protocol {}", file, s.protocol);
            if (s.protocol_fingerprint != expected)
                fail("{}: its maps or options are not those of {} here", file, protocol);
            std::map<std::pair<std::string, std::int64_t>, int> own;
            for (const SubmittedRun& run : s.runs) ++own[{run.map, run.start}];
            if (starts.empty()) {
                const SweepPlan plan = protocol_plan(board.protocol, "stay");
                for (const SweepMap& map : plan.maps)
                    for (const std::int64_t start : plan.starts) ++starts[{map.name, start}];
            }
            if (own != starts) fail("{}: its runs are not those of the protocol, each once", file);
            for (const Submission& other : board.submissions)
                if (other.strategy == s.strategy && other.title == s.title && other.runs == s.runs)
                    fail("{}: a copy of {}", file, other.file);
            board.submissions.push_back(std::move(s));
        } catch (const Error& error) {
            board.left_out.push_back(error.what());
        }
    if (board.submissions.empty())
        fail("{}: no submission of {}{}", folder, protocol, board.left_out.empty() ? "" : ": " + board.left_out[0]);

    for (const Submission& s : board.submissions) board.verdicts.push_back(check ? check(s) : Verdict{});

    std::vector<std::map<std::string, double>> medians;
    std::map<std::string, double> best;
    for (const Submission& s : board.submissions) {
        medians.push_back(medians_by_map(s, 0));
        if (board.verdict_of(s).kind == Verdict::Kind::disproved) continue;
        for (const auto& [map, v] : medians.back()) best[map] = best.contains(map) ? std::min(best[map], v) : v;
    }
    const TimesByStart references = by_start(board.protocol, plans ? plans() : ReferenceTimes{});
    std::vector<std::vector<double>> scores;  // by submission, in the order of the maps
    for (std::size_t i = 0; i < board.submissions.size(); ++i) {
        const Submission& s = board.submissions[i];
        if (board.verdicts[i].kind == Verdict::Kind::disproved) continue;
        Standing standing{&s, {}, {}, {}, 0, over_plan(s, board.protocol.metrics, references), false};
        std::vector<double> all;
        std::vector<int> strata;
        std::map<std::string, std::vector<double>> suites;
        for (const auto& [map, own] : medians[i]) {
            // Where nobody gets there, nobody is slower than another.
            const double score = std::isinf(own) ? (std::isinf(best[map]) ? 1 : 0) : own > 0 ? best[map] / own : 1;
            strata.push_back(static_cast<int>(all.size()));
            all.push_back(score);
            suites[suite_of(map, board.protocol.suites)].push_back(score);
        }
        standing.score = stratified_iqm(all, strata, 0.95);
        for (const std::string& suite : board.protocol.suites) {
            double sum = 0;
            for (const double v : suites[suite]) sum += v;
            standing.by_suite.push_back(suites[suite].empty() ? std::nan("")
                                                              : sum / static_cast<double>(suites[suite].size()));
        }
        for (std::size_t m = 0; m < board.protocol.metrics.size(); ++m) {
            std::vector<double> values;
            for (const SubmittedRun& run : s.runs)
                values.push_back(std::isnan(run.values[m]) ? INFINITY : run.values[m]);
            std::sort(values.begin(), values.end());
            const double median_value = values[values.size() / 2];
            standing.medians.push_back(std::isinf(median_value) ? std::nan("") : median_value);
            if (m == 0)
                standing.reached = static_cast<double>(std::count_if(values.begin(), values.end(),
                                                                     [](double v) { return !std::isinf(v); })) /
                                   static_cast<double>(values.size());
        }
        scores.push_back(std::move(all));
        board.standings.push_back(std::move(standing));
    }
    std::vector<std::size_t> order(board.standings.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return board.standings[a].score.value > board.standings[b].score.value;
    });
    std::vector<Standing> sorted;
    std::vector<double> p;
    for (std::size_t k = 0; k < order.size(); ++k) {
        sorted.push_back(board.standings[order[k]]);
        if (k > 0) p.push_back(sign_flip(differences(scores[order[k - 1]], scores[order[k]])).p);
    }
    const std::vector<double> adjusted = holm(p);
    for (std::size_t k = 1; k < sorted.size(); ++k) sorted[k].tied = adjusted[k - 1] >= significance_level;
    board.standings = std::move(sorted);
    return board;
}

Verdict verify(const Submission& s, int runs, const std::atomic<bool>* interrupted) {
    SweepPlan plan;
    try {
        plan = protocol_plan(find_protocol(s.protocol), s.strategy);
        expect_programs_allowed(plan);
    } catch (const Error& error) {
        return {Verdict::Kind::unverified, fmt::format("cannot be checked here: {}", error.what())};
    }
    if (const std::string here = provenance_now(plan).fingerprint(); here != s.decided_by)
        return {Verdict::Kind::unverified,
                fmt::format("cannot be checked here: decided by {}, here by {}", s.decided_by, here)};
    const SweepRuns all(plan);
    const std::int64_t count = std::min<std::int64_t>(runs, plan.runs());
    for (std::int64_t k = 0; k < count && !(interrupted && *interrupted); ++k) {
        const SweepRun run = all.at(plan.runs() * k / count + plan.runs() / (2 * count));
        const auto record = run_one(plan, sweep_scenario(plan, run.map, run.cell), run, interrupted);
        if (!record) return {Verdict::Kind::unverified, "interrupted"};
        const std::string& map = plan.maps[static_cast<std::size_t>(run.map)].name;
        const auto submitted = std::find_if(
            s.runs.begin(), s.runs.end(), [&](const SubmittedRun& r) { return r.map == map && r.start == run.start; });
        if (submitted == s.runs.end() || submitted->steps_hash != record->steps_hash)
            return {Verdict::Kind::disproved,
                    fmt::format("the run on {} with start {} is another one here", map, run.start)};
        const std::vector<std::string>& names = find_protocol(s.protocol).metrics;
        for (std::size_t m = 0; m < names.size(); ++m) {
            const auto at = std::find(plan.metrics.begin(), plan.metrics.end(), names[m]) - plan.metrics.begin();
            const double here = record->values[static_cast<std::size_t>(at)], there = submitted->values[m];
            if (here != there && !(std::isnan(here) && std::isnan(there)))
                return {Verdict::Kind::disproved,
                        fmt::format("{} on {} with start {} is {}, not {}", names[m], map, run.start, here, there)};
        }
    }
    if (interrupted && *interrupted) return {Verdict::Kind::unverified, "interrupted"};
    return {Verdict::Kind::confirmed, {}};
}

std::string to_html(const Leaderboard& board) {
    std::string rows;
    std::map<std::string, int> titles;
    for (const Submission& s : board.submissions) ++titles[s.title];
    const auto file_of = [&](const Submission& s) {  // where a title is there twice
        return titles[s.title] < 2 ? std::string() : "; " + escaped(std::filesystem::path(s.file).filename().string());
    };
    const bool planned = !board.standings.empty() && !std::isnan(board.standings[0].over_plan);
    int place = 0;
    for (std::size_t k = 0; k < board.standings.size(); ++k) {
        const Standing& s = board.standings[k];
        const Submission& sub = *s.submission;
        if (!s.tied) place = static_cast<int>(k) + 1;
        rows += fmt::format(
            "<tr><td>{}{}</td><td><b>{}</b><small>{}{}{}</small></td><td class='s' "
            "style='--v:{:.3f}'>{:.3f}<small>{:.3f} – {:.3f}</small></td>"
            "<td>{:.1f} %</td>",
            place, s.tied ? "=" : "", escaped(sub.title), escaped(sub.strategy), sub.own ? ", own" : "",
            file_of(sub) + (board.verdict_of(sub).kind == Verdict::Kind::confirmed ? std::string("; checked here")
                            : board.verdict_of(sub).why.empty()
                                ? std::string("; not verified")
                                : "; not verified: " + escaped(board.verdict_of(sub).why)),
            s.score.value, s.score.value, s.score.interval.low, s.score.interval.high, 100 * s.reached);
        for (const double v : s.medians) rows += fmt::format("<td>{}</td>", std::isnan(v) ? "never" : short_number(v));
        if (planned) rows += std::isinf(s.over_plan) ? "<td>never</td>" : fmt::format("<td>{:.2f} x</td>", s.over_plan);
        for (const double v : s.by_suite) rows += fmt::format("<td class='s' style='--v:{0:.3f}'>{0:.2f}</td>", v);
        rows += "</tr>\n";
    }
    std::string heads = "<th></th><th>strategy</th><th>score</th><th>reached</th>";
    for (const std::string& m : board.protocol.metrics) heads += "<th>" + escaped(m) + "</th>";
    if (planned) heads += fmt::format("<th>{}<small>x plan</small></th>", bound_metrics.back());
    for (const std::string& suite : board.protocol.suites)
        heads += "<th>" + escaped(suite.substr(0, suite.find('-'))) + "</th>";
    std::string disproved;
    for (const Submission& s : board.submissions)
        if (const Verdict& verdict = board.verdict_of(s); verdict.kind == Verdict::Kind::disproved)
            disproved += fmt::format("<li><s>{}</s> ({}{}): <span class='bad'>{}</span></li>\n", escaped(s.title),
                                     escaped(s.strategy), file_of(s), escaped(verdict.why));
    std::string left_out;
    for (const std::string& why : board.left_out) left_out += "<li>" + escaped(why) + "</li>\n";
    const std::string& main_metric = board.protocol.metrics[0];
    const std::size_t maps = medians_by_map(board.submissions[0], 0).size(),
                      needed = values_needed(std::max<std::size_t>(board.standings.size(), 1) - 1);
    const std::string too_few =
        needed == 0 || maps < needed
            ? fmt::format("; with so many submissions no difference can be shown on {} maps", maps)
            : "";
    return fmt::format(
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
        "content='width=device-width, "
        "initial-scale=1'><meta name='color-scheme' content='light dark'>\n<title>Leaderboard: "
        "{0}</title>\n<style>{1}{2}</style></head>\n"
        "<body><main><h1>Leaderboard: {0}</h1>\n<p class='note'>{3}; {4} submissions. The score is the interquartile "
        "mean over "
        "{5} maps, with its 95 % interval: on each map, the best median of <code>{6}</code> of all submissions over "
        "the own one; "
        "1 is the best on every map, 0 where half of the runs never got there. \"=\": cannot be told apart from the "
        "one above "
        "(sign-flip test over the maps, Holm, 5 %{11}). Columns of suites are mean scores; of metrics, medians over "
        "all runs. "
        "<code>{6}</code>: {7}{12}</p>\n<div class='wide'><table><tr>{8}</tr>\n{9}</table></div>\n{10}"
        "<p class='note'>A submission is made by <code>outrider submit STRATEGY --protocol {0} -o FILE.json</code>, "
        "and this page by "
        "<code>outrider leaderboard DIR --protocol {0} -o F.html</code>; with <code>--verify N</code> runs are made "
        "again.</p>"
        "</main></body></html>\n",
        escaped(board.protocol.name), svg_style(false), style(), escaped(board.protocol.about),
        board.submissions.size(), maps, escaped(main_metric),
        escaped(expect_team_metric(main_metric, "the protocol").definition), heads, rows,
        (disproved.empty() ? "" : "<h2>Disproved here: no score</h2><ul>" + disproved + "</ul>") +
            (left_out.empty() ? "" : "<h2>Left out</h2><ul>" + left_out + "</ul>"),
        too_few,
        planned ? ". \"x plan\": median multiple of the steps of a plan that knows the map (docs/bounds.md)" : "");
}

}  // namespace outrider
