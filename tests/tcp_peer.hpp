// The other side of a TCP connection, for tests: it waits for each of its operations, and sends whatever it likes.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include "net/net_event.hpp"

namespace outrider {

struct TcpPeer {
    using Tcp = boost::asio::ip::tcp;

    boost::asio::io_context context;
    Tcp::socket socket{context};
    std::string rest;  // that came after the last line

    TcpPeer() = default;
    explicit TcpPeer(int port) {
        socket.connect({boost::asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(port)});
    }
    /// False: the other side has ended the connection.
    bool say(std::string_view text) {
        boost::system::error_code error;
        boost::asio::write(socket, boost::asio::buffer(text), error);
        return !error;
    }
    /// The next line, without its end; "(left)" when the connection has ended.
    std::string hear(char end = '\n') {
        boost::system::error_code error;
        const std::size_t bytes = boost::asio::read_until(socket, boost::asio::dynamic_buffer(rest), end, error);
        if (error) return "(left)";
        std::string line = rest.substr(0, bytes - 1);
        rest.erase(0, bytes);
        if (line.ends_with('\r')) line.pop_back();
        return line;
    }
    /// The next line that begins so.
    std::string hear_until(std::string_view begin) {
        while (true)
            if (std::string line = hear(); line.starts_with(begin) || line == "(left)") return line;
    }
    /// What comes until the other side ends the connection.
    std::string hear_all() {
        boost::system::error_code error;
        boost::asio::read(socket, boost::asio::dynamic_buffer(rest), error);
        return rest;
    }
    void leave() { socket.close(); }
    /// From any thread: what waits to be sent or heard fails.
    void stop() { ::shutdown(socket.native_handle(), SHUT_RDWR); }
    /// Takes back what is under way, so that the other side sees an error.
    void break_off() {
        socket.set_option(boost::asio::socket_base::linger(true, 0));
        socket.close();
    }
};

/// Connections that never say anything: bare descriptors, of which the system has to allow this program enough.
class SilentPeers {
  public:
    explicit SilentPeers(std::size_t most) {
        constexpr std::size_t others = 500;
        getrlimit(RLIMIT_NOFILE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = std::min<rlim_t>(std::max<rlim_t>(limit.rlim_cur, most + others), limit.rlim_max);
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    ~SilentPeers() {
        for (const int peer : peers_) close(peer);
        setrlimit(RLIMIT_NOFILE, &before_);
    }
    SilentPeers(const SilentPeers&) = delete;
    SilentPeers& operator=(const SilentPeers&) = delete;
    /// False: it cannot be connected.
    bool add(int port) {
        const int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (peer < 0) return false;
        peers_.push_back(peer);
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_port = htons(static_cast<std::uint16_t>(port));
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return connect(peer, reinterpret_cast<const sockaddr*>(&at), sizeof(at)) == 0;
    }

  private:
    rlimit before_{};
    std::vector<int> peers_;
};

/// Listens on a port that was free.
struct TcpListener {
    using Tcp = boost::asio::ip::tcp;

    boost::asio::io_context context;
    Tcp::acceptor acceptor{context};

    explicit TcpListener(int port = 0, int backlog = 16) {
        acceptor.open(Tcp::v4());
        acceptor.set_option(boost::asio::socket_base::reuse_address(true));
        acceptor.bind({boost::asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(port)});
        acceptor.listen(backlog);
    }
    int port() const { return acceptor.local_endpoint().port(); }
    void accept(TcpPeer& peer) { acceptor.accept(peer.socket); }
};

/// Waits until something is so; false: it was not for a minute.
template <class Condition>
bool comes_true(Condition&& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

/// Waits until a count of what was sent has not changed for a fifth of a second: as much as the buffers of both sides
/// hold is under way, or all of it. False: it went on for a minute.
template <class Count>
bool comes_to_rest(Count&& count) {
    auto last = count();
    int same = 0;
    return comes_true([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        const auto now = count();
        same = now == last ? same + 1 : 0;
        last = now;
        return same >= 20;
    });
}

/// The next events of a server or client, until there are so many or nothing comes for long.
template <class Source>
std::vector<NetEvent> next_events(Source& source, std::size_t count) {
    std::vector<NetEvent> out;
    for (int empty = 0; out.size() < count && empty < 20;) {
        const std::vector<NetEvent> events = source.take(std::chrono::seconds(1));
        empty = events.empty() ? empty + 1 : 0;
        out.insert(out.end(), events.begin(), events.end());
    }
    return out;
}

}  // namespace outrider
