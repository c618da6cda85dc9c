// The WebSocket client, against our own server and against servers that behave badly.
#include "net/web_socket_client.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include "helpers.hpp"
#include "net/web_socket_server.hpp"
#include "outrider/error.hpp"
#include "tcp_peer.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_web_socket_client {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using Kind = NetEvent::Kind;

std::string url(int port) { return fmt::format("ws://127.0.0.1:{}/", port); }

WebSocketClientOptions quick(int port) {
    return {.url = url(port), .first_wait = 10ms, .longest_wait = 50ms, .most_message_bytes = 100'000};
}

/// The next events, until there are so many or nothing comes for twenty seconds.
template <class Side>
std::vector<NetEvent> next(Side& side, std::size_t count) {
    std::vector<NetEvent> out;
    while (out.size() < count) {
        const std::vector<NetEvent> events = side.take(20s);
        if (events.empty()) break;
        out.insert(out.end(), events.begin(), events.end());
    }
    return out;
}

/// Waits until the client is (not) connected, or twenty seconds.
bool comes_to(const WebSocketClient& client, bool connected) {
    for (int k = 0; k < 2000 && client.connected() != connected; ++k) std::this_thread::sleep_for(10ms);
    return client.connected() == connected;
}

/// Waits until the client has tried to connect so many times more.
bool tries(const WebSocketClient& client, int times) {
    const int before = client.attempts();
    return comes_true([&] { return client.attempts() >= before + times; });
}

/// A port at which nobody listens.
int free_port() {
    asio::io_context context;
    return Tcp::acceptor(context, {asio::ip::make_address("127.0.0.1"), 0}).local_endpoint().port();
}

/// A server below the protocol: answers the first request with `answer`, or not at all.
struct RawServer {
    asio::io_context context;
    Tcp::acceptor acceptor{context, {asio::ip::make_address("127.0.0.1"), 0}};
    std::vector<Tcp::socket> sockets;

    int port() const { return acceptor.local_endpoint().port(); }
    std::string accept(const std::string& answer) {
        sockets.push_back(acceptor.accept());
        asio::streambuf request;
        asio::read_until(sockets.back(), request, "\r\n\r\n");
        if (!answer.empty()) asio::write(sockets.back(), asio::buffer(answer));
        return {asio::buffers_begin(request.data()), asio::buffers_end(request.data())};
    }
};

}  // namespace

