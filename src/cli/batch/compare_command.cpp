// outrider compare
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "arguments/arguments.hpp"
#include "arguments/own_strategies.hpp"
#include "base/output.hpp"
#include "base/progress.hpp"
#include "batch/compare_sweep.hpp"
#include "batch/report/report.hpp"
#include "batch/sweep_merge.hpp"
#include "batch/sweep_mistakes.hpp"
#include "cli/batch/compare_table.hpp"
#include "cli/batch/reference_flags.hpp"
#include "cli/batch/sweep_command.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "metrics/metric_list.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "outrider/strategy.hpp"
#include "robot/registry.hpp"
#include "scenario/suite.hpp"

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

/// Refuses a folder with the files of another comparison, or with `force` removes them.
void expect_same_plan(const std::string& folder, const SweepPlan& plan, const std::string& report, bool force) {
    if (!fs::exists(folder + "/plan.sqlite")) return;
    const SweepPlan there = read_plan(folder);
    if (there.hash == plan.hash) return;
    const std::string changes = changes_since(there.provenance, plan.provenance);
    if (!force)
        fail(
            "--report {}: the folder {} beside it holds the runs of another comparison ({}, {} runs) or program{}; "
            "give the report another name, or --force, which removes those runs, or the same arguments as then to go "
            "on with them",
            report, folder, there.name, there.runs(), changes.empty() ? "" : " (" + changes + ")");
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
    const Provenance before = provenance_of(strategies);
    std::optional<Work> work(std::in_place, terminal_text("comparing"));
    const auto progress = [&](int done, int of) {
        work->at(static_cast<std::size_t>(done), static_cast<std::size_t>(of), "runs");
    };
    Comparison c = compare(scenarios, strategies, seeds, threads, metrics, progress, &catch_interrupts());
    work.reset();
    if (const std::string changes = changes_since(before, provenance_of(strategies, &before)); !changes.empty())
        fail("compare: while it went on, {}: its runs are of more than one program; compare again", changes);
    return c;
}

