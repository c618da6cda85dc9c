// outrider compare
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/output.hpp"
#include "batch/compare_sweep.hpp"
#include "batch/statistics.hpp"
#include "batch/sweep_maps.hpp"
#include "batch/sweep_merge.hpp"
#include "cli/arguments.hpp"
#include "cli/report_command.hpp"
#include "cli/sweep_command.hpp"
#include "outrider/strategy.hpp"
#include "run/metrics.hpp"
#include "run/suite.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// Scenarios of a scenario or suite: a path, or a name in environments/.
std::vector<Scenario> scenarios_of(const std::string& name, const std::vector<Setting>& over) {
    const std::string file = file_of(name, "");
    ConfigTable config = load_config(file);
    for (const Setting& s : over) config.set(s);
    Notes notes;
    if (!is_suite(config))
        return {make_scenario(std::move(config), fs::path(file).stem().string(), fs::path(file).parent_path().string(),
                              notes)};
    const Suite suite = make_suite(std::move(config), file);
    std::vector<Scenario> all;
    for (std::size_t i = 0; i < suite.maps.size(); ++i) all.push_back(suite.scenario(i, notes));
    return all;
}

/// Removes what another comparison left in the folder.
void forget_other_plan(const std::string& folder, const SweepPlan& plan) {
    if (!fs::exists(folder + "/plan.sqlite") || read_plan(folder).hash == plan.hash) return;
    fs::remove_all(folder + "/shards");
    for (const char* file : {"/plan.sqlite", "/results.sqlite"}) fs::remove(folder + file);
}

std::string number(double v) { return std::abs(v) >= 100 ? fmt::format("{:.0f}", v) : fmt::format("{:.3g}", v); }

void print_strategies(const Comparison& c) {
    std::size_t width = 10;
    for (const std::string& s : c.strategies) width = std::max(width, s.size());
    fmt::print("\n{:<{}}", "", width + 2);
    for (const std::string& m : c.metrics) fmt::print("{:>26}", m);
    fmt::print("\n");
    for (std::size_t s = 0; s < c.strategies.size(); ++s) {
        fmt::print("{:<{}}", c.strategies[s], width + 2);
        for (std::size_t m = 0; m < c.metrics.size(); ++m) {
            const std::vector<double> v = c.values(s, m);
            const int never = c.censored(s, m);
            fmt::print("{:>26}",
                       fmt::format("{} [{}, {}]{}", number(median(v)), number(quantile(v, 0.25)),
                                   number(quantile(v, 0.75)), never > 0 ? fmt::format(" {}x never", never) : ""));
        }
        fmt::print("\n");
    }
    fmt::print("median [quartiles] of {} runs; never: not reached before step {}, counted as longer than any other\n",
               c.runs[0].size(), c.step_limit);
}

struct Verdict {
    std::size_t a, b, metric;
    std::vector<double> differences;  // b - a
    Wilcoxon test;
    double adjusted = 1;
};

/// What the numbers say of a pair, in words.
void print_verdict(const Comparison& c, const Verdict& v) {
    const std::vector<double>& d = v.differences;
    const Interval interval = bootstrap_median(d, 0.95);
    const double middle = median(d);
    const bool less = less_is_better(c.metrics[v.metric]);
    const auto better_b = std::count_if(d.begin(), d.end(), [&](double x) { return less ? x < 0 : x > 0; });
    const auto better_a = std::count_if(d.begin(), d.end(), [&](double x) { return less ? x > 0 : x < 0; });
    const std::vector<double> a = c.values(v.a, v.metric), b = c.values(v.b, v.metric);
    const double effect = less ? probability_below(b, a) : probability_below(a, b);
    const std::string& winner = c.strategies[better_b >= better_a ? v.b : v.a];
    fmt::print("  {} - {}: median {} [95 % {}, {}]; {} better in {}, {} in {}; A12 {:.2f}; p {:.2g}, Holm {:.2g}: ",
               c.strategies[v.b], c.strategies[v.a], number(middle), number(interval.low), number(interval.high),
               c.strategies[v.b], better_b, c.strategies[v.a], better_a, effect, v.test.p, v.adjusted);
    if (v.adjusted < 0.05)
        fmt::print("{} is better\n", winner);
    else
        fmt::print("no difference shown\n");
}

