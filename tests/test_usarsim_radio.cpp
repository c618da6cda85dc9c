// The wireless simulation servers: who is linked, how well, and streams that end with the link.
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "helpers.hpp"
#include "tcp_peer.hpp"
#include "usar_world.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_usarsim_radio {
namespace {

/// A world of three robots with both radio servers, and how they are asked.
struct Air : Served {
    Air() : Served(3, scanner(3, 1), {}, 0) {}

    std::unique_ptr<TcpPeer> newer() { return std::make_unique<TcpPeer>(port_of(*gateway, 1)); }
    std::unique_ptr<TcpPeer> older() { return std::make_unique<TcpPeer>(port_of(*gateway, 2)); }
    void link(std::vector<Link> links) {
        world.links = std::move(links);
        world.publish(*gateway);
    }
    std::string ask(TcpPeer& peer, const std::string& text, char end = '\n') {
        REQUIRE(peer.say(text + end));
        return served_meanwhile([&] { return peer.hear(end); });
    }
};

/// The number after this in a text.
int number_after(const std::string& text, const std::string& key) {
    const auto at = text.find(key);
    REQUIRE(at != text.npos);
    return std::stoi(text.substr(at + key.size()));
}

}  // namespace

TEST_CASE("robots ask the radio for signals, which are those of the newest step") {
    Air air;
    const auto one = air.newer(), two = air.newer();
    CHECK(air.ask(*one, "GETSS {Robot r2}") == "GETSS {Status Failed} {Reason expected INIT  Robot n   Port p  first}");
    CHECK(air.ask(*one, "INIT {Robot r1} {Port 4000,4001}\r") == "INIT {Robot r1} {Status OK}");
    CHECK(air.ask(*two, "INIT {Robot r1} {Port 1}").find("another connection speaks for r1") != std::string::npos);
    CHECK(air.ask(*two, "INIT {Robot r2} {Port 5000}") == "INIT {Robot r2} {Status OK}");
    CHECK(air.ask(*two, "INIT {Robot r3} {Port 5000}").find("speaks for r2") != std::string::npos);
    CHECK(air.ask(*one, "GETSS {Robot r2}") == "GETSS {Robot r2} {Strength -200.000}");  // no step yet
    air.link({{1, 2, -63.25}, {2, 3, -90}});
    CHECK(air.ask(*one, "GETSS {Robot r2}") == "GETSS {Robot r2} {Strength -63.250}");
    CHECK(air.ask(*two, "GETSS {Robot r1}") == "GETSS {Robot r1} {Strength -63.250}");
    CHECK(air.ask(*one, "GETSS {Robot r3}") == "GETSS {Robot r3} {Strength -200.000}");
    CHECK(air.ask(*two, "GETSS {Robot base}") == "GETSS {Robot base} {Strength -200.000}");
    air.link({{0, 2, -20}});
    CHECK(air.ask(*one, "GETSS {Robot r2}") == "GETSS {Robot r2} {Strength -200.000}");
    CHECK(air.ask(*two, "GETSS {Robot base}") == "GETSS {Robot base} {Strength -20.000}");
    for (const char* bad :
         {"GETSS {Robot r9}", "GETSS", "HELLO {Robot r2}", "DNS {Robot r3}", "DNS {Robot r1}", "REVERSEDNS {Port x}",
          "REVERSEDNS {Port 0}", "REVERSEDNS {Port 1}", "INIT {Robot r1} {Port 70000}",
          "INIT {Robot r1} {Port 1,2,3,4,5,6,7,8,9}", "{{{", "INIT {Robot {r1}}"}) {
        CAPTURE(bad);
        CHECK(air.ask(*one, bad).find("{Status Failed} {Reason ") != std::string::npos);
    }
    CHECK(air.ask(*one, "GETSS {Robot r2}") == "GETSS {Robot r2} {Strength -200.000}");  // all is as before
}

