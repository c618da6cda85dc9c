// Private to this room: the thread of a server or a client, and the port that a server listens at.
#pragma once

#include <functional>
#include <string>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace outrider {

/// Runs what a context has to do, from begin() to finish(), also when that is nothing for a while.
class ContextThread {
  public:
    explicit ContextThread(boost::asio::io_context& context) : context_(context) {}
    void begin();
    /// Calls `end` on the thread, then waits until nothing is left to do, for at most half a second.
    void finish(std::function<void()> end);

  private:
    boost::asio::io_context& context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{context_.get_executor()};
    std::thread thread_;
};

/// Accepts connections, on the thread of its context.
class Listener {
  public:
    using Socket = boost::asio::ip::tcp::socket;

    /// Listens. Throws Error when the address or port cannot be used.
    Listener(boost::asio::io_context& context, const std::string& address, int port);
    /// Calls accepted(socket) for each connection; short messages on it are sent at once.
    void begin(std::function<void(Socket)> accepted);
    void close();
    int port() const { return port_; }

  private:
    void accept_next();

    boost::asio::ip::tcp::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    std::function<void(Socket)> accepted_;
    int port_ = 0;
};

/// Short messages are sent at once, and a host that vanished is noticed within a minute.
void prepare_socket(boost::asio::ip::tcp::socket& socket);

}  // namespace outrider
