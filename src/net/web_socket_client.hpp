// A WebSocket client (RFC 6455) on a thread of its own. It connects, and connects again when the link breaks, waiting
// longer after each attempt that fails.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "net/net_event.hpp"

namespace outrider {

struct WebSocketClientOptions {
    std::string url;                               ///< ws://HOST:PORT/PATH
    std::string protocol{};                        ///< that it asks for; empty: none
    std::chrono::milliseconds first_wait{100};     ///< after the first attempt that failed; then twice as long each
    std::chrono::milliseconds longest_wait{5000};  ///< time, up to this
    std::chrono::seconds answer_time{5};           ///< for the connection, and again for the handshake
    std::size_t most_message_bytes = 16 << 20;     ///< of a message of the server; a longer one ends the connection
    std::size_t most_waiting_bytes = 64 << 20;     ///< messages that take() did not fetch yet: no more is read then
    std::size_t most_unsent_bytes = 64 << 20;      ///< messages that the server did not read yet: new ones are lost
};

class WebSocketClient {
  public:
    /// Begins to connect. Throws Error when the URL is none, or is not ws://.
    explicit WebSocketClient(const WebSocketClientOptions& options);
    /// Sends what is left and says good-bye, for at most half a second (longer while a name is looked up).
    ~WebSocketClient();
    WebSocketClient(const WebSocketClient&) = delete;
    WebSocketClient& operator=(const WebSocketClient&) = delete;

    /// What happened since the last call, in order; waits for something up to `wait`. `joined`: the link stands
    /// (again); `left`: it broke, or could not be made, and why (said once for attempts in a row that fail alike). The
    /// number of the client is how many times the link stood.
    std::vector<NetEvent> take(std::chrono::milliseconds wait);
    /// From any thread. False: the link is down, or too much is unsent; the message is lost.
    bool send(std::string message, bool binary);
    bool connected() const;
    /// How often it has begun to connect. What take() has to say of one attempt is there before the next one begins.
    int attempts() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace outrider
