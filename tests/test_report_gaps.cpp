// Reports of sweeps in which something is not there: runs that failed, metrics that are not defined, partial sweeps.
#include "batch/report/figures.hpp"
#include "batch/report/report.hpp"
#include "outrider/detail/settings.hpp"
#include "sweep_helpers.hpp"

using namespace outrider;

namespace test_report_gaps {
namespace {

/// Results of two strategies on two maps with six starts each, after changes to their table of runs.
Results changed(const TemporaryFolder& folder, const std::vector<std::string>& changes,
                const std::string& axes = "strategy = ['nearest', 'random_walk']") {
    results_of(folder, fmt::format("seeds = '1..6'\ncurve_points = 3\n[axes]\n{}\n[report]\ncompare = 'team.strategy'\n"
                                   "metrics = ['t50_team', 'distance_m', 'return_steps']\n",
                                   axes));
    Database db(folder / "r.sqlite", Database::Mode::create);
    for (const std::string& sql : changes) db.run(sql);
    return Results(folder / "r.sqlite");
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const PairTest& test_of(const Analysis& a, const std::string& metric) {
    for (const PairTest& t : a.tests)
        if (t.metric == metric) return t;
    FAIL("no test of " << metric);
    return a.tests[0];
}

std::string table(const Report& report, const std::string& name) {
    for (const auto& [known, csv] : report.tables)
        if (known == name) return csv;
    return "";
}

}  // namespace

TEST_CASE("a metric without values is no test: the others are not corrected for it") {
    const TemporaryFolder folder;
    Results results = changed(
        folder, {"UPDATE run SET return_steps = NULL", "UPDATE run SET t50_team = 20 + start",
                 "UPDATE run SET distance_m = 30 + cell + 0.1 * start", "UPDATE run SET error = 'lost' WHERE map = 1"});
    const Analysis a = analyse(results);
    CHECK_FALSE(test_of(a, "return_steps").made());
    const PairTest& t = test_of(a, "distance_m");
    CHECK(t.pairs == 6);
    CHECK(t.p == doctest::Approx(2 / 64.0));  // all six starts differ the same way
    CHECK(t.adjusted == doctest::Approx(2 * t.p));
    const Report report = make_report(results, {});
    CHECK(says(report.html, "corrected for 2 tests"));
    CHECK(says(report.html, "nothing to compare"));
    CHECK(says(report.html, "not defined in any of 6 runs"));
    CHECK_FALSE(says(report.html, "p 1)</li>\n<li>return_steps"));
}

TEST_CASE("a metric that no pair has in both runs is nothing to compare; runs without a common start are not paired") {
    const TemporaryFolder folder, other;
    Results results =
        changed(folder, {"UPDATE run SET return_steps = CASE WHEN start % 2 = cell THEN 50 - 30 * cell END"});
    const PairTest t = test_of(analyse(results), "return_steps");
    CHECK(t.paired);
    CHECK_FALSE(t.made());
    CHECK(says(make_report(results, {}).html, "Nothing can be compared."));
    Results apart = changed(other, {"UPDATE run SET error = 'lost' WHERE start % 2 = cell"});
    const PairTest by_map = test_of(analyse(apart), "distance_m");
    CHECK_FALSE(by_map.paired);
    CHECK(by_map.maps == 2);
    CHECK(says(make_report(apart, {}).html, "(2 maps, not paired)"));
}

TEST_CASE("the warning of few maps counts what is there") {
    const TemporaryFolder folder;
    Results results = changed(folder, {"UPDATE run SET error = 'lost' WHERE cell = 1 AND (map = 1 OR start > 2)"});
    const std::string html = make_report(results, {}).html;
    CHECK(says(html, "One map says something of that map only"));
    CHECK(says(html, "A claim about strategies takes 7 maps or more with 2 tests at once"));
}

TEST_CASE("a value of which all runs failed has no curve, and nothing is said of its differences") {
    const TemporaryFolder folder;
    Results results = changed(folder, {"UPDATE run SET error = 'lost' WHERE cell = 1"});
    const Report report = make_report(results, {});
    CHECK(says(table(report, "survival"), "nearest"));
    CHECK_FALSE(says(table(report, "survival"), "random_walk"));
    CHECK(says(report.html, "random_walk: no runs"));
    CHECK_FALSE(says(report.html, "is shown between"));
}

TEST_CASE("whiskers end at their box where no run lies beyond it") {
    const TemporaryFolder folder;
    // Three early, one late, eight never, and likewise: the lower quartile lies in the gap, far from the early ones.
    Results results =
        changed(folder, {"UPDATE run SET t50_team = CASE WHEN map = 0 AND start <= 3 THEN 10 + start WHEN map = 0 AND "
                         "start = 4 THEN 58 END",
                         "UPDATE run SET distance_m = CASE WHEN map = 0 AND start <= 3 THEN 10 + start WHEN map = 0 "
                         "AND start = 4 THEN 58 ELSE 61 END"});
    const std::string csv = table(make_report(results, {}), "boxes");
    int rows = 0;
    for (std::size_t at = csv.find('\n') + 1; at < csv.size(); at = csv.find('\n', at) + 1) {
        std::vector<std::string> fields{""};
        for (const char c : csv.substr(at, csv.find('\n', at) - at))
            if (c == ',')
                fields.emplace_back();
            else
                fields.back() += c;
        REQUIRE(fields.size() == 10);
        const auto number = [&](std::size_t k) { return fields[k].empty() ? 1e9 : std::stod(fields[k]); };  // never
        for (std::size_t k = 5; k + 1 < fields.size(); ++k) CHECK(number(k) <= number(k + 1));
        ++rows;
    }
    CHECK(rows >= 4);
}

TEST_CASE("settings that go along with the compared one are named") {
    const TemporaryFolder folder;
    write_sweep(folder,
                "seeds = '1..2'\n[axes]\nbody.speed_mps = [1.0, 2.0]\n[[zip]]\nteam.strategy = ['nearest', "
                "'random_walk']\nteam.robots = [1, 2]\n[report]\ncompare = 'team.strategy'\n");
    write_plan(read_sweep(folder / "sweep.toml"), folder / "d");
    work_on(folder / "d");
    merged(folder / "d", folder / "r.sqlite");
    Results results(folder / "r.sqlite");
    const std::string html = make_report(results, {}).html;
    CHECK(says(html, "<b>strategy</b> (each with its team.robots)"));
    CHECK(says(html, "only the compared setting and team.robots differ."));
}

TEST_CASE("values of axes stand in reports as people write them") {
    CHECK(bare("3.5") == "3.5");
    CHECK(bare("\"nearest\"") == "nearest");
    CHECK(bare(toml_quoted("external(cmd=\"a\\b\")")) == "external(cmd=\"a\\b\")");
}

}  // namespace test_report_gaps
