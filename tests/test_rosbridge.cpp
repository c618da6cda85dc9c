// A robot behind rosbridge: against our own gateway, and against servers that are driven by hand.
#include "live/rosbridge/rosbridge.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "helpers.hpp"
#include "live/rosbridge/ros_messages.hpp"
#include "net/web_socket_server.hpp"
#include "outrider/error.hpp"
#include "ros_definitions.hpp"
#include "ros_world.hpp"
#include "tcp_peer.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_rosbridge {
namespace {

LiveSection lock_step() {
    LiveSection options;
    options.clock = TickClock::robot;
    return options;
}

/// Takes readings until `done` says so, for at most some twenty seconds.
template <class Done>
bool take_until(Vehicle& vehicle, Readings& readings, Done&& done) {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!done()) {
        if (std::chrono::steady_clock::now() > end) return false;
        vehicle.take(5ms, readings);
    }
    return true;
}

/// A rosbridge that is driven by hand, and what the robot's program said to it.
struct HandBridge {
    explicit HandBridge(int port = 0) : server({.port = port, .most_message_bytes = 16 << 20}) {}
    WebSocketServer server;
    std::vector<Json> heard;
    int client = 0;

    std::string url() const { return fmt::format("ws://127.0.0.1:{}", server.port()); }
    void take(std::chrono::milliseconds wait) {
        for (const NetEvent& event : server.take(wait)) {
            if (event.kind == NetEvent::Kind::joined) client = event.client;
            if (event.kind == NetEvent::Kind::text) heard.push_back(parse_json(event.data));
        }
    }
    template <class Done>
    bool take_until(Done&& done) {
        const auto end = std::chrono::steady_clock::now() + 20s;
        while (!done()) {
            if (std::chrono::steady_clock::now() > end) return false;
            take(5ms);
        }
        return true;
    }
    /// The newest message of this operation about this topic.
    const Json* find(const std::string& op, const std::string& topic) const {
        const Json* found = nullptr;
        for (const Json& json : heard)
            if (*json.find("op")->text() == op && *json.find("topic")->text() == topic) found = &json;
        return found;
    }
    void publish(const std::string& topic, const std::string& message) {
        server.send(client, "{\"op\": \"publish\", \"topic\": \"" + topic + "\", \"msg\": " + message + "}", false);
    }
};

}  // namespace

TEST_CASE("what goes into a gateway comes out of the robot behind it: scans, odometry, time, velocities") {
    RosWorld world(lock_step());
    const auto vehicle = make_ros_vehicle(world.url(), world.briefings[1], lock_step());
    Readings readings;
    REQUIRE(serve_until(*world.gateway, [&] {
        world.step();
        vehicle->take(5ms, readings);
        return readings.time_s.has_value();
    }));
    CHECK(vehicle->connected());
    REQUIRE(take_until(*vehicle, readings, [&] { return readings.time_s == world.time_s(); }));
    for (int k = 0; k < 200; ++k) {
        readings = {};
        world.step();
        REQUIRE(take_until(*vehicle, readings, [&] { return readings.time_s.has_value(); }));
        CHECK(*readings.time_s == world.time_s());
        REQUIRE(readings.odometry.size() == 1);
        CHECK(readings.odometry[0].time_s == world.time_s());
        CHECK(readings.odometry[0].pose.x == world.odometry[1].x);
        CHECK(readings.odometry[0].pose.y == world.odometry[1].y);
        CHECK(std::abs(wrap_angle(readings.odometry[0].pose.yaw - world.odometry[1].yaw)) < 1e-14);
        REQUIRE(readings.sweeps.size() == 2);
        for (std::size_t s = 0; s < 2; ++s) {
            CHECK(readings.sweeps[s].sensor == static_cast<int>(s));
            CHECK(readings.sweeps[s].time_s == world.time_s());
            CHECK(readings.sweeps[s].ranges == world.percepts[1].scans[s].ranges);
        }
        const Velocity velocity{0.01 * k, -0.02 * k};
        vehicle->drive(velocity);
        REQUIRE(serve_until(*world.gateway, [&] { return world.gateway->controllers()[1].velocity.has_value(); }));
        CHECK(*world.gateway->controllers()[1].velocity == velocity);
        CHECK(world.gateway->controllers()[1].there);
        CHECK_FALSE(world.gateway->controllers()[2].there);
        world.gateway->controllers()[1].velocity.reset();
    }
    CHECK(vehicle->take_complaints().empty());
    const std::vector<std::string> said = world.gateway->take_complaints();
    CHECK(contains(said, "client 1 came"));
    CHECK(said.size() == 1);
}

