// Our world behind rosbridge: clients that subscribe, drive, ask, and clients that behave badly.
#include <doctest/doctest.h>

#include <cmath>
#include <thread>

#include "base/json.hpp"
#include "live/rosbridge/fragments.hpp"
#include "live/rosbridge/ros_messages.hpp"
#include "net/web_socket_client.hpp"
#include "outrider/error.hpp"
#include "ros_definitions.hpp"
#include "ros_world.hpp"
#include "tcp_peer.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_rosbridge_gateway {
namespace {

/// A client that is driven by hand, with all that the gateway said to it.
struct HandClient {
    RosWorld& world;
    WebSocketClient link;
    std::vector<Json> received{};
    std::string why_left{};

    explicit HandClient(RosWorld& w, std::size_t most_unsent_bytes = 64 << 20)
        : world(w), link({.url = w.url(), .most_unsent_bytes = most_unsent_bytes}) {
        REQUIRE(serve_until(*world.gateway, [&] { return link.connected(); }));
    }
    void say(const std::string& text) { CHECK(link.send(text, false)); }
    void take() {
        for (NetEvent& event : link.take(0ms)) {
            if (event.kind == NetEvent::Kind::left) why_left = event.data;
            if (event.kind == NetEvent::Kind::text) received.push_back(parse_json(event.data));
        }
    }
    /// Serves until something comes, and returns it.
    Json answer() {
        received.clear();
        CHECK(serve_until(*world.gateway, [&] {
            take();
            return !received.empty();
        }));
        return received.empty() ? Json{} : received[0];
    }
    Json answer_to(const std::string& text) {
        say(text);
        return answer();
    }
    /// All that was said is served: what this client asks for last is answered.
    void settle() {
        say(R"({"op": "call_service", "id": "settled", "service": "/none"})");
        CHECK(serve_until(*world.gateway, [&] {
            take();
            return !received.empty() && received.back().find("id") && *received.back().find("id")->text() == "settled";
        }));
        if (!received.empty()) received.pop_back();
    }
    /// What it heard on a topic.
    std::vector<const Json*> messages(const std::string& topic) const {
        std::vector<const Json*> out;
        for (const Json& json : received)
            if (*json.find("op")->text() == "publish" && *json.find("topic")->text() == topic)
                out.push_back(json.find("msg"));
        return out;
    }
    /// Steps once and waits until all was heard.
    void hear_step() {
        received.clear();
        world.step();
        settle();
    }
};

std::string status_of(const Json& json) {
    const Json *op = json.find("op"), *message = json.find("msg"), *level = json.find("level");
    if (!op || *op->text() != "status" || !message || !level) return "no status: " + json_text(json);
    return *level->text() + ": " + *message->text();
}

std::string subscribe(const std::string& topic, const std::string& more = "") {
    return R"({"op": "subscribe", "topic": ")" + topic + "\"" + more + "}";
}

std::string drive(const std::string& topic, const std::string& twist) {
    return R"({"op": "publish", "topic": ")" + topic + R"(", "msg": )" + twist + "}";
}

}  // namespace

