// Reports and figures: what they say is what the runs say, and the files stand alone.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <set>

#include "batch/finding.hpp"
#include "batch/report/report.hpp"
#include "batch/report/svg.hpp"
#include "batch/statistics/sign_flip.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;

namespace test_report {
namespace {

constexpr const char* two_strategies =
    "seeds = '1..6'\ncurve_points = 7\n[axes]\nstrategy = ['nearest', 'random_walk']\n[report]\nmetrics = "
    "['t90_base', 't50_team', 'auc_base', 'distance_m']\n";

/// The elements of an XML text that are opened and not closed in their order, or the reverse; empty when it is well
/// formed.
std::string unbalanced(const std::string& xml) {
    static const std::regex tag(R"(<(/?)([a-zA-Z0-9]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(/?)>)");
    std::vector<std::string> open;
    for (auto at = std::sregex_iterator(xml.begin(), xml.end(), tag); at != std::sregex_iterator(); ++at) {
        const std::string name = (*at)[2];
        if (name == "meta" || name == "br" || (*at)[4].length() > 0) continue;
        if ((*at)[1].length() == 0) {
            open.push_back(name);
        } else {
            if (open.empty() || open.back() != name) return "</" + name + ">";
            open.pop_back();
        }
    }
    return open.empty() ? "" : "<" + open.back() + ">";
}

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const std::string& table(const Report& report, const std::string& name) {
    for (const auto& [known, csv] : report.tables)
        if (known == name) return csv;
    FAIL("no table " << name);
    return report.html;
}

}  // namespace

TEST_CASE("a report stands alone, is the same twice, and has its numbers beside it") {
    const TemporaryFolder folder;
    Results results = results_of(folder, two_strategies);
    const Report report = make_report(results, {"outrider sweep plan <x> -o d"});
    CHECK(make_report(results, {"outrider sweep plan <x> -o d"}).html == report.html);
    const std::string& html = report.html;
    CHECK(unbalanced(html.substr(html.find("<html"))) == "");
    CHECK(html.find("<script") == std::string::npos);
    CHECK(html.find("src=") == std::string::npos);
    static const std::regex address("https?://(?!www.w3.org/)");
    CHECK_FALSE(std::regex_search(html, address));
    CHECK(html.find("NaN") == std::string::npos);
    CHECK(html.find("nan") == std::string::npos);
    CHECK(html.find("inf ") == std::string::npos);
    for (const char* part :
         {"2 maps say something of those only: to show a difference takes 8 maps or more with 4 tests at once",
          "A difference cannot be shown with so few maps (2; at least 8 are needed)", "Kaplan-Meier",
          "outrider sweep plan &lt;x&gt;", "curve_points = 7", "known at the base",
          "steps until the base knew 90 %, within a factor of the best", "Paths",
          "nearest, step 59: ", "steps until the base knew 90 %", "random_walk minus nearest",
          "<a href='#run0'><circle class='p f1'", "id='run0'"})
        CHECK(html.find(part) != std::string::npos);
    CHECK(lines(table(report, "summary")) == 1 + 2 * 4);
    CHECK(lines(table(report, "tests")) == 1 + 4);
    CHECK(lines(table(report, "coverage")) == 1 + 2 * 2 * 7);
    CHECK(lines(table(report, "times")) == 1 + 8 * 2);
    CHECK(lines(table(report, "maps")) == 1 + 2 * 2);
    CHECK(lines(table(report, "boxes")) == 1 + 4 * 2);
    write_runs_csv(results, folder / "runs.csv", false);
    const std::string rows = read_text(folder / "runs.csv");
    CHECK(lines(rows) == 1 + 24);
    CHECK(rows.find(",end_reason,error,steps_hash,fingerprint,steps,") != std::string::npos);
    // Results of before have the same under another name.
    Database(folder / "r.sqlite", Database::Mode::create).run("ALTER TABLE run RENAME COLUMN steps_hash TO digest");
    Results old(folder / "r.sqlite");
    write_runs_csv(old, folder / "old.csv", false);
    CHECK(read_text(folder / "old.csv") == rows);
}

TEST_CASE("summaries, tests and bands are those of the runs") {
    const TemporaryFolder folder;
    Results results = results_of(folder, std::string(two_strategies) + "[set]\nsensor.range_m = 1\n");
    const SweepPlan& plan = results.plan();
    const Analysis a = analyse(results);
    CHECK(a.compared == std::vector<std::string>{"nearest", "random_walk"});
    CHECK(a.groups.size() == 1);
    // Every run once more, by hand.
    std::vector<double> times[2], distance[2];
    std::vector<std::vector<double>> base_at_end(2);
    double never = 0;
    const SweepRuns runs(plan);
    for (std::int64_t id = 0; id < plan.runs(); ++id) {
        const SweepRun run = runs.at(id);
        const auto c = static_cast<std::size_t>(run.cell);
        Simulation sim(seeded(sweep_scenario(plan, run.map, run.cell), run.seed), {});
        const EndReason reason = sim.run();
        const double t = time_to(sim.metrics().steps(), &StepMetrics::base_share, 0.9);
        never += std::isnan(t);
        times[c].push_back(std::isnan(t) ? 61 : t);
        base_at_end[c].push_back(sim.metrics().steps().back().base_share);
        for (const SummaryValue& v : sim.metrics().summary(reason, 60))
            if (v.robot < 0 && v.metric->name == "distance_m") distance[c].push_back(v.value);
    }
    CHECK(never > 0);
    double counted = 0;
    for (const CellSummary& s : a.summaries) {
        if (s.metric == "t90_base") {
            CHECK(s.median == median(times[s.cell]));
            CHECK(s.high == quantile(times[s.cell], 0.75));
            counted += static_cast<double>(s.never);
        }
        if (s.metric == "distance_m") {
            CHECK(s.iqm.value == interquartile_mean(distance[s.cell]));
            CHECK(s.iqm.interval.low <= s.iqm.value);
            CHECK(s.iqm.interval.high >= s.iqm.value);
        }
    }
    CHECK(counted == never);
    std::vector<double> p, of_maps(2);  // six pairs each
    for (std::size_t i = 0; i < times[0].size(); ++i) of_maps[i / 6] += (times[1][i] - times[0][i]) / 6;
    CHECK(a.tests[0].metric == "t90_base");
    CHECK(a.tests[0].maps == 2);
    CHECK(a.tests[0].p == sign_flip(of_maps).p);
    CHECK(a.tests[0].mean == doctest::Approx(sign_flip(of_maps).mean));
    CHECK(a.tests[0].effect == probability_below(times[1], times[0]));
    for (const PairTest& t : a.tests) p.push_back(t.p);
    for (std::size_t i = 0; i < p.size(); ++i) CHECK(a.tests[i].adjusted == holm(p)[i]);
    const auto bands = results.coverage();
    for (std::size_t c = 0; c < 2; ++c) {
        double sum = 0;
        for (const double share : base_at_end[c]) sum += share;
        CHECK(bands[c].base.mean.back() == doctest::Approx(sum / 12).epsilon(1e-4));
        CHECK(bands[c].base.low.back() <= bands[c].base.mean.back());
        CHECK(bands[c].base.mean.front() < bands[c].base.mean.back());
        CHECK(bands[c].team.mean.size() == 7);
    }
}

TEST_CASE("who is better is what the test says, not who is so by little more often") {
    const TemporaryFolder folder;
    write_sweep(folder,
                "seeds = '1..10'\n[set]\nrun.steps = 1\n[axes]\nstrategy = ['nearest', 'stay']\n[report]\n"
                "metrics = ['distance_m']\n",
                8);
    const SweepPlan plan = read_sweep(folder / "sweep.toml", 1);
    write_plan(plan, folder / "d");
    work_on(folder / "d");
    // On each map six ways are a little shorter with the second one, four much longer.
    Database(shard_path(folder / "d", 1), Database::Mode::create)
        .run(
            "UPDATE result SET distance_m = 1000 + CASE WHEN run % 2 = 0 THEN 0 WHEN run / 2 % 10 < 6 THEN -1 - 0.01 * "
            "run "
            "ELSE 300 + run END");
    merge_sweep(folder / "d", plan, folder / "r.sqlite", false);
    Results results(folder / "r.sqlite");
    const Analysis a = analyse(results);
    REQUIRE(a.tests.size() == 1);
    CHECK(a.tests[0].better_b == 48);
    CHECK(a.tests[0].better_a == 32);
    CHECK(a.tests[0].better_maps_a == 8);
    CHECK(a.tests[0].shown());
    CHECK(verdict(finding_of(a, a.tests[0])) == "nearest is better");
    const std::string said = sentence(rankings(results, a)[0]);
    CHECK(
        said.starts_with("distance_m (m): stay 999, then nearest 1000 in the median. The difference is shown (8 maps, "
                         "80 pairs; p 0.0078 after correction)."));
    CHECK(said.ends_with("By the mean of differences nearest is better than stay, whatever the medians."));
}

TEST_CASE("pairs in which nobody got there, or everybody has nothing, count in a performance profile") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..2'\n[axes]\nstrategy = ['nearest', 'stay']\n[report]\nmetrics = ['t50_team']\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    write_plan(plan, folder / "d");
    work_on(folder / "d");
    Database(shard_path(folder / "d", 1), Database::Mode::create)
        .run(
            "UPDATE result SET t50_team = CASE run WHEN 0 THEN 10 WHEN 1 THEN 11 WHEN 2 THEN 10 END, "
            "deaths = CASE run WHEN 5 THEN 1 ELSE 0 END");
    merge_sweep(folder / "d", plan, folder / "r.sqlite", false);
    Results results(folder / "r.sqlite");
    const Analysis a = analyse(results);
    // Four pairs: 10 against 11, 10 against never, never twice.
    const FigureSet profile = profile_figure(results, a, "t50_team", 300);
    const std::string times = profile.csv;
    CHECK(times.find("t50_team,,nearest,1.0000,0.50000\n") != std::string::npos);
    CHECK(times.find("t50_team,,nearest,1.2000,0.50000\n") != std::string::npos);
    CHECK(times.find("t50_team,,stay,1.0000,0.00000\n") != std::string::npos);
    CHECK(times.find("t50_team,,stay,1.2000,0.25000\n") != std::string::npos);
    // The same under the pointer.
    CHECK(profile.panels[0].svg.find("<title>nearest, factor 1: 50 %</title>") != std::string::npos);
    CHECK(profile.panels[0].svg.find("<title>stay, factor 1.2: 25 %</title>") != std::string::npos);
    CHECK(profile.panels[0].svg.find("steps until the team knew 50 %") != std::string::npos);
    // None died, but for one with the second.
    const std::string deaths = profile_figure(results, a, "deaths", 300).csv;
    CHECK(deaths.find("deaths,,nearest,1.0000,1.00000\n") != std::string::npos);
    CHECK(deaths.find("deaths,,stay,1.2000,0.75000\n") != std::string::npos);
}

