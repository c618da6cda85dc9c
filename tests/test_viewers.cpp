// Those who look on at what a base station knows, over a relay, and give orders.
#include "live/viewers.hpp"

#include <doctest/doctest.h>

#include <map>

#include "live/message_link.hpp"
#include "live/operator_desk.hpp"
#include "live/team_viewer.hpp"
#include "log/orders_file.hpp"
#include "messages/map_payload.hpp"
#include "outrider/error.hpp"
#include "relay_helpers.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;
using namespace outrider::relayed;

namespace test_viewers {
namespace {

/// So large, for so slow robots, that no run ends before what a viewer sent has come, however busy the machine is.
Scenario rooms(const std::string& strategy = "nearest") {
    return text_scenario({"####################", "#B1....#...........#", "#......#...........#",
                          "#..........#.......#", "#2.....#...#.......#", "####################"},
                         "[team]\nstrategy = \"" + strategy +
                             "\"\n[run]\nsteps = 1000000\n[body]\nspeed_mps = 0.001\n[sensor]\nrange_m = 0.4\n");
}

/// A simulated team whose base station is on a relay, and takes orders there.
struct BaseOnRelay {
    explicit BaseOnRelay(const std::string& strategy = "nearest")
        : sim(rooms(strategy)), link(sim.briefings()[0], std::make_unique<RelayClient>(relay.url(), "base")) {
        sim.add_observer(desk.watch());
    }
    void step() {
        for (OperatorOrder& order : desk.due(sim.progress().steps, link.viewers()))
            sim.command(order.robot, std::move(order.command));
        if (!sim.done()) sim.step();
        relay.serve(0ms);
        maps[sim.progress().steps - 1] = KnownMap(sim.team()[0].map()).snapshot().name();
        link.say(sim.progress().decisions[0].outbox, {}, {});
        for (std::string& what : desk.take_news(sim.progress().steps, link.viewers())) news.push_back(std::move(what));
        relay.serve(1ms);
    }
    /// Steps until it is so; false: it never was.
    template <class Condition>
    bool happens(Condition&& condition) {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > end) return false;
            step();
        }
        return true;
    }
    bool said(const std::string& what) const { return std::find(news.begin(), news.end(), what) != news.end(); }

    Simulation sim;
    RelayServer relay{{}, {"base", "r1", "r2"}};
    MessageLink link;
    OperatorDesk desk{sim.scenario(), {0, 1, 2}};
    std::vector<std::string> news;
    std::map<int, Hash128> maps;  // of the base station after each step
};

struct Looker {
    explicit Looker(const BaseOnRelay& team)
        : viewer({team.relay.url()}, team.sim.briefings(), team.sim.scenario().team_origin_m()) {}
    bool look() {
        std::optional<TeamView> view = viewer.take(1ms);
        if (!view) return false;
        for (const TeamNews& n : view->news) news += n.text + '\n';
        last = view->message;
        return true;
    }
    TeamViewer viewer;
    std::shared_ptr<const Message> last;
    std::string news;
};

}  // namespace

TEST_CASE("a viewer sees the base station's map and what it knows of robots, whenever it comes") {
    BaseOnRelay team;
    Looker early(team);
    REQUIRE(team.happens([&] { return early.look(); }));
    for (int k = 0; k < 10; ++k) team.step();
    Looker late(team);
    REQUIRE(team.happens([&] { return late.look(); }));
    int compared = 0;
    CHECK(team.happens([&] {
        for (Looker* looker : {&early, &late})
            while (looker->look()) {
                const auto known = team.maps.find(looker->last->self().step);
                REQUIRE(known != team.maps.end());
                REQUIRE(looker->last->payload);
                CHECK(looker->last->payload->map->name() == known->second);
                CHECK(looker->last->records.size() == 3);
                CHECK(looker->last->records[1]->step + 2 >= looker->last->self().step);
                ++compared;
            }
        return compared >= 20;
    }));
}

TEST_CASE("who does not read is sent one report for each request, and who is gone none") {
    BaseOnRelay team;
    Looker looker(team);  // asks again until the base station is there; the other one asks only once
    REQUIRE(team.happens([&] { return looker.look(); }));
    UnknownClient silent(team.relay);
    REQUIRE(team.happens([&] { return silent.client.connected(); }));
    silent.client.send(relay_greeting("base", "", true), false);
    const ViewRequest request{0, {}, {}};
    silent.client.send(write_relay_frame({RelayFrame::Kind::request, "base", write_view_request(request)}), true);
    int reports = 0;
    std::string why;
    const auto read = [&] {
        for (const NetEvent& event : silent.client.take(0ms)) {
            reports += event.kind == NetEvent::Kind::binary;
            if (event.kind == NetEvent::Kind::left) why = event.data;
        }
        return reports > 0;
    };
    REQUIRE(team.happens(read));
    for (int k = 0; k < 30; ++k) team.step();
    // All that it was sent arrives before it is put out.
    silent.client.send(write_relay_frame({RelayFrame::Kind::message, "r1", "hello"}), true);
    REQUIRE(team.happens([&] {
        read();
        return !why.empty();
    }));
    CHECK(reports == 1);
    CHECK(why.find("it only looks on") != std::string::npos);
}

