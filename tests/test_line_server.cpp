// The server and the client for lines of text, and what they do with others that behave badly.
#include <doctest/doctest.h>

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "helpers.hpp"
#include "net/line_client.hpp"
#include "net/line_server.hpp"
#include "outrider/error.hpp"
#include "tcp_peer.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_line_server {
namespace {

using Kind = NetEvent::Kind;

/// Events in short: "+1" joined, "1:text", "-1" or "-1 why".
std::vector<std::string> words(const std::vector<NetEvent>& events) {
    std::vector<std::string> out;
    for (const NetEvent& e : events)
        out.push_back(e.kind == Kind::joined ? fmt::format("+{}", e.client)
                      : e.kind == Kind::left ? fmt::format("-{}{}{}", e.client, e.data.empty() ? "" : " ", e.data)
                                             : fmt::format("{}:{}", e.client, e.data));
    return out;
}

std::vector<std::string> next(LineServer& server, std::size_t count) { return words(next_events(server, count)); }
std::vector<std::string> next(LineClient& client, std::size_t count) { return words(next_events(client, count)); }

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("lines come in order, whatever their ends are and however they are cut, and answers go back in order") {
    LineServer server({});
    REQUIRE(server.port() > 0);
    TcpPeer first(server.port());
    const std::vector<NetEvent> joined = next_events(server, 1);
    REQUIRE(joined.size() == 1);
    CHECK(joined[0].kind == Kind::joined);
    CHECK(joined[0].client == 1);
    CHECK(joined[0].data == "127.0.0.1");
    first.say("one\ntwo\r\n\n\r\nth");
    CHECK(next(server, 4) == Words{"1:one", "1:two", "1:", "1:"});
    first.say("r\ree\r");  // a return inside of a line is part of it
    // The server has one thread: when others were heard twice after that, it has read what came before, and the line's
    // end comes by itself.
    TcpPeer second(server.port());
    second.say("hello\n");
    CHECK(next(server, 2) == Words{"+2", "2:hello"});
    second.say("hello again\n");
    CHECK(next(server, 1) == Words{"2:hello again"});
    first.say("\nfour");
    CHECK(next(server, 1) == Words{"1:thr\ree"});
    for (int k = 0; k < 1000; ++k) server.send(1, fmt::format("{}\n", k));
    for (int k = 0; k < 1000; ++k) CHECK(first.hear() == fmt::format("{}", k));
    server.send(99, "nobody\n");
    first.leave();
    CHECK(next(server, 1) == Words{"-1"});  // half a line is none
    server.send(1, "gone\n");
    server.close(1, "gone");
    second.say("still here\n");
    CHECK(next(server, 1) == Words{"2:still here"});
    second.break_off();
    CHECK(next(server, 1) == Words{"-2 Connection reset by peer"});
}

TEST_CASE("other ends of lines, and bytes that are no text, are taken as they are") {
    LineServer server({.end = ';'});
    TcpPeer peer(server.port());
    peer.say("REGISTER a;LISTEN\n b;");
    CHECK(next(server, 3) == Words{"+1", "1:REGISTER a", "1:LISTEN\n b"});
    std::string bytes;
    for (int k = 0; k < 256; ++k)
        if (k != ';') bytes += static_cast<char>(k);
    peer.say(bytes + ";");
    CHECK(next(server, 1) == Words{"1:" + bytes});
    server.send(1, std::string("\0\xff;", 3));
    CHECK(peer.hear(';') == std::string("\0\xff", 2));
}

TEST_CASE("a line that is too long ends its connection, with the reason, whether its end comes or not") {
    LineServer server({.most_line_bytes = 1000});
    TcpPeer exact(server.port());
    exact.say(std::string(1000, 'x') + "\r\n");
    CHECK(next(server, 2) == Words{"+1", "1:" + std::string(1000, 'x')});
    exact.say(std::string(1001, 'x') + "\n");
    CHECK(next(server, 1) == Words{"-1 a line of more than 1000 bytes"});
    TcpPeer endless(server.port());
    int sent = 0;
    while (sent < 10'000 && endless.say(std::string(10'000, 'x'))) ++sent;
    CHECK(sent < 10'000);
    CHECK(next(server, 2) == Words{"+2", "-2 a line of more than 1000 bytes"});
}

