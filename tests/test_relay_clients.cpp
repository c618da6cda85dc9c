// Clients of the relay that behave badly, come late, or are nobody whom it knows.
#include <functional>

#include <fmt/format.h>

#include "outrider/error.hpp"
#include "relay_helpers.hpp"

using namespace outrider;

namespace test_relay_clients {

using namespace outrider::relayed;

namespace {

const std::string key = "0123456789abcdef";

}  // namespace

TEST_CASE("frames and greetings are read as they were written, and nothing else is read") {
    const RelayFrame message = read_relay_frame(message_frame("r2", std::string("a\0b", 3)));
    CHECK(message.kind == RelayFrame::Kind::message);
    CHECK(message.name == "r2");
    CHECK(message.bytes == std::string("a\0b", 3));
    for (const auto kind : {RelayFrame::Kind::end_of_step, RelayFrame::Kind::step_has_come}) {
        const RelayFrame step = read_relay_frame(write_relay_frame({kind, {}, {}, 123456}));
        CHECK(step.kind == kind);
        CHECK(step.step == 123456);
    }
    CHECK(read_relay_greeting(relay_greeting("R \"1\" \xc3\xa4")).robot == "R \"1\" \xc3\xa4");
    CHECK(read_relay_greeting(relay_greeting("r1")).key == "");
    CHECK(read_relay_greeting(relay_greeting("r1", "\"secret\"")).key == "\"secret\"");
    for (const std::string& bad :
         {std::string(), std::string("\0", 1), std::string("\x04\x02"), std::string("\x02"), std::string("\x02\x01"),
          std::string("\x02\x02\x02"), std::string("\x01\x08zz"), message_frame("", "x"), message_frame("a\nb", "x"),
          message_frame(std::string(101, 'x'), "x"), message_frame("x", std::string(most_relayed_bytes + 1, 'x'))}) {
        CAPTURE(bad.substr(0, 10));
        CHECK_THROWS_AS(read_relay_frame(bad), Error);
    }
    for (const char* bad : {"", "r1", "{}", "[]", "{\"robot\": 1}", "{\"robot\": \"\"}", "{\"robot\": \"a\\nb\"}"})
        CHECK_THROWS_AS(read_relay_greeting(bad), Error);
}

TEST_CASE("unknown clients and robots that misbehave are sent away, and the others are served") {
    Team team({.key = key}, {"r1", "r2", "r3"}, key);  // with it, who comes takes the place of who was there
    const auto sent_away = [&](const std::string& greeting, const std::string& frame, const std::string& why) {
        CAPTURE(why);
        UnknownClient unknown(team.server);
        if (!greeting.empty()) REQUIRE(unknown.say(team, greeting, false));
        if (!frame.empty()) REQUIRE(unknown.say(team, frame, true));
        CHECK(unknown.good_bye(team).find(why) != std::string::npos);
        CHECK(team.complains(why));
    };
    sent_away(relay_greeting("r9", key), "", "there is no robot r9");
    sent_away("hello", "", "expected {\"robot\": NAME}");
    sent_away("{}", "", "expected {\"robot\": NAME}");
    sent_away(std::string(100'000, 'x'), "", "expected {\"robot\": NAME}");
    {
        UnknownClient early(team.server);
        for (int k = 0; k < 20; ++k) early.say(team, message_frame("r1", "x"), true);
        CHECK(early.good_bye(team).find("it did not say who it is") != std::string::npos);
    }
    {
        UnknownClient twice(team.server);
        REQUIRE(twice.say(team, relay_greeting("r3", key), false));
        REQUIRE(twice.say(team, relay_greeting("r2", key), false));
        CHECK(twice.good_bye(team).find("says again who it is") != std::string::npos);
    }
    sent_away(relay_greeting("r3", key), "\x07zzz", "a frame of the relay is of kind 7");
    sent_away(relay_greeting("r3", key), write_relay_frame({RelayFrame::Kind::step_has_come, {}, {}, 1}),
              "steps are not for it to say");
    team.clients[0]->send("r9", "x");
    team.clients[0]->send("r1", "x");
    CHECK(team.complains("r1 writes to r9"));
    CHECK(team.complains("r1 writes to itself"));
    team.clients[0]->send("r2", "still here");
    const std::vector<Arrived> came = team.arrive(1, 1);
    REQUIRE(came.size() == 1);
    CHECK(came[0].bytes == "still here");
}

TEST_CASE("of a robot that floods another one, messages are lost; what others write arrives") {
    Team team({.key = key}, {"r1", "r2", "r3"}, key);  // with it, who comes takes the place of who was there
    UnknownClient flood(team.server);
    REQUIRE(flood.say(team, relay_greeting("r1", key), false));
    std::size_t flooded = 0;
    const std::string frame = message_frame("r2", std::string(1 << 20, 'x'));
    for (int k = 0; k < 120; ++k)
        team.happens([&] {
            flooded += team.clients[1]->take(0ms).size();
            return flood.client.send(frame, true);
        });
    team.clients[2]->send("r2", "calm");
    bool calm = false;
    REQUIRE(team.happens([&] {
        for (const Arrived& a : team.clients[1]->take(0ms)) {
            calm |= a.from == "r3";
            flooded += a.from == "r1";
        }
        return calm;
    }));
    CHECK(team.complains("a message of r1 to r2 is lost: it sends too much"));
    CHECK(flooded < 120);
    CHECK(team.clients[1]->connected());
}

TEST_CASE("whoever comes is served where no names were given, up to a number") {
    RelayServer server({}, {});
    std::vector<std::unique_ptr<RelayClient>> clients;
    const auto serve_until = [&](const std::function<bool()>& condition) {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (!condition() && std::chrono::steady_clock::now() < end) server.serve(1ms);
        return condition();
    };
    for (const char* name : {"alpha", "beta"}) {
        clients.push_back(std::make_unique<RelayClient>(server.url(), name));
        const auto id = static_cast<RobotId>(clients.size() - 1);
        REQUIRE(serve_until([&] {
            clients.back()->take(0ms);
            return server.connected(id);
        }));
    }
    clients[0]->send("gamma", "nobody there");
    clients[0]->send("beta", "hello");
    std::vector<Arrived> came;
    CHECK(serve_until([&] {
        for (Arrived& a : clients[1]->take(0ms)) came.push_back(std::move(a));
        return !came.empty();
    }));
    REQUIRE(came.size() == 1);
    CHECK(came[0].from == "alpha");
    for (const std::string& c : server.take_complaints()) CHECK(c.find("gamma") == std::string::npos);
}

TEST_CASE("a client says why it has no link, and finds the relay when it comes") {
    std::string url;
    int port = 0;
    {
        RelayServer before({}, {});
        url = before.url();
        port = std::stoi(url.substr(url.rfind(':') + 1));
    }
    RelayClient client(url, "r1");
    std::string said;
    const auto end = std::chrono::steady_clock::now() + patience;
    while (said.empty() && std::chrono::steady_clock::now() < end)
        for (const std::string& c : client.take_complaints()) said += c;
    CHECK(said.find("cannot connect") != std::string::npos);
    CHECK_FALSE(client.connected());
    client.send("r2", "lost");
    CHECK_FALSE(client.wait_for(0, 10ms));
    RelayServer server({.port = port}, {"r1"});
    while (!server.connected(0) && std::chrono::steady_clock::now() < end) {
        server.serve(1ms);
        client.take(0ms);
    }
    CHECK(server.connected(0));
    CHECK_THROWS_AS(RelayServer({.port = port}, {"r1"}), Error);
    CHECK_THROWS_AS(RelayClient("http://127.0.0.1:1", "r1"), Error);
}

}  // namespace test_relay_clients