void print_comparisons(const Comparison& c) {
    std::vector<Verdict> verdicts;
    for (std::size_t m = 0; m < c.metrics.size(); ++m)
        for (std::size_t a = 0; a < c.strategies.size(); ++a)
            for (std::size_t b = a + 1; b < c.strategies.size(); ++b) {
                Verdict v{a, b, m, differences(c.values(a, m), c.values(b, m)), {}};
                v.test = wilcoxon_signed_rank(v.differences);
                verdicts.push_back(std::move(v));
            }
    std::vector<double> p;
    for (const Verdict& v : verdicts) p.push_back(v.test.p);
    const std::vector<double> adjusted = holm(p);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        verdicts[i].adjusted = adjusted[i];
        if (i == 0 || verdicts[i].metric != verdicts[i - 1].metric) {
            const std::string& name = c.metrics[verdicts[i].metric];
            const auto info = std::find_if(summary_metrics().begin(), summary_metrics().end(),
                                           [&](const MetricInfo& x) { return x.name == name; });
            fmt::print("\n{}@{} ({}; {} is better)\n", name, info->version, info->unit,
                       less_is_better(name) ? "less" : "more");
        }
        print_verdict(c, verdicts[i]);
    }
    fmt::print(
        "\nPaired by map, start and seed. Wilcoxon signed-rank test, two-sided; Holm over the {} tests above. A12: the "
        "chance that a run of the\nfirst is better than one of the second.\n",
        verdicts.size());
    if (c.maps.size() < 5)
        fmt::print(
            "On {} this says something of {} only; a claim about strategies needs five maps or more, such as a "
            "suite.\n",
            c.maps.size() == 1 ? "one map" : fmt::format("{} maps", c.maps.size()),
            c.maps.size() == 1 ? "that map" : "those");
    if (c.runs[0].size() < 30) fmt::print("{} pairs are few; 30 are a screening, 100 a claim.\n", c.runs[0].size());
}

std::string csv_of(const Comparison& c) {
    std::string text = fmt::format("strategy,map,seed,end_reason,{}\n", fmt::join(c.metrics, ","));
    for (std::size_t s = 0; s < c.strategies.size(); ++s)
        for (const RunResult& run : c.runs[s]) {
            text += fmt::format("\"{}\",{},{},{}", c.strategies[s], run.map, run.seed, run.end_reason);
            for (const double v : run.values) text += std::isnan(v) ? "," : fmt::format(",{}", v);
            text += "\n";
        }
    return text;
}

Comparison compare_here(const std::vector<std::string>& maps, const std::vector<Setting>& over,
                        const std::vector<std::string>& strategies, int seeds, int threads,
                        const std::vector<std::string>& metrics) {
    std::vector<Scenario> scenarios;
    for (const std::string& name : maps)
        for (Scenario& s : scenarios_of(name, over)) scenarios.push_back(std::move(s));
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const auto begun = std::chrono::steady_clock::now();
    Comparison c = compare(scenarios, strategies, seeds, threads, metrics, [&](int done, int of) {
        const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        if (terminal) fmt::print(stderr, "\r{} of {} runs, {:.0f} s left \x1b[K", done, of, s / done * (of - done));
    });
    if (terminal) fmt::print(stderr, "\r\x1b[K");
    return c;
}

/// Arguments as a shell takes them.
std::vector<std::string> quoted(const Arguments& arguments) {
    std::vector<std::string> out;
    for (const std::string& a : arguments)
        out.push_back(a.find_first_of(" ()'\"$*;&|<>") == std::string::npos ? a : "\"" + a + "\"");
    return out;
}

}  // namespace