TEST_CASE("robots talk through the radio's ports as long as they are linked") {
    Air air;
    TcpListener listens, also;  // at r2
    const auto one = air.newer(), two = air.newer(), three = air.newer();
    CHECK(air.ask(*one, "INIT {Robot r1} {Port 4000}").find("OK") != std::string::npos);
    CHECK(air.ask(*three, "INIT {Robot r3}").find("OK") != std::string::npos);
    CHECK(air.ask(*one, "DNS {Robot r2}") == "DNS {Status Failed} {Reason r2 does not listen}");
    CHECK(air.ask(*two, fmt::format("INIT {{Robot r2}} {{Port {},{}}}", listens.port(), also.port())).find("OK") !=
          std::string::npos);
    air.link({{1, 2, -50}});
    const std::string doors = air.ask(*one, "DNS {Robot r2}");
    REQUIRE(doors.starts_with("DNS {Robot r2} {Port "));
    const int door = number_after(doors, "{Port "), second = number_after(doors, ",");
    CHECK(air.ask(*one, "DNS {Robot r2}") == doors);
    const int of_three = number_after(air.ask(*three, "DNS {Robot r2}"), "{Port ");
    CHECK(of_three != door);

    TcpPeer caller(door), called, other(second), other_called;
    listens.accept(called);
    also.accept(other_called);
    caller.say("hello\n");
    CHECK(called.hear() == "hello");
    called.say("good day\n");
    CHECK(caller.hear() == "good day");
    const int from = called.socket.remote_endpoint().port();
    CHECK(air.ask(*two, fmt::format("REVERSEDNS {{Port {}}}", from)) ==
          fmt::format("REVERSEDNS {{Port {}}} {{Robot r1}}", from));
    CHECK(TcpPeer(of_three).hear() == "(left)");  // r3 is not linked

    air.link({{1, 2, -80}, {2, 3, -80}});
    caller.say("still\n");
    CHECK(called.hear() == "still");
    TcpPeer third(of_three), third_called;
    listens.accept(third_called);
    air.link({{2, 3, -80}});  // r1 has driven away
    CHECK(caller.hear() == "(left)");
    CHECK(called.hear() == "(left)");
    CHECK(other.hear() == "(left)");
    third.say("I am here\n");
    CHECK(third_called.hear() == "I am here");
    CHECK(TcpPeer(door).hear() == "(left)");
    air.link({{1, 2, -60}, {2, 3, -80}});
    TcpPeer again(door), again_called;
    listens.accept(again_called);
    again.say("back\n");
    CHECK(again_called.hear() == "back");

    two->break_off();  // r2's program has ended
    CHECK(air.served_meanwhile([&] { return again.hear(); }) == "(left)");
    CHECK(air.ask(*one, "DNS {Robot r2}") == "DNS {Status Failed} {Reason r2 does not listen}");
    const auto anew = air.newer();
    CHECK(air.ask(*anew, fmt::format("INIT {{Robot r2}} {{Port {}}}", also.port())).find("OK") != std::string::npos);
    TcpPeer late(number_after(air.ask(*one, "DNS {Robot r2}"), "{Port ")), late_called;
    also.accept(late_called);
    late.say("hello again\n");
    CHECK(late_called.hear() == "hello again");
}

