// A WebSocket server (RFC 6455) on a thread of its own, for programs that look at a run or take part in it. Whatever
// clients do, its memory is bounded and the others are served: long messages and slow readers end their own connection,
// and of a client that sends faster than take() is called, no more is read meanwhile.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "net/net_event.hpp"

namespace outrider {

struct WebSocketOptions {
    std::string address = "127.0.0.1";         ///< to listen at; 0.0.0.0: also for other machines
    int port = 0;                              ///< 0: any that is free
    std::vector<std::string> protocols{};      ///< one of these a client must ask for; none: whatever it asks for
    std::vector<std::string> origins{};        ///< of web pages that may take part, besides programs (net/visitors.hpp)
    std::size_t most_clients = 32;             ///< more are turned away; one that never said anything makes room
    std::size_t most_message_bytes = 1 << 20;  ///< of a message of a client
    std::size_t most_waiting_bytes = 4 << 20;  ///< messages of one client that take() did not fetch yet
    std::size_t most_unsent_bytes = 64 << 20;  ///< messages to one client that it did not read yet
};

class WebSocketServer {
  public:
    /// Listens. Throws Error when the address or port cannot be used.
    explicit WebSocketServer(const WebSocketOptions& options);
    /// Sends what is left and says good-bye to the clients, for at most half a second.
    ~WebSocketServer();
    WebSocketServer(const WebSocketServer&) = delete;
    WebSocketServer& operator=(const WebSocketServer&) = delete;

    int port() const;
    /// What happened since the last call, in order of each client; waits for something up to `wait`. Who is not let in
    /// because of what net/visitors.hpp says is told of once, as `refused`.
    std::vector<NetEvent> take(std::chrono::milliseconds wait);
    /// From any thread. Nothing happens when the client has left.
    void send(int client, std::string message, bool binary);
    /// Bytes that clients did not read yet, of all together.
    std::size_t unsent() const;
    /// Waits until no more than so many bytes are unsent. Clients that have not read all after `patience` are dropped.
    void wait_for_readers(std::size_t bytes, std::chrono::milliseconds patience);
    /// Ends a connection; the client is told why.
    void close(int client, const std::string& why);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace outrider