struct CompareFlags {
    std::vector<std::string> strategies, map, metric, set;
    Defaulted<int> seeds{30};
    std::optional<int> threads;
    std::optional<std::string> csv, report;
    ReferenceFlags reference;
    bool pages = false, json = false, force = false;
    void fields(Flags& f) {
        f.positional("strategies", strategies);
        f("map", map, "NAME", "scenario or suite: a file, or a name in environments/; may be repeated, each map once");
        f("seeds", seeds, 1, 100'000, "N", "starts per map: moved by up to five cells, random headings")
            .only_once("one number of starts");
        f("metric", metric, "NAME", "metric of the summary; may be repeated (t90_base, auc_base, distance_m)");
        f("set", set, "key=value", "set any option for all runs, e.g. --set comm.range_m=6; may be repeated");
        f("threads", threads, 0, 256, "N", "runs at a time; 0: one per core");
        allow_external(f);
        f("csv", csv, "FILE", "write the values of each run");
        f("report", report, "F.html",
          "write a report with figures; its runs are kept in a folder beside it, F-sweep: interrupted, the same "
          "command "
          "goes on");
        f("pages", pages, "with --report: also a page that plays it for each run, in F-runs; the report links to each");
        reference.fields(f);
        f("json", json, "the values of each run as JSON, instead of the tables");
        f("force", force, "overwrite files that exist, and the runs of another comparison in F-sweep");
    }
};

void expect_strategies(const std::vector<std::string>& strategies) {
    if (strategies.size() < 2)
        fail("expected two or more strategies: outrider compare nearest mresim_greedy --map office");
    expect_distinct(strategies, "compare", "the strategy");
    for (const std::string& s : strategies) {
        make_strategy(s, "compare");
        allow_typed(s, "compare");
    }
}

void expect_maps(const std::vector<std::string>& maps) {
    for (const std::string& map : maps)
        if (const std::string kind = fs::path(map).extension().string(); !kind.empty() && kind != ".toml")
            fail(
                "--map {}: expected a scenario or a suite (.toml), or the name of one; one line makes a scenario of a "
                "map: map.file = \"{}\"",
                map, map);
}

/// The metrics asked for; throws for an unknown one.
std::vector<std::string> metrics_of(const std::vector<std::string>& asked, bool reference) {
    for (const std::string& m : asked) expect_team_metric(m, "--metric");
    expect_distinct(asked, "--metric", "the metric");
    if (reference && asked.empty()) return {"t99_team", "t90_team", "distance_m"};
    if (reference &&
        std::find_first_of(asked.begin(), asked.end(), bound_metrics.begin(), bound_metrics.end()) == asked.end())
        fail("--reference: plans have times of the team; expected --metric t99_team or t90_team among the metrics");
    return asked.empty() ? std::vector<std::string>{"t90_base", "auc_base", "distance_m"} : asked;
}

/// What is to be compared, checked.
struct Task {
    std::vector<std::string> metrics;
    std::vector<Setting> over;
    int threads = 1;
};

Task task_of(const CompareFlags& flags) {
    expect_strategies(flags.strategies);
    if (flags.map.empty())
        fail("expected --map NAME, a scenario or a suite, such as --map office or --map office-12@1");
    Task task;
    task.metrics = metrics_of(flags.metric, flags.reference.folder.has_value());
    flags.reference.options();
    task.threads = flags.threads.value_or(0);
    if (task.threads == 0) task.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    task.over = settings_of(flags.set);
    for (const Setting& s : task.over)
        if (s.key == "run.seed") fail("--set run.seed: the runs have the seeds 1 ... --seeds");
    if (flags.csv) OutputFile(*flags.csv, flags.force);
    if (flags.pages && !flags.report) fail("--pages: the report links to them; expected --report F.html, too");
    expect_maps(flags.map);
    return task;
}

/// Runs the comparison as a sweep beside the report and writes it; returns an exit code if the command ends there.
std::optional<int> compare_with_report(const CompareFlags& flags, const Task& task, const std::string& command,
                                       Comparison& c) {
    const std::string& report = *flags.report;
    OutputFile(report, flags.force);
    const std::string folder = (fs::path(report).parent_path() / fs::path(report).stem()).string() + "-sweep";
    const SweepPlan plan =
        comparison_plan(flags.strategies, flags.map, flags.seeds.value, task.metrics, task.over, command);
    expect_same_plan(folder, plan, report, flags.force);
    write_plan(plan, folder);
    SweepWork work;
    work.jobs = task.threads;
    const int code = run_sweep_here(folder, plan, work, false);
    if (code > 1) {
        print_plain("no report yet; so does the same command, which then writes {}\n", report);
        return code;
    }
    merge_sweep(folder, plan, folder + "/results.sqlite", true);
    Results results(folder + "/results.sqlite");
    const RunExtras extras{flags.pages ? pages_of(results, report, flags.force) : RunPages{},
                           references_of(results, flags.reference)};
    write_report(results, report, {command}, flags.force, extras);
    if (code == 1) {  // some runs failed: the report gives the number of remaining pairs for each difference
        print_plain("report {}, without the runs that failed; no table{} of them here\n", report,
                    flags.csv ? " and no csv" : "");
        return 1;
    }
    c = comparison_of(results, task.metrics);
    return {};
}

/// Reports how much of an interrupted comparison is done; false when nothing is.
bool print_part(const Comparison& c, bool csv) {
    print_plain("interrupted: {} of {} runs are done", c.done, c.of);
    if (c.runs[0].empty()) {
        print_plain("; no start has been run by all strategies, so there is nothing to compare{}\n",
                    csv ? ", and no csv" : "");
        return false;
    }
    print_plain("; what follows is about the {} starts that all strategies have run\n", c.runs[0].size());
    return true;
}

void print_comparison(const Comparison& c, const CompareFlags& flags) {
    for (std::size_t i = 0; i < std::min<std::size_t>(20, c.failures.size()); ++i)
        print_aside("failed: {}\n", c.failures[i]);
    if (!c.failures.empty()) print_plain("{} of {} runs failed and are left out\n", c.failures.size(), c.of);
    print_plain("{} on {} x {} starts\n", fmt::join(flags.strategies, ", "),
                c.maps.size() > 4 ? fmt::format("{} maps", c.maps.size()) : fmt::format("{}", fmt::join(c.maps, ", ")),
                flags.seeds.value);
    print_ranking(c);
    print_strategies(c);
    print_comparisons(c);
    print_reference(c);
}

int compare_by(CompareFlags flags, const std::string& command) {
    for (std::string& strategy : flags.strategies) strategy = typed_strategy(strategy, "compare");
    const Task task = task_of(flags);
    std::vector<Scenario> references;  // of these are plans
    for (const std::string& map : flags.reference.folder ? flags.map : std::vector<std::string>{})
        for (Scenario& s : scenarios_of(map, task.over)) references.push_back(std::move(s));
    for (const Scenario& s : references) flags.reference.expect_fits(s);
    Comparison c;
    if (flags.report) {
        if (const std::optional<int> code = compare_with_report(flags, task, command, c)) return *code;
    } else {
        c = compare_here(flags.map, task.over, flags.strategies, flags.seeds.value, task.threads, task.metrics);
    }
    if (c.done < c.of && !print_part(c, flags.csv.has_value())) return 130;
    const bool planned = c.done < c.of || add_reference(c, references, flags.reference, task.threads);
    if (flags.json)
        print_plain("{}", Lines{json_of(c)});
    else
        print_comparison(c, flags);
    if (flags.csv) {
        OutputFile file(*flags.csv, flags.force);
        file.write(csv_of(c));
        file.commit();
        if (!flags.json) print_plain("csv {}\n", *flags.csv);
    }
    if (flags.report && !flags.json) print_plain("report {}\n", *flags.report);
    return c.done < c.of || !planned ? 130 : c.failures.empty() ? 0 : 1;
}

}  // namespace

Subcommand compare_command() {
    const auto run = [](const HelpPage& page, const Arguments& arguments) {
        CompareFlags flags;
        if (!parse(page, flags, arguments)) return 0;
        std::string command = "outrider compare";
        for (const std::string& word : arguments) command += " " + shell_word(word);
        return compare_by(flags, command);
    };
    const auto list = [] {
        CompareFlags flags;
        return infos_of(flags_of(flags));
    };
    return {
        {"compare", "Compare strategies on the same maps, starts and random numbers: paired table, verdict in words.\n",
         "[OPTION...] STRATEGY STRATEGY... --map NAME"},
        "compare strategies on the same maps, starts and random numbers",
        list,
        run};
}

}  // namespace outrider