TEST_CASE("the older radio server answers as it did") {
    Air air;
    TcpListener listens;
    const auto one = air.older(), two = air.older();
    CHECK(air.ask(*one, "LISTEN r1 4000", ';') == "Fail: expected REGISTER r1 first");
    CHECK(air.ask(*one, "REGISTER r1 127.0.0.1", ';') == "OK");
    CHECK(air.ask(*one, "\r\nREGISTER r3 localhost", ';') == "OK");  // one program may speak for several
    CHECK(air.ask(*two, "REGISTER r1 127.0.0.1", ';') == "Fail: another connection speaks for r1");
    CHECK(air.ask(*two, "REGISTER r2 10.1.2.3", ';') ==
          "Fail: a robot listens where its connection comes from: 127.0.0.1");
    CHECK(air.ask(*two, "REGISTER r2 127.0.0.1", ';') == "OK");
    CHECK(air.ask(*two, fmt::format("LISTEN r2 {}", listens.port()), ';') == "OK");
    CHECK(air.ask(*one, "GETSS r1 r2", ';') == "OK:-200.000");
    const std::string open = fmt::format("OPEN r1 4000 r2 {}", listens.port());
    CHECK(air.ask(*one, open, ';') == "Fail: no link");
    air.link({{1, 2, -70.5}});
    CHECK(air.ask(*one, "GETSS r1 r2", ';') == "OK:-70.500");
    CHECK(air.ask(*two, "GETSS r2 r1", ';') == "OK:-70.500");
    const std::string opened = air.ask(*one, open, ';');
    TcpPeer caller(number_after(opened, "OK:")), called;
    listens.accept(called);
    caller.say("hello\n");
    CHECK(called.hear() == "hello");
    CHECK(air.ask(*one, "OPEN r1 4000 r2 1", ';') == "Fail: r2 does not listen at port 1");
    for (const char* bad : {"HELLO", "REGISTER", "REGISTER r1", "REGISTER r9 127.0.0.1", "LISTEN r1", "LISTEN r1 x",
                            "OPEN r1 4000 r2", "OPEN r2 4000 r1 4000", "GETSS r1", "GETSS r1 r9"}) {
        CAPTURE(bad);
        CHECK(air.ask(*one, bad, ';').starts_with("Fail: "));
    }
    air.link({});
    CHECK(caller.hear() == "(left)");
    CHECK(called.hear() == "(left)");
}

TEST_CASE("hostile clients of the radio harm nobody who asks beside them") {
    Air air;
    const auto good = air.newer(), old = air.older();
    CHECK(air.ask(*good, "INIT {Robot r1} {Port 4000}").find("OK") != std::string::npos);
    CHECK(air.ask(*old, "REGISTER r2 127.0.0.1", ';') == "OK");
    CHECK(air.ask(*old, "LISTEN r2 4000", ';') == "OK");
    const auto binary = air.newer(), flood = air.newer(), endless = air.older();
    std::string noise;
    Rng rng(3, 0, Purpose::range, 0, 0);
    for (int k = 0; k < 50'000; ++k) noise += static_cast<char>(rng.below(256));
    binary->say(noise);
    endless->say(noise);
    std::atomic<int> flooded = 0;
    std::thread flooding([&] {
        std::string text;
        for (int k = 0; k < 5000; ++k) text += "GETSS {Robot r1}\r\n";
        for (; flooded < 20; ++flooded) flood->say(text);
    });
    CHECK(comes_to_rest([&] { return flooded.load(); }));  // more than a thousand lines wait to be served at once
    std::string complaints;
    CHECK(eventually([&] {
        air.gateway->serve(5ms);
        complaints += air.complaints();
        return complaints.find("lines at once: all after the first 1000 were dropped") != std::string::npos;
    }));
    CHECK(complaints.find("radio client ") != std::string::npos);
    air.link({{1, 2, -40}});
    for (int k = 0; k < 100; ++k) CHECK(air.ask(*good, "GETSS {Robot r2}") == "GETSS {Robot r2} {Strength -40.000}");
    CHECK(air.ask(*old, "GETSS r1 r2", ';') == "OK:-40.000");
    for (int k = 1; k <= 8; ++k) CHECK(air.ask(*old, fmt::format("LISTEN r2 {}", k == 1 ? 4000 : k), ';') == "OK");
    CHECK(air.ask(*old, "LISTEN r2 99", ';') == "Fail: expected 8 ports at most");
    CHECK(air.ask(*good, "DNS {Robot r2}").starts_with("DNS {Robot r2} {Port "));
    flood->stop();
    flooding.join();
}

}  // namespace test_usarsim_radio
