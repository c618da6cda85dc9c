// The WebSocket server, and what it does with clients that behave badly.
#include "net/web_socket_server.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <thread>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include "helpers.hpp"
#include "net/visitors.hpp"
#include "outrider/error.hpp"
#include "tcp_peer.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_web_socket {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;

/// A client that waits for each of its operations.
struct Client {
    asio::io_context context;
    websocket::stream<Tcp::socket> stream{context};

    explicit Client(int port, const std::string& protocol = "") {
        connect(port);
        if (!protocol.empty())
            stream.set_option(websocket::stream_base::decorator([protocol](websocket::request_type& r) {
                r.set(beast::http::field::sec_websocket_protocol, protocol);
            }));
        stream.handshake("127.0.0.1", "/");
    }
    struct Raw {};
    Client(int port, Raw) { connect(port); }
    void connect(int port) {
        stream.next_layer().connect({asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(port)});
    }
    void say(const std::string& text) { stream.write(asio::buffer(text)); }
    std::string hear() {
        beast::flat_buffer buffer;
        stream.read(buffer);
        return beast::buffers_to_string(buffer.data());
    }
    /// Why the server ended the connection.
    std::string good_bye() {
        beast::flat_buffer buffer;
        beast::error_code error;
        while (!error) stream.read(buffer, error);
        return std::string(stream.reason().reason.c_str());
    }
    /// Sends bytes below the protocol; what the server answers until it ends the connection.
    std::string raw(const std::string& bytes) {
        beast::error_code error;
        asio::write(stream.next_layer(), asio::buffer(bytes), error);
        std::string answer;
        asio::read(stream.next_layer(), asio::dynamic_buffer(answer), error);
        return answer;
    }
};

/// The next events, until there are so many or nothing comes for twenty seconds.
std::vector<NetEvent> next(WebSocketServer& server, std::size_t count) { return next_events(server, count); }

using Kind = NetEvent::Kind;

}  // namespace