int compare_command(const Arguments& arguments) {
    cxxopts::Options options(
        "outrider compare",
        "Compare strategies on the same maps, starts and random numbers: paired table, verdict in words.\n");
    options.add_options()("strategies", "", cxxopts::value<std::vector<std::string>>())(
        "map", "scenario or suite: a file, or a name in environments/; may be repeated",
        cxxopts::value<std::vector<std::string>>(),
        "NAME")("seeds", "starts per map: moved by up to five cells, random headings",
                cxxopts::value<std::string>()->default_value("30"),
                "N")("metric", "metric of the summary; may be repeated (t90_base, auc_base, distance_m)",
                     cxxopts::value<std::vector<std::string>>(),
                     "NAME")("set", "set any option for all runs, e.g. --set comm.range_m=6; may be repeated",
                             cxxopts::value<std::vector<std::string>>(), "key=value")(
        "threads", "runs at a time; 0: one per core", cxxopts::value<std::string>(), "N")(
        "csv", "write the values of each run", cxxopts::value<std::string>(), "FILE")(
        "report", "write a report with figures; its runs are kept in a folder beside it", cxxopts::value<std::string>(),
        "F.html")("force", "overwrite files that exist");
    options.parse_positional({"strategies"});
    options.positional_help("STRATEGY STRATEGY... --map NAME");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("strategies") || (*result)["strategies"].as<std::vector<std::string>>().size() < 2)
        fail("expected two or more strategies: outrider compare nearest mresim_greedy --map office");
    if (!result->count("map")) fail("expected --map NAME: a scenario or a suite");
    const auto strategies = (*result)["strategies"].as<std::vector<std::string>>();
    for (const std::string& s : strategies) make_strategy(s, "compare");
    std::vector<std::string> metrics{"t90_base", "auc_base", "distance_m"};
    const std::vector<std::string> known = team_metrics();
    if (result->count("metric")) metrics = (*result)["metric"].as<std::vector<std::string>>();
    for (const std::string& m : metrics)
        if (std::find(known.begin(), known.end(), m) == known.end()) {
            const std::string near = nearest_name(m, known);
            fail("--metric {}: unknown{}; see outrider metrics", m,
                 near.empty() ? "" : "; did you mean '" + near + "'?");
        }
    const auto seeds = static_cast<int>(whole_number(*result, "seeds", 1, 100'000).value_or(30));
    int threads = static_cast<int>(whole_number(*result, "threads", 0, 256).value_or(0));
    if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::vector<Setting> over;
    if (result->count("set"))
        for (const std::string& text : (*result)["set"].as<std::vector<std::string>>())
            for (Setting& s : parse_settings(text, "--set")) over.push_back(std::move(s));
    const std::string csv = result->count("csv") ? (*result)["csv"].as<std::string>() : std::string();
    if (!csv.empty()) OutputFile(csv, result->count("force") > 0);

    const auto maps = (*result)["map"].as<std::vector<std::string>>();
    for (const std::string& map : maps)
        if (const std::string kind = fs::path(map).extension().string(); !kind.empty() && kind != ".toml")
            fail(
                "--map {}: expected a scenario or a suite (.toml), or the name of one; one line makes a scenario of a "
                "map: map.file = \"{}\"",
                map, map);
    const std::string report = result->count("report") ? (*result)["report"].as<std::string>() : std::string();
    Comparison c;
    if (report.empty()) {
        c = compare_here(maps, over, strategies, seeds, threads, metrics);
    } else {
        OutputFile(report, result->count("force") > 0);
        const std::string folder = (fs::path(report).parent_path() / fs::path(report).stem()).string() + "-sweep";
        const std::string command = fmt::format("outrider compare {}", fmt::join(quoted(arguments), " "));
        const SweepPlan plan = comparison_plan(strategies, maps, seeds, metrics, over, command);
        if (result->count("force")) forget_other_plan(folder, plan);
        write_plan(plan, folder);
        SweepWork work;
        work.jobs = threads;
        if (const int code = run_sweep_here(folder, plan, work, false); code != 0) return code;
        merge_sweep(folder, plan, folder + "/results.sqlite", true);
        Results results(folder + "/results.sqlite");
        write_report(results, report, {command}, result->count("force") > 0);
        c = comparison_of(results, metrics);
    }
    fmt::print("{} on {} x {} starts\n", fmt::join(strategies, ", "),
               c.maps.size() > 4 ? fmt::format("{} maps", c.maps.size()) : fmt::format("{}", fmt::join(c.maps, ", ")),
               seeds);
    print_strategies(c);
    print_comparisons(c);
    if (!csv.empty()) {
        OutputFile file(csv, result->count("force") > 0);
        file.write(csv_of(c));
        file.commit();
        fmt::print("csv {}\n", csv);
    }
    if (!report.empty()) fmt::print("report {}\n", report);
    return 0;
}

}  // namespace outrider