TEST_CASE("a client and a server exchange messages in their order, and either says good-bye") {
    WebSocketServer server({.protocols = {"a.v1"}});
    auto client = std::make_unique<WebSocketClient>(
        WebSocketClientOptions{.url = fmt::format("ws://localhost:{}", server.port()), .protocol = "a.v1"});
    std::vector<NetEvent> events = next(*client, 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == Kind::joined);
    CHECK(events[0].client == 1);
    CHECK(client->connected());
    CHECK(client->send("hello", false));
    CHECK(client->send(std::string(70'000, 'x'), true));
    events = next(server, 3);
    REQUIRE(events.size() == 3);
    CHECK(events[1].kind == Kind::text);
    CHECK(events[1].data == "hello");
    CHECK(events[2].kind == Kind::binary);
    CHECK(events[2].data == std::string(70'000, 'x'));
    for (int k = 0; k < 100; ++k) server.send(1, fmt::format("{}", k), k % 2 == 1);
    events = next(*client, 100);
    REQUIRE(events.size() == 100);
    for (int k = 0; k < 100; ++k) {
        CHECK(events[static_cast<std::size_t>(k)].data == fmt::format("{}", k));
        CHECK(events[static_cast<std::size_t>(k)].kind == (k % 2 == 1 ? Kind::binary : Kind::text));
    }
    for (int k = 0; k < 1000; ++k) CHECK(client->send(fmt::format("last {}", k), false));
    client.reset();  // what is left is sent
    events = next(server, 1001);
    REQUIRE(events.size() == 1001);
    CHECK(events[999].data == "last 999");
    CHECK(events[1000].kind == Kind::left);
    CHECK(events[1000].data == "");
}

TEST_CASE("a client waits until its server comes up, and connects again when that comes back; failures are said once") {
    const int port = free_port();
    WebSocketClient client(quick(port));
    std::vector<NetEvent> events = next(client, 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == Kind::left);
    CHECK(events[0].client == 0);
    CHECK(events[0].data == fmt::format("cannot connect to ws://127.0.0.1:{}: Connection refused", port));
    CHECK_FALSE(client.connected());
    CHECK_FALSE(client.send("lost", false));
    CHECK(tries(client, 4));
    CHECK(client.take(0ms).empty());  // they failed alike
    for (int time = 1; time <= 3; ++time) {
        CAPTURE(time);
        auto server = std::make_unique<WebSocketServer>(WebSocketOptions{.port = port});
        events = next(client, 1);
        REQUIRE(events.size() == 1);
        CHECK(events[0].kind == Kind::joined);
        CHECK(events[0].client == time);
        CHECK(client.send(fmt::format("{}", time), false));
        events = next(*server, 2);
        REQUIRE(events.size() == 2);
        CHECK(events[1].data == fmt::format("{}", time));
        server.reset();
        events = next(client, 2);
        REQUIRE(events.size() == 2);
        CHECK(events[0].kind == Kind::left);
        CHECK(events[0].client == time);
        CHECK(events[0].data == "");  // it said good-bye
        CHECK(events[1].kind == Kind::left);
        CHECK(events[1].client == time);
        CHECK(events[1].data.find("Connection refused") != std::string::npos);
        CHECK(tries(client, 3));
        CHECK(client.take(0ms).empty());
    }
}

TEST_CASE("who is turned out by the server is told why") {
    WebSocketServer server({});
    WebSocketClient client(quick(server.port()));
    REQUIRE(next(client, 1).size() == 1);
    REQUIRE(next(server, 1).size() == 1);  // its side of the handshake is over, too
    server.close(1, "enough");
    const std::vector<NetEvent> events = next(client, 2);
    REQUIRE(events.size() == 2);
    CHECK(events[0].kind == Kind::left);
    CHECK(events[0].data == "enough");
    CHECK(events[1].kind == Kind::joined);
    CHECK(events[1].client == 2);
}

TEST_CASE("a server that sends a message that is too long is left, and connected to again later") {
    WebSocketServer server({});
    WebSocketClient client(quick(server.port()));
    REQUIRE(next(client, 1).size() == 1);
    REQUIRE(next(server, 1).size() == 1);  // its side of the handshake is over, too
    server.send(1, std::string(100'000, 'x'), false);
    server.send(1, std::string(100'001, 'y'), false);
    server.send(1, "z", false);
    const std::vector<NetEvent> events = next(client, 3);
    REQUIRE(events.size() == 3);
    CHECK(events[0].data == std::string(100'000, 'x'));
    CHECK(events[1].kind == Kind::left);
    CHECK(events[1].data == "a message of more than 100000 bytes");
    CHECK(events[2].kind == Kind::joined);
}

TEST_CASE("a client reads no faster than its messages are taken, and loses none") {
    // A server that waits until each message has gone out: what it could send shows when the client reads no more.
    asio::io_context context;
    Tcp::acceptor acceptor(context, {asio::ip::make_address("127.0.0.1"), 0});
    WebSocketClientOptions options = quick(acceptor.local_endpoint().port());
    options.most_waiting_bytes = 100'000;
    WebSocketClient client(options);
    boost::beast::websocket::stream<Tcp::socket> server(acceptor.accept());
    server.accept();
    server.binary(true);
    REQUIRE(next(client, 1).size() == 1);
    std::atomic<int> sent = 0;
    std::thread sender([&] {
        const std::string text(10'000, 'x');
        for (boost::beast::error_code error; sent < 2000 && !error; ++sent) server.write(asio::buffer(text), error);
    });
    CHECK(comes_to_rest([&] { return sent.load(); }));
    std::size_t heard = 0, most = 0;
    while (heard < 2000) {
        const std::vector<NetEvent> events = client.take(20s);
        if (events.empty()) break;
        std::size_t bytes = 0;
        for (const NetEvent& event : events) {
            bytes += event.data.size();
            heard += event.data.size() == 10'000;
        }
        most = std::max(most, bytes);
    }
    if (heard < 2000) ::shutdown(server.next_layer().native_handle(), SHUT_RDWR);  // or the sender waits for ever
    sender.join();
    CHECK(heard == 2000);
    CHECK(most < 200'000);
}

TEST_CASE("what a server does not read is lost beyond the bound, and sent up to it") {
    WebSocketServer server({.most_waiting_bytes = 100'000});
    WebSocketClientOptions options = quick(server.port());
    options.most_unsent_bytes = 1 << 20;
    WebSocketClient client(options);
    REQUIRE(next(client, 1).size() == 1);
    REQUIRE(next(server, 1).size() == 1);  // its side of the handshake is over, too
    std::size_t sent = 0, refused = 0;
    for (int k = 0; k < 4000; ++k) (client.send(std::string(10'000, 'x'), false) ? sent : refused) += 1;
    CHECK(sent >= 100);     // about a megabyte
    CHECK(refused > 1000);  // buffers of the system hold a few megabytes
    std::size_t heard = 0;
    while (heard < sent) {
        const std::vector<NetEvent> events = server.take(20s);
        if (events.empty()) break;
        for (const NetEvent& event : events) heard += event.data.size() == 10'000;
    }
    CHECK(heard == sent);
    bool again = false;
    for (int k = 0; k < 2000 && !(again = client.send("again", false)); ++k) std::this_thread::sleep_for(10ms);
    CHECK(again);
}

TEST_CASE("several threads send at a time while the link breaks and comes back") {
    const int port = free_port();
    WebSocketClient client(quick(port));
    std::atomic<bool> stop = false;
    std::vector<std::thread> senders;
    for (int t = 0; t < 3; ++t)
        senders.emplace_back([&, t] {
            for (int k = 0; !stop; ++k) {
                client.send(fmt::format("{} {}", t, k), false);
                std::this_thread::yield();
            }
        });
    for (int time = 0; time < 5; ++time) {
        WebSocketServer server({.port = port});
        std::map<int, int> last;  // by thread
        std::size_t heard = 0;
        bool in_order = true;
        for (int empty = 0; heard < 1000 && empty < 2;) {
            const std::vector<NetEvent> events = server.take(20s);
            empty = events.empty() ? empty + 1 : 0;
            for (const NetEvent& event : events) {
                if (event.kind != Kind::text) continue;
                ++heard;
                const int thread = std::stoi(event.data), k = std::stoi(event.data.substr(2));
                in_order &= !last.contains(thread) || last[thread] < k;
                last[thread] = k;
            }
        }
        CHECK(heard >= 1000);
        CHECK(in_order);
    }
    CHECK(comes_to(client, false));
    stop = true;
    for (std::thread& sender : senders) sender.join();
}

TEST_CASE("a server that accepts and never answers is given up after some seconds, and so is the client's end") {
    RawServer silent;
    {
        WebSocketClientOptions options = quick(silent.port());
        options.answer_time = 1s;
        WebSocketClient client(options);
        const std::string request = silent.accept("");
        CHECK(request.starts_with("GET / HTTP/1.1\r\n"));
        CHECK(request.find(fmt::format("Host: 127.0.0.1:{}\r\n", silent.port())) != std::string::npos);
        const std::vector<NetEvent> events = next(client, 1);
        REQUIRE(events.size() == 1);
        CHECK(events[0].kind == Kind::left);
        CHECK(events[0].data.ends_with(": no answer within 1 seconds"));
        CHECK_FALSE(client.connected());
        silent.accept("");  // the next attempt, which the client's end breaks off
    }
    char byte = 0;
    boost::system::error_code error;
    asio::read(silent.sockets.back(), asio::buffer(&byte, 1), error);
    CHECK(error == asio::error::eof);
}

TEST_CASE("servers that answer something else are told apart, once each") {
    RawServer other;
    WebSocketClientOptions options = quick(other.port());
    options.url += "a/b?c=d";
    WebSocketClient client(options);
    CHECK(other.accept("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").starts_with("GET /a/b?c=d HTTP/1.1\r\n"));
    std::vector<NetEvent> events = next(client, 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].data.ends_with(": it answered with status 404 of HTTP"));
    other.accept("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    other.accept("nonsense\r\n\r\n");
    events = next(client, 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].data.find("cannot connect to ") == 0);
    CHECK(events[0].data.find("status 404") == std::string::npos);
    CHECK_FALSE(client.connected());
}

TEST_CASE("a server without the protocol that a client asks for is none") {
    WebSocketServer server({});
    WebSocketClientOptions options = quick(server.port());
    options.protocol = "a.v1";
    WebSocketClient client(options);
    const std::vector<NetEvent> events = next(client, 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == Kind::left);
    CHECK(events[0].data.ends_with(": it does not speak a.v1"));
}

TEST_CASE("what is no URL of a WebSocket is an error") {
    const auto made = [](const std::string& text) { WebSocketClient client({.url = text}); };
    for (const char* wrong : {"",
                              "ws",
                              "ws://",
                              "ws:///path",
                              "http://127.0.0.1:9090",
                              "wss://127.0.0.1:9090",
                              "127.0.0.1:9090",
                              "ws://:9090",
                              "ws://host:",
                              "ws://host:0",
                              "ws://host:65536",
                              "ws://host:-1",
                              "ws://host:9090x",
                              "ws://host: 1",
                              "ws://ho st:1",
                              "ws://host:1/\r\nX: y",
                              "ws://me@host:1",
                              "ws://[::1:9090",
                              "ws://[]:1",
                              "ws://[::1]9090",
                              "ws://host:1/#part",
                              "ws://host:99999999999999999999"}) {
        CAPTURE(wrong);
        CHECK_THROWS_WITH_AS(made(wrong), doctest::Contains("expected a URL such as ws://127.0.0.1:9090"), Error);
    }
    CHECK_THROWS_AS(made("ws://" + std::string(3000, 'x')), Error);
    for (const char* right : {"ws://localhost:1", "ws://127.0.0.1:1/", "ws://127.0.0.1:1/a?b=c", "ws://[::1]:1/x"}) {
        CAPTURE(right);
        CHECK_NOTHROW(made(right));
    }
}

}  // namespace test_web_socket_client
