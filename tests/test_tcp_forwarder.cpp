// Doors that pass byte streams on while they are open.
#include "net/tcp_forwarder.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <thread>
#include <vector>

#include "outrider/error.hpp"
#include "tcp_peer.hpp"

using namespace outrider;

namespace test_tcp_forwarder {

TEST_CASE("what is said at an open door arrives behind it, and answers come back") {
    TcpForwarder forwarder({});
    TcpListener target;
    const std::optional<int> door = forwarder.add_door("127.0.0.1", target.port());
    REQUIRE(door);
    forwarder.set_open(*door, true);
    TcpPeer caller(*door), called;
    target.accept(called);
    CHECK(forwarder.door_of(called.socket.remote_endpoint().port()) == door);
    CHECK(!forwarder.door_of(1));
    CHECK(caller.say("hello\n"));
    CHECK(called.hear() == "hello");
    const std::string much(10'000'000, 'x');
    std::thread writer([&] { called.say(much + "\n"); });
    CHECK(caller.hear() == much);
    writer.join();
    caller.socket.shutdown(TcpPeer::Tcp::socket::shutdown_send);  // all is said, but not heard
    CHECK(called.hear() == "(left)");
    called.say("good-bye\n");
    CHECK(caller.hear() == "good-bye");
    const int source = called.socket.remote_endpoint().port();
    called.leave();
    CHECK(caller.hear() == "(left)");
    CHECK(!forwarder.door_of(source));
}

TEST_CASE("a door that closes cuts its connections, and turns others away until it opens again") {
    TcpForwarder forwarder({});
    TcpListener target, other;
    const int door = *forwarder.add_door("127.0.0.1", target.port()),
              stays = *forwarder.add_door("127.0.0.1", other.port());
    CHECK(TcpPeer(door).hear() == "(left)");  // closed at first
    forwarder.set_open(door, true);
    forwarder.set_open(stays, true);
    TcpPeer caller(door), called, neighbour(stays), neighbour_called;
    target.accept(called);
    other.accept(neighbour_called);
    forwarder.set_open(door, false);
    CHECK(caller.hear() == "(left)");
    CHECK(called.hear() == "(left)");
    CHECK(TcpPeer(door).hear() == "(left)");
    neighbour.say("still here\n");
    CHECK(neighbour_called.hear() == "still here");
    forwarder.set_open(door, true);
    TcpPeer again(door), called_again;
    target.accept(called_again);
    again.say("back\n");
    CHECK(called_again.hear() == "back");
    forwarder.remove_door(door);
    CHECK(again.hear() == "(left)");
    forwarder.remove_door(door);
    forwarder.set_open(door, true);
    CHECK(!forwarder.door_of(called_again.socket.remote_endpoint().port()));
}

TEST_CASE("a door to nowhere ends its connections; so many doors and connections there may be, and no more") {
    TcpForwarder forwarder({.most_doors = 2, .most_streams_of_door = 3});
    TcpListener target;
    int nowhere = 0;
    {
        TcpListener closed;
        nowhere = closed.port();
    }
    const int dead = *forwarder.add_door("127.0.0.1", nowhere);
    CHECK_THROWS_AS(forwarder.add_door("here", 1), Error);
    const int door = *forwarder.add_door("127.0.0.1", target.port());
    CHECK(!forwarder.add_door("127.0.0.1", target.port()));
    forwarder.set_open(dead, true);
    forwarder.set_open(door, true);
    CHECK(TcpPeer(dead).hear() == "(left)");
    std::vector<std::unique_ptr<TcpPeer>> callers, called;
    for (int k = 0; k < 3; ++k) {
        callers.push_back(std::make_unique<TcpPeer>(door));
        called.push_back(std::make_unique<TcpPeer>());
        target.accept(*called.back());
    }
    CHECK(TcpPeer(door).hear() == "(left)");
    callers[0]->leave();
    called[0]->leave();
    callers[1]->say("fine\n");
    CHECK(called[1]->hear() == "fine");
    forwarder.remove_door(dead);
    CHECK(forwarder.add_door("127.0.0.1", target.port()));
}

TEST_CASE("of a reader that waits the forwarder holds little: the writer waits too") {
    TcpForwarder forwarder({});
    TcpListener target;
    const int door = *forwarder.add_door("127.0.0.1", target.port());
    forwarder.set_open(door, true);
    TcpPeer caller(door), called;
    target.accept(called);
    caller.socket.non_blocking(true);
    const std::string text(1 << 16, 'x');
    std::size_t sent = 0;
    CHECK(comes_to_rest([&] {
        for (boost::system::error_code full; !full && sent < (std::size_t{1} << 30);)
            sent += caller.socket.write_some(boost::asio::buffer(text), full);
        return sent;
    }));
    CHECK(sent < (std::size_t{64} << 20));  // what the system's own buffers hold
    caller.leave();
    CHECK(called.hear_all().size() == sent);
}

}  // namespace test_tcp_forwarder