TEST_CASE("a thousand connections that say nothing leave a robot's driver its scans and velocities") {
    RosWorld world(lock_step());
    const auto vehicle = make_ros_vehicle(world.url(), world.briefings[1], lock_step());
    Readings readings;
    REQUIRE(serve_until(*world.gateway, [&] {
        world.step();
        vehicle->take(5ms, readings);
        return readings.time_s.has_value();
    }));
    const std::string url = world.url();
    const int port = std::stoi(url.substr(url.rfind(':') + 1));
    SilentPeers silent(1000);
    for (int k = 0; k < 1000; ++k) {
        REQUIRE(silent.add(port));
        if (k % 100 > 0) continue;
        readings = {};
        REQUIRE(serve_until(*world.gateway, [&] {
            world.step();
            vehicle->take(5ms, readings);
            return !readings.sweeps.empty();
        }));
        const Velocity velocity{0.01 * k, 0.5};
        vehicle->drive(velocity);
        REQUIRE(serve_until(*world.gateway, [&] { return world.gateway->controllers()[1].velocity == velocity; }));
    }
}

TEST_CASE("scans along the way come with the odometry of their moment, in the order of time") {
    RosWorld world(lock_step(), {1, 2});
    const auto vehicle = make_ros_vehicle(world.url(), world.briefings[2], lock_step());
    Readings readings;
    REQUIRE(serve_until(*world.gateway, [&] {
        world.step();
        vehicle->take(5ms, readings);
        return readings.time_s.has_value();
    }));
    REQUIRE(take_until(*vehicle, readings, [&] { return readings.time_s == world.time_s(); }));
    readings = {};
    ++world.number;
    std::vector<Scan>& scans = world.percepts[2].scans;
    scans.insert(scans.begin(), 2, scans[0]);
    for (std::size_t k = 0; k < 3; ++k) scans[k].ranges[0] = static_cast<std::uint16_t>(1000 + k);
    scans[0].age_s = 0.25;
    scans[0].now_from_then = {-1, 0.5, -0.1};
    scans[1].age_s = 0.125;
    scans[1].now_from_then = {-0.5, 0.25, -0.05};
    world.publish();
    REQUIRE(take_until(*vehicle, readings, [&] { return readings.time_s.has_value(); }));
    REQUIRE(readings.odometry.size() == 3);
    REQUIRE(readings.sweeps.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
        const double time_s = world.time_s() - scans[k].age_s;
        const Pose pose = compose(world.odometry[2], scans[k].now_from_then);
        CHECK(readings.sweeps[k].time_s == doctest::Approx(time_s).epsilon(1e-12));
        CHECK(readings.sweeps[k].ranges == scans[k].ranges);
        CHECK(readings.odometry[k].time_s == doctest::Approx(time_s).epsilon(1e-12));
        CHECK(distance(readings.odometry[k].pose.position(), pose.position()) < 1e-12);
        CHECK(readings.odometry[k].pose.yaw == doctest::Approx(pose.yaw));
    }
    CHECK(vehicle->take_complaints().empty());
}

TEST_CASE("a robot's program says what it wants, and again when the link is made anew; the break is a complaint") {
    auto bridge = std::make_unique<HandBridge>();
    const int port = bridge->server.port();
    RosWorld world;
    const auto vehicle = make_ros_vehicle(bridge->url(), world.briefings[1], {});
    for (int time = 0; time < 2; ++time) {
        Readings readings;
        REQUIRE(bridge->take_until([&] {
            vehicle->take(5ms, readings);
            return bridge->find("advertise", "/r1/cmd_vel") != nullptr;  // comes last
        }));
        CHECK(*bridge->find("subscribe", "/r1/scan")->find("type")->text() == "sensor_msgs/LaserScan");
        CHECK(*bridge->find("subscribe", "/r1/scan2")->find("type")->text() == "sensor_msgs/LaserScan");
        CHECK(*bridge->find("subscribe", "/r1/odom")->find("type")->text() == "nav_msgs/Odometry");
        CHECK(bridge->find("subscribe", "/clock") == nullptr);  // its own clock
        CHECK(*bridge->find("advertise", "/r1/cmd_vel")->find("type")->text() == "geometry_msgs/Twist");
        CHECK(*bridge->find("advertise", "/r1/belief")->find("type")->text() == "nav_msgs/OccupancyGrid");
        CHECK(*bridge->find("advertise", "/r1/path")->find("type")->text() == "nav_msgs/Path");
        CHECK(*bridge->find("advertise", "/r1/markers")->find("type")->text() == "visualization_msgs/MarkerArray");
        vehicle->drive({0.5, 0.25});
        vehicle->drive({HUGE_VAL, 1});  // stops
        REQUIRE(bridge->take_until([&] { return bridge->heard.size() == 9; }));
        CHECK(json_text(*bridge->heard[7].find("msg")->find("linear")) == R"({"x": 0.5, "y": 0, "z": 0})");
        CHECK(json_text(*bridge->heard[8].find("msg")) == json_text(parse_json(twist_json({}))));
        bridge.reset();
        CHECK(take_until(*vehicle, readings, [&] { return !vehicle->connected(); }));
        std::vector<std::string> complaints;
        CHECK(take_until(*vehicle, readings, [&] {
            for (std::string& line : vehicle->take_complaints()) complaints.push_back(std::move(line));
            return contains(complaints, "Connection refused");
        }));
        CHECK(contains(complaints, "the link broke: the robot said good-bye"));
        vehicle->drive({1, 1});  // nothing happens
        if (time == 1) break;
        // The same complaint is said once in a second; when that has passed, it is said again, however slow this is.
        std::this_thread::sleep_for(1100ms);
        bridge = std::make_unique<HandBridge>(port);
    }
}

