// A server for protocols of text lines over TCP, on a thread of its own. Whatever clients do, its memory is bounded and
// the others are served: a line that is too long and a slow reader end their own connection, and of a client that sends
// faster than take() is called, no more is read meanwhile.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "net/net_event.hpp"

namespace outrider {

struct LineServerOptions {
    std::string address = "127.0.0.1";  ///< to listen at; 0.0.0.0: also for other machines
    int port = 0;                       ///< 0: any that is free
    char end = '\n';                    ///< of a line; "\r" before it is dropped
    std::size_t most_clients = 32;
    std::size_t most_line_bytes = 64 << 10;
    std::size_t most_waiting_bytes = 1 << 20;  ///< lines of one client that take() did not fetch yet
    std::size_t most_unsent_bytes = 16 << 20;  ///< to one client that it did not read yet
};

class LineServer {
  public:
    /// Listens. Throws Error when the address or port cannot be used.
    explicit LineServer(const LineServerOptions& options);
    /// Sends what is left, for at most half a second.
    ~LineServer();
    LineServer(const LineServer&) = delete;
    LineServer& operator=(const LineServer&) = delete;

    int port() const;
    /// What happened since the last call, in order of each client; waits for something up to `wait`. Lines are events
    /// of the kind `text`, without their end; `joined` says the client's address. More clients than may be there are
    /// turned away without a word, unless one that never said anything can make room. A client that begins like a
    /// browser is dropped: a web page could put lines into a request of HTTP.
    std::vector<NetEvent> take(std::chrono::milliseconds wait);
    /// From any thread: the text as it is, its line end included. Nothing happens when the client has left.
    void send(int client, std::string text);
    /// Sends what is left, for at most half a second, and ends the connection; what it says is not heard any more.
    void close(int client, const std::string& why);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace outrider