TEST_CASE("each client hears what it subscribed to, in the dialect of the type that it named, the time last") {
    RosWorld world;
    CHECK(world.gateway->place().starts_with("ws://127.0.0.1:"));
    CHECK(world.gateway->place().ends_with(" (rosbridge)"));
    HandClient old(world), young(world), third(world);
    for (const char* topic : {"/clock", "/r1/scan", "/r1/scan2", "/r1/odom", "/r_2/scan", "/tf"})
        old.say(subscribe(topic));
    young.say(subscribe("/r1/scan", R"(, "type": "sensor_msgs/msg/LaserScan")"));
    young.say(subscribe("r1/odom"));  // ROS 2, as the type before; a name without the first "/"
    third.say(subscribe("/clock", R"(, "type": "rosgraph_msgs/Clock")"));
    for (HandClient* client : {&old, &young, &third}) client->settle();
    for (HandClient* client : {&old, &young, &third}) client->received.clear();
    world.step();
    for (HandClient* client : {&old, &young, &third}) client->settle();
    RosFieldCheck ros1(ros1_definitions()), ros2(ros2_definitions());
    REQUIRE(old.received.size() == 6);
    CHECK(*old.received[5].find("topic")->text() == "/clock");
    CHECK(ros1(*old.messages("/clock")[0], "rosgraph_msgs/Clock") == "");
    CHECK(read_clock(*old.messages("/clock")[0]) == world.time_s());
    for (const char* topic : {"/r1/scan", "/r1/scan2", "/r_2/scan"}) {
        REQUIRE(old.messages(topic).size() == 1);
        CHECK(ros1(*old.messages(topic)[0], "sensor_msgs/LaserScan") == "");
    }
    CHECK(*old.messages("/r1/scan2")[0]->find("header")->find("frame_id")->text() == "r1/laser_2");
    CHECK(ros1(*old.messages("/r1/odom")[0], "nav_msgs/Odometry") == "");
    CHECK(ros1(*old.messages("/tf")[0], "tf2_msgs/TFMessage") == "");
    const Json& odometry = *old.messages("/r1/odom")[0];
    CHECK(read_odometry(odometry).pose.x == world.odometry[1].x);
    CHECK(*odometry.find("child_frame_id")->text() == "r1/base_link");
    CHECK(*odometry.find("header")->find("frame_id")->text() == "r1/odom");
    CHECK(*odometry.find("twist")->find("twist")->find("linear")->find("x")->number() ==
          world.velocities[1].forward_mps);
    CHECK(*odometry.find("twist")->find("twist")->find("angular")->find("z")->number() ==
          world.velocities[1].turn_radps);
    REQUIRE(young.received.size() == 2);
    REQUIRE(young.messages("r1/odom").size() == 1);  // as it wrote it
    CHECK(ros2(*young.messages("r1/odom")[0], "nav_msgs/Odometry") == "");
    CHECK(ros2(*young.messages("/r1/scan")[0], "sensor_msgs/LaserScan") == "");
    CHECK(third.received.size() == 1);
}

TEST_CASE("frames say where robots began, how far they came by odometry, and where sensors are; not where they are") {
    RosWorld world;
    world.poses[1] = {77, 77, 1};
    HandClient client(world);
    client.say(subscribe("/tf", R"(, "type": "tf/tfMessage")"));
    client.say(subscribe("/tf_static"));
    client.settle();
    REQUIRE(client.messages("/tf_static").size() == 1);  // at once
    const Json::Array& mounts = *client.messages("/tf_static")[0]->find("transforms")->array();
    REQUIRE(mounts.size() == 3);
    CHECK(*mounts[1].find("header")->find("frame_id")->text() == "r1/base_link");
    CHECK(*mounts[1].find("child_frame_id")->text() == "r1/laser_2");
    CHECK(json_text(*mounts[1].find("transform")->find("translation")) == R"({"x": -0.2, "y": 0, "z": 0})");
    client.hear_step();
    CHECK(client.messages("/tf_static").empty());
    const Json::Array& frames = *client.messages("/tf").at(0)->find("transforms")->array();
    REQUIRE(frames.size() == 6);
    CHECK(*frames[2].find("header")->find("frame_id")->text() == "map");
    CHECK(*frames[2].find("child_frame_id")->text() == "r1/odom");
    CHECK(json_text(*frames[2].find("transform")->find("translation")) == R"({"x": 1, "y": 2, "z": 0})");
    CHECK(*frames[3].find("child_frame_id")->text() == "r1/base_link");
    CHECK(*frames[3].find("transform")->find("translation")->find("x")->number() == world.odometry[1].x);
}