TEST_CASE("whatever a robot says, its program takes what is right and complains of the rest") {
    HandBridge bridge;
    RosWorld world;
    const auto vehicle = make_ros_vehicle(bridge.url(), world.briefings[2], lock_step());
    Readings readings;
    REQUIRE(bridge.take_until([&] {
        vehicle->take(5ms, readings);
        return bridge.find("advertise", "/r_2/markers") != nullptr;
    }));
    const SensorSpec& sensor = world.briefings[2].sensors[0];
    const std::vector<std::uint16_t> ranges(181, 500);
    const auto odometry = [&](double time_s, double x, RosDialect dialect = RosDialect::ros2) {
        bridge.publish("/r_2/odom", odometry_json({time_s, "o", dialect}, "b", {x, 0, 0}, {}));
    };
    /// What is complained of when this is sent.
    double time_s = 10;
    std::size_t taken = 0;
    const auto complaints_of = [&](const std::string& text, bool binary = false) {
        // Ten complaints are kept in a second: with so long between them there are never more, and fewer on a slow
        // machine.
        std::this_thread::sleep_for(110ms);
        bridge.server.send(bridge.client, text, binary);
        time_s += 1;
        odometry(time_s, time_s);
        ++taken;
        CHECK(take_until(*vehicle, readings, [&] { return readings.odometry.size() == taken; }));
        const std::vector<std::string> all = vehicle->take_complaints();
        return all.empty() ? "" : all[0];
    };
    const auto scan = [&](const std::string& message) {
        return "{\"op\": \"publish\", \"topic\": \"/r_2/scan\", \"msg\": " + message + "}";
    };
    CHECK(complaints_of("{}") == "a message: expected an \"op\"");
    CHECK(complaints_of("[1, 2").starts_with("a message: line 1, column 6: "));
    CHECK(complaints_of("\x01", true) == "a binary message, expected JSON");
    CHECK(complaints_of(std::string(100, '[')).find("at most 64 levels of nesting") != std::string::npos);
    CHECK(complaints_of(R"({"op": "publish"})") == "a message: expected \"topic\" and \"msg\"");
    CHECK(complaints_of(R"({"op": "publish", "topic": "/x", "msg": {}})") == "/x: it was not subscribed to");
    CHECK(complaints_of(R"({"op": "status", "level": "error", "msg": "no such topic"})") ==
          "rosbridge says: no such topic");
    CHECK(complaints_of(R"({"op": "status", "level": "info", "msg": "hello"})") == "");
    CHECK(complaints_of(R"({"op": "service_response", "service": "/x", "result": true})") == "");
    CHECK(complaints_of(scan("{}")) == "/r_2/scan: expected a field \"header\"");
    CHECK(complaints_of(scan(R"({"header": null})")) == "/r_2/scan: expected a field \"stamp\"");
    REQUIRE(readings.sweeps.empty());
    CHECK(complaints_of(scan(scan_json({5, "l", RosDialect::ros1}, sensor, ranges, 0))) == "");
    REQUIRE(readings.sweeps.size() == 1);
    CHECK(readings.sweeps[0].time_s == 5);
    CHECK(complaints_of(scan(scan_json({4.5, "l", RosDialect::ros1}, sensor, ranges, 0))) ==
          "/r_2/scan: its time 4.500 is older than 5.000, the last one");
    CHECK(readings.sweeps.size() == 1);
    // Fewer beams: taken, and said once.
    SensorSpec narrow = sensor;
    narrow.beams = 40;
    const std::vector<std::uint16_t> forty(40, 700);
    CHECK(complaints_of(scan(scan_json({6, "l", RosDialect::ros1}, narrow, forty, 0))) ==
          "/r_2/scan: a scan of 40 beams from -90.0 to -51.0 degrees, expected 181 beams from -90.0 to 90.0 degrees; "
          "beams that nobody measured count as no information");
    REQUIRE(readings.sweeps.size() == 2);
    CHECK(readings.sweeps[1].ranges[39] == 700);
    CHECK(readings.sweeps[1].ranges[40] == Scan::no_information);
    CHECK(complaints_of(scan(scan_json({7, "l", RosDialect::ros1}, narrow, forty, 0))) == "");
    CHECK(readings.sweeps.size() == 3);
    // Odometry of before, and of ROS 1.
    odometry(3, 1);
    time_s += 1;
    odometry(time_s, time_s, RosDialect::ros1);
    ++taken;
    CHECK(take_until(*vehicle, readings, [&] { return readings.odometry.size() == taken; }));
    CHECK(contains(vehicle->take_complaints(), "/r_2/odom: its time 3.000 is older than"));
    for (std::size_t k = 0; k < taken; ++k) {
        CHECK(readings.odometry[k].time_s == 11.0 + static_cast<double>(k));
        CHECK(readings.odometry[k].pose.x == 11.0 + static_cast<double>(k));
    }
    CHECK_FALSE(readings.time_s);
    bridge.publish("/clock", clock_json(3.5, RosDialect::ros2));
    bridge.publish("/clock", clock_json(4.5, RosDialect::ros2));
    CHECK(take_until(*vehicle, readings, [&] { return readings.time_s == 4.5; }));
    // The same nonsense thousands of times is a few lines.
    for (int k = 0; k < 5000; ++k) bridge.server.send(bridge.client, "nonsense", false);
    bridge.publish("/clock", clock_json(5.5, RosDialect::ros2));
    CHECK(take_until(*vehicle, readings, [&] { return readings.time_s == 5.5; }));
    CHECK(vehicle->take_complaints().size() < 100);
}