TEST_CASE("a client that floods is read no faster than its lines are taken, and no line is lost") {
    for (const std::size_t length : {std::size_t{0}, std::size_t{10'000}}) {
        CAPTURE(length);
        LineServer server({.most_waiting_bytes = 100'000});
        TcpPeer flood(server.port()), calm(server.port());
        REQUIRE(next(server, 2).size() == 2);
        const std::size_t count = length == 0 ? 2'000'000 : 2000;
        std::atomic<std::size_t> sent = 0;
        std::thread sender([&] {
            std::string text;
            for (std::size_t k = 0; k < count; ++k) {
                text += std::string(length, 'x') + "\n";
                if (text.size() >= 10'000 || k + 1 == count) {
                    flood.say(text);
                    sent += text.size();
                    text.clear();
                }
            }
        });
        CHECK(comes_to_rest([&] { return sent.load(); }));
        calm.say("hello\n");
        std::size_t heard = 0, most = 0;
        bool calm_heard = false;
        while (heard < count) {
            const std::vector<NetEvent> events = server.take(20s);
            if (events.empty()) break;
            std::size_t bytes = 0;
            for (const NetEvent& event : events) {
                calm_heard |= event.data == "hello";
                heard += event.client == 1 && event.data.size() == length;
                bytes += event.data.size() + 64;
            }
            most = std::max(most, bytes);
        }
        sender.join();
        CHECK(heard == count);
        CHECK(calm_heard);
        CHECK(most < 200'000);
    }
}

TEST_CASE("a client that does not read what it is sent is dropped, before it takes more than its share of memory") {
    LineServer server({.most_unsent_bytes = 1 << 20});
    TcpPeer lazy(server.port());
    CHECK(next(server, 1) == Words{"+1"});
    TcpPeer good(server.port());
    CHECK(next(server, 1) == Words{"+2"});
    for (int k = 0; k < 400; ++k) server.send(1, std::string(1 << 16, 'x'));
    server.send(2, "hello\n");
    CHECK(good.hear() == "hello");
    CHECK(next(server, 1) == Words{"-1 it reads too slowly"});
}

TEST_CASE("connections that say nothing, or come and go, harm nobody") {
    LineServer server({.most_clients = 8});
    std::vector<std::unique_ptr<TcpPeer>> silent;
    for (int k = 0; k < 7; ++k) silent.push_back(std::make_unique<TcpPeer>(server.port()));
    TcpPeer good(server.port());
    good.say("fine\n");
    CHECK(next(server, 9).back() == "8:fine");
    silent[0]->socket.shutdown(TcpPeer::Tcp::socket::shutdown_send);  // it will say nothing more
    CHECK(next(server, 1) == Words{"-1"});
    for (int k = 0; k < 200; ++k) TcpPeer(server.port()).break_off();
    good.say("still fine\n");
    std::size_t told = 0;
    while (true) {
        const Words said = next(server, 1);
        REQUIRE(!said.empty());
        told += said.size();
        if (said.back() == "8:still fine") break;
    }
    CHECK(told <= 401);
}

TEST_CASE("who comes and goes while nobody looks is not remembered without end") {
    LineServer server({.most_clients = 2});
    for (int k = 0; k < 3000; ++k) TcpPeer(server.port()).leave();
    for (int k = 0; k < 20; ++k) {  // when these have come and gone, all of those have
        TcpPeer peer(server.port());
        peer.socket.shutdown(TcpPeer::Tcp::socket::shutdown_send);
        CHECK(peer.hear() == "(left)");
    }
    // Two events of each client; after so many the others were turned away.
    CHECK(server.take(0s).size() == 2 * (4 * 2 + 1024));
    CHECK(server.take(0s).empty());
    TcpPeer late(server.port());
    late.say("hello\n");
    CHECK(next(server, 2) == Words{"+1033", "1033:hello"});
}

TEST_CASE("more clients than there may be are turned away; a place that gets free is given again") {
    LineServer server({.most_clients = 3});
    std::vector<std::unique_ptr<TcpPeer>> clients;
    for (int k = 0; k < 3; ++k) clients.push_back(std::make_unique<TcpPeer>(server.port()));
    CHECK(next(server, 3).size() == 3);
    for (const auto& client : clients) client->say("here\n");
    CHECK(next(server, 3).size() == 3);
    for (int k = 0; k < 50; ++k) CHECK(TcpPeer(server.port()).hear() == "(left)");
    clients.pop_back();
    CHECK(next(server, 1) == Words{"-3"});
    TcpPeer again(server.port());
    again.say("hello\n");
    CHECK(next(server, 2) == Words{"+4", "4:hello"});
}

TEST_CASE("a thousand connections that say nothing keep nobody out, and those who talk keep their places") {
    LineServer server({.most_clients = 32});
    TcpPeer good(server.port());
    good.say("hello\n");
    CHECK(next(server, 2) == Words{"+1", "1:hello"});
    SilentPeers silent(1000);
    for (int k = 0; k < 1000; ++k) {
        REQUIRE(silent.add(server.port()));
        if (k % 20 > 0) continue;
        // Each line is heard and answered meanwhile.
        const std::string line = fmt::format("line {}", k);
        good.say(line + "\n");
        for (bool heard = false; !heard;) {
            const std::vector<NetEvent> events = server.take(20s);
            REQUIRE(!events.empty());
            for (const NetEvent& e : events) {
                REQUIRE_FALSE((e.client == 1 && e.kind == Kind::left));
                heard |= e.client == 1 && e.data == line;
            }
        }
        server.send(1, line + "\n");
        CHECK(good.hear() == line);
    }
    TcpPeer late(server.port());
    late.say("I am late\n");
    good.say("still here\n");
    bool late_heard = false, good_heard = false;
    while (!late_heard || !good_heard) {
        const std::vector<NetEvent> events = server.take(20s);
        REQUIRE(!events.empty());
        for (const NetEvent& e : events) {
            late_heard |= e.data == "I am late";
            good_heard |= e.client == 1 && e.data == "still here";
        }
    }
}

TEST_CASE("a web page that puts lines into a request of HTTP is not heard, however they end and come in parts") {
    for (const char end : {'\n', ';'}) {
        for (const std::string request :
             {"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: a;q=1\r\n\r\nINIT {Name r1};\r\nDRIVE {Left 2};\n",
              "GET /;INIT{Name r1};x HTTP/1.1\r\n\r\n", "OPTIONS * HTTP/1.1;\n", "PUT /x;\nINIT {Name r1};\n",
              "\x16\x03\x01\nINIT {Name r1};\n"}) {
            CAPTURE(request);
            LineServer server({.end = end});
            TcpPeer page(server.port());
            page.say(request.substr(0, 3));
            CHECK(next(server, 1) == Words{"+1"});
            page.say(request.substr(3));
            CHECK(next(server, 1) == Words{"-1 it speaks HTTP or TLS: a web page, which may not take part"});
        }
    }
    LineServer server({});
    TcpPeer robot(server.port());
    robot.say("GETGEO {Type RangeScanner}\nGET / HTTP/1.1\n");
    CHECK(next(server, 3) == Words{"+1", "1:GETGEO {Type RangeScanner}", "1:GET / HTTP/1.1"});
}

TEST_CASE("who is told to leave gets what was sent before, though it still talks") {
    LineServer server({});
    TcpPeer peer(server.port());
    peer.say("a\nb\n");
    CHECK(next(server, 3).size() == 3);
    server.send(1, "sorry\n");
    server.close(1, "nonsense");
    peer.say(std::string(100'000, 'x'));
    CHECK(peer.hear() == "sorry");
    CHECK(peer.hear() == "(left)");
    peer.leave();
    CHECK(next(server, 1) == Words{"-1 nonsense"});
    TcpPeer stubborn(server.port());  // it does not leave
    CHECK(next(server, 1) == Words{"+2"});
    server.close(2, "nonsense");
    CHECK(next(server, 1) == Words{"-2 nonsense"});
}

TEST_CASE("the server sends what is left when it ends, and does not wait for those who do not read") {
    auto server = std::make_unique<LineServer>(LineServerOptions{});
    TcpPeer polite(server->port()), silent(server->port());
    CHECK(next(*server, 2).size() == 2);
    for (int client = 1; client <= 2; ++client) server->send(client, std::string(4'000'000, 'x') + "\n");
    std::string heard;
    std::thread reader([&] { heard = polite.hear_all(); });
    std::future<void> ending = std::async(std::launch::async, [&] { server.reset(); });
    const bool ended = ending.wait_for(60s) == std::future_status::ready;
    CHECK(ended);
    if (!ended) silent.leave();  // which is what it waits for
    reader.join();
    CHECK(heard.size() == 4'000'001);
}

TEST_CASE("a port that is taken and an address that is none are errors") {
    LineServer server({});
    CHECK_THROWS_WITH_AS(LineServer({.port = server.port()}), doctest::Contains("cannot listen at 127.0.0.1:"), Error);
    CHECK_THROWS_WITH_AS(LineServer({.address = "here"}), doctest::Contains("expected an address"), Error);
}

TEST_CASE("a client and a server talk to each other") {
    LineServer server({});
    LineClient client({.host = "localhost", .port = server.port()});
    CHECK(next(client, 1) == Words{"+1"});
    CHECK(client.connected());
    CHECK(client.send("hello\n"));
    CHECK(next(server, 2) == Words{"+1", "1:hello"});
    for (int k = 0; k < 100; ++k) server.send(1, fmt::format("{}\r\n", k));
    const Words heard = next(client, 100);
    REQUIRE(heard.size() == 100);
    CHECK(heard[99] == "1:99");
}

TEST_CASE("a client connects again by itself, and says once why it could not") {
    auto server = std::make_unique<LineServer>(LineServerOptions{});
    const int port = server->port();
    LineClient client({.host = "127.0.0.1", .port = port, .first_wait = 1ms, .longest_wait = 200ms});
    CHECK(next(client, 1) == Words{"+1"});
    CHECK(next(*server, 1) == Words{"+1"});
    server->send(1, "hello\n");
    CHECK(next(client, 1) == Words{"1:hello"});
    server.reset();
    const std::string refused = fmt::format("cannot connect to 127.0.0.1:{}: Connection refused", port);
    CHECK(next(client, 2) == Words{"-1", "-1 " + refused});
    CHECK(!client.connected());
    CHECK(!client.send("lost\n"));
    const int before = client.attempts();
    CHECK(comes_true([&] { return client.attempts() >= before + 5; }));
    CHECK(client.take(0ms).empty());  // they failed alike
    server = std::make_unique<LineServer>(LineServerOptions{.port = port});
    CHECK(next(client, 1) == Words{"+2"});
    CHECK(client.send("back\n"));
    CHECK(next(*server, 2) == Words{"+1", "1:back"});
    server.reset();
    CHECK(next(client, 2) == Words{"-2", "-2 " + refused});  // again, as it stood in between
}

TEST_CASE("a client waits longer after each attempt that fails, also with a server that takes nobody") {
    TcpListener listener;
    LineClient client({.host = "127.0.0.1", .port = listener.port(), .first_wait = 20ms, .longest_wait = 24h});
    std::vector<std::chrono::steady_clock::time_point> came;
    for (int k = 0; k < 6; ++k) {
        TcpPeer peer;
        listener.accept(peer);
        came.push_back(std::chrono::steady_clock::now());
    }
    // 20, 40, 80, 160 and 320 ms lie between them at least; and not a day, or none of this would come.
    CHECK(came[5] - came[0] >= 600ms);
}

TEST_CASE("a client gives a host up that does not answer, and tries again") {
    TcpListener listener(0, 0);  // takes one connection or two, and lets all others wait
    std::vector<std::unique_ptr<TcpPeer>> fill;
    for (int k = 0; k < 4; ++k) {
        fill.push_back(std::make_unique<TcpPeer>());
        fill.back()->socket.open(TcpPeer::Tcp::v4());
        fill.back()->socket.native_non_blocking(true);
        const auto end = listener.acceptor.local_endpoint();
        ::connect(fill.back()->socket.native_handle(), end.data(), static_cast<socklen_t>(end.size()));
    }
    LineClient client({.host = "127.0.0.1",
                       .port = listener.port(),
                       .first_wait = 1ms,
                       .longest_wait = 100ms,
                       .least_answer = 200ms});
    CHECK(next(client, 1) == Words{fmt::format("-0 cannot connect to 127.0.0.1:{}: no answer", listener.port())});
    const int before = client.attempts();
    CHECK(comes_true([&] { return client.attempts() >= before + 2; }));
    CHECK(client.take(0ms).empty());  // it is said once
    std::vector<std::unique_ptr<TcpPeer>> taken;
    listener.acceptor.non_blocking(true);
    CHECK(comes_true([&] {
        boost::system::error_code none;
        taken.push_back(std::make_unique<TcpPeer>());
        listener.acceptor.accept(taken.back()->socket, none);
        if (none) taken.pop_back();
        return client.connected();
    }));
    CHECK(next(client, 1) == Words{"+1"});
}

TEST_CASE("a client is no victim of its server: long lines, floods, a name that nobody knows") {
    TcpListener listener;
    LineClient client({.host = "127.0.0.1",
                       .port = listener.port(),
                       .first_wait = 1ms,
                       .most_line_bytes = 1000,
                       .most_waiting_bytes = 100'000,
                       .most_unsent_bytes = 1 << 20});
    TcpPeer server;
    listener.accept(server);
    CHECK(next(client, 1) == Words{"+1"});
    server.say(std::string(1002, 'x'));
    CHECK(next(client, 1) == Words{"-1 a line of more than 1000 bytes"});
    TcpPeer again;
    listener.accept(again);
    CHECK(next(client, 1) == Words{"+2"});
    std::atomic<int> said = 0;
    std::thread flood([&] {
        std::string text;
        for (int k = 0; k < 1000; ++k) text += "line\n";
        for (; said < 200; ++said) again.say(text);
    });
    CHECK(comes_to_rest([&] { return said.load(); }));
    std::size_t heard = 0, most = 0;
    while (heard < 200'000) {
        const std::size_t events = client.take(20s).size();
        if (events == 0) break;
        most = std::max(most, events);
        heard += events;
    }
    flood.join();
    CHECK(heard == 200'000);
    CHECK(most < 3000);
    int sent = 0;  // nobody reads it
    while (sent < 10'000 && client.send(std::string(1 << 16, 'x'))) ++sent;
    CHECK(sent > 0);
    CHECK(sent < 10'000);
    CHECK(client.connected());
    LineClient lost({.host = "no-such-host.invalid", .port = 1, .longest_wait = 300ms});
    const Words why = next(lost, 1);
    REQUIRE(why.size() == 1);
    CHECK(why[0].starts_with("-0 cannot connect to no-such-host.invalid:1: "));
}

}  // namespace test_line_server