TEST_CASE("maps with one run each have a band around their mean") {
    const TemporaryFolder folder;
    Results results = results_of(folder, "seeds = '1..1'\ncurve_points = 3\n[axes]\nstrategy = ['nearest', 'stay']\n");
    const SweepRuns runs(results.plan());
    double share[2] = {};
    for (const std::int64_t id : {0, 2}) {
        const SweepRun run = runs.at(id);
        Simulation sim(seeded(sweep_scenario(results.plan(), run.map, run.cell), run.seed), {});
        sim.run();
        share[run.map] = sim.metrics().steps()[0].team_share;
    }
    REQUIRE(share[0] != share[1]);
    const Band band = results.coverage()[0].team;
    const double mean = (share[0] + share[1]) / 2, reach = 1.96 * std::abs(share[0] - share[1]) / 2;
    CHECK(band.mean[0] == doctest::Approx(mean).epsilon(1e-3));
    CHECK(band.low[0] == doctest::Approx(mean - reach).epsilon(1e-3));
    CHECK(band.high[0] == doctest::Approx(mean + reach).epsilon(1e-3));
}

TEST_CASE("runs for which a metric is not defined are said to be left out") {
    const TemporaryFolder folder;
    write_sweep(folder,
                "seeds = '1..2'\n[axes]\nstrategy = ['nearest', 'stay']\n[report]\nmetrics = "
                "['return_steps', 'base_awareness']\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    write_plan(plan, folder / "d");
    work_on(folder / "d");
    Database(shard_path(folder / "d", 1), Database::Mode::create)
        .run(
            "UPDATE result SET return_steps = CASE WHEN run < 6 THEN 20 + run END, base_awareness = CASE WHEN run % 2 "
            "= 0 THEN 0.5 END");
    merge_sweep(folder / "d", plan, folder / "r.sqlite", false);
    Results results(folder / "r.sqlite");
    const Analysis a = analyse(results);
    CHECK(sentence(rankings(results, a)[0])
              .starts_with(
                  "return_steps (steps): nearest 22 (of 3 of 4 runs), then stay 23 (of 3 of 4 runs) in the median."));
    CHECK(verdict(finding_of(a, a.tests[1])) == "nothing to compare");
    const std::string html = make_report(results, {}).html;
    CHECK(html.find("22 <small>[21, 23]</small><br><small>IQM 22 [21.3, 22.7]; of 3 of 4 runs</small>") !=
          std::string::npos);
    CHECK(html.find("; of 0 of 4 runs</small>") != std::string::npos);
    CHECK(html.find("; of 4 of 4 runs</small>") == std::string::npos);
}

TEST_CASE("runs that only repeat others are said to be no evidence") {
    const TemporaryFolder folder;
    Results varied = results_of(folder, "seeds = '1..3'\n[axes]\nstrategy = ['nearest', 'stay']\n");
    CHECK(varied.repeated() == 0);
    CHECK(make_report(varied, {}).html.find("repetitions</b>") == std::string::npos);
    const TemporaryFolder other;
    Results same = results_of(other,
                              "seeds = '1..3'\n[set]\nstart.jitter_cells = 0\nstart.random_heading = false\n[axes]\n"
                              "strategy = ['nearest', 'stay']\n");
    CHECK(same.repeated() == 8);  // of twelve
    CHECK(make_report(same, {}).html.find("<b>8 runs are repetitions</b>") != std::string::npos);
}

TEST_CASE("never is longer than any time, also of a cell with a longer step limit") {
    const TemporaryFolder folder;
    write_sweep(folder,
                "seeds = '1..2'\n[[zip]]\nstrategy = ['nearest', 'stay']\nrun.steps = [60, 4]\n[report]\n"
                "compare = 'strategy'\nmetrics = ['t50_team']\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    write_plan(plan, folder / "d");
    work_on(folder / "d");
    Database(shard_path(folder / "d", 1), Database::Mode::create)
        .run("UPDATE result SET t50_team = CASE run % 2 WHEN 0 THEN 30 END");
    merge_sweep(folder / "d", plan, folder / "r.sqlite", false);
    Results results(folder / "r.sqlite");
    const Analysis a = analyse(results);
    REQUIRE(a.tests.size() == 1);
    CHECK(a.tests[0].better_a == 4);
    CHECK(a.tests[0].better_b == 0);
    CHECK(
        sentence(rankings(results, a)[0]).starts_with("t50_team (steps): nearest 30, then stay never in the median."));
}

TEST_CASE("a median between a time and never is never, in each table and figure") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..2'\n[axes]\nstrategy = ['nearest', 'stay']\n[report]\nmetrics = ['t50_team']\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml");
    write_plan(plan, folder / "d");
    work_on(folder / "d");
    Database(shard_path(folder / "d", 1), Database::Mode::create)
        .run("UPDATE result SET t50_team = CASE WHEN run < 4 THEN 20 + run END");
    merge_sweep(folder / "d", plan, folder / "r.sqlite", false);
    Results results(folder / "r.sqlite");
    const Analysis a = analyse(results);
    REQUIRE(a.summaries.size() == 2);
    CHECK(a.summaries[0].median == 61);  // of 20, 22, never, never
    CHECK(a.summaries[0].low == 21.5);
    CHECK(
        sentence(rankings(results, a)[0]).starts_with("t50_team (steps): nearest never and stay never in the median."));
    const Report report = make_report(results, {});
    CHECK(table(report, "summary").find(",nearest,t50_team,4,2,21.5,,,") != std::string::npos);
    CHECK(table(report, "times").find("t50_team,,nearest,4,2,21.5,,\n") != std::string::npos);
    CHECK(table(report, "boxes").find("t50_team,,nearest,4,2,20,21.5,,,\n") != std::string::npos);
    CHECK(report.html.find("never <small>[21.5, never]</small>") != std::string::npos);
    CHECK(report.html.find("nearest: median never, quartiles 21.5 and never, 4 runs, 2 never") != std::string::npos);
}

TEST_CASE("curves of maps with step limits of their own go by steps, and each run is censored at its own") {
    const TemporaryFolder folder;
    write_sweep(folder,
                "seeds = '1..3'\ncurve_points = 30\n[axes]\nstrategy = ['nearest']\n[report]\nmetrics = "
                "['t90_base']\n");
    const auto limit = [&](const char* file, int steps) {
        std::string text = read_text(folder / file);
        text.replace(text.find("steps = 60"), 10, fmt::format("steps = {}", steps));
        write_text(folder / file, text);
    };
    limit("a.toml", 4);
    limit("b.toml", 291);
    write_plan(read_sweep(folder / "sweep.toml"), folder / "d");
    work_on(folder / "d");
    merged(folder / "d", folder / "r.sqlite");
    Results results(folder / "r.sqlite");
    const SweepRuns runs(results.plan());
    std::vector<double> mean(30), times;
    std::vector<bool> seen;
    for (std::int64_t id = 0; id < 6; ++id) {
        const SweepRun run = runs.at(id);
        Simulation sim(seeded(sweep_scenario(results.plan(), run.map, run.cell), run.seed), {});
        sim.run();
        const std::vector<StepMetrics>& steps = sim.metrics().steps();
        for (std::size_t k = 0; k < 30; ++k) mean[k] += steps[std::min(10 * k, steps.size() - 1)].team_share / 6;
        const double t = time_to(steps, &StepMetrics::base_share, 0.9);
        seen.push_back(!std::isnan(t));
        times.push_back(seen.back() ? t : run.map == 0 ? 4 : 291);
    }
    CHECK_FALSE(seen[0]);
    CHECK(seen[3]);
    const Band band = results.coverage()[0].team;
    for (std::size_t k = 0; k < 30; ++k) CHECK(band.mean[k] == doctest::Approx(mean[k]).epsilon(1e-4));
    const Analysis a = analyse(results);
    const std::string csv = time_to_figure(results, a, {"t90_base"}, 300).csv;
    for (const Survival::Step& s : kaplan_meier(times, seen).steps)
        CHECK(csv.find(fmt::format("nearest,{},{:.5f},", s.time, 1 - s.survival)) != std::string::npos);
}

TEST_CASE("what a page says stands alone: which settings a table is of, what a metric is") {
    const TemporaryFolder folder;
    Results results =
        results_of(folder,
                   "seeds = '1..1'\nmetrics = ['t90_base', 'latency_max']\n[axes]\nstrategy = ['nearest', "
                   "'stay', 'random_walk', 'uva', 'minpos']\ncomm.range_m = [1, 2]\n[report]\nmetrics = "
                   "['t90_base', 'latency_max']\n");
    const std::string html = make_report(results, {}).html;
    CHECK(html.find("steps until the base knew 90 % (t90_base) by map (medians with comm.range_m = 1)") !=
          std::string::npos);
    CHECK(html.find("<code>t90_base@1</code>: first step at which the base knows 90 % of the reachable area") !=
          std::string::npos);
    CHECK(html.find("(comm.range_m = 1), of the first 4 values. The square") != std::string::npos);
    for (const MetricInfo& m : summary_metrics()) {
        CHECK(m.definition.find("the same") == std::string::npos);
        CHECK(m.definition.find("likewise") == std::string::npos);
    }
}

TEST_CASE("cells are grouped by the other axes, and numbers make a trend") {
    const TemporaryFolder folder;
    Results results = results_of(folder,
                                 "seeds = '1..2'\n[axes]\nstrategy = ['nearest', 'random_walk']\ncomm.range_m = [1, 2, "
                                 "4]\n[report]\nmetrics = ['auc_base']\n");
    const Analysis a = analyse(results);
    CHECK(a.others == std::vector<std::string>{"comm.range_m"});
    REQUIRE(a.groups.size() == 3);
    CHECK(a.groups[2].label == "comm.range_m = 4");
    for (const CellGroup& g : a.groups) CHECK(g.cells.size() == 2);
    CHECK(a.tests.size() == 3);
    const FigureSet trend = axis_figure(a, results.plan(), {"auc_base"}, 340);
    CHECK(trend.panels.size() == 1);
    CHECK(lines(trend.csv) == 1 + 6);
    // A zip's other keys follow the compared one: one group.
    const TemporaryFolder other;
    Results zipped =
        results_of(other, "seeds = '1..1'\n[[zip]]\nsensor.beams = [91, 181]\nsensor.fov_deg = [90, 180]\n");
    const Analysis z = analyse(zipped);
    CHECK(z.groups.size() == 1);
    CHECK(z.compared == std::vector<std::string>{"91", "181"});
    const TemporaryFolder third;
    Results both =
        results_of(third,
                   "seeds = '1..1'\n[axes]\nstrategy = ['nearest', 'stay']\n[[zip]]\ncomm.range_m = [1, 2, 3]\n"
                   "comm.base_range_m = [2, 4, 6]\n");
    const Analysis b = analyse(both);
    CHECK(b.others == std::vector<std::string>{"comm.range_m"});
    CHECK(axis_figure(b, both.plan(), {"auc_base"}, 340).panels.size() == 1);
}

TEST_CASE("a level that no run reaches is shown as never, and missing and failed runs are said") {
    const TemporaryFolder folder;
    write_sweep(folder, "seeds = '1..3'\n[set]\nrun.steps = 4\n[axes]\nstrategy = ['nearest', 'stay']\n");
    const SweepPlan plan = read_sweep(folder / "sweep.toml", 2);
    write_plan(plan, folder / "d");
    work_on(folder / "d", 1, 2);
    Database(shard_path(folder / "d", 1), Database::Mode::create)
        .run("UPDATE result SET error = 'no <luck>' WHERE run = 2");
    merge_sweep(folder / "d", plan, folder / "r.sqlite", false);
    Results results(folder / "r.sqlite");
    CHECK(results.done() == 6);
    CHECK(results.failed() == 1);
    const Report report = make_report(results, {});
    for (const char* part : {"6 of 12 runs are done", "1 runs failed", "run 2: no &lt;luck&gt;", "never"})
        CHECK(report.html.find(part) != std::string::npos);
    CHECK(unbalanced(report.html.substr(report.html.find("<html"))) == "");
    const Analysis a = analyse(results);
    for (const PairTest& t : a.tests) {
        CHECK(t.pairs == 2);
        CHECK_FALSE(t.shown());
    }
}

TEST_CASE("a figure is as wide as it was asked for and stands alone") {
    const TemporaryFolder folder;
    Results results = results_of(folder, two_strategies);
    const Analysis a = analyse(results);
    const std::string svg = svg_file(coverage_figure(results, a, 300), a, 180);
    CHECK(svg.find("width='180mm'") != std::string::npos);
    CHECK(svg.find("var(") == std::string::npos);
    CHECK(svg.find("random_walk") != std::string::npos);
    CHECK(unbalanced(svg) == "");
    const FigureSet tracks = tracks_figure(results, a, 1, 300);
    CHECK(tracks.panels.size() == 2);
    CHECK(unbalanced(svg_file(tracks, a, 88)) == "");
    CHECK(lines(tracks.csv) > 20);
    const FigureSet boxes = box_figure(results, a, {"distance_m"}, 300);
    CHECK(boxes.panels.size() == 1);
    CHECK(time_to_figure(results, a, {"distance_m"}, 300).panels.empty());
    CHECK(axis_figure(a, results.plan(), {"distance_m"}, 300).panels.empty());
}

TEST_CASE("lines of more series than there are colours differ by their dashes") {
    std::set<std::string> classes;
    for (std::size_t k = 0; k < 64; ++k) classes.insert(stroke_class(k));
    CHECK(classes.size() == 64);
    CHECK(stroke_class(7) == "s8");
    // A colour's own dash is not that of its later rounds.
    CHECK(stroke_class(8) == "s1 d2");
    CHECK(stroke_class(15) == "s8 d1");
    for (const bool alone : {false, true})
        for (const char* rule : {".d1{stroke-dasharray:none}", ".d8{stroke-dasharray:1.5 4}"}) {
            const std::string style = svg_style(alone);
            CHECK(style.find(rule) > style.find(".s8{"));
            CHECK(style.find(rule) < style.find(".w{"));
        }
}

TEST_CASE("ticks are round and within their range, and texts are escaped") {
    CHECK(ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
    CHECK(ticks(0, 3000, 4) == std::vector<double>{0, 1000, 2000, 3000});
    CHECK(ticks(7, 7, 4) == std::vector<double>{7});
    for (const double high : {0.003, 1.7, 42.0, 99999.0}) {
        const std::vector<double> at = ticks(0, high, 5);
        CHECK(at.size() >= 3);
        CHECK(at.size() <= 11);
        CHECK(at.back() <= high * 1.000001);
    }
    CHECK(escaped("a<b & \"c\"") == "a&lt;b &amp; &quot;c&quot;");
    CHECK(csv_field("plain") == "plain");
    CHECK(csv_field("a, \"b\"") == "\"a, \"\"b\"\"\"");
    CHECK(short_number(1234.5) == "1234");
    CHECK(coordinate(-0.001) == "0");
    CHECK(coordinate(12.50) == "12.5");
}

TEST_CASE("a forest plot has the differences of the pairs on each map") {
    const TemporaryFolder folder;
    Results results = results_of(folder, two_strategies);
    const Analysis a = analyse(results);
    const FigureSet forest = forest_figure(results, a, "distance_m", 340);
    REQUIRE(forest.panels.size() == 1);
    const std::vector<std::vector<double>> all = results.metric("distance_m");
    for (int map = 0; map < 2; ++map) {
        double sum = 0, low = 1e9, high = -1e9;
        int pairs = 0;
        for (std::size_t pair = 0; pair < results.pairs(); ++pair) {
            if (results.map_of(pair) != map) continue;
            const double d = all[1][pair] - all[0][pair];
            sum += d, low = std::min(low, d), high = std::max(high, d), ++pairs;
        }
        const std::string& name = results.plan().maps[static_cast<std::size_t>(map)].name;
        const std::string row = fmt::format("distance_m,,nearest,random_walk,{},{},", name, pairs);
        const std::size_t at = forest.csv.find(row);
        REQUIRE(at != std::string::npos);
        double mean = 0, least = 0, most = 0;
        REQUIRE(std::sscanf(forest.csv.c_str() + at + row.size(), "%lf,%lf,%lf", &mean, &least, &most) == 3);
        CHECK(mean == doctest::Approx(sum / pairs));
        CHECK(least == doctest::Approx(low));
        CHECK(most == doctest::Approx(high));
        CHECK(forest.panels[0].svg.find(name + ": ") != std::string::npos);
    }
    CHECK(forest.panels[0].svg.find("all maps: ") != std::string::npos);
    CHECK(unbalanced("<g>" + forest.panels[0].svg + "</g>") == "");
    for (const MetricInfo& m : summary_metrics())
        if (m.of_team) CHECK_FALSE(metric_words(std::string(m.name)).empty());
}

}  // namespace test_report