TEST_CASE("a beam without a number means what the options say") {
    for (const NullRange meaning : {NullRange::nothing, NullRange::no_information}) {
        LiveSection options;
        options.null_range = meaning;
        HandBridge bridge;
        RosWorld world;
        const auto vehicle = make_ros_vehicle(bridge.url(), world.briefings[2], options);
        Readings readings;
        REQUIRE(bridge.take_until([&] {
            vehicle->take(5ms, readings);
            return bridge.find("advertise", "/r_2/markers") != nullptr;
        }));
        const SensorSpec& sensor = world.briefings[2].sensors[0];
        for (const char* beam : {"null", "NaN", "Infinity"}) {
            std::string message =
                scan_json({1, "l", RosDialect::ros2}, sensor, std::vector<std::uint16_t>(181, 1234), 0);
            const std::size_t at = message.find("1.234");
            bridge.publish("/r_2/scan", message.replace(at, 5, beam));
        }
        CHECK(take_until(*vehicle, readings, [&] { return readings.sweeps.size() == 3; }));
        for (const Readings::Sweep& sweep : readings.sweeps) {
            CHECK(sweep.ranges[0] == (meaning == NullRange::nothing ? Scan::nothing : Scan::no_information));
            CHECK(sweep.ranges[1] == 1234);
        }
        CHECK(vehicle->take_complaints().empty());
    }
}