TEST_CASE("a robot is driven while a client is there that advertised or published") {
    RosWorld world;
    auto first = std::make_unique<HandClient>(world);
    HandClient second(world);
    const auto controller = [&]() -> Controller& { return world.gateway->controllers()[1]; };
    CHECK_FALSE(controller().there);
    first->say(R"({"op": "advertise", "topic": "/r1/cmd_vel", "type": "geometry_msgs/msg/Twist"})");
    first->settle();
    CHECK(controller().there);
    CHECK_FALSE(controller().velocity);
    second.say(drive("/r1/cmd_vel", twist_json({0.5, 0.25})));
    second.say(drive("r1/cmd_vel", R"({"linear": {"x": 0.75}})"));  // the newest counts
    second.settle();
    CHECK(second.received.empty());
    REQUIRE(controller().velocity);
    CHECK(*controller().velocity == Velocity{0.75, 0});
    first->say(R"({"op": "unadvertise", "topic": "/r1/cmd_vel"})");
    first->settle();
    CHECK(controller().there);  // the second one
    CHECK(status_of(first->answer_to(R"({"op": "unadvertise", "topic": "/r1/cmd_vel"})")) ==
          "warning: unadvertise: /r1/cmd_vel is not advertised");
    second.say(R"({"op": "unadvertise", "topic": "/r1/cmd_vel"})");
    second.settle();
    CHECK_FALSE(controller().there);
    first->say(drive("/r1/cmd_vel", "{}"));
    first->settle();
    CHECK(controller().there);
    first.reset();
    CHECK(serve_until(*world.gateway, [&] { return !controller().there; }));
    CHECK(contains(world.gateway->take_complaints(), "client 1 left"));
    // A robot of ours is not driven by others.
    CHECK(
        status_of(second.answer_to(R"({"op": "advertise", "topic": "/r_2/cmd_vel", "type": "geometry_msgs/Twist"})")) ==
        "error: advertise: /r_2/cmd_vel: r_2 is driven by its own strategy");
    CHECK(status_of(second.answer_to(drive("/r_2/cmd_vel", twist_json({1, 1})))) ==
          "error: publish: /r_2/cmd_vel: r_2 is driven by its own strategy");
    CHECK_FALSE(world.gateway->controllers()[2].there);
    CHECK_FALSE(world.gateway->controllers()[2].velocity);
    // To the side: said once, and passed over.
    CHECK(status_of(second.answer_to(drive("/r1/cmd_vel", R"({"linear": {"x": 1, "y": 1}})"))) ==
          "warning: r1 follows linear.x and angular.z alone");
    second.received.clear();
    second.say(drive("/r1/cmd_vel", R"({"linear": {"x": 2, "y": 1}})"));
    second.settle();
    CHECK(second.received.empty());
    CHECK(*controller().velocity == Velocity{2, 0});
}

