#include <cstdlib>
#include <map>
#include <set>

#include "helpers.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

using namespace outrider;

namespace test_metrics {
namespace {

std::vector<StepMetrics> series(const std::vector<std::pair<double, double>>& team_and_base) {
    std::vector<StepMetrics> steps;
    for (const auto& [team, base] : team_and_base) {
        StepMetrics row;
        row.step = static_cast<int>(steps.size());
        row.team_share = team;
        row.base_share = base;
        steps.push_back(row);
    }
    return steps;
}

double value_of(const std::vector<SummaryValue>& summary, std::string_view name, RobotId robot = -1) {
    for (const SummaryValue& v : summary)
        if (v.metric->name == name && v.robot == robot) return v.value;
    FAIL("no metric " << name);
    return 0;
}

struct Watcher final : Observer {
    explicit Watcher(std::function<void(const StepView&)> f) : look(std::move(f)) {}
    void on_step(const StepView& view) override { look(view); }
    std::function<void(const StepView&)> look;
};

}  // namespace

TEST_CASE("time to a share, mean share and base awareness of known curves") {
    const auto steps = series({{0.1, 0}, {0.5, 0.1}, {0.5, 0.5}, {1, 0.5}});
    CHECK(time_to(steps, &StepMetrics::team_share, 0.5) == 1);
    CHECK(time_to(steps, &StepMetrics::base_share, 0.5) == 2);
    CHECK(std::isnan(time_to(steps, &StepMetrics::base_share, 0.6)));
    CHECK(mean_share(steps, &StepMetrics::team_share, 4) == doctest::Approx(2.1 / 4));
    CHECK(mean_share(steps, &StepMetrics::team_share, 10) == doctest::Approx((2.1 + 6) / 10));  // the last value held
    CHECK(mean_share({}, &StepMetrics::team_share, 10) == 0);
    // The base always knows what the team knows: 1; it never knows anything: 0.
    CHECK(base_awareness(series({{0.3, 0.3}, {0.6, 0.6}, {0.9, 0.9}}), 0.2, 0.75) == doctest::Approx(1));
    CHECK(base_awareness(series({{0.3, 0}, {0.6, 0}, {0.9, 0}}), 0.2, 0.75) == 0);
    CHECK(std::isnan(base_awareness(series({{0.1, 0.1}}), 0.2, 0.75)));
    // A base that knows half of it: 1/2. Waiting without news changes nothing.
    CHECK(base_awareness(series({{0.4, 0.2}, {0.4, 0.2}, {0.4, 0.2}, {0.8, 0.4}}), 0.2, 0.75) == doctest::Approx(0.5));
}

TEST_CASE("every name in the summary is listed once, with a definition") {
    std::map<std::string_view, int> names;
    for (const MetricInfo& m : summary_metrics()) {
        ++names[m.name];
        CHECK(m.definition.size() > 5);
        CHECK(m.version >= 1);
    }
    for (const auto& [name, count] : names) CHECK(count == 1);
    Simulation sim(text_scenario({"....", ".B1.", "...."}, ""), {});
    const EndReason reason = sim.run();
    std::map<std::string_view, int> written;
    for (const SummaryValue& v : sim.metrics().summary(reason, 100))
        if (v.robot < 0) ++written[v.metric->name];
    for (const MetricInfo& m : summary_metrics())
        if (m.of_team) CHECK(written[m.name] == (m.always() ? 1 : 0));
}

TEST_CASE("metrics are found by name, and a misspelt one is an error that names the nearest") {
    for (const MetricInfo& m : summary_metrics()) CHECK(find_metric(m.name) == &m);
    CHECK(find_metric("") == nullptr);
    CHECK(find_metric("t90_bsae") == nullptr);
    const auto error = [](auto expect, std::string_view name) -> std::string {
        try {
            return std::string(expect(name, "here").name);
        } catch (const Error& e) {
            return e.what();
        }
    };
    CHECK(error(expect_metric, "known_share") == "known_share");
    CHECK(error(expect_team_metric, "auc_base") == "auc_base");
    const std::string misspelt = "here: unknown metric 't90_bsae'; did you mean 't90_base'?";
    CHECK(error(expect_metric, "t90_bsae") == misspelt);
    CHECK(error(expect_team_metric, "t90_bsae") == misspelt);
    CHECK(error(expect_team_metric, "known_share") ==
          "here: the metric 'known_share' is of each robot alone; expected one of the team");
    CHECK(error(expect_metric, "qqqqqqqqqqqqqqqqqqqqq") ==
          "here: unknown metric 'qqqqqqqqqqqqqqqqqqqqq'; see outrider metrics");
}

TEST_CASE("each metric of the summary has a function of the team or of robots, those per step one of a step") {
    for (const MetricInfo& m : summary_metrics()) {
        CAPTURE(m.name);
        CHECK((m.of_team != nullptr || m.of_robot != nullptr));
        CHECK((m.of_step == nullptr));
        if (m.is(MetricInfo::mobile_only)) CHECK((m.of_robot != nullptr));
        if (m.is(MetricInfo::time_to)) CHECK_FALSE(m.is(MetricInfo::more_is_better));
    }
    for (const MetricInfo& m : step_metrics()) CHECK((m.of_step != nullptr));
    StepMetrics row;
    row.step = 7;
    row.team_share = 0.25;
    row.bytes = 12'345'678;
    row.alive = 3;
    CHECK(step_csv_header() ==
          "step,team_share,base_share,mean_robot_share,distance_m,messages,lost,bytes,components,connected,alive\n");
    CHECK(step_csv_row(row) == "7,0.25,0,0,0,0,0,12345678,0,0,3\n");
}

TEST_CASE("the table of metrics in the documentation is that of the program") {
    // OUTRIDER_REGENERATE=1 writes it anew.
    const auto table = [](std::span<const MetricInfo> metrics, bool summary) {
        std::string out = summary ? "| metric | unit | of | better | definition |\n|---|---|---|---|---|\n"
                                  : "| metric | unit | definition |\n|---|---|---|\n";
        for (const MetricInfo& m : metrics) {
            std::string of = m.of_team ? "team" : "";
            if (m.of_robot)
                of += fmt::format("{}{}", of.empty() ? "" : ", ",
                                  m.is(MetricInfo::mobile_only) ? "mobile robot" : "robot");
            const char* better = m.is(MetricInfo::more_is_better) ? "more" : "less";
            out += fmt::format("| `{}@{}` | {} | {}{} |\n", m.name, m.version, m.unit,
                               summary ? fmt::format("{} | {} | ", of, better) : "", m.definition);
        }
        return out;
    };
    const std::string path = OUTRIDER_SOURCE_DIR "/docs/metrics.md";
    const std::string page = read_text(path);
    std::string wanted = page;
    for (const auto& [mark, text] : {std::pair{"<!-- summary -->\n", table(summary_metrics(), true)},
                                     {"<!-- steps -->\n", table(step_metrics(), false)}}) {
        REQUIRE(wanted.find(mark) != std::string::npos);
        const std::size_t begin = wanted.find(mark) + std::string(mark).size(),
                          end = wanted.find("<!-- end -->", begin);
        REQUIRE(end != std::string::npos);
        wanted.replace(begin, end - begin, text);
    }
    if (std::getenv("OUTRIDER_REGENERATE")) write_text(path, wanted);
    CHECK(read_text(path) == wanted);
}

TEST_CASE("coverage, latency and sensing agree with counting cell by cell, a death included" * slow()) {
    Notes notes;
    std::string noise;
    int steps = 90;
    SUBCASE("exact") {}
    SUBCASE("noise: what somebody believed to be free may become a wall again") {
        noise = "[noise]\nrange_m=0.1\nodometry_share=0.05\n";
    }
    SUBCASE("maps are drawn anew") {
        noise = "[noise]\nrange_m=0.02\nodometry_share=0.1\n[slam]\nmethod='particle_shared'\nupdate_m=0.2\n";
        steps = 60;  // each of them takes long; the death is among them
    }
    CAPTURE(noise);
    const Scenario s = make_scenario(parse_config("[team]\nrobots=3\n[comm]\nrange_m=4\nbase_range_m=4\n[[robot]]\n[["
                                                  "robot]]\ndies_at_step=40\n[[robot]]\n[run]\n" +
                                                      fmt::format("steps={}\n", steps) + noise,
                                                  "s"),
                                     "s", rooms_map(180, 150, 9), notes);
    Simulation sim(s, {});
    const Grid<std::uint8_t>& sensable = sim.sensable();
    // By cell: the steps in which the team and the base first knew it, and whether the team knows it now.
    std::vector<int> first(sensable.cells().size(), -1), delivered = first;
    std::vector<std::uint8_t> known(sensable.cells().size());
    int last_news = 0;
    std::vector<Grid<std::uint8_t>> sensed(4, Grid<std::uint8_t>(sensable.width(), sensable.height(), 0, Lattice{}));
    for (Grid<std::uint8_t>& grid : sensed) grid.set_origin(sensable.origin());
    Watcher watcher([&](const StepView& view) {
        std::int64_t team = 0, base = 0, sum = 0;
        for (std::size_t k = 0; k < sensable.cells().size(); ++k) {
            if (!sensable.cells()[k]) continue;
            const Cell c = sensable.cell(k);
            bool any = false;
            for (std::size_t i = 0; i < view.team.size(); ++i) {
                const bool knows = view.team[i].belief().map().is_free(c);
                any = any || (knows && view.percepts[i].alive);
                sum += knows;
            }
            const bool at_base = view.team[0].belief().map().is_free(c);
            team += any;
            base += at_base;
            if (any && first[k] < 0) first[k] = view.step;
            if (any && !known[k]) last_news = view.step;
            known[k] = any;
            if (at_base && delivered[k] < 0) delivered[k] = view.step;
        }
        const StepMetrics& row = sim.metrics().steps().back();
        CHECK(row.team_cells == team);
        CHECK(row.base_cells == base);
        CHECK(row.robot_cells_sum == sum);
        if (view.step % 40 < 2)  // also in the step of the death, after which the team knows less than before
            CHECK(value_of(sim.metrics().summary(EndReason::all_home, steps), "return_steps") == view.step - last_news);
        for (std::size_t i = 0; i < view.team.size(); ++i) {
            if (!view.percepts[i].alive) continue;
            for (const ScanMapper& mapper : view.team[i].mappers())
                for (const auto& [t, cells] : mapper.footprint())
                    for (int k = 0; k < 4096; ++k)
                        if (const Cell c = cell_of(t, k % 64, k / 64); cells.test(c) && sensable.get(c, 0))
                            sensed[i][c] = 1;
        }
    });
    sim.add_observer(watcher);
    const EndReason reason = sim.run();
    const auto summary = sim.metrics().summary(reason, steps);
    std::vector<int> latency;
    for (std::size_t k = 0; k < delivered.size(); ++k)
        if (delivered[k] >= 0) {
            REQUIRE(first[k] >= 0);
            latency.push_back(delivered[k] - first[k]);
        }
    std::sort(latency.begin(), latency.end());
    double total = 0;
    for (const int l : latency) total += l;
    CHECK(value_of(summary, "latency_mean") == doctest::Approx(total / static_cast<double>(latency.size())));
    CHECK(value_of(summary, "latency_max") == latency.back());
    CHECK(value_of(summary, "latency_p50") == latency[(latency.size() - 1) / 2]);
    const auto whole = static_cast<double>(sim.metrics().coverage().sensable());
    const auto count = [](const std::vector<std::uint8_t>& cells) {
        return static_cast<double>(std::count(cells.begin(), cells.end(), 1));
    };
    std::vector<std::uint8_t> by_any(sensable.cells().size());
    double by_each = 0;
    for (std::size_t i = 1; i < 4; ++i) {
        CHECK(value_of(summary, "sensed_share", static_cast<RobotId>(i)) ==
              doctest::Approx(count(sensed[i].cells()) / whole));
        by_each += count(sensed[i].cells());
        for (std::size_t k = 0; k < by_any.size(); ++k) by_any[k] |= sensed[i].cells()[k];
    }
    CHECK(value_of(summary, "overlap") == doctest::Approx((by_each - count(by_any)) / whole));
    CHECK(value_of(summary, "deaths") == (sim.metrics().steps().size() > 40));
    if (noise.empty()) CHECK(value_of(summary, "falsely_free") < 1e-3);
}

TEST_CASE("distances, messages and connection add up") {
    const Scenario s = text_scenario(
        {"..........................", ".B1......................2", ".........................."},
        "[team]\nstrategy='stay'\n[radio]\nmodel='circle'\n[comm]\nrange_m=1\nbase_range_m=1\n[run]\nsteps=10\n");
    Simulation sim(s, {});
    sim.run();
    const auto summary = sim.metrics().summary(EndReason::step_limit, 10);
    CHECK(value_of(summary, "steps") == 2);  // everybody is done at once; one more step for the messages
    CHECK(value_of(summary, "messages") == 2);
    CHECK(value_of(summary, "connected_share") == 0.5);
    CHECK(value_of(summary, "components_mean") == 2);
    CHECK(value_of(summary, "distance_m") == 0);
    CHECK(value_of(summary, "balance") == 1);
    CHECK(value_of(summary, "responsiveness_max") == 2);
    CHECK(std::isnan(value_of(summary, "return_steps")));
}

TEST_CASE(
    "standing, one target for two, and seeing nothing new are counted in robot-steps, without those who are done") {
    struct Sitter final : Strategy {
        Intent choose(const Belief& belief, Rng&) override {
            const Point target = belief.home() + Point{0.5, 0};
            if (belief.self() == 1) return {.action = Stay{}};  // stands, without a target
            if (belief.self() == 4) return {.action = Stay{}, .done = true};
            return {.action = Goto{target, 0, {}}};  // two have the same one; they are there after a while
        }
    };
    const Scenario s =
        text_scenario({"############################", "#B1............2.....3..4..#", "############################"},
                      "[team]\nstrategy='stay'\n[body]\nspeed_mps=0.2\n[sensor]\nrange_m=20\n[run]\nsteps=10\n");
    SimulationOptions options;
    options.strategies = [](const Briefing& b, const std::string& text) -> std::unique_ptr<Strategy> {
        return b.is_base() ? make_strategy(text, "test") : std::make_unique<Sitter>();
    };
    Simulation sim(s, options);
    int stood = 0, fruitless = 0;
    std::vector<Point> before(5);
    for (std::size_t i = 0; i < 5; ++i) before[i] = sim.team()[i].belief().briefing().start.position();
    for (int k = 0; k < 10; ++k) {
        sim.step();
        for (std::size_t i = 1; i < 4; ++i) {
            const Point at = sim.driver().world().bodies()[i].pose.position();
            stood += distance(at, before[i]) < 0.02;
            before[i] = at;
            fruitless += sim.team()[i].belief().last_discovery() < k;
        }
    }
    const auto summary = sim.metrics().summary(EndReason::step_limit, 10);
    CHECK(value_of(summary, "stood_steps") == stood);
    CHECK(stood > 10);
    CHECK(stood < 25);
    CHECK(value_of(summary, "same_target_steps") == 20);
    CHECK(value_of(summary, "fruitless_steps") == fruitless);
    CHECK(fruitless > 5);
}

TEST_CASE("what steps are spent on adds up to the time until the team knows 99 %, and is what the robots do") {
    // Two drive along a corridor: robot 2 to its end and back, robot 1 stands; 3 is done.
    struct Scripted final : Strategy {
        Intent choose(const Belief& belief, Rng&) override {
            if (belief.self() == 3) return {.action = Stay{}, .done = true};
            if (belief.self() == 1) return {.action = Stay{}};
            turned |= belief.pose().x > 6;
            if (turned && belief.pose().x < 3) return {.action = Stay{}};
            return {.action = Goto{Point{belief.pose().x + (turned ? -0.7 : 0.7), belief.pose().y}, 0, {}}};
        }
        bool turned = false;
    };
    std::string corridor(100, '.');
    corridor[1] = 'B', corridor[3] = '1', corridor[20] = '2', corridor[6] = '3';
    const std::string wall(102, '#'), free = "#" + std::string(100, '.') + "#";
    const Scenario s = text_scenario({wall, free, free, "#" + corridor + "#", free, free, wall},
                                     "[team]\nstrategy='stay'\n[body]\nspeed_mps=0.5\n[sensor]\nrange_m=1\n[run]\n"
                                     "steps=60\n");
    SimulationOptions options;
    options.strategies = [](const Briefing& b, const std::string& text) -> std::unique_ptr<Strategy> {
        return b.is_base() ? make_strategy(text, "test") : std::make_unique<Scripted>();
    };
    Simulation sim(s, options);
    for (int k = 0; k < 40; ++k) sim.step();
    const auto summary = sim.metrics().summary(EndReason::step_limit, 60);
    double sum = 0;
    for (const std::string_view name : spent_names) sum += value_of(summary, fmt::format("spent_{}", name));
    const double t99 = value_of(summary, "t99_team");
    CHECK(sum == doctest::Approx(std::isnan(t99) ? 39 : t99));
    REQUIRE(std::isnan(t99));  // what lies behind robot 2 stays unknown at first: the whole run counts
    CHECK(value_of(summary, "spent_still") > 2.0 / 3 * 39 - 1e-9);  // two of three stand
    CHECK(value_of(summary, "spent_back") > 2);                     // the way back
    CHECK(value_of(summary, "spent_together") == 0);
    CHECK(value_of(summary, "spent_homeward") == 0);
    // The floor that the team learned after the first step, of bands of 2 x 1 m times half a metre.
    const auto& rows = sim.metrics().steps();
    CHECK(value_of(summary, "spent_sensing") ==
          doctest::Approx(static_cast<double>(rows.back().team_cells - rows.front().team_cells) * 0.01 / (2 * 1 * 0.5) /
                          3));
}

}  // namespace test_metrics