TEST_CASE("a robot's map, path, goal and frontiers are shown in the dialect that the robot speaks") {
    Simulation sim(text_scenario({"####################", "#B1      #         #", "#        #         #",
                                  "#                  #", "####################"},
                                 "[run]\nsteps = 50\n[team]\nstrategy = 'nearest'\n[sensor]\nrange_m = 0.7\n"),
                   {});
    for (int k = 0; k < 3; ++k) sim.step();
    sim.perceive();
    const Belief& belief = sim.team()[1].belief();
    REQUIRE(belief.latest(1).goal);
    const std::vector<Point> path{belief.pose().position(), *belief.latest(1).goal};
    for (const RosDialect dialect : {RosDialect::ros1, RosDialect::ros2}) {
        const bool is_old = dialect == RosDialect::ros1;
        CAPTURE(is_old);
        HandBridge bridge;
        RosWorld world;
        const auto vehicle = make_ros_vehicle(bridge.url(), world.briefings[1], {});
        Readings readings;
        REQUIRE(bridge.take_until([&] {
            vehicle->take(5ms, readings);
            return bridge.find("advertise", "/r1/markers") != nullptr;
        }));
        vehicle->show(belief, path);  // how the robot writes times is not known yet
        bridge.publish("/r1/odom", odometry_json({77.5, "o", dialect}, "b", {}, {}));
        REQUIRE(take_until(*vehicle, readings, [&] { return !readings.odometry.empty(); }));
        const auto begin = std::chrono::steady_clock::now();
        for (int k = 0; k < 20; ++k) vehicle->show(belief, path);  // within a second: once
        const bool within_a_second = std::chrono::steady_clock::now() - begin < 1s;
        vehicle->drive({});
        REQUIRE(bridge.take_until([&] { return bridge.find("publish", "/r1/cmd_vel") != nullptr; }));
        const auto published = std::count_if(bridge.heard.begin(), bridge.heard.end(),
                                             [](const Json& json) { return *json.find("op")->text() == "publish"; });
        CHECK((published == 4 || !within_a_second));
        CHECK(published % 3 == 1);  // three each time, and the velocity
        RosFieldCheck check(is_old ? ros1_definitions() : ros2_definitions());
        const std::set<std::string> newer{"texture_resource", "texture", "uv_coordinates", "mesh_file"};
        const auto message = [&](const std::string& topic, std::string_view type) -> const Json& {
            const Json* found = bridge.find("publish", topic);
            REQUIRE(found);
            const Json& json = *found->find("msg");
            CHECK(check(json, std::string(type), newer) == "");
            return json;
        };
        const Json& map = message("/r1/belief", ros_type::grid);
        CHECK(*map.find("header")->find("frame_id")->text() == "map");
        CHECK(*map.find("header")->find("stamp")->find(is_old ? "secs" : "sec")->number() == 77);
        const Json& info = *map.find("info");
        const Lattice& lattice = belief.map().lattice();
        CHECK(*info.find("resolution")->number() == lattice.cell_m);
        const Point corner{*info.find("origin")->find("position")->find("x")->number(),
                           *info.find("origin")->find("position")->find("y")->number()};
        const Json::Array& cells = *map.find("data")->array();
        const auto width = static_cast<std::size_t>(*info.find("width")->number());
        REQUIRE(cells.size() == width * static_cast<std::size_t>(*info.find("height")->number()));
        std::map<int, int> counts;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            const Cell cell = lattice.cell_of(corner + Point{(static_cast<double>(k % width) + 0.5) * lattice.cell_m,
                                                             (static_cast<double>(k / width) + 0.5) * lattice.cell_m});
            const int value = static_cast<int>(*cells[k].number());
            ++counts[value];
            CHECK(value == (belief.map().state(cell) == CellState::unknown ? -1
                            : belief.map().is_occupied(cell)               ? 100
                                                                           : 0));
        }
        for (const int value : {-1, 0, 100}) CHECK(counts[value] > 0);
        const Json::Array& places = *message("/r1/path", ros_type::path).find("poses")->array();
        REQUIRE(places.size() == 2);
        CHECK(*places[1].find("pose")->find("position")->find("x")->number() == path[1].x);
        const Json::Array& markers = *message("/r1/markers", ros_type::markers).find("markers")->array();
        REQUIRE(markers.size() == 3);
        CHECK(*markers[1].find("points")->array()->at(0).find("x")->number() == path[1].x);
        REQUIRE(!belief.frontiers().empty());
        CHECK(markers[2].find("points")->array()->size() == belief.frontiers().size());
        CHECK(*markers[2].find("points")->array()->at(0).find("x")->number() ==
              lattice.to_metres(belief.frontiers()[0].centroid).x);
        CHECK(vehicle->take_complaints().empty());
    }
}

TEST_CASE("a URL that is none, and topics that are the same, are errors") {
    const RosWorld world;
    CHECK_THROWS_WITH_AS(make_ros_vehicle("http://x", world.briefings[1], {}), doctest::Contains("expected a URL"),
                         Error);
    LiveSection same;
    same.scan = same.odom;
    CHECK_THROWS_WITH_AS(make_ros_vehicle("ws://127.0.0.1:1", world.briefings[1], same),
                         doctest::Contains("the topic /r1/odom would be that of two things"), Error);
    LiveSection shared;
    shared.scan = "/scan";  // two robots
    CHECK_THROWS_WITH_AS(make_ros_gateway("127.0.0.1", 0, world.briefings, {1}, shared),
                         doctest::Contains("the topic /scan would be that of two things"), Error);
    CHECK_THROWS_WITH_AS(make_ros_gateway("nowhere", 0, world.briefings, {1}, {}),
                         doctest::Contains("expected an address"), Error);
}

}  // namespace test_rosbridge
