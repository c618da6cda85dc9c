// Batteries: what takes from them, who goes home in time, who is stranded.
#include "features/battery/battery.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;

namespace test_battery {
namespace {

struct Watch final : Observer {
    std::vector<double> battery;  // of r1, by step
    std::vector<Pose> pose;
    std::vector<std::uint8_t> alive;
    void on_step(const StepView& view) override {
        battery.push_back(view.percepts[1].battery);
        alive.push_back(view.percepts[1].alive);
        pose.push_back(view.team[1].belief().pose());
    }
};

struct Result {
    Watch watch;
    std::map<std::string, double> summary;
    EndReason end = EndReason::interrupted;
};

Result run(const std::vector<std::string>& map, const std::string& toml) {
    Result out;
    Simulation sim(text_scenario(map, toml), {});
    sim.add_observer(out.watch);
    out.end = sim.run();
    for (const SummaryValue& v : sim.metrics().summary(out.end, sim.scenario().run.steps))
        if (v.robot < 0) out.summary[std::string(v.metric->name)] = v.value;
    return out;
}

/// A corridor with a room at its far end.
std::vector<std::string> corridor(int length) {
    const auto n = static_cast<std::size_t>(length);
    return {std::string(n, '#'), "#B1" + std::string(n - 4, '.') + "#", "#" + std::string(n - 2, '.') + "#",
            std::string(n, '#')};
}

}  // namespace

TEST_CASE("a battery loses what is used, gains what is charged, and is never more than full or less than empty") {
    BatteryOptions o;
    o.wh = 1;  // 3600 J
    o.idle_w = 10;
    o.per_m_j = 20;
    o.per_kb_j = 5;
    o.per_scan_j = 3;
    o.charge_w = 100;
    Battery b(o);
    CHECK(b.share() == 1);
    b.use({2, 1.5, 4, 2, false});  // 20 + 30 + 20 + 6
    CHECK(b.share() == doctest::Approx(1 - 76.0 / 3600));
    CHECK(b.used_j() == doctest::Approx(76));
    CHECK_FALSE(b.charging());
    b.use({0, 10, 0, 0, false});
    b.use({1, 0, 0, 0, true});
    CHECK(b.charging());
    CHECK(b.trips() == 1);
    CHECK(b.share() == doctest::Approx(1 - (76.0 + 200 + 10 - 100) / 3600));
    for (int i = 0; i < 30; ++i) b.use({1, 0, 0, 0, true});
    CHECK(b.share() == 1);
    CHECK_FALSE(b.charging());
    CHECK(b.trips() == 1);
    b.use({1, 1000, 0, 0, false});
    CHECK(b.empty());
    CHECK(b.share() == 0);
    Battery none{BatteryOptions{}};
    none.use({1, 1000, 0, 0, false});
    CHECK(none.share() == 1);
    CHECK_FALSE(none.empty());
}

TEST_CASE("robots drive home in time, charge, and go on: none is stranded, and all is explored") {
    const std::string options =
        "[run]\nsteps=3000\n[team]\nstrategy='STRATEGY'\n[body]\nspeed_mps=0.5\n[sensor]\nrange_m=1\n"
        "[battery]\nwh=1.0\nidle_w=5\nper_m_j=30\nper_scan_j=0\ncharge_w=100\n";
    for (const char* strategy : {"nearest", "mresim_greedy", "burgard", "minpos", "role_based", "random_walk"}) {
        CAPTURE(strategy);
        std::string toml = options;
        toml.replace(toml.find("STRATEGY"), 8, strategy);
        const Result r = run(corridor(250), toml);  // 25 m there: a thousand joules; a full battery has 3,600
        CHECK(r.summary.at("stranded") == 0);
        CHECK(*std::min_element(r.watch.battery.begin(), r.watch.battery.end()) > 0.05);
        if (std::string(strategy) == "random_walk") continue;
        CHECK(r.summary.at("final_team") == doctest::Approx(1).epsilon(0.01));
    }
}

TEST_CASE("a battery that does not last for the mission is charged several times; the mission is not given up") {
    std::vector<std::string> both = corridor(250);  // the base in the middle
    both[1] = "#" + std::string(123, '.') + "B1" + std::string(123, '.') + "#";
    const Result r = run(both,
                         "[run]\nsteps=4000\n[team]\nstrategy='nearest'\n[body]\nspeed_mps=0.5\n[sensor]\nrange_m=1\n"
                         "[battery]\nwh=0.35\nidle_w=5\nper_m_j=30\nper_scan_j=0\ncharge_w=100\n");
    // 1,260 J, of which 126 are the reserve; a metre takes 40 J: 14 m there and back, once for each side.
    CHECK(r.summary.at("charging_trips") >= 2);
    CHECK(r.summary.at("stranded") == 0);
    CHECK(r.summary.at("final_team") == doctest::Approx(1).epsilon(0.01));
    CHECK(r.end == EndReason::all_home);
    CHECK(r.summary.at("energy_wh") > 0.35);
}

TEST_CASE("what is farther than half of a full battery is left alone, and the mission ends") {
    const Result r = run(corridor(250),
                         "[run]\nsteps=4000\n[team]\nstrategy='nearest'\n[body]\nspeed_mps=0.5\n[sensor]\nrange_m=1\n"
                         "[battery]\nwh=0.4\nidle_w=5\nper_m_j=30\nper_scan_j=0\ncharge_w=100\n");
    // 1,440 J, 1,296 without the reserve, at 40 J a metre there and 48 back: 14.7 m.
    CHECK(r.summary.at("stranded") == 0);
    CHECK(r.summary.at("final_team") < 0.85);
    CHECK(r.summary.at("final_team") > 0.4);
    CHECK(r.end == EndReason::all_home);
    double farthest = 0;
    for (const Pose& p : r.watch.pose) farthest = std::max(farthest, p.x);
    CHECK(farthest < 17.5);
    CHECK(farthest > 12);
}

TEST_CASE("who cannot charge is stranded: out of service, in the metrics and the events") {
    TemporaryFolder folder;
    Simulation sim(
        text_scenario(corridor(250),
                      "[run]\nsteps=900\n[team]\nstrategy='nearest'\n[body]\nspeed_mps=0.5\n[sensor]\nrange_m=1\n"
                      "[[event]]\nrobot='base'\nstep=2\n[battery]\nwh=0.3\nidle_w=5\nper_m_j=30\nper_scan_j=0\n"),
        {.log_path = folder / "a.olog", .log_level = LogLevel::poses});
    Watch watch;
    sim.add_observer(watch);
    CHECK(sim.run() == EndReason::all_lost);
    const int last = static_cast<int>(watch.alive.size()) - 1;
    for (int k = 0; k < last; ++k) CHECK(watch.alive[static_cast<std::size_t>(k)]);
    CHECK_FALSE(watch.alive.back());
    CHECK(watch.battery[static_cast<std::size_t>(last) - 1] < 0.03);
    CHECK(watch.pose.back().x < 1);  // it came home and waited there in vain
    LogReader log(folder / "a.olog");
    int stranded = 0;
    for (const LogReader::Event& e : log.events())
        stranded += e.kind == "stranded" && e.step == last && e.robot_id() == 1;
    CHECK(stranded == 1);
}

TEST_CASE("without batteries there are no metrics of them; mistakes are named") {
    const Result r = run(corridor(30), "[run]\nsteps=20\n");
    CHECK_FALSE(r.summary.contains("energy_wh"));
    CHECK_FALSE(r.summary.contains("stranded"));
    for (const double b : r.watch.battery) CHECK(b == 1);
    CHECK_THROWS_WITH_AS(text_scenario(corridor(30), "[battery]\nwh=-1\n"), doctest::Contains("wh = -1"), Error);
    CHECK_THROWS_WITH_AS(text_scenario(corridor(30), "[battery]\nwh=1\nidle_w=50\ncharge_w=20\n"),
                         doctest::Contains("charge_w = 20: it takes 52 W while it waits"), Error);
    Notes notes;
    ConfigTable of_base = parse_config(text_scenario(corridor(30), "").resolved(), "test");
    of_base.overlay(parse_config("base.1.battery.wh=1", "--set"));
    CHECK_THROWS_WITH_AS(make_scenario(std::move(of_base), "test", text_map(corridor(30)), notes),
                         doctest::Contains("base.1.battery: a base station has none"), Error);
    ConfigTable config = parse_config(text_scenario(corridor(30), "").resolved(), "test");
    config.overlay(parse_config("robot.1.battery.wh=2", "--set"));
    const Scenario single = make_scenario(std::move(config), "test", text_map(corridor(30)), notes);
    CHECK(single.robots[1].features.get<BatteryOptions>().wh == 2);
    CHECK(single.features.get<BatteryOptions>().wh == 0);
    CHECK(make_scenario(parse_config(single.resolved(), "again"), "test", text_map(corridor(30)), notes).resolved() ==
          single.resolved());
}

}  // namespace test_battery