TEST_CASE("what a client asks for wrongly is answered with what is wrong and with its id, and does no harm") {
    RosWorld world;
    HandClient client(world);
    const std::string long_name(300, 'x');
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"nonsense", "error: line 1, column 2: syntax error"},
        {"{}", "error: expected \"op\""},
        {"[]", "error: expected \"op\""},
        {"5", "error: expected \"op\""},
        {R"({"op": 5})", "error: \"op\": expected a text"},
        {R"({"op": "dance"})", "error: dance: there is no such operation"},
        {"{\"op\": \"" + long_name + "\"}", "error: \"op\": expected at most 256 bytes"},
        {std::string(100, '['), "error: line 1, column 65: expected at most 64 levels of nesting"},
        {R"({"op": "subscribe"})", "error: subscribe: expected \"topic\""},
        {R"({"op": "subscribe", "topic": 5})", "error: subscribe: \"topic\": expected a text"},
        {subscribe(long_name), "error: subscribe: \"topic\": expected at most 256 bytes"},
        {subscribe("/r3/scan"), "error: subscribe: there is no topic /r3/scan to subscribe to"},
        {subscribe("/r1/scan", R"(, "type": "sensor_msgs/PointCloud")"),
         "error: subscribe: type sensor_msgs/PointCloud, expected sensor_msgs/LaserScan"},
        {subscribe("/r1/scan", R"(, "type": "LaserScan")"), "error: subscribe: type LaserScan, expected"},
        {subscribe("/r1/scan", R"(, "compression": "png")"), "error: subscribe: compression png: expected none"},
        {subscribe("/r1/scan", R"(, "fragment_size": 1)"), "error: subscribe: fragment_size: expected 64 to"},
        {subscribe("/r1/scan", R"(, "queue_length": -1)"), "error: subscribe: queue_length: expected 0 to"},
        {subscribe("/r1/scan", R"(, "throttle_rate": -1)"), "error: subscribe: throttle_rate: expected 0 to"},
        {subscribe("/r1/scan", R"(, "throttle_rate": 1e300)"), "error: subscribe: throttle_rate: expected 0 to"},
        {R"({"op": "unsubscribe", "topic": "/r1/scan"})", "warning: unsubscribe: /r1/scan was not subscribed to"},
        {R"({"op": "advertise", "topic": "/r1/cmd_vel"})", "error: advertise: expected \"type\""},
        {R"({"op": "advertise", "topic": "/r1/cmd_vel", "type": "std_msgs/String"})",
         "error: advertise: type std_msgs/String, expected geometry_msgs/Twist"},
        {R"({"op": "advertise", "topic": "/r1/scan", "type": "sensor_msgs/LaserScan"})",
         "error: advertise: nobody listens to /r1/scan; expected one of /r1/cmd_vel"},
        {drive("/x", "{}"), "error: publish: nobody listens to /x; expected one of /r1/cmd_vel"},
        {R"({"op": "publish", "topic": "/r1/cmd_vel"})", "error: publish: expected \"msg\""},
        {drive("/r1/cmd_vel", "5"), "error: publish: Twist: expected an object"},
        {drive("/r1/cmd_vel", R"({"linear": {"x": 1e300}})"), "error: publish: linear.x: expected a number up to 1000"},
        {drive("/r1/cmd_vel", R"({"linear": {"x": null}})"), "error: publish: linear.x: expected a number up to 1000"},
        {drive("/r1/cmd_vel", R"({"linear": {"x": 1e999}})"), "error: line 1, column "},
        {drive("/r1/cmd_vel", R"({"linear": {"x": NaN}})"), "error: line 1, column "},
        {drive("/r1/cmd_vel", R"({"twist": {}})"),
         "error: publish: Twist: there is no field \"twist\" (expected geometry_msgs/Twist)"},
        {R"({"op": "fragment", "data": "", "num": 0, "total": 1})", "error: fragment: expected \"id\" and \"data\""},
        {R"({"op": "png", "data": ""})", "error: png: compressed messages are not taken"},
        {R"({"op": "call_service"})", "error: call_service: expected \"service\""},
        {R"({"op": "subscribe", "op": "subscribe"})", "error: line 1, column"},
    };
    for (const auto& [text, expected] : wrong) {
        const std::string said = text.substr(0, 200);
        CAPTURE(said);
        CHECK(status_of(client.answer_to(text)).substr(0, expected.size()) == expected);
    }
    CHECK(client.link.send("\x01\x02", true));
    CHECK(status_of(client.answer()) == "error: a binary message, expected JSON");
    CHECK(contains(world.gateway->take_complaints(), "client 1: dance: there is no such operation"));
    // The id comes back, be it a text or a number.
    CHECK(*client.answer_to(R"({"op": "dance", "id": "a\"b"})").find("id")->text() == "a\"b");
    CHECK(*client.answer_to(R"({"op": "dance", "id": 17})").find("id")->number() == 17);
    CHECK_FALSE(client.answer_to(R"({"op": "dance", "id": ["x"]})").find("id"));
    CHECK_FALSE(client.answer_to("{\"op\": \"dance\", \"id\": \"" + long_name + "\"}").find("id"));
    // A long text is cut between characters: what is sent stays UTF-8.
    std::string letters = "x";
    for (int k = 0; k < 100; ++k) letters += "\xc3\xa4";
    CHECK(status_of(client.answer_to(subscribe(letters))).find("...") != std::string::npos);
    // Passed over without a word.
    for (const char* quiet : {R"({"op": "set_level", "level": "none"})", R"({"op": "auth", "mac": "x"})"})
        client.say(quiet);
    client.received.clear();
    client.settle();
    CHECK(client.received.empty());
    CHECK(status_of(
              client.answer_to(R"({"op": "advertise", "topic": "/r1/belief", "type": "nav_msgs/OccupancyGrid"})")) ==
          "info: nobody looks at this topic here");
    // Of all that, nothing drove a robot or was subscribed to.
    CHECK_FALSE(world.gateway->controllers()[1].there);
    CHECK_FALSE(world.gateway->controllers()[1].velocity);
    client.hear_step();
    CHECK(client.received.empty());
}

