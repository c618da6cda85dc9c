// A run as its base station sees it.
#include <chrono>
#include <thread>

#include "helpers.hpp"
#include "view/base_view.hpp"
#include "view/view_model.hpp"

using namespace outrider;
using namespace outrider::view;

namespace test_view_base {
namespace {

MateNews news(RobotId robot, int step, std::optional<RobotReport> report = {}) {
    return {robot, step, false, {1.0 * robot, 2, 0}, {}, std::move(report)};
}

Snapshot snapshot() {
    Snapshot out;
    out.step = 50;
    out.robots.resize(5);
    out.robots[0].mates = {news(1, 49, RobotReport{0.9, false, false, {{0, -60}, {2, -70}}}),
                           news(2, 20, RobotReport{0.1, true, true, {{1, -72}, {3, -80}}}), news(3, -1), news(4, 39)};
    return out;
}

/// Waits until a live run has done a step.
void go_to(ViewModel& model, int step) {
    model.go_to(step);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (model.step() != step && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        model.update();
    }
    REQUIRE(model.step() == step);
}

}  // namespace

TEST_CASE("what a base station knows of the robots: age, alerts, and links that they reported") {
    const std::vector<ReportedRobot> robots = reported_robots(snapshot(), {1, 0, 0, 0, 0});
    REQUIRE(robots.size() == 4);
    CHECK(robots[0].age == 1);
    CHECK(robots[1].age == 30);
    CHECK_FALSE(robots[2].age);
    CHECK(robots[1].pose.x == 2);
    CHECK(contact_text(robots[0]) == "in contact");
    CHECK(contact_text(robots[1]) == "reported 30 steps ago");
    CHECK(contact_text(robots[2]) == "never reported");
    CHECK(alerts_of(robots[0]).empty());
    CHECK(alerts_of(robots[1]) ==
          std::vector<std::string>{"silent for 30 steps", "battery 10 %", "does not know where it is", "was stopped"});
    CHECK(alerts_of(robots[3]) == std::vector<std::string>{"silent for 11 steps"});
    const auto dbm = link_matrix(robots);
    REQUIRE(dbm.size() == 5);
    const auto link = [&](std::size_t a, std::size_t b) {
        CHECK(dbm[a][b] == dbm[b][a]);
        return dbm[a][b];
    };
    CHECK(link(0, 1) == -60);
    CHECK(link(1, 2) == -70);  // by the newer report
    CHECK(link(2, 3) == -80);
    CHECK(link(0, 2) == unknown_link_dbm);
    CHECK(link(0, 4) == unknown_link_dbm);
    CHECK(reported_robots(snapshot(), {0, 0, 0, 0, 0}).empty());
    CHECK(reported_robots({}, {1, 0}).empty());
}

TEST_CASE("seen by the base station, robots stand where it last heard of them, and what was shown comes back") {
    Scenario scenario = text_scenario({"##############################", "#B.1.........................#",
                                       "#............................#", "##############################"},
                                      "[team]\nstrategy='nearest'\n[run]\nsteps=100\n[sensor]\nrange_m=3\n[body]\n"
                                      "speed_mps=1\nradius_m=0.1\n[comm]\nrange_m=5\n[operator]\nreports=true\n",
                                      1);
    ViewModel model(make_live(std::move(scenario), {}, {}));
    go_to(model, 18);
    const std::string shown = model.layers.text();
    const Pose truth = model.shown_pose(1);
    CHECK_FALSE(model.as_base());
    model.show_as_base(true);
    CHECK(model.as_base());
    CHECK(model.layers.text() != shown);
    const Pose heard = model.shown_pose(1);
    CHECK(heard.x < truth.x - 2);  // it drove on, out of reach
    const ReportedRobot* robot = model.report_of(1);
    REQUIRE(robot);
    REQUIRE(robot->report);
    CHECK(robot->report->links.size() == 1);
    CHECK(robot->age.value_or(0) > 3);
    CHECK_FALSE(model.hidden(1));
    CHECK(model.report_of(0) == nullptr);
    go_to(model, 20);
    CHECK(model.shown_pose(1) == heard);
    model.show_as_base(false);
    CHECK(model.layers.text() == shown);
    CHECK(model.shown_pose(1).x >= truth.x);
    // An order for it is under way until it is heard of again.
    model.command(1, {"stop", {}, 0, 0});
    go_to(model, 22);
    CHECK(model.order_under_way(1));
}

TEST_CASE("a team without a base station cannot be seen by one") {
    ViewModel model(make_live(text_scenario({"######", "#1...#", "######"}, "[team]\nbases=0\n"), {}, {}));
    CHECK_THROWS_WITH_AS(model.show_as_base(true), doctest::Contains("no base station"), Error);
    CHECK(model.base_reports().empty());
}

}  // namespace test_view_base