TEST_CASE("a viewer's orders are obeyed and acknowledged, and wrong ones are named to it") {
    BaseOnRelay team;
    Looker looker(team);
    REQUIRE(team.happens([&] { return looker.look(); }));
    CHECK(team.news.empty());
    const Scenario& scenario = team.sim.scenario();
    REQUIRE(looker.viewer.order(write_order(1, {"stop", {}, 0, 0}, scenario)));
    REQUIRE(looker.viewer.order(R"({"robot": "r9", "do": "stop"})"));
    const auto hears = [&](const std::string& what) {
        return team.happens([&] {
            looker.look();
            return looker.news.find(what) != std::string::npos;
        });
    };
    CHECK(hears("r1 obeys order 1: stop"));
    CHECK(hears("viewer 1: robot \"r9\" is none of the mobile robots: r1, r2"));
    CHECK(team.said("operator: r1 obeys order 1: stop"));
}

TEST_CASE("a viewer puts robots into the modes of their strategy") {
    BaseOnRelay team("behaviours");
    Looker looker(team);
    REQUIRE(team.happens([&] { return looker.look(); }));
    int number = 0;
    for (const std::string mode : {"tele_operation", "conservative", "deployment", "follow_waypoints", "autonomous"}) {
        CAPTURE(mode);
        REQUIRE(looker.viewer.order(write_order(1, {mode, {}, 0, 0}, team.sim.scenario())));
        const std::string obeyed = fmt::format("operator: r1 obeys order {}: {}", ++number, mode);
        CHECK(team.happens([&] {
            looker.look();
            return team.said(obeyed);
        }));
    }
}

TEST_CASE("a second operator is refused by name while the first one is there") {
    const Scenario scenario = rooms();
    const std::vector<Briefing> briefings = make_briefings(scenario);
    Viewers viewers(briefings[0]);
    const auto orders = [&](const std::string& name) {
        viewers.take(name, write_view_request({0, {R"({"do": "all_stop"})"}, {}}));
        std::vector<std::string> from;
        for (const Viewers::Order& order : viewers.take_orders()) from.push_back(order.viewer);
        return from;
    };
    using Names = std::vector<std::string>;
    viewers.take("viewer 2", write_view_request({}));  // looks on
    CHECK(orders("viewer 1") == Names{"viewer 1"});
    CHECK(orders("viewer 2").empty());
    CHECK(viewers.take_complaints() == Names{"viewer 2 is no operator: viewer 1 gives the orders here"});
    viewers.refuse_orders("--operator gives the orders here");
    CHECK(orders("viewer 1").empty());
    CHECK(viewers.take_complaints() == Names{"viewer 1 is no operator: --operator gives the orders here"});
    viewers.take("viewer 3", "nonsense");
    CHECK(viewers.take_complaints().size() == 1);
}

TEST_CASE("orders of a viewer that has another map are not carried out") {
    const Scenario scenario = rooms();
    LiveOrders orders(scenario, {1, 2});
    orders.add({{"viewer 1", R"({"do": "all_stop"})", scenario.team_origin_m() + Point{1, 0}}}, 5);
    CHECK(orders.due(5).empty());
    CHECK(orders.take_complaints().front().find("viewer 1: its map is another one") == 0);
}

TEST_CASE("an order is written as it is read") {
    const Scenario scenario = rooms();
    const Point free = scenario.start_poses()[1].position();
    const std::vector<OperatorCommand> commands{{"way_points", {free, free + Point{0.1, 0}}, 0, 0},
                                                {"add", {free}, 0, 0},
                                                {"clear", {}, 0, 0},
                                                {"stop", {}, 0, 0},
                                                {"autonomous", {}, 0, 0},
                                                {"drive", {}, 0.3, -0.25},
                                                {"drive_carefully", {}, -0.125, 0}};
    for (const OperatorCommand& command : commands) {
        CAPTURE(command.behaviour);
        const std::vector<OperatorOrder> read = read_order(write_order(2, command, scenario), "it", scenario, 7);
        REQUIRE(read.size() == 1);
        CHECK(read[0].step == 7);
        CHECK(read[0].robot == 2);
        CHECK(read[0].command.behaviour == command.behaviour);
        CHECK(read[0].command.forward == command.forward);
        CHECK(read[0].command.turn == command.turn);
        REQUIRE(read[0].command.waypoints.size() == command.waypoints.size());
        for (std::size_t k = 0; k < command.waypoints.size(); ++k)
            CHECK(distance(read[0].command.waypoints[k], command.waypoints[k]) < 1e-9);
    }
    CHECK_THROWS_WITH_AS(write_order(1, {"mark door", {free}, 0, 0}, scenario), "\"mark door\" is no order", Error);
}

}  // namespace test_viewers