TEST_CASE("clients join, are heard and answered in their order, and leave") {
    WebSocketServer server({.protocols = {"a.v1", "b.v1"}});
    REQUIRE(server.port() > 0);
    Client first(server.port(), "other, b.v1"), second(server.port(), "a.v1");
    std::vector<NetEvent> events = next(server, 2);
    REQUIRE(events.size() == 2);
    CHECK(events[0].kind == Kind::joined);
    CHECK(events[0].client != events[1].client);
    const int one = std::min(events[0].client, events[1].client);
    first.say("hello");
    first.stream.binary(true);
    first.say(std::string(70'000, 'x'));
    events = next(server, 2);
    REQUIRE(events.size() == 2);
    CHECK(events[0].kind == Kind::text);
    CHECK(events[0].data == "hello");
    CHECK(events[1].kind == Kind::binary);
    CHECK(events[1].data == std::string(70'000, 'x'));
    CHECK(events[1].client == one);
    for (int k = 0; k < 100; ++k) server.send(one, fmt::format("{}", k), false);
    for (int k = 0; k < 100; ++k) CHECK(first.hear() == fmt::format("{}", k));
    server.send(99, "nobody", false);
    first.stream.close(websocket::close_code::normal);
    events = next(server, 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == Kind::left);
    CHECK(events[0].client == one);
    CHECK(events[0].data == "");
    server.send(one, "gone", false);
    server.close(one, "gone");
    second.say("still here");
    events = next(server, 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].data == "still here");
}

TEST_CASE("those who are no WebSocket, or speak another protocol, are told so and harm nobody") {
    WebSocketServer server({.protocols = {"a.v1"}});
    Client good(server.port(), "a.v1");
    CHECK(Client(server.port(), Client::Raw{}).raw("GET / HTTP/1.1\r\nHost: x\r\n\r\n").starts_with("HTTP/1.1 426"));
    CHECK(Client(server.port(), Client::Raw{}).raw("\x01\x02 nonsense\r\n\r\n") == "");
    CHECK(Client(server.port(), Client::Raw{}).raw("GET /" + std::string(20'000, 'x')) == "");
    CHECK_THROWS_AS(Client(server.port(), "b.v1"), beast::system_error);
    CHECK_THROWS_AS(Client(server.port()), beast::system_error);
    Client half_open(server.port(), Client::Raw{});  // says nothing
    good.say("fine");
    const std::vector<NetEvent> events = next(server, 2);
    REQUIRE(events.size() == 2);  // nobody else joined
    CHECK(events[1].data == "fine");
}

TEST_CASE("a message that is too long ends its connection, with the reason") {
    WebSocketServer server({.most_message_bytes = 1000});
    Client client(server.port());
    client.say(std::string(1000, 'x'));
    beast::error_code error;
    client.stream.write(asio::buffer(std::string(1001, 'x')), error);
    client.good_bye();
    client.stream.next_layer().close();
    const std::vector<NetEvent> events = next(server, 3);
    REQUIRE(events.size() == 3);
    CHECK(events[1].data.size() == 1000);
    CHECK(events[2].kind == Kind::left);
    CHECK(events[2].data == "a message of more than 1000 bytes");
}

TEST_CASE("a client that floods is read no faster than its messages are taken") {
    WebSocketServer server({.most_waiting_bytes = 100'000});
    Client flood(server.port()), calm(server.port());
    next(server, 2);
    std::atomic<std::size_t> sent = 0;
    std::thread sender([&] {
        beast::error_code error;
        const std::string text(10'000, 'x');
        for (; sent < 2000 && !error; ++sent) flood.stream.write(asio::buffer(text), error);
    });
    CHECK(comes_to_rest([&] { return sent.load(); }));
    calm.say("hello");
    std::size_t heard = 0, most = 0;
    bool calm_heard = false;
    while (heard < 2000) {
        const std::vector<NetEvent> events = server.take(20s);
        if (events.empty()) break;
        std::size_t bytes = 0;
        for (const NetEvent& event : events) {
            heard += event.data.size() == 10'000;
            calm_heard |= event.data == "hello";
            bytes += event.data.size();
        }
        most = std::max(most, bytes);
    }
    sender.join();
    CHECK(heard == 2000);  // nothing is lost
    CHECK(calm_heard);
    CHECK(most < 200'000);
}

TEST_CASE("a client that does not read what it is sent is dropped, before it takes more than its share of memory") {
    WebSocketServer server({.most_unsent_bytes = 1 << 20});
    Client lazy(server.port()), good(server.port());
    const std::vector<NetEvent> joined = next(server, 2);
    REQUIRE(joined.size() == 2);
    const int first = std::min(joined[0].client, joined[1].client),
              second = std::max(joined[0].client, joined[1].client);
    for (int k = 0; k < 400; ++k) server.send(first, std::string(1 << 16, 'x'), true);
    server.send(second, "hello", false);
    CHECK(good.hear() == "hello");
    const std::vector<NetEvent> events = next(server, 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == Kind::left);
    CHECK(events[0].client == first);
    CHECK(events[0].data == "it reads too slowly");
}

TEST_CASE("more clients than there may be are turned away; a place that gets free is given again") {
    WebSocketServer server({.most_clients = 3});
    std::vector<std::unique_ptr<Client>> clients;
    for (int k = 0; k < 3; ++k) {
        clients.push_back(std::make_unique<Client>(server.port()));
        clients.back()->say("here");
        CHECK(next(server, 2).size() == 2);
    }
    std::size_t refused = 0;
    for (int k = 0; k < 100; ++k) try {
            Client extra(server.port());
        } catch (const beast::system_error&) {
            ++refused;
        }
    CHECK(refused == 100);
    clients.pop_back();
    CHECK(next(server, 1).size() == 1);
    Client again(server.port());
    again.say("hello");
    const std::vector<NetEvent> events = next(server, 2);
    REQUIRE(events.size() == 2);
    CHECK(events[1].data == "hello");
}

TEST_CASE("a web page is let in where its origin is allowed, and no page under a name that leads here by deceit") {
    WebSocketServer server({.protocols = {"a.v1"}, .origins = {"https://good.example"}});
    const std::string port = std::to_string(server.port());
    const auto answer = [&](const std::string& fields) {
        Client client(server.port(), Client::Raw{});
        boost::system::error_code error;
        const std::string request =
            "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: a.v1\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
            fields + "\r\n";
        asio::write(client.stream.next_layer(), asio::buffer(request), error);
        std::string said;
        asio::read_until(client.stream.next_layer(), asio::dynamic_buffer(said), "\r\n", error);
        return said.substr(0, 12);
    };
    const std::string in = "HTTP/1.1 101", out = "HTTP/1.1 403", here = "Host: 127.0.0.1:" + port + "\r\n";
    CHECK(answer(here) == in);
    CHECK(answer(here + "Origin: http://127.0.0.1:" + port + "\r\n") == in);  // what some programs say
    CHECK(answer(here + "Origin: https://good.example\r\n") == in);
    CHECK(answer(here + "Origin: HTTPS://Good.Example\r\n") == in);
    CHECK(answer("Host: localhost\r\n") == in);
    CHECK(answer("Host: LOCALHOST.:9\r\n") == in);
    CHECK(answer("Host: [::1]:9\r\n") == in);
    for (const std::string& origin :
         std::vector<std::string>{"null", "https://evil.example", "http://127.0.0.1:8000", "http://localhost:" + port,
                                  "https://127.0.0.1:" + port, "https://good.example.evil.example", "file://", ""}) {
        CAPTURE(origin);
        CHECK(answer(here + "Origin: " + origin + "\r\n") == out);
    }
    CHECK(answer(here + "Origin: https://good.example\r\nOrigin: https://evil.example\r\n") == out);
    for (const std::string& host :
         std::vector<std::string>{"evil.example", "evil.example:" + port, "127.0.0.1.evil.example", "10.1.2.3",
                                  "localhost.evil.example", "", "[::2]"}) {
        CAPTURE(host);
        CHECK(answer("Host: " + host + "\r\n") == out);
        CHECK(answer("Host: " + host + "\r\nOrigin: http://" + host + "\r\n") == out);
    }
    CHECK(answer("") == out);
    CHECK(answer(here + here) == out);
    std::string told;
    for (const NetEvent& event : server.take(0s))
        if (event.kind == Kind::refused) told += event.data + '\n';
    CHECK(told.find("a web page of 'https://evil.example' may not take part; --allow-origin https://evil.example") !=
          std::string::npos);
    CHECK(told.find("'evil.example' is no name of this server") != std::string::npos);
    for (int k = 0; k < 100; ++k) answer(here + fmt::format("Origin: https://e{}.example\r\n", k));
    std::size_t refused = 0;
    for (const NetEvent& event : server.take(0s)) refused += event.kind == Kind::refused;
    CHECK(refused < 20);  // not one for each
}

TEST_CASE("origins are checked when they are given, and addresses are known that other machines reach") {
    CHECK(checked_origins({"https://App.Foxglove.dev", "http://localhost:8000", "http://[::1]:80"}) ==
          std::vector<std::string>{"https://app.foxglove.dev", "http://localhost:8000", "http://[::1]:80"});
    for (const std::string bad : {"null", "*", "", "evil.example", "https://", "https://a/b", "https://a b", "://a"})
        CHECK_THROWS_AS(checked_origins({bad}), Error);
    for (const std::string near : {"127.0.0.1", "127.1.2.3", "::1"}) CHECK_FALSE(reaches_beyond_loopback(near));
    for (const std::string far : {"0.0.0.0", "::", "192.168.1.2", "fe80::1"}) CHECK(reaches_beyond_loopback(far));
    CHECK(refusal_of({{"robots"}, {}}, "0.0.0.0", {}) != "");
    CHECK(refusal_of({{"192.168.1.2:9090"}, {}}, "0.0.0.0", {}) == "");
    CHECK(refusal_of({{"192.168.1.2:9090"}, {}}, "192.168.1.2", {}) == "");
    CHECK(refusal_of({{"192.168.1.3:9090"}, {}}, "192.168.1.2", {}) != "");
}

TEST_CASE("a thousand connections that say nothing keep nobody out, before the handshake and after it") {
    WebSocketServer server({.most_clients = 8});
    Client good(server.port());
    good.say("hello");
    REQUIRE(next(server, 2).size() == 2);
    SilentPeers silent(1000);
    std::vector<std::unique_ptr<Client>> shaken;  // these only shake hands
    for (int k = 0; k < 1000; ++k) {
        REQUIRE(silent.add(server.port()));
        if (k % 20 == 0) shaken.push_back(std::make_unique<Client>(server.port()));
        if (k % 20 > 0) continue;
        // Each message is heard and answered meanwhile.
        const std::string text = fmt::format("message {}", k);
        good.say(text);
        for (bool heard = false; !heard;) {
            const std::vector<NetEvent> events = server.take(20s);
            REQUIRE(!events.empty());
            for (const NetEvent& event : events) {
                REQUIRE_FALSE((event.client == 1 && event.kind == Kind::left));
                heard |= event.client == 1 && event.data == text;
            }
        }
        server.send(1, text, false);
        CHECK(good.hear() == text);
    }
    Client late(server.port());
    late.say("I am late");
    good.say("still here");
    bool late_heard = false, good_heard = false;
    while (!late_heard || !good_heard) {
        const std::vector<NetEvent> events = server.take(20s);
        REQUIRE(!events.empty());
        for (const NetEvent& event : events) {
            late_heard |= event.data == "I am late";
            good_heard |= event.data == "still here";
        }
    }
}

TEST_CASE("the server says good-bye when it ends, and does not wait for those who do not answer") {
    auto server = std::make_unique<WebSocketServer>(WebSocketOptions{});
    Client polite(server->port()), silent(server->port());
    next(*server, 2);
    std::string reason;
    std::thread reader([&] { reason = polite.good_bye(); });
    std::future<void> ending = std::async(std::launch::async, [&] { server.reset(); });
    const bool ended = ending.wait_for(60s) == std::future_status::ready;
    CHECK(ended);
    if (!ended) silent.stream.next_layer().close();  // which is what it waits for
    reader.join();
    CHECK(reason == "the server ends");
}

TEST_CASE("a port that is taken and an address that is none are errors") {
    WebSocketServer server({});
    CHECK_THROWS_WITH_AS(WebSocketServer({.port = server.port()}), doctest::Contains("cannot listen at 127.0.0.1:"),
                         Error);
    CHECK_THROWS_WITH_AS(WebSocketServer({.address = "here"}), doctest::Contains("expected an address"), Error);
}

}  // namespace test_web_socket