TEST_CASE("services that clients ask at their start are answered") {
    RosWorld world;
    HandClient client(world);
    Json answer =
        client.answer_to(R"({"op": "call_service", "id": "call:1", "service": "/rosapi/topics", "args": {}})");
    CHECK(*answer.find("op")->text() == "service_response");
    CHECK(*answer.find("id")->text() == "call:1");
    CHECK(*answer.find("service")->text() == "/rosapi/topics");
    CHECK(*answer.find("result")->flag());
    const Json::Array &topics = *answer.find("values")->find("topics")->array(),
                      &types = *answer.find("values")->find("types")->array();
    REQUIRE(topics.size() == types.size());
    std::map<std::string, std::string> type_of;
    for (std::size_t i = 0; i < topics.size(); ++i) type_of[*topics[i].text()] = *types[i].text();
    CHECK(type_of["/r1/scan"] == "sensor_msgs/LaserScan");
    CHECK(type_of["/r1/scan2"] == "sensor_msgs/LaserScan");
    CHECK(type_of["/r_2/odom"] == "nav_msgs/Odometry");
    CHECK(type_of["/r1/cmd_vel"] == "geometry_msgs/Twist");
    CHECK(type_of["/tf_static"] == "tf2_msgs/TFMessage");
    CHECK_FALSE(type_of.contains("/base/odom"));
    const auto type = [&](const std::string& args) {
        return json_text(
            *client.answer_to(R"({"op": "call_service", "service": "/rosapi/topic_type", "args": )" + args + "}")
                 .find("values"));
    };
    CHECK(type(R"({"topic": "/clock"})") == R"({"type": "rosgraph_msgs/Clock"})");
    CHECK(type(R"(["/clock"])") == R"({"type": "rosgraph_msgs/Clock"})");
    CHECK(type(R"([{"topic": "/none"}])") == R"({"type": ""})");
    client.say(subscribe("/clock", R"(, "type": "rosgraph_msgs/msg/Clock")"));
    CHECK(type(R"({"topic": "/clock"})") == R"({"type": "rosgraph_msgs/msg/Clock"})");
    // The time of the world; a name without the first "/", as roslibjs writes it.
    world.step();
    client.settle();
    client.say(subscribe("/clock", R"(, "type": "rosgraph_msgs/Clock")"));
    const auto values = [&](const std::string& service) {
        answer = client.answer_to(R"({"op": "call_service", "service": "rosapi/)" + service + "}");
        return json_text(*answer.find("values"));
    };
    CHECK(values(R"(get_time")") == R"({"time": {"secs": 0, "nsecs": 500000000}})");
    CHECK(values(R"(nodes")") == R"({"nodes": ["/outrider"]})");
    CHECK(values(R"(get_param_names")") == R"({"names": []})");
    CHECK(values(R"(message_details", "args": {"type": "rosgraph_msgs/msg/Clock"})").find("nanosec") !=
          std::string::npos);
    CHECK(values(R"(message_details", "args": {"type": "x/Y"})") ==
          R"("rosapi/message_details: no message of the type x/Y is sent or taken here")");
    CHECK_FALSE(*answer.find("result")->flag());
    CHECK(values(R"(topic_type", "args": {"topic": 5})") ==
          R"("rosapi/topic_type: expected the argument \"topic\", a text")");
    CHECK_FALSE(*answer.find("result")->flag());
    // Each of those that it lists is there.
    values(R"(services")");
    const Json services = *answer.find("values")->find("services");
    CHECK(services.array()->size() == 8);
    for (const Json& service : *services.array())
        CHECK(values(service.text()->substr(8) + "\"").find("there is no service") == std::string::npos);
    answer = client.answer_to(R"({"op": "call_service", "service": "/rosapi/shutdown"})");
    CHECK_FALSE(*answer.find("result")->flag());
    CHECK(*answer.find("values")->text() == "there is no service /rosapi/shutdown");
}

TEST_CASE("subscriptions end one by one by id, all at once without, and are bounded; slow ones are slow") {
    RosWorld world;
    HandClient client(world);
    client.say(subscribe("/clock", R"(, "id": "a")"));
    client.say(subscribe("/clock", R"(, "id": "b")"));
    client.settle();
    client.hear_step();
    CHECK(client.messages("/clock").size() == 1);  // once, not for each subscription
    client.say(R"({"op": "unsubscribe", "topic": "/clock", "id": "a"})");
    client.settle();
    client.hear_step();
    CHECK(client.messages("/clock").size() == 1);
    client.say(R"({"op": "unsubscribe", "topic": "/clock", "id": "b"})");
    client.settle();
    client.hear_step();
    CHECK(client.received.empty());
    for (int k = 0; k < 256; ++k) client.say(subscribe("/clock", fmt::format(", \"id\": {}", k)));
    client.settle();
    CHECK(client.received.empty());
    CHECK(status_of(client.answer_to(subscribe("/clock"))) == "error: subscribe: expected at most 256 subscriptions");
    client.say(R"({"op": "unsubscribe", "topic": "/clock"})");
    client.say(subscribe("/clock", R"(, "throttle_rate": 3600000)"));
    client.settle();
    client.received.clear();
    for (int k = 0; k < 5; ++k) world.step();
    client.settle();
    CHECK(client.messages("/clock").size() == 1);  // the next one in an hour
}

TEST_CASE("who listens to a robot's scans is known, and can be told how to drive it") {
    RosWorld world;
    HandClient client(world), other(world);
    client.say(subscribe("/r1/scan2"));
    other.say(subscribe("/r_2/scan"));
    for (HandClient* each : {&client, &other}) each->settle();
    CHECK(world.gateway->controllers()[1].listened);
    CHECK_FALSE(world.gateway->controllers()[1].there);
    CHECK(world.gateway->controllers()[2].listened);
    CHECK_FALSE(world.gateway->controllers()[0].listened);
    world.gateway->remind(1);
    CHECK(status_of(client.answer()) ==
          "warning: it listens to r1, and is taken for one that will drive; who drives says so when it advertises "
          "/r1/cmd_vel, or publishes to it");
    other.received.clear();
    other.settle();
    CHECK(other.received.empty());
    client.say(R"({"op": "unsubscribe", "topic": "/r1/scan2"})");
    client.settle();
    CHECK_FALSE(world.gateway->controllers()[1].listened);
}

TEST_CASE("what who drives a robot shows goes to others, in the words that they asked for; wrong messages do not") {
    RosWorld world;
    HandClient driver(world), old(world), young(world);
    old.say(subscribe("/r1/path"));
    young.say(subscribe("/r1/path", R"(, "type": "nav_msgs/msg/Path")"));
    for (HandClient* each : {&old, &young}) each->settle();
    driver.say(drive("/r1/path", path_json({3, "map", RosDialect::ros2}, std::vector<Point>{{1, 2}, {3, 4}})));
    for (HandClient* each : {&driver, &old, &young}) each->settle();
    RosFieldCheck ros1(ros1_definitions()), ros2(ros2_definitions());
    REQUIRE(old.messages("/r1/path").size() == 1);
    CHECK(ros1(*old.messages("/r1/path")[0], "nav_msgs/Path") == "");
    REQUIRE(young.messages("/r1/path").size() == 1);
    CHECK(ros2(*young.messages("/r1/path")[0], "nav_msgs/Path") == "");
    CHECK(driver.received.empty());
    CHECK(status_of(driver.answer_to(drive("/r1/path", R"({"poses": 5})"))) ==
          "error: publish: poses: expected an array");
    // Those of robots that decide here are shown by this side, and maps are drawn here.
    CHECK(status_of(driver.answer_to(drive("/r_2/path", "{}"))).starts_with("error: publish: nobody listens to"));
    CHECK(status_of(driver.answer_to(drive("/r1/map", "{}"))).starts_with("error: publish: nobody listens to"));
    // In parts.
    for (HandClient* each : {&driver, &old}) each->received.clear();
    for (const std::string& part :
         fragments_of(drive("/r1/path", path_json({4, "map", RosDialect::ros1}, {})), 50, "x"))
        driver.say(part);
    for (HandClient* each : {&driver, &old}) each->settle();
    CHECK(driver.received.empty());
    CHECK(old.messages("/r1/path").size() == 1);
}

TEST_CASE("a client among hostile ones is served as if it were alone") {
    RosWorld world;
    HandClient good(world);
    good.say(subscribe("/clock"));
    good.settle();
    std::atomic<bool> stop = false;
    const auto attack = [&](auto&& next) {
        return std::thread([&, next] {
            WebSocketClient link(
                {.url = world.url(), .first_wait = 1ms, .longest_wait = 5ms, .most_unsent_bytes = 1 << 20});
            for (int k = 0; !stop; ++k) {
                const std::pair<std::string, bool> message = next(k);
                if (!link.send(message.first, message.second)) std::this_thread::sleep_for(1ms);
                if (k % 64 == 0) link.take(0ms);
            }
        });
    };
    std::vector<std::thread> attackers;
    attackers.push_back(
        attack([](int) { return std::pair(drive("/r1/cmd_vel", R"({"linear": {"x": 1e9}})"), false); }));
    attackers.push_back(
        attack([](int k) { return std::pair(std::string(static_cast<std::size_t>(k % 3000), '['), false); }));
    attackers.push_back(
        attack([](int k) { return std::pair(std::string(static_cast<std::size_t>(k % 300'000), 'x'), true); }));
    attackers.push_back(
        attack([](int k) { return std::pair(subscribe("/r1/scan", fmt::format(", \"id\": {}", k)), false); }));
    std::size_t lines = 0;
    for (int k = 0; k < 50; ++k) {
        good.received.clear();
        const Velocity velocity{0.01 * k, 0};
        good.say(drive("/r1/cmd_vel", twist_json(velocity)));
        world.step();
        CHECK(serve_until(*world.gateway, [&] {
            good.take();
            const std::optional<Velocity>& received = world.gateway->controllers()[1].velocity;
            return !good.messages("/clock").empty() && received == velocity;
        }));
        CHECK(read_clock(*good.messages("/clock").at(0)) == world.time_s());
        lines += world.gateway->take_complaints().size();
    }
    stop = true;
    for (std::thread& attacker : attackers) attacker.join();
    CHECK(good.why_left == "");
    for (const Json& json : good.received) CHECK(*json.find("op")->text() != "status");
    CHECK(lines < 5000);
}

TEST_CASE("of a flood between two calls the first thousand messages count") {
    RosWorld world;
    HandClient client(world, 1 << 16);
    // Long messages, so that the buffers of the system hold few of them, until the gateway reads no more.
    const std::string blanks(2000, ' ');
    int sent = 0;
    CHECK(comes_to_rest([&] {
        while (sent < 20'000 && client.link.send(drive("/r1/cmd_vel", twist_json({0.0001 * sent, 0})) + blanks, false))
            ++sent;
        return sent;
    }));
    CHECK(sent > 1000);
    world.gateway->serve(0ms);
    CHECK(contains(world.gateway->take_complaints(), "messages at once: those after the first 1000 are lost"));
    REQUIRE(world.gateway->controllers()[1].velocity);
    CHECK(world.gateway->controllers()[1].velocity->forward_mps == doctest::Approx(0.0001 * 999));
    // The client is told, too; and when the flood is over, it is heard again.
    bool told = false, received = false;
    CHECK(serve_until(*world.gateway, [&] {
        client.link.send(R"({"op": "dance"})", false);
        client.take();
        for (const Json& json : client.received) {
            told |= status_of(json).find("those after the first 1000 are lost") != std::string::npos;
            received |= status_of(json).find("dance") != std::string::npos;
        }
        client.received.clear();
        return told && received;
    }));
}

}  // namespace test_rosbridge_gateway
