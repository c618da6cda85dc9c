// outrider compare
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/output.hpp"
#include "batch/compare_sweep.hpp"
#include "batch/sweep_merge.hpp"
#include "batch/sweep_mistakes.hpp"
#include "cli/arguments.hpp"
#include "cli/compare_table.hpp"
#include "cli/interrupt.hpp"
#include "cli/report_command.hpp"
#include "cli/sweep_command.hpp"
#include "outrider/strategy.hpp"
#include "run/metric_list.hpp"
#include "run/suite.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// Scenarios of a scenario or suite: a path, or a name in environments/.
std::vector<Scenario> scenarios_of(const std::string& name, const std::vector<Setting>& over) {
    const std::string file = file_of(name);
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

/// What another comparison left in the folder is refused, or with `force` removed.
void expect_same_plan(const std::string& folder, const SweepPlan& plan, const std::string& report, bool force) {
    if (!fs::exists(folder + "/plan.sqlite")) return;
    const SweepPlan there = read_plan(folder);
    if (there.hash == plan.hash) return;
    if (!force)
        fail(
            "--report {}: the folder {} beside it holds the runs of another comparison ({}, {} runs) or program; give "
            "the report another name, or --force, which removes those runs, or the same arguments as then to go on "
            "with them",
            report, folder, there.name, there.runs());
    fs::remove_all(folder + "/shards");
    for (const char* file : {"/plan.sqlite", "/results.sqlite"}) fs::remove(folder + file);
}

Comparison compare_here(const std::vector<std::string>& maps, const std::vector<Setting>& over,
                        const std::vector<std::string>& strategies, int seeds, int threads,
                        const std::vector<std::string>& metrics) {
    std::vector<Scenario> scenarios;
    std::vector<NamedMap> named;
    for (const std::string& name : maps)
        for (Scenario& s : scenarios_of(name, over)) {
            Scenario bare = s;
            bare.name = bare.map.file = "";
            named.push_back({"--map " + name, s.name, bare.hash().hex()});
            for (const std::string& strategy : strategies) make_strategy(strategy, "compare", s.map.cell_m);
            scenarios.push_back(std::move(s));
        }
    expect_distinct(named);
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const auto begun = std::chrono::steady_clock::now();
    const auto progress = [&](int done, int of) {
        const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        if (terminal) print_aside("\r{} of {} runs, {:.0f} s left \x1b[K", done, of, s / done * (of - done));
    };
    Comparison c = compare(scenarios, strategies, seeds, threads, metrics, progress, &catch_interrupts());
    if (terminal) print_aside("\r\x1b[K");
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
        "map", "scenario or suite: a file, or a name in environments/; may be repeated, each map once",
        cxxopts::value<std::vector<std::string>>(),
        "NAME")("seeds", "starts per map: moved by up to five cells, random headings",
                cxxopts::value<std::string>()->default_value("30"),
                "N")("metric", "metric of the summary; may be repeated (t90_base, auc_base, distance_m)",
                     cxxopts::value<std::vector<std::string>>(),
                     "NAME")("set", "set any option for all runs, e.g. --set comm.range_m=6; may be repeated",
                             cxxopts::value<std::vector<std::string>>(), "key=value")(
        "threads", "runs at a time; 0: one per core", cxxopts::value<std::string>(), "N")(
        "csv", "write the values of each run", cxxopts::value<std::string>(), "FILE")(
        "report",
        "write a report with figures; its runs are kept in a folder beside it, F-sweep: interrupted, the same command "
        "goes on",
        cxxopts::value<std::string>(),
        "F.html")("force", "overwrite files that exist, and the runs of another comparison in F-sweep");
    options.parse_positional({"strategies"});
    options.positional_help("STRATEGY STRATEGY... --map NAME");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("strategies") || (*result)["strategies"].as<std::vector<std::string>>().size() < 2)
        fail("expected two or more strategies: outrider compare nearest mresim_greedy --map office");
    if (!result->count("map")) fail("expected --map NAME: a scenario or a suite");
    const auto strategies = (*result)["strategies"].as<std::vector<std::string>>();
    expect_distinct(strategies, "compare", "the strategy");
    for (const std::string& s : strategies) make_strategy(s, "compare");
    std::vector<std::string> metrics{"t90_base", "auc_base", "distance_m"};
    if (result->count("metric")) metrics = (*result)["metric"].as<std::vector<std::string>>();
    for (const std::string& m : metrics) expect_team_metric(m, "--metric");
    expect_distinct(metrics, "--metric", "the metric");
    if (result->count("seeds") > 1) fail("--seeds: given twice; expected one number of starts");
    const auto seeds = static_cast<int>(whole_number(*result, "seeds", 1, 100'000).value_or(30));
    int threads = static_cast<int>(whole_number(*result, "threads", 0, 256).value_or(0));
    if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::vector<Setting> over;
    if (result->count("set"))
        for (const std::string& text : (*result)["set"].as<std::vector<std::string>>())
            for (Setting& s : parse_settings(text, "--set")) over.push_back(std::move(s));
    for (const Setting& s : over)
        if (s.key == "run.seed") fail("--set run.seed: the runs have the seeds 1 ... --seeds");
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
        expect_same_plan(folder, plan, report, result->count("force") > 0);
        write_plan(plan, folder);
        SweepWork work;
        work.jobs = threads;
        const int code = run_sweep_here(folder, plan, work, false);
        if (code > 1) {
            fmt::print("no report yet; so does the same command, which then writes {}\n", report);
            return code;
        }
        merge_sweep(folder, plan, folder + "/results.sqlite", true);
        Results results(folder + "/results.sqlite");
        write_report(results, report, {command}, result->count("force") > 0);
        if (code == 1) {  // the report says of each difference how many pairs are left
            fmt::print("report {}, without the runs that failed; no table{} of them here\n", report,
                       csv.empty() ? "" : " and no csv");
            return 1;
        }
        c = comparison_of(results, metrics);
    }
    if (c.done < c.of) {
        fmt::print("interrupted: {} of {} runs are done", c.done, c.of);
        if (c.runs[0].empty()) {
            fmt::print("; no start has been run by all strategies, so there is nothing to compare{}\n",
                       csv.empty() ? "" : ", and no csv");
            return 130;
        }
        fmt::print("; what follows is about the {} starts that all strategies have run\n", c.runs[0].size());
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(20, c.failures.size()); ++i)
        print_aside("failed: {}\n", c.failures[i]);
    if (!c.failures.empty()) fmt::print("{} of {} runs failed and are left out\n", c.failures.size(), c.of);
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
    return c.done < c.of ? 130 : c.failures.empty() ? 0 : 1;
}

}  // namespace outrider
