// Private to this room: the thread of a server or a client, and the port that a server listens at.
#pragma once

#include <functional>
#include <future>
#include <string>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "net/tcp.hpp"

namespace outrider {

/// Runs what a context has to do, from begin() to finish(), also when that is nothing for a while.
class ContextThread {
  public:
    explicit ContextThread(asio::io_context& context) : context_(context) {}
    void begin();
    /// Calls `end` on the thread, then waits until nothing is left to do, for at most half a second.
    void finish(std::function<void()> end);

  private:
    asio::io_context& context_;
    asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
    std::promise<void> ended_;
    std::thread thread_;
};

/// Accepts connections, on the thread of its context.
class Listener {
  public:
    /// Listens. Throws Error when the address or port cannot be used.
    Listener(asio::io_context& context, const std::string& address, int port);
    /// Calls accepted(socket) for each connection; short messages on it are sent at once.
    void begin(std::function<void(Tcp::socket)> accepted);
    void close();
    int port() const { return port_; }

  private:
    void accept_next();

    Tcp::acceptor acceptor_;
    Timer pause_;
    std::function<void(Tcp::socket)> accepted_;
    int port_ = 0;
};

/// Short messages are sent at once, and a host that vanished is noticed within a minute.
void prepare_socket(Tcp::socket& socket);

}  // namespace outrider
